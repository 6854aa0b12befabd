// Who went Mah-jong, with which last tile, and who was fishing.
import { html, nothing } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { button, drawFor, pressed, tilePicture, translate } from "./dom.js";
import { ANY_TILE, finishAs, finishers, forgetUnchosen, isWhole, settleTile, tilesChanged, WAYS } from "./last_tile.js";
import * as rules from "./rules.js";
import {
  change,
  EVERYBODY,
  hand,
  isFalseMahjong,
  redraw,
  refuse,
  scoreOf,
  seat,
  setUnsure,
  state,
  unsureOf,
  winners,
  winning,
} from "./state.js";
import { flag, otherFacts, wayButtons } from "./special_ways.js";
import { specialOf } from "./ways.js";
import { setWords } from "./words.js";

// How far above the foot a question stands that would lie under it; px.
const QUESTION_GAP = 8;
const LAST_TILE = "Which was the last tile?";
const LAST_TILE_KNOWN = "Last tile";

function setWinners(list) {
  state.body.mahjong = list.length > 1 ? list : list[0] || null;
  for (const { by } of list) if (rules.isNothing(hand(by))) delete state.body.hands[by];
}

const isEntered = (number) => Boolean(hand(number)) && !rules.isNothing(hand(number));

// `opens` shows the winner's page next.
export function toggleWinner(number, opens = false) {
  const name = seat(number).name;
  const already = winners();
  if (winning(number)) {
    return change(() => {
      setWinners(already.filter((one) => one.by !== number));
      if (isEntered(number)) state.replaced = number;
      return translate`${name} does not go Mah-jong.`;
    });
  }
  if (already.length === 1 && state.data.offers.two_winners) {
    return change(() => {
      if (opens) turnTo(number);
      if (state.replaced === number) state.replaced = "";
      forgetUnchosen(already[0]);
      const { tile, from } = already[0];
      setWinners([already[0], { by: number, ...(tile && { tile }), ...(from && from !== number && { from }) }]);
      return translate`${seat(already[0].by).name} and ${name} both go Mah-jong.`;
    });
  }
  if (already.length > 1) return refuse(translate`Two players already go Mah-jong. Undo one of them first.`);
  return change(() => {
    const before = already[0]?.by;
    if (before) state.replaced = isEntered(before) ? before : "";
    setWinners([{ by: number }]);
    state.drawn = false;
    if (opens) turnTo(number);
    return translate`${name} goes Mah-jong${before ? `, not ${seat(before).name}` : ""}.`;
  });
}

// What was entered for who was taken for the winner may be the winner's.
function moveRow(number) {
  const from = state.replaced;
  if (!from || from === number || !isEntered(from)) return nothing;
  const isFigure = "total" in hand(from) || "points" in hand(from);
  const [theirs, ours] = [`${seat(from).name}’s`, `${seat(number).name}’s`];
  const isExchanged = Boolean(hand(number));
  const move = () =>
    change(
      () => {
        exchange(from, number);
        return `The ${isFigure ? "score is" : "tiles are"} ${ours} now.`;
      },
      isFigure ? "whose score" : "whose tiles",
    );
  const leave = () => {
    state.replaced = "";
    redraw();
  };
  return question(
    isFigure ? `Is ${theirs} score ${ours}?` : `Are ${theirs} tiles ${ours}?`,
    button(isExchanged ? "Yes, exchange them" : isFigure ? "Yes, move it" : "Yes, move them", move),
    button("No", leave),
  );
}

// Exchanges all that is entered for two players; how the last tile came is asked again.
function exchange(from, number) {
  const win = winning(number);
  for (const what of ["from", "tile", ANY_TILE]) for (const one of [from, number]) setUnsure(one, what, false);
  for (const part of ["from", "tile", ...WAYS]) delete win[part];
  for (const part of [state.body.hands, state.body.beside, state.body.beside.unsure || {}, state.ways]) {
    [part[from], part[number]] = [part[number], part[from]];
    for (const one of [from, number]) if (part[one] === undefined) delete part[one];
  }
  state.replaced = "";
  const special = specialOf(hand(number));
  if (special) finishAs(win, special);
  else tilesChanged(number);
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

const shown = (controls) => controls.map((one) => one || nothing);
const question = (words, ...controls) =>
  html`<fieldset class="question" aria-label=${words}><span class="question-words" aria-hidden="true">${words}</span><div class="question-answers">${shown(controls)}</div></fieldset>`;

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
    mayBeUnsure(number, others) && pressed("Not sure", unsure, () => setFrom(number, conservative(others), true)),
    isLast && moreOf(number, win),
  );
}

// A discard scores less than a drawn tile; whose it was does not matter, unless the discarder pays more.
// A typed total is what it is.
const mayBeUnsure = (number, others) =>
  winners().length === 1 &&
  !state.data.offers.discarder_pays_more &&
  others.length > 0 &&
  !("total" in (hand(number) || {}));
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

// Asks for the last tile once all tiles are entered, if the score depends on it or is not known.
function asksTile(number, win) {
  if (!isWhole(number) || finishers(hand(number), win).length < 2) return false;
  return winners().length > 1 || !scoreOf(number) || scoreOf(number).asks_tile;
}

// Once it is chosen where the last tile came from, the tile stays in sight.
const isAnswered = (number, win) => Boolean(win.from) && isWhole(number);

// The server says with the score which tile scores least.
function unsureOfTile(number, win) {
  change(() => {
    setUnsure(number, "tile", true);
    setUnsure(number, ANY_TILE, false);
    delete win.tile;
    return "Nobody was sure, so the lowest score is used.";
  });
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

const ways = (controls) =>
  html`<fieldset class="special-ways" aria-label="Anything special?">${shown(controls)}${button("Done", () => open(false), "done")}</fieldset>`;
