// What else may matter in a hand: how the last tile came, an original call, a wrong count of tiles.
import { pressed, translate } from "./dom.js";
import { isWhole, kongs, mayBeAtOnce, mayBeRobbed, settleTile, WAYS } from "./last_tile.js";
import * as rules from "./rules.js";
import { change, hand, seat, state, toggle, winners } from "./state.js";

/** @param {boolean | string} value */
export function flag(number, words, name, value = true) {
  change(() => toggle((state.body.hands[number] ||= { sets: [] }), name, value), words);
}

/** @param {boolean | string} value */
const flagged = (number, words, name, value = true) =>
  pressed(words, hand(number)?.[name] === value, () => flag(number, words, name, value));

export function otherFacts(number) {
  return [
    state.data.offers.original_call_losers && flagged(number, "Original call", "original_call"),
    flagged(number, "Too few tiles", "count", "too few"),
    flagged(number, "Too many tiles", "count", "too many"),
  ];
}

const asks = (name) => state.data.offers.asks.includes(name);

/** @param {boolean | string} value */
function way(win, name, words, from, value = true) {
  return pressed(
    words,
    win[name] === value,
    () =>
      change(() => {
        const was = win[name] === value;
        for (const one of winners()) {
          for (const other of WAYS) delete one[other];
          if (from) one.from = from;
          if (!was) one[name] = value;
          settleTile(one);
        }
      }, words),
    `way-${name}`,
  );
}

/** @param {boolean | number} value */
function fact(win, name, words, value = true) {
  return pressed(words, win[name] === value, () => change(() => toggle(win, name, value), words), `fact-${name}`);
}

function looseTile(win) {
  return pressed(
    translate`Loose tile, from the Kong box`,
    win.from === "kong box",
    () =>
      change(() => {
        for (const name of WAYS) delete win[name];
        win.from = win.from === "kong box" ? "wall" : "kong box";
        settleTile(win);
      }, translate`loose tile`),
    "way-loose",
  );
}

export function wayButtons(number, win) {
  const { offers } = state.data;
  const mine = hand(number);
  const drawn = !win.from || win.from === "wall";
  const loose = win.from === "kong box";
  const discarded = !drawn && !loose;
  const isEast = seat(number).wind === "E";
  const fromEast = discarded && seat(win.from)?.wind === "E";
  return [
    !discarded && asks("loose_tile") && looseTile(win),
    loose && asks("flower_replaced") && way(win, "replacement_for", offers.ways.flower_replaced, "kong box", "flower"),
    loose &&
      asks("second_kong") &&
      (win.second_kong || !isWhole(number) || kongs(mine) > 1) &&
      way(win, "second_kong", "After a second kong in a row", "kong box"),
    loose && offers.last_tile_may_be_loose && fact(win, "last_tile", "Last tile of the wall too"),
    drawn && asks("last_of_wall") && way(win, "last_tile", offers.ways.last_of_wall, "wall"),
    drawn &&
      asks("dealt") &&
      (isEast || !offers.dealt_is_for_east) &&
      (win.dealt || mayBeAtOnce(mine, win)) &&
      way(win, "dealt", offers.ways.dealt, "wall"),
    discarded && asks("last_discard") && way(win, "last_tile", offers.ways.last_discard),
    discarded &&
      asks("robbed_kong") &&
      (win.robbed_kong || mayBeRobbed(mine, win)) &&
      way(win, "robbed_kong", offers.ways.robbed_kong),
    fromEast &&
      !isEast &&
      asks("first_discard") &&
      (win.first_discard || mayBeAtOnce(mine, win)) &&
      way(win, "first_discard", offers.ways.first_discard),
    offers.original_call && rules.isTiles(mine) && flagged(number, "Original call", "original_call"),
    asks("standing") && fact(win, "standing", offers.ways.standing),
    asks("thirteenth") && isEast && fact(win, "consecutive", offers.ways.thirteenth, 13),
    asks("first_round") && !isEast && fact(win, "first_round", offers.ways.first_round),
    asks("last_of_kind") && fact(win, "last_of_kind", offers.ways.last_of_kind),
  ];
}
