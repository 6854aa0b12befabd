// What can be laid down: sets, pairs, single tiles and bonus tiles of one player, within the tiles there are.
// Points are the server's business.

const COPIES = 4;
const SPARE_COPIES = 4; // jokers of a goulash, over the whole table
const WITHOUT_WINNER = 14;
const LOSER = 13;

export const isBonus = (code) => /^[FS][1-4]$/.test(code);
const isSuit = (code) => /^[1-9][CBD]$/.test(code);
export const words = (text) => (text ? text.trim().toUpperCase().split(/\s+/) : []);

export function readSet(text) {
  const parts = text.trim().split(/\s+/);
  const tile = parts.pop().toUpperCase();
  const kind = parts.pop().toLowerCase();
  return { kind, tile, concealed: (parts.pop() || "").toLowerCase() === "concealed" };
}

export function setNotation({ kind, tile, concealed }) {
  return kind === "pair" ? `pair ${tile}` : `${concealed ? "concealed" : "exposed"} ${kind} ${tile}`;
}

export function setTiles({ kind, tile }) {
  if (kind === "chow") return [0, 1, 2].map((step) => `${Number(tile[0]) + step}${tile[1]}`);
  return Array({ pair: 2, pung: 3, kong: 4 }[kind] || 1).fill(tile);
}

export const isTiles = (hand) => Boolean(hand) && !["total", "points", "special", "fishing_for"].some((key) => key in hand);
export const setsOf = (hand) => (hand?.sets || []).map(readSet);
export const singlesOf = (hand) => words(hand?.tiles);
export const bonusOf = (hand) => words(hand?.bonus);

export function hasTiles(hand) {
  return isTiles(hand) && (setsOf(hand).length > 0 || singlesOf(hand).length > 0 || bonusOf(hand).length > 0);
}

export function handTiles(hand) {
  return [...setsOf(hand).flatMap(setTiles), ...singlesOf(hand)];
}

// A kong takes the room of three.
export function size(hand) {
  return setsOf(hand).reduce((sum, set) => sum + (set.kind === "pair" ? 2 : 3), 0) + singlesOf(hand).length;
}

export const bigSets = (hand) => setsOf(hand).filter((set) => set.kind !== "pair").length;

function spareCopies(body) {
  const count = {};
  for (const code of Object.values(body.hands).flatMap(handTiles)) count[code] = (count[code] || 0) + 1;
  return Object.values(count).reduce((sum, number) => sum + Math.max(0, number - COPIES), 0);
}

// Says why a body cannot be laid out with the tiles of the table; empty when it can. A shared winning tile of two
// winners is the server's to count.
export function impossible(body, tileNames, goulash, shared) {
  const count = {};
  for (const code of Object.values(body.hands).flatMap(handTiles)) count[code] = (count[code] || 0) + 1;
  if (shared && count[shared]) count[shared] -= 1;
  for (const [code, number] of Object.entries(count)) {
    if (number > COPIES && !goulash) return `There are only four tiles of ${tileNames[code]} at the table, and this would make ${number}.`;
  }
  if (spareCopies(body) > SPARE_COPIES) return "A goulash has at most four jokers; this would need more.";
  const bonus = Object.values(body.hands).flatMap(bonusOf);
  const twice = bonus.find((code, place) => bonus.indexOf(code) !== place);
  if (twice) return `There is only one ${tileNames[twice]}, and it is already entered.`;
  return "";
}

export function mostTiles(hand, isWinner, somebodyElseWon) {
  if (hand?.count === "too many") return Infinity;
  return isWinner || !somebodyElseWon ? WITHOUT_WINNER : LOSER;
}

// Says why a set cannot be; empty when it can.
export function impossibleSet({ kind, tile }, tileNames, goulash) {
  if (kind !== "chow") return "";
  if (goulash) return "There are no chows in a goulash.";
  if (!isSuit(tile)) return `A chow is a run of one suit; ${tileNames[tile]} cannot be in one.`;
  if (Number(tile[0]) > 7) return `A chow is named by its lowest tile; none begins with ${tileNames[tile]}.`;
  return "";
}
