// The hand as it is entered: one object, stored on this tablet at every change until the server has it.
import { readStored, writeStored } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { newKey } from "../outbox/commands.js";
import { isTiles } from "./rules.js";
import { partsOf, putBack, stepBetween } from "./steps.js";

export const EVERYBODY = "everybody";
const HISTORY = 60;

const whole = (body) => ({
  hands: {},
  mahjong: null,
  penalties: [],
  beside: {},
  ...JSON.parse(JSON.stringify(body || {})),
});
// How the page is before anything is entered.
const fresh = () => ({
  view: EVERYBODY,
  drawn: false,
  ways: {},
  modes: {},
  message: "",
  refused: "",
  replaced: "",
  others: "",
  score: null,
  editing: null,
  special: false,
  history: [],
  agreed: null,
  penalty: null,
  field: "points",
  touched: "",
  isListOpen: false,
});

// `score` is the last answer, with what it is `about`. `agreed` is the seat of the player who agreed, "" if nobody did, null if nobody was asked. `penalty` is
// what is chosen in the open form of a penalty. `field` is the figure that is typed, `touched` where one was typed last: a number that was there before is replaced, not continued.
// `others` is the seat whose other ways to enter are shown, `replaced` who was taken for the winner until it is known whose tiles those are.
// On a narrow screen the list of special hands is open until one is chosen, and again with `isListOpen`.
export const state = { data: null, body: whole(null), key: "", absent: {}, ...fresh() };

const listeners = [];
export const onChange = (listener) => listeners.push(listener);
export const redraw = (changed = false) => listeners.forEach((listener) => listener(changed));

const entered = () => JSON.stringify([state.body, state.drawn]);
let untouched = "";

// Whether anything is entered here that the server was not asked to save.
export const isUnsaved = () => entered() !== untouched || Boolean(state.data.error);

export function begin(data) {
  state.data = data;
  state.body = whole(data.body);
  state.absent = removeAbsentPlayers(state.body, data.seats);
  state.key = data.key || newKey();
  state.drawn = Boolean(data.drawn);
  untouched = entered();
  if (data.error?.seat) state.view = data.error.seat;
  return restore();
}

// Goes on with another hand on the same page; returns whether it was half entered before.
export function beginAgain(data) {
  Object.assign(state, fresh());
  return begin(data);
}

export function startAgain() {
  change(() => {
    layDown(state.data.mode === "change" ? state.data.body : null);
    removeAbsentPlayers(state.body, state.data.seats);
    Object.assign(state, { modes: {}, view: EVERYBODY });
  }, "start again");
}

// Puts another body in place of what is entered.
export function layDown(body, drawn = false) {
  Object.assign(state, { body: whole(body), drawn, replaced: "", ways: {} });
}

// Makes a change that Undo can take back. It is named by `what`, or by the sentence that `make` returns.
export function change(make, what = "") {
  const [before, from] = [partsOf(state), state.view];
  state.message = make() || "";
  const step = stepBetween(before, partsOf(state));
  if (step) state.history.push({ ...step, from, to: state.view, what: what || state.message.replace(/\.$/, "") });
  if (state.history.length > HISTORY) state.history.shift();
  keep();
  redraw(true);
}

// Says why nothing changes, so that the finger feels it and the eye is led to it.
export function refuse(sentence) {
  Object.assign(state, { message: sentence, refused: sentence });
  redraw();
  navigator.vibrate?.(60);
  if (!window.matchMedia?.("(prefers-reduced-motion: reduce)").matches)
    byId("entry-status")?.animate?.({ translate: ["0", "-8px", "8px", "-4px", "0"] }, 250);
  return null;
}

export const isRefusal = () => Boolean(state.message) && state.message === state.refused;

// The step that Undo takes back: on a player's page only one that was made there, or that concerns this player alone.
function nextUndone() {
  const isHere = ({ to, seats }) =>
    state.view === EVERYBODY || to === state.view || seats.every((one) => one === state.view);
  return [...state.history].reverse().find(isHere);
}

export function undoWords() {
  const step = nextUndone();
  return step ? `Undo: ${step.what}` : "Undo";
}

export function undo() {
  const step = nextUndone();
  if (!step)
    return refuse(
      state.view === EVERYBODY
        ? "There is nothing to undo on this hand."
        : `There is nothing to undo for ${seat(state.view).name}.`,
    );
  putBack(state, step, step === state.history.at(-1));
  state.history = state.history.filter((one) => one !== step);
  if (state.view === EVERYBODY || state.view === step.to) state.view = step.from;
  Object.assign(state, { editing: null, message: `Undone: ${step.what}.` });
  keep();
  return redraw(true);
}

export function show(view) {
  Object.assign(state, { view, editing: null, special: false, others: "", message: "" });
  keep();
  redraw();
}

export const hand = (seat) => state.body.hands[seat];
// What the score says of a player, also while that of the last change is worked out; undefined where there is no score.
export const scoreOf = (seat) => state.score?.players[seat];
export const seat = (number) => state.data.seats.find((one) => one.number === number);
export const winners = () => [state.body.mahjong || []].flat();
export const winning = (number) => winners().find((one) => one.by === number);
export const blankSeats = () => state.data.seats.filter((one) => !hand(one.number) && matters(one.number));

// Whether a false Mah-jong makes the hand count for nobody.
export const isVoid = () => state.data.offers.false_mahjong_voids && state.body.penalties.some(isFalseMahjong);

// Whether a penalty, or a row of those there are, is a false Mah-jong.
export function isFalseMahjong({ kind }) {
  return kind === "false mahjong";
}

// Under rules where only the winner's hand counts, the others are not asked for.
function matters(number) {
  const { losers_score: losersScore, winner_needs_tiles: winnerNeedsTiles } = state.data.offers;
  return losersScore || (winnerNeedsTiles && (!winners().length || Boolean(winning(number))));
}

// Sets a value, or removes it where it is set already.
export function toggle(object, name, value = /** @type {any} */ (true)) {
  if (object[name] === value) delete object[name];
  else object[name] = value;
}

export function setNothing(number) {
  state.body.hands[number] = { sets: [] };
  delete state.ways[number];
}

export function enterNothing(number) {
  change(() => {
    setNothing(number);
    return `${seat(number).name}: nothing to score.`;
  });
}

export function mode(number) {
  return (state.modes[number] ||= { kind: "pung", concealed: false });
}

export function wayOf(number) {
  if (state.ways[number]) return state.ways[number];
  const mine = hand(number);
  if (!mine) return usualWay();
  if (isTiles(mine)) return "tiles";
  return "total" in mine ? "total" : "points" in mine ? "points" : "special";
}

// A table that has typed totals, in this hand or in the one before, types the next one too.
function usualWay() {
  const some = Object.values(state.body.hands).filter((one) =>
    Object.keys(one).some((key) => key !== "sets" || one.sets.length),
  );
  const isTyped = some.length ? some.every((one) => "total" in one) : state.data.types_totals;
  return isTyped ? "total" : "tiles";
}

// The body as it is sent, without empty parts.
export function sentBody() {
  const { hands, mahjong, penalties, beside } = state.body;
  const unasked = state.data.seats.filter((one) => !hand(one.number) && !matters(one.number));
  const body = { hands: { ...Object.fromEntries(unasked.map((one) => [one.number, {}])), ...hands }, mahjong };
  if (penalties.length) body.penalties = penalties;
  if (Object.keys(beside).length) body.beside = beside;
  if (state.agreed !== null) body.agreed = state.agreed;
  return body;
}

// What nobody was sure of in a player's hand: "from", "tile", or the notation of a set. The lowest score counts.
export const unsureOf = (number) => state.body.beside.unsure?.[number] || [];

export function setUnsure(number, what, isUnsure) {
  const others = unsureOf(number).filter((one) => one !== what);
  const all = { ...state.body.beside.unsure, [number]: isUnsure ? [...others, what] : others };
  if (!all[number].length) delete all[number];
  if (Object.keys(all).length) state.body.beside.unsure = all;
  else delete state.body.beside.unsure;
}

// Keeps another version of a player's hand; not a figure that was not typed as a number, as nobody could read it.
export function keepBeside(number, mine) {
  if (["total", "points", "doubles"].some((figure) => typeof mine[figure] === "string"))
    delete state.body.beside[number];
  else state.body.beside[number] = mine;
}

export const believedSeats = () => Object.fromEntries(state.data.seats.map((one) => [one.wind, one.number]));

// Where storage is full or switched off, entering goes on without it.
export function keep() {
  const { body, drawn, replaced, key, view, ways, modes, history } = state;
  writeStored(state.data.storage, { body, drawn, replaced, key, view, ways, modes, history, began: state.data.body });
}

const isObject = (value) => value && typeof value === "object" && !Array.isArray(value);
const inOrder = (body) =>
  JSON.stringify(body, (_, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value));
// Whether two bodies are the same hand, whatever the order of their parts.
export const isSameHand = (one, other) => inOrder(one) === inOrder(other);
export const isKeptAlike = () => isSameHand(readStored(state.data.storage)?.body, state.body);

const storageBefore = () => state.data.storage.replace(/\d+$/, String(state.data.hand_number - 1));

// The draft of the hand before, if another tab or tablet saved a different version of that hand.
export function leftOver() {
  const { mode, known_keys: known } = state.data;
  const draft = mode === "new" ? readStored(storageBefore()) : null;
  return draft && !known.includes(draft.key) && Object.keys(draft.body.hands).length ? draft : null;
}

export function dropLeftOver() {
  writeStored(storageBefore(), null);
}

// Another tab or tablet has saved a hand under the old key.
export function takeOwnKey() {
  state.key = newKey();
  keep();
}

function restore() {
  if (state.data.error || state.data.key) return false;
  const draft = readStored(state.data.storage);
  const arrived = !draft || state.data.known_keys.includes(draft.key);
  const other = draft && JSON.stringify(draft.began ?? null) !== JSON.stringify(state.data.body ?? null);
  const seats = new Set(state.data.seats.map((one) => one.number));
  if (arrived || other || !Object.keys(draft.body.hands).every((number) => seats.has(number))) return false;
  const { key, replaced = "", ways = {}, modes = {}, history = [], view } = draft;
  Object.assign(state, {
    body: whole(draft.body),
    drawn: draft.drawn,
    replaced,
    key,
    ways,
    modes,
    history,
    view: seats.has(view) ? view : EVERYBODY,
  });
  return Object.keys(state.body.hands).length > 0 || Boolean(state.body.mahjong);
}

// Removes from a body, in place, all of players who do not play in this hand since an earlier one was corrected. Returns
// their hands by number.
function removeAbsentPlayers(body, seats) {
  const plays = new Set(seats.map((one) => one.number));
  const absent = Object.entries(body.hands).filter(([number]) => !plays.has(number));
  for (const part of [body.hands, body.beside, body.beside.unsure || {}]) {
    for (const number of Object.keys(part)) if (!plays.has(number) && number !== "unsure") delete part[number];
  }
  const winners = [body.mahjong || []].flat().filter((win) => plays.has(win.by));
  for (const win of winners) if (/^\d+$/.test(win.from || "") && !plays.has(win.from)) delete win.from;
  body.mahjong = winners.length > 1 ? winners : winners[0] || null;
  body.penalties = body.penalties.filter(({ by, to }) => plays.has(by) && (!to || plays.has(to)));
  return Object.fromEntries(absent);
}
