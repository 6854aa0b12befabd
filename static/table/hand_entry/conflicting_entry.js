// Tiles and a figure for the same hand: both are kept and shown, and the table says which counts.
import { button, h } from "./dom.js";
import { isTiles } from "./rules.js";
import { change, hand, state } from "./state.js";

const isFigure = (mine) => Boolean(mine) && ("total" in mine || "points" in mine);

export function disagreement(number) {
  const counts = hand(number);
  const other = state.body.beside[number];
  const tilesCount = isTiles(counts) && isFigure(other);
  if (!tilesCount && !(isFigure(counts) && isTiles(other))) return null;
  const both = state.scores[number]?.beside;
  return h("fieldset", { class: "panel disagreement", "aria-label": "Which to use" },
    h("p", {}, both || (tilesCount ? "You also typed a total. The tiles are the ones being used." : "You also entered tiles. The total you typed is the one being used.")),
    button(tilesCount ? "Use the total" : "Use the tiles", () => exchange(number), { "data-focus": "exchange" }));
}

function exchange(number) {
  change(() => {
    const counted = hand(number);
    const { [number]: chosen } = state.body.beside;
    state.body.hands[number] = chosen;
    state.body.beside[number] = counted;
    state.ways[number] = isTiles(chosen) ? "tiles" : "total" in chosen ? "total" : "points";
    return isTiles(chosen) ? "The tiles are now used. The total is kept too." : "The total is now used. The tiles are kept too.";
  });
}
