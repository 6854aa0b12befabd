// Hands and sets in the players' own words.
import { html, nothing } from "../../web/html.js";
import { filled } from "../outbox/commands.js";
import { button, translate, translateText } from "./dom.js";
import { bonusOf, isTiles, setsOf, singlesOf } from "./rules.js";
import { change, hand, keepBeside, scoreOf, state, winning } from "./state.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

export function several(number, one, many) {
  return `${NUMBERS[number] || number} ${number === 1 ? one : many}`;
}

export function setTile({ kind, tile }, tileNames) {
  const [first, suit] = [Number(tile[0]), tile[1]];
  return kind === "chow" ? `${first} ${first + 1} ${tileNames[`${first + 2}${suit}`]}` : tileNames[tile];
}

export const setKind = (set) =>
  set.kind === "pair" ? "Pair" : translateText(`${set.concealed ? "Concealed" : "Exposed"} ${set.kind}`);

export const setWords = (set, tileNames) => `${setKind(set)}: ${setTile(set, tileNames)}`;

// A set in few words, for a button: "Pung 2 Circles".
export const setName = (set, tileNames) =>
  `${translateText(set.kind[0].toUpperCase() + set.kind.slice(1))} ${setTile(set, tileNames)}`;

export function handWords(hand, data) {
  if (!hand) return "Nothing yet";
  if ("total" in hand) return translate`A total of ${hand.total.toLocaleString("en-GB")}`;
  if ("points" in hand)
    return `${hand.points.toLocaleString("en-GB")} ${hand.points === 1 ? "point" : "points"}${hand.doubles ? `, ${several(hand.doubles, "double", "doubles")}` : ""}`;
  const special = data.special_hands.find((one) => one.key === (hand.special || hand.fishing_for));
  if (special) return hand.fishing_for ? `Fishing for ${special.name}` : special.name;
  const sets = setsOf(hand);
  const parts = [];
  const big = sets.filter((set) => set.kind !== "pair").length;
  if (big) parts.push(several(big, "set", "sets"));
  if (sets.length > big) parts.push(several(sets.length - big, "pair", "pairs"));
  if (singlesOf(hand).length) parts.push(several(singlesOf(hand).length, "single tile", "single tiles"));
  if (bonusOf(hand).length) parts.push(several(bonusOf(hand).length, "bonus tile", "bonus tiles"));
  if (!parts.length && isTiles(hand)) return "Nothing to score";
  const text = parts.join(", ");
  return text[0].toUpperCase() + text.slice(1);
}

// The question about a typed total that the table's rules make unlikely; asked without the network too.
export function totalQuestion(number) {
  const total = hand(number)?.total;
  if (!Number.isInteger(total)) return null;
  const isAbout = ({ above, below, odd, winner_only: winnerOnly }) =>
    (winning(number) || !winnerOnly) &&
    ((above !== null && total > above) || (below !== null && total < below) || (odd && total % 2 === 1));
  const asked = state.data.offers.total_questions.find(isAbout);
  return asked ? filled(asked.question, { total: total.toLocaleString("en-GB") }) : null;
}

// Tiles and a figure for the same hand: both are kept and shown, and the table chooses which to use.

const isFigure = (mine) => Boolean(mine) && ("total" in mine || "points" in mine);

export function disagreement(number) {
  const counts = hand(number);
  const other = state.body.beside[number];
  const tilesCount = isTiles(counts) && isFigure(other);
  if (!tilesCount && !(isFigure(counts) && isTiles(other))) return nothing;
  const both = scoreOf(number)?.beside;
  return html`<fieldset class="panel disagreement" aria-label="Which to use">
    <p>${both || (tilesCount ? "You also typed a total. The tiles are the ones being used." : "You also entered tiles. The total you typed is the one being used.")}</p>
    ${button(tilesCount ? "Use the total" : "Use the tiles", () => exchange(number))}</fieldset>`;
}

function exchange(number) {
  change(() => {
    const counted = hand(number);
    const { [number]: chosen } = state.body.beside;
    state.body.hands[number] = chosen;
    keepBeside(number, counted);
    state.ways[number] = isTiles(chosen) ? "tiles" : "total" in chosen ? "total" : "points";
    if (!state.body.beside[number]) return "The tiles are now used.";
    return isTiles(chosen)
      ? "The tiles are now used. The total is kept too."
      : "The total is now used. The tiles are kept too.";
  });
}
