// Who went Mah-jong, and who was fishing.
import { html, nothing } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { button, drawFor, pressed, question, translate } from "./dom.js";
import { exchangeHands, finishAs, forgetUnchosen, lastTileRows, tilesChanged } from "./last_tile.js";
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
  state,
  winners,
  winning,
} from "./state.js";
import { flag, otherFacts, wayButtons } from "./special_ways.js";
import { specialOf } from "./ways.js";
import { setWords } from "./words.js";

const FISHING = "Fishing for a special hand";
// How far above the foot a question stands that would lie under it; px.
const QUESTION_GAP = 8;

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
        exchangeHands(from, number);
        state.replaced = "";
        const special = specialOf(hand(number));
        if (special) finishAs(winning(number), special);
        else tilesChanged(number);
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

function turnTo(number) {
  Object.assign(state, { view: number, editing: null, special: false });
}

export function nobody() {
  change(() => {
    state.drawn = !state.drawn;
    if (state.drawn) state.body.mahjong = null;
    return state.drawn ? translate`Nobody went Mah-jong.` : "";
  }, "Nobody");
}

// `pickHand` opens the list of special hands by name.
export function drawQuestions(pickHand) {
  const number = state.view;
  const win = winning(number);
  const special = () =>
    html`<fieldset class="special-ways" aria-label="Anything special?">${(win ? wayButtons(number, win) : otherFacts(number)).map((control) => control || nothing)}${button("Done", () => open(false), "done")}</fieldset>`;
  drawFor(
    number,
    byId("questions"),
    state.special
      ? special()
      : win
        ? [moveRow(number), chowRow(number), ...lastTileRows(number, win, moreOf(number, win))]
        : loserRow(number, pickHand),
  );
}

// Scrolls so that the question of the last tile is not under the bar, once all tiles of a winner are entered.
export function showQuestions(number) {
  if (!winning(number) || rules.size(hand(number)) !== rules.WINNERS_TILES) return;
  const [asked, bar] = [byId("questions"), byId("entry-foot")].map((one) => one.getBoundingClientRect());
  const isBeside = asked.right <= bar.left || asked.left >= bar.right;
  if (!isBeside && asked.bottom > bar.top) window.scrollBy(0, asked.bottom - bar.top + QUESTION_GAP);
}

const more = () =>
  html`<button type="button" class="more" aria-expanded="false" @click=${() => open(true)}>Anything special?</button>`;

export const moreOf = (number, win) => wayButtons(number, win).some(Boolean) && more();

function open(wanted) {
  state.special = wanted;
  redraw();
  byId("questions")
    .querySelector(wanted ? ".special-ways button" : ".more")
    ?.focus({ preventScroll: true });
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

function loserRow(number, pickHand) {
  const mine = hand(number);
  if (mine && !rules.isTiles(mine)) return nothing;
  const { fishing, fishing_by_name: byName, losers_score: counts } = state.data.offers;
  if (!counts) return nothing;
  const fishes = scoreOf(number)?.fishes;
  return question(
    "Also",
    fishes && !mine?.fishing
      ? button(`Fishing for ${fishes.name}: ${fishes.total}`, () => flag(number, FISHING, "fishing"), "suggested")
      : (fishing || byName) && pressed(FISHING, mine?.fishing, () => fish(number, pickHand)),
    more(),
  );
}

// The rules find the special hand in thirteen tiles; with fewer it is chosen by name.
function fish(number, pickHand) {
  const isFound = state.data.offers.fishing && rules.size(hand(number)) === rules.LOSERS_TILES;
  if (isFound || hand(number)?.fishing) flag(number, FISHING, "fishing");
  else pickHand(number);
}
