// The last tile of a winner: which it may have been, where it came from, and the one that scores least.
import { html } from "../../web/html.js";
import { pressed, question, tilePicture, translate } from "./dom.js";
import * as rules from "./rules.js";
import { change, hand, keep, scoreOf, seat, setUnsure, state, unsureOf, winners, winning } from "./state.js";

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
function finishers(mine, win) {
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

// Exchanges all that is entered for two players, of whom `number` wins; how the last tile came is asked again.
export function exchangeHands(from, number) {
  const win = winning(number);
  for (const what of ["from", "tile", ANY_TILE]) for (const either of [from, number]) setUnsure(either, what, false);
  for (const part of ["from", "tile", ...WAYS]) delete win[part];
  for (const part of [state.body.hands, state.body.beside, state.body.beside.unsure || {}, state.ways]) {
    [part[from], part[number]] = [part[number], part[from]];
    for (const either of [from, number]) if (part[either] === undefined) delete part[either];
  }
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

// What is asked of it; `more` is the control that is last.

const LAST_TILE = "Which was the last tile?";
const LAST_TILE_KNOWN = "Last tile";

function setFrom(number, from, isUnsure = false) {
  change(
    () => {
      setUnsure(number, "from", isUnsure);
      for (const win of winners()) {
        for (const way of WAYS) delete win[way];
        win.from = from;
        settleTile(win);
      }
      if (isUnsure) return state.data.sentences.unsure_from;
      return from === "wall"
        ? `${seat(number).name} drew the last tile from the wall.`
        : `The last tile was ${seat(from).name}’s discard.`;
    },
    from === "wall" ? "from the wall" : isUnsure ? "not sure" : `${seat(from).name}’s discard`,
  );
}

// Asks where the last tile came from.
export function fromRow(number, win, more) {
  const others = state.data.seats.filter((one) => !winning(one.number));
  const wall = win.from === "wall" || win.from === "kong box";
  const unsure = Boolean(win.from) && !wall && unsureOf(number).includes("from");
  const least = others.find((one) => one.wind !== "E") || others[0];
  return question(
    "Last tile from",
    winners().length === 1 &&
      pressed(win.from === "kong box" ? translate`The Kong box` : "The wall", wall, () => setFrom(number, "wall")),
    others.map((one) => pressed(one.name, win.from === one.number && !unsure, () => setFrom(number, one.number))),
    mayBeUnsure(number, others) && pressed("Not sure", unsure, () => setFrom(number, least.number, true)),
    more,
  );
}

// A discard scores less than a drawn tile; whose it was does not matter, unless the discarder pays more.
// A typed total is what it is.
const mayBeUnsure = (number, others) =>
  winners().length === 1 &&
  !state.data.offers.discarder_pays_more &&
  others.length > 0 &&
  !("total" in (hand(number) || {}));

export function lastTileRows(number, win, more) {
  const asks = asksTile(number, win);
  // Once it is chosen where the last tile came from, the tile stays in sight.
  const tiles = asks || (win.from && isWhole(number)) ? finishers(hand(number), win) : [];
  const from = fromRow(number, win, !tiles.length && more);
  if (!tiles.length) return [from];
  const unsure = unsureOf(number).includes("tile");
  const isChosen = win.tile && !unsureOf(number).includes(ANY_TILE);
  if (!asks && !isChosen && !unsure)
    return [
      from,
      question(LAST_TILE_KNOWN, html`<span class="any-tile">It makes no difference which tile came last.</span>`, more),
    ];
  // The rules say with the score which tile scores least.
  const notSure = () =>
    change(() => {
      setUnsure(number, "tile", true);
      setUnsure(number, ANY_TILE, false);
      delete win.tile;
      return "Nobody was sure, so the lowest score is used.";
    });
  const chips = tiles.map((code) => chip(number, win, code, unsure || unsureOf(number).includes(ANY_TILE)));
  const mayBeUnsureOfTile = tiles.length > 1 && winners().length === 1 && !state.data.alone;
  return [
    from,
    question(
      asks ? LAST_TILE : LAST_TILE_KNOWN,
      chips,
      (asks || unsure) && mayBeUnsureOfTile && pressed("Not sure", unsure, notSure),
      more,
    ),
  ];
}

// Asks for the last tile once all tiles are entered, if the score depends on it or is not known.
function asksTile(number, win) {
  if (!isWhole(number) || finishers(hand(number), win).length < 2) return false;
  return winners().length > 1 || !scoreOf(number) || scoreOf(number).asks_tile;
}

function chip(number, win, code, unsure) {
  return pressed(
    tilePicture(code, "tile-small"),
    win.tile === code && !unsure,
    () =>
      change(() => {
        setUnsure(number, "tile", false);
        setUnsure(number, ANY_TILE, false);
        for (const one of winners()) one.tile = code;
        return `The last tile was ${state.data.tiles[code]}.`;
      }, `last tile ${state.data.tiles[code]}`),
    `chip chip-${code}`,
    state.data.tiles[code],
  );
}
