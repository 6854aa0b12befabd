// Who went Mah-jong and how, and what else may matter in a hand: fishing, an original call, a wrong count of tiles.
import { html, nothing } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { button, drawFor, pressed, tilePicture, translate } from "./dom.js";
import * as rules from "./rules.js";
import {
  change,
  EVERYBODY,
  hand,
  isFalseMahjong,
  keep,
  redraw,
  refuse,
  scoreOf,
  seat,
  setUnsure,
  state,
  toggle,
  unsureOf,
  winners,
  winning,
} from "./state.js";
import { setWords } from "./words.js";

// Unsure: the score is the same with any last tile, so nobody was asked which it was.
const ANY_TILE = "any tile";
// How far above the foot a question stands that would lie under it; px.
const QUESTION_GAP = 8;
const LAST_TILE = "Which was the last tile?";
const LAST_TILE_KNOWN = "Last tile";
// Only one of these can be how the last tile came.
const WAYS = ["last_tile", "robbed_kong", "dealt", "first_discard", "second_kong", "replacement_for"];

function setWinners(list) {
  state.body.mahjong = list.length > 1 ? list : list[0] || null;
}

// `opens` shows the winner's page next.
export function toggleWinner(number, opens = false) {
  const name = seat(number).name;
  const already = winners();
  if (winning(number)) {
    return change(() => {
      setWinners(already.filter((one) => one.by !== number));
      return translate`${name} does not go Mah-jong.`;
    });
  }
  if (already.length === 1 && state.data.offers.two_winners) {
    return change(() => {
      if (opens) turnTo(number);
      forgetUnchosen(already[0]);
      const { tile, from } = already[0];
      setWinners([already[0], { by: number, ...(tile && { tile }), ...(from && from !== number && { from }) }]);
      return translate`${seat(already[0].by).name} and ${name} both go Mah-jong.`;
    });
  }
  if (already.length > 1) return refuse(translate`Two players already go Mah-jong. Undo one of them first.`);
  return change(() => {
    setWinners([{ by: number }]);
    Object.assign(state, { drawn: false, replaced: already[0]?.by });
    if (opens) turnTo(number);
    const before = already[0] ? `, not ${seat(already[0].by).name}` : "";
    return translate`${name} goes Mah-jong${before}.`;
  });
}

// The tiles of who was taken for the winner may be those of the winner, who has none yet.
function moveRow(number) {
  const from = state.replaced;
  if (!from || hand(number) || !rules.hasTiles(hand(from))) return nothing;
  const move = () =>
    change(() => {
      state.body.hands[number] = hand(from);
      delete state.body.hands[from];
      tilesChanged(number);
      return `The tiles are ${seat(number).name}’s now.`;
    });
  const leave = () => {
    state.replaced = "";
    redraw();
  };
  return question(
    `Are ${seat(from).name}’s tiles ${seat(number).name}’s?`,
    button("Yes, move them", move),
    button("No", leave),
  );
}

function turnTo(number) {
  Object.assign(state, { view: number, editing: null, special: false });
}

export function nobody() {
  change(() => {
    state.drawn = !state.drawn;
    if (state.drawn) state.body.mahjong = null;
    return state.drawn ? translate`Nobody went Mah-jong.` : "";
  });
}

export function tilesChanged(number) {
  const win = winning(number);
  if (win && rules.isTiles(hand(number))) settleTile(win);
}

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

// `pickHand` opens the list of special hands by name.
export function drawQuestions(pickHand) {
  const number = state.view;
  const win = winning(number);
  const special = () => ways(win ? wayButtons(number, win) : otherFacts(number));
  drawFor(
    number,
    byId("questions"),
    state.special ? special() : win ? winnerRows(number, win) : loserRow(number, pickHand),
  );
}

// Scrolls so that the question of the last tile is not under the bar, once all tiles of a winner are entered.
export function showQuestions(number) {
  if (!winning(number) || rules.size(hand(number)) !== rules.WINNERS_TILES) return;
  const [asked, bar] = [byId("questions"), byId("entry-foot")].map((one) => one.getBoundingClientRect());
  const isBeside = asked.right <= bar.left || asked.left >= bar.right;
  if (!isBeside && asked.bottom > bar.top) window.scrollBy(0, asked.bottom - bar.top + QUESTION_GAP);
}

// Forgets a winning tile that the hand no longer has, and takes the only one that it can be.
function settleTile(win) {
  forgetUnchosen(win);
  const tiles = finishers(hand(win.by), win);
  if (tiles.length && !tiles.includes(win.tile)) delete win.tile;
  if (tiles.length === 1 && rules.size(hand(win.by)) === rules.WINNERS_TILES) [win.tile] = tiles;
}

// A tile that nobody had to choose may matter in the hand as it is now.
function forgetUnchosen(win) {
  if (!unsureOf(win.by).includes(ANY_TILE)) return;
  delete win.tile;
  setUnsure(win.by, ANY_TILE, false);
}

const shown = (controls) => controls.map((one) => one || nothing);
const question = (words, ...controls) =>
  html`<fieldset class="question" aria-label=${words}><span class="question-words" aria-hidden="true">${words}</span><div class="question-answers">${shown(controls)}</div></fieldset>`;

const asks = (name) => state.data.offers.asks.includes(name);
const more = () =>
  html`<button type="button" class="more" aria-expanded="false" @click=${() => open(true)}>Anything special?</button>`;

const moreOf = (number, win) => wayButtons(number, win).some(Boolean) && more();

function open(wanted) {
  state.special = wanted;
  redraw();
  byId("questions")
    .querySelector(wanted ? ".special-ways button" : ".more")
    ?.focus({ preventScroll: true });
}

// Asks where the last tile came from.
export function fromRow(number, win, isLast = true) {
  const others = state.data.seats.filter((one) => !winning(one.number));
  const wall = win.from === "wall" || win.from === "kong box";
  const unsure = Boolean(win.from) && !wall && unsureOf(number).includes("from");
  return question(
    "Last tile from",
    winners().length === 1 &&
      pressed(win.from === "kong box" ? translate`The Kong box` : "The wall", wall, () => setFrom(number, "wall")),
    others.map((one) => pressed(one.name, win.from === one.number && !unsure, () => setFrom(number, one.number))),
    mayBeUnsure(others) && pressed("Not sure", unsure, () => setFrom(number, conservative(others), true)),
    isLast && moreOf(number, win),
  );
}

// A discard scores less than a drawn tile; whose it was does not matter, unless the discarder pays more.
const mayBeUnsure = (others) => winners().length === 1 && !state.data.offers.discarder_pays_more && others.length > 0;
const conservative = (others) => (others.find((one) => one.wind !== "E") || others[0]).number;

function winnerRows(number, win) {
  return [moveRow(number), chowRow(number), lastTileRows(number, win)];
}

// A second chow, where the rules allow one, is a slip or a false Mah-jong; a special hand may have several.
function chowRow(number) {
  const { most_chows: most } = state.data.offers;
  const sets = rules.isTiles(hand(number)) ? rules.setsOf(hand(number)) : [];
  const chows = sets.filter((set) => set.kind === "chow").length;
  if (most === null || chows <= most || scoreOf(number)?.is_special) return nothing;
  const words = translate`${most === 0 ? "No" : most === 1 ? "Only one" : `Only ${most}`} ${most > 1 ? "chows" : "chow"} in a Mah-jong`;
  const last = sets.findLastIndex((set) => set.kind === "chow");
  const toPung = () =>
    change(() => {
      const changed = { ...sets[last], kind: "pung" };
      state.body.hands[number].sets[last] = rules.setNotation(changed);
      tilesChanged(number);
      return `${setWords(changed, state.data.tiles)}.`;
    });
  return question(
    words,
    button(translate`It was a pung`, toPung),
    falseRow() && button(translate`False Mah-jong`, () => falseMahjong(number)),
  );
}

const falseRow = () => state.data.penalties.find(isFalseMahjong);

function falseMahjong(number) {
  change(() => {
    state.body.penalties.push(...penaltiesOf(falseRow(), number));
    setWinners([]);
    turnTo(EVERYBODY);
    return translate`False Mah-jong: ${seat(number).name}.`;
  });
}

// The penalties of a row of the list: one to each of the others, where each is paid.
export function penaltiesOf(row, by, to = "", amount = row.amount) {
  const payees = row.to === "each" ? state.data.seats.map((one) => one.number).filter((number) => number !== by) : [to];
  return payees.map((payee) => ({ kind: row.kind, by, ...(payee && { to: payee }), ...(amount && { amount }) }));
}

function lastTileRows(number, win) {
  const asks = asksTile(number, win);
  const tiles = asks || isAnswered(number, win) ? finishers(hand(number), win) : [];
  const from = fromRow(number, win, !tiles.length);
  if (!tiles.length) return [from];
  const unsure = unsureOf(number).includes("tile");
  const isChosen = win.tile && !unsureOf(number).includes(ANY_TILE);
  if (!asks && !isChosen && !unsure)
    return [
      from,
      question(
        LAST_TILE_KNOWN,
        html`<span class="any-tile">It makes no difference which tile came last.</span>`,
        moreOf(number, win),
      ),
    ];
  const chips = tiles.map((code) => chip(number, win, code, unsure || unsureOf(number).includes(ANY_TILE)));
  const mayBeUnsureOfTile = tiles.length > 1 && winners().length === 1 && !state.data.alone;
  return [
    from,
    question(
      asks ? LAST_TILE : LAST_TILE_KNOWN,
      chips,
      (asks || unsure) && mayBeUnsureOfTile && pressed("Not sure", unsure, () => unsureOfTile(number, win)),
      moreOf(number, win),
    ),
  ];
}

// Whether the score may rise once the last tile, or where it came from, is chosen.
export const isLowest = (number) => Boolean(scoreOf(number)?.is_lowest);

// Asks for the last tile once all tiles are entered, if the score depends on it or is not known.
function asksTile(number, win) {
  if (!isWhole(number) || finishers(hand(number), win).length < 2) return false;
  return winners().length > 1 || !scoreOf(number) || scoreOf(number).asks_tile;
}

const isWhole = (number) => rules.isTiles(hand(number)) && rules.size(hand(number)) === rules.WINNERS_TILES;

// Once it is chosen where the last tile came from, the tile stays in sight.
const isAnswered = (number, win) => Boolean(win.from) && isWhole(number);

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

// The server says with the score which tile scores least.
function unsureOfTile(number, win) {
  change(() => {
    setUnsure(number, "tile", true);
    setUnsure(number, ANY_TILE, false);
    delete win.tile;
    return "Nobody was sure, so the lowest score is used.";
  });
}

// Takes the tile that scores least, if nobody is sure which it was.
export function takeLeast(number, tile) {
  const win = winning(number);
  if (!win || !unsureOf(number).includes("tile") || !finishers(hand(number), win).includes(tile)) return;
  win.tile = tile;
  keep();
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
const mayBeRobbed = (mine, win) => !isWhole(win.by) || finishers(mine, { ...win, robbed_kong: true }).length > 0;

const kongs = (mine) => rules.setsOf(mine).filter((set) => set.kind === "kong").length;

// Whether the tiles may be those that were dealt, but for the last one: nobody has an exposed set or a kong so early. A claimed
// tile exposes the set that it completes.
function mayBeAtOnce(mine, win) {
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

function loserRow(number, pickHand) {
  const mine = hand(number);
  if (mine && !rules.isTiles(mine)) return nothing;
  const { fishing, fishing_by_name: byName, losers_score: counts } = state.data.offers;
  if (!counts) return nothing;
  const fishes = scoreOf(number)?.fishes;
  return question(
    "Also",
    fishes && !mine?.fishing
      ? button(`Fishing for ${fishes.name}: ${fishes.total}`, () => flag(number, "fishing"), "suggested")
      : (fishing || byName) && pressed("Fishing for a special hand", mine?.fishing, () => fish(number, pickHand)),
    more(),
  );
}

// The rules find the special hand in thirteen tiles; with fewer it is chosen by name.
function fish(number, pickHand) {
  const isFound = state.data.offers.fishing && rules.size(hand(number)) === rules.LOSERS_TILES;
  if (isFound || hand(number)?.fishing) flag(number, "fishing");
  else pickHand(number);
}

/** @param {boolean | string} value */
function flag(number, name, value = true) {
  change(() => toggle((state.body.hands[number] ||= { sets: [] }), name, value));
}

function otherFacts(number) {
  const mine = hand(number) || {};
  return [
    state.data.offers.original_call_losers &&
      pressed("Original call", mine.original_call, () => flag(number, "original_call")),
    pressed("Too few tiles", mine.count === "too few", () => flag(number, "count", "too few")),
    pressed("Too many tiles", mine.count === "too many", () => flag(number, "count", "too many")),
  ];
}

const ways = (controls) =>
  html`<fieldset class="special-ways" aria-label="Anything special?">${shown(controls)}${button("Done", () => open(false), "done")}</fieldset>`;

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
      }),
    "way-loose",
  );
}

function wayButtons(number, win) {
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
    offers.original_call &&
      rules.isTiles(mine) &&
      pressed("Original call", mine?.original_call, () => flag(number, "original_call")),
    asks("standing") && fact(win, "standing", offers.ways.standing),
    asks("thirteenth") && isEast && fact(win, "consecutive", offers.ways.thirteenth, 13),
    asks("first_round") && !isEast && fact(win, "first_round", offers.ways.first_round),
    asks("last_of_kind") && fact(win, "last_of_kind", offers.ways.last_of_kind),
  ];
}
