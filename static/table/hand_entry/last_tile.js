// The last tile of a winner: which it may have been, where it came from, and the one that scores least.
import * as rules from "./rules.js";
import { hand, keep, scoreOf, setUnsure, state, unsureOf, winners, winning } from "./state.js";

// Unsure: the score is the same with any last tile, so nobody was asked which it was.
export const ANY_TILE = "any tile";
// Only one of these can be how the last tile came.
export const WAYS = ["last_tile", "robbed_kong", "dealt", "first_discard", "second_kong", "replacement_for"];

export function tilesChanged(number) {
  const win = winning(number);
  if (win && rules.isTiles(hand(number))) settleTile(win);
}

// Forgets a winning tile that the hand no longer has, and takes the only one that it can be.
export function settleTile(win) {
  forgetUnchosen(win);
  const tiles = finishers(hand(win.by), win);
  if (tiles.length && !tiles.includes(win.tile)) delete win.tile;
  if (tiles.length === 1 && rules.size(hand(win.by)) === rules.WINNERS_TILES) [win.tile] = tiles;
}

// A tile that nobody had to choose may matter in the hand as it is now.
export function forgetUnchosen(win) {
  if (!unsureOf(win.by).includes(ANY_TILE)) return;
  delete win.tile;
  setUnsure(win.by, ANY_TILE, false);
}

// Whether the score may rise once the last tile, or where it came from, is chosen.
export const isLowest = (number) => Boolean(scoreOf(number)?.is_lowest);

export const isWhole = (number) => rules.isTiles(hand(number)) && rules.size(hand(number)) === rules.WINNERS_TILES;

// The last tile that the server found to score least, if the hand still has it.
export function leastTile(win) {
  const tile = scoreOf(win.by)?.finished;
  return finishers(hand(win.by), win).includes(tile) ? tile : "";
}

// Last tiles that nobody chose are saved as they were scored.
export function settleLastTiles() {
  for (const win of winners()) {
    if ((win.tile && !unsureOf(win.by).includes(ANY_TILE)) || !leastTile(win)) continue;
    win.tile = leastTile(win);
    const asks = scoreOf(win.by).asks_tile;
    setUnsure(win.by, "tile", asks);
    setUnsure(win.by, ANY_TILE, !asks);
  }
}

// Takes the tile that scores least, if nobody is sure which it was.
export function takeLeast(number, tile) {
  const win = winning(number);
  if (!win || !unsureOf(number).includes("tile") || !finishers(hand(number), win).includes(tile)) return;
  win.tile = tile;
  keep();
}

// The tiles that may have been the last one, in the order of the hand. It does not complete a kong, a tile that was drawn does
// not complete an exposed set, and a robbed one is the only one of its kind, but for the jokers of a goulash.
export function finishers(mine, win) {
  if (!rules.isTiles(mine)) return [];
  const drawn = win.from === "wall" || win.from === "kong box";
  const can = (set) => set.kind === "pair" || (set.kind !== "kong" && (set.concealed || !drawn));
  const sets = rules.setsOf(mine).filter(can).flatMap(rules.setTiles);
  const tiles = [...new Set([...sets, ...rules.singlesOf(mine)])];
  const all = rules.handTiles(mine);
  return win.robbed_kong && !state.data.goulash
    ? tiles.filter((code) => all.indexOf(code) === all.lastIndexOf(code))
    : tiles;
}

// Until all tiles are entered, any may be robbed.
export const mayBeRobbed = (mine, win) => !isWhole(win.by) || finishers(mine, { ...win, robbed_kong: true }).length > 0;

export const kongs = (mine) => rules.setsOf(mine).filter((set) => set.kind === "kong").length;

// Whether the tiles may be those that were dealt, but for the last one: nobody has an exposed set or a kong so early. A claimed
// tile exposes the set that it completes.
export function mayBeAtOnce(mine, win) {
  if (mine?.exposed) return false;
  if (!rules.isTiles(mine)) return true;
  const exposed = rules.setsOf(mine).filter((set) => set.kind !== "pair" && !set.concealed);
  const isClaimed = win.from && win.from !== "wall";
  const completed = isClaimed && exposed.some((set) => !win.tile || rules.setTiles(set).includes(win.tile));
  return !kongs(mine) && exposed.length <= (completed ? 1 : 0);
}

// Takes what the name of a special hand says of the last tile: where it came from, and its marks.
export function finishAs(win, { sources, marks }, before) {
  for (const mark of Object.keys(before?.marks || {})) delete win[mark];
  const from = sources.map((one) => state.data.seats.find(({ wind }) => wind === one)?.number || one);
  const isOther = from.length > 0 && !from.includes(win.from);
  const isMarked = WAYS.some((name) => name in marks);
  if (isOther || isMarked) for (const name of WAYS) delete win[name];
  if (isOther) {
    delete win.from;
    setUnsure(win.by, "from", false);
  }
  Object.assign(win, marks);
  if (from.length === 1 || isMarked) win.from ||= from[0];
}
