// What can be entered: sets, pairs, single tiles and bonus tiles, within the tiles there are. The server scores them.

const COPIES = 4;
const SPARE_COPIES = 4; // jokers of a goulash, over the whole table
export const WINNERS_TILES = 14;
export const LOSERS_TILES = 13;

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

export const isTiles = (hand) =>
  Boolean(hand) && !["total", "points", "special", "fishing_for"].some((key) => key in hand);
export const setsOf = (hand) => (hand?.sets || []).map(readSet);
export const singlesOf = (hand) => words(hand?.tiles);
export const bonusOf = (hand) => words(hand?.bonus);

export const handTiles = (hand) => [...setsOf(hand).flatMap(setTiles), ...singlesOf(hand)];
export const hasTiles = (hand) => isTiles(hand) && (handTiles(hand).length > 0 || bonusOf(hand).length > 0);

// “Nothing to score”, which is an answer for a loser only.
export const isNothing = (hand) =>
  isTiles(hand) && !hasTiles(hand) && !hand.fishing && !hand.original_call && !hand.count;

// How many tiles the hand has, a kong counted as three.
export function size(hand) {
  return setsOf(hand).reduce((sum, set) => sum + (set.kind === "pair" ? 2 : 3), 0) + singlesOf(hand).length;
}

export const bigSets = (hand) => setsOf(hand).filter((set) => set.kind !== "pair").length;

// Returns the tiles that are all entered: of a suit or an honour four, of a flower or season the one that another player has.
export function usedUp(hands, number) {
  const count = {};
  for (const code of Object.values(hands).flatMap(handTiles)) count[code] = (count[code] || 0) + 1;
  const others = Object.entries(hands)
    .filter(([one]) => one !== number)
    .flatMap(([, mine]) => bonusOf(mine));
  return new Set([...Object.keys(count).filter((code) => count[code] >= COPIES), ...others]);
}

// Returns why a body cannot be laid out with the tiles of the table; empty if it can. A tile that two winners share is
// left to the server.
export function impossible(body, tileNames, goulash, shared) {
  const count = {};
  for (const code of Object.values(body.hands).flatMap(handTiles)) count[code] = (count[code] || 0) + 1;
  const spare = Object.values(count).reduce((sum, number) => sum + Math.max(0, number - COPIES), 0);
  if (shared && count[shared]) count[shared] -= 1;
  const many = Object.keys(count).find((code) => count[code] > COPIES);
  if (many && !goulash) return `There are only four ${tileNames[many]} tiles.`;
  if (spare > SPARE_COPIES) return "A goulash has at most four jokers; this would need more.";
  const bonus = Object.values(body.hands).flatMap(bonusOf);
  const twice = bonus.find((code, place) => bonus.indexOf(code) !== place);
  return twice ? `There is only one ${tileNames[twice]}, and it is already entered.` : "";
}

export function maxTiles(hand, isWinner, somebodyElseWon) {
  if (hand?.count === "too many") return Infinity;
  return isWinner || !somebodyElseWon ? WINNERS_TILES : LOSERS_TILES;
}

// Returns why there can be no such set; empty if there can.
export function impossibleSet({ kind, tile }, tileNames, goulash) {
  if (kind !== "chow") return "";
  if (goulash) return "There are no chows in a goulash.";
  if (!isSuit(tile)) return `A chow is a run of one suit; ${tileNames[tile]} cannot be in one.`;
  if (Number(tile[0]) > 7) return `A chow is named by its lowest tile; none begins with ${tileNames[tile]}.`;
  return "";
}
