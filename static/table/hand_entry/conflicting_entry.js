// Tiles and a figure for the same hand: both are kept and shown, and the table says which counts.
import { button, h } from "./dom.js";
import { isTiles } from "./rules.js";
import { change, hand, state } from "./state.js";

const isFigure = (mine) => Boolean(mine) && ("total" in mine || "points" in mine);

export function disagreement(number) {
  const counts = hand(number);
  const beside = state.body.beside[number];
  const tilesCount = isTiles(counts) && isFigure(beside);
  if (!tilesCount && !(isFigure(counts) && isTiles(beside))) return null;
  const both = state.scores[number]?.beside;
  return h("fieldset", { class: "panel disagreement", "aria-label": "Which counts" },
    h("p", {}, both || (tilesCount ? "A figure was typed for this hand too. The tiles count." : "There are tiles for this hand too. The figure typed here counts.")),
    button(tilesCount ? "Let the figure count" : "Let the tiles count", () => exchange(number), { "data-focus": "exchange" }));
}

function exchange(number) {
  change(() => {
    const counted = hand(number);
    const { [number]: chosen } = state.body.beside;
    state.body.hands[number] = chosen;
    state.body.beside[number] = counted;
    state.ways[number] = isTiles(chosen) ? "tiles" : "total" in chosen ? "total" : "points";
    return isTiles(chosen) ? "The tiles count; the typed figure is kept beside them." : "The typed figure counts; the tiles are kept beside it.";
  });
}
