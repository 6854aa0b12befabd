// What is missing in a hand before it can be saved, each with the view where it is put right.
import { filled } from "../outbox/commands.js";
import { translate } from "./dom.js";
import { leastTile } from "./last_tile.js";
import { handTiles, isTiles, size, WINNERS_TILES } from "./rules.js";
import { blankSeats, EVERYBODY, hand, isVoid, seat, state, winners } from "./state.js";

export function problems() {
  const found = [];
  if (isVoid() && winners().length)
    return [[translate`Choose which to keep: the false Mah-jong or the Mah-jong.`, EVERYBODY]];
  if (!state.drawn && !isVoid()) {
    if (!winners().length) return [[state.data.sentences.no_winner, EVERYBODY]];
    for (const one of blankSeats()) found.push([`${one.name}: ${state.data.sentences.blank}`, one.number]);
  }
  for (const [number, mine] of Object.entries(state.body.hands)) {
    for (const name of ["total", "points", "doubles"]) {
      if (name in mine && !Number.isInteger(mine[name]))
        found.push([
          `${seat(number).name}: ${filled(state.data.sentences.not_whole, { typed: mine[name], name })}`,
          number,
        ]);
    }
  }
  for (const win of winners()) found.push(...winnerProblems(win));
  return found;
}

function winnerProblems(win) {
  const mine = hand(win.by);
  const { hands, winner_needs_tiles: needsTiles, discarder_pays_more: asksFrom } = state.data.offers;
  if (mine ? !isTiles(mine) && !asksFrom : needsTiles) return [];
  const name = seat(win.by).name;
  const found = [];
  if (!win.from && !win.dealt) found.push([`${name}: ${state.data.sentences.no_source}`, hands ? win.by : EVERYBODY]);
  if (!mine || !isTiles(mine)) return found;
  if (win.tile || !handTiles(mine).length || leastTile(win)) return found;
  const laid = size(mine);
  if (laid !== WINNERS_TILES)
    return [
      ...found,
      [
        translate`${name} has ${laid} ${laid === 1 ? "tile" : "tiles"}. A Mah-jong has 14 (count a kong as three).`,
        win.by,
      ],
    ];
  return [...found, [`Choose ${name}’s last tile.`, win.by]];
}
