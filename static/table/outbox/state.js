// How the table of this page stands, as far as this tablet knows: what the page carries, what was heard later, and what
// was done here since. Who sits where after that, the rules on this tablet say; without them nobody here knows.
import { wait, whenIdle, writeStored } from "../../web/browser.js";
import { readJson } from "../../web/dom.js";
import { ask, canRun } from "../engine/engine.js";
import { WINDS } from "../winds.js";
import { isGame, isUndoOrRedo, kindOf } from "./commands.js";
import { aboutOf, keepAnswer, lastAnswer, tableQuestion } from "./last_answer.js";
import { heldOf, network, toBeAdded } from "./queue.js";
import { fetchState, server } from "./send.js";
import { keepTable, replaceTable } from "./store.js";

// How long a press of Save or Undo waits for the rules; after a failure they are not asked for a while.
const PATIENCE = 2500;
const UNFIT = "This does not fit. Choose another player or amount.";
export const RETRY_AFTER = 30000;
const engine = readJson("engine-data");
// The answers of the rules to the last questions about this table: how it stands, and how it will after the next press.
const ANSWERS_KEPT = 3;
const answers = /** @type {Map<string, Promise<any>>} */ (new Map());
let failedAt = -RETRY_AFTER;
let keptVersion = -1;

// The state that the board was last drawn from by the server; null on a page without a table.
let drawnFrom = readJson("table-state");

// What somebody waits for; undefined if that takes too long.
const inTime = (answer) => Promise.race([answer, wait(PATIENCE)]);

export const pageState = () => drawnFrom;

export function setPageState(state) {
  drawnFrom = state;
}

async function newest(drawn) {
  if (keptVersion !== drawn.version) await keepTable(drawn, { opened: new Date().toISOString() });
  keptVersion = drawn.version;
  return heldOf(drawn.session);
}

// Returns the newest state this tablet has heard, the commands that wait, and the place of the next hand after them.
// `keys` are those of all commands kept here, `commands` those of all tables. With `before`: as it stands before that command of the queue.
// `isDrawn`: the page shows that state.
export async function tableNow(before = null, isDrawn = true) {
  const drawn = pageState();
  if (!drawn) return null;
  try {
    const { state, items, commands } = await newest(drawn);
    const waiting = toBeAdded(items, state).filter((one) => !before || one.order < before.order);
    const isNewer = state.version > drawn.version;
    return {
      state,
      waiting,
      keys: items.map((one) => one.key),
      commands,
      place: await nextPlace(state, waiting, isDrawn && !isNewer),
      isNewer,
    };
  } catch {
    return {
      state: drawn,
      waiting: [],
      keys: [],
      commands: [],
      place: await nextPlace(drawn, [], true),
      isNewer: false,
    };
  }
}

// Fetches the ledger, which is not in the page: with it the rules play the table on without the server.
export async function fetchLedger(isAgain = false) {
  const drawn = pageState();
  const { state } = drawn ? await newest(drawn) : { state: null };
  const { reply } = state && (isAgain || !state.ledger) ? await fetchState(state.urls.state) : { reply: null };
  if (reply) await keepTable(reply);
}

// Fetches the state of the table where it is another than the newest heard here. Returns "kept", "drawn", "refused" (signed
// out) or "lost".
export async function fetchNews() {
  const { state } = await tableNow();
  if (!state.urls.state) return "kept";
  const { status, reply } = await fetchState(
    `${state.urls.state}?board_version=${encodeURIComponent(state.board_version)}`,
  );
  if (status === 204) return "kept";
  if (!reply) return [302, 401, 403, 404].includes(status) ? "refused" : "lost";
  await keepTable(reply);
  return "drawn";
}

// Fetches it again, unless that takes too long for someone who waits.
export async function refreshLedger() {
  if (navigator.onLine) await inTime(fetchLedger(true).catch(() => null));
}

// Returns whether the server was restored from a copy that is older than what this tablet has heard.
export async function isSetBack() {
  const { state, isNewer } = await tableNow();
  const { reply } = isNewer ? await fetchState(state.urls.state) : { reply: null };
  if (!reply || reply.version >= state.version) return false;
  await replaceTable(reply);
  return true;
}

/**
 * The place of the next hand, after the commands that wait, in order. `later` is there while the rules have not answered.
 * @returns {Promise<any>}
 */
async function nextPlace(state, waiting, isDrawn) {
  const place = {
    ...asSent(state),
    after: waiting.filter((one) => kindOf(one).adds_entry).at(-1)?.key ?? state.last,
    undoes: undoes(state, waiting),
  };
  if (!waiting.length && isDrawn) return place;
  const answer = playOn(state, waiting, true);
  const found = await inTime(answer);
  // An undo or redo that the rules refuse changes nothing; nor does anything in a game, of which nobody else decides.
  const isRefused = (one) => one.key in found.refused && !isUndoOrRedo(one) && !isGame(state.session);
  if (found && !waiting.some(isRefused)) return { ...place, ...played(state, found) };
  return { ...place, ...unknown(state, waiting), later: found === undefined ? answer : null };
}

function asSent({ number, names, players, chairs, open }) {
  return {
    number,
    names,
    players,
    chairs,
    seats: Object.fromEntries(seatsByWind(chairs).map(([letter, seat]) => [letter, String(seat)])),
    out: chairs.out.map(String),
    isOpen: open,
    isKnown: true,
    isCounted: true,
  };
}

export const seatsByWind = ({ winds }) =>
  WINDS.map((wind, at) => [wind, winds[at]]).filter(([, seat]) => seat !== null);

function played(state, { is_open: open, undo_words: undoWords, redo_words: redoWords, ...answer }) {
  return { ...answer, ...asSent({ ...state, ...answer, open }), undoWords, redoWords };
}

function unknown(state, waiting) {
  const isOpen = waiting.reduce(
    (open, one) => isUndoOrRedo(one) || ((open || Boolean(kindOf(one).reopens)) && !kindOf(one).finishes),
    state.open,
  );
  const isCounted = waiting.every((one) => kindOf(one).adds_entry);
  return {
    number: state.number + waiting.filter((one) => kindOf(one).is_hand).length,
    isCounted,
    isOpen,
    isKnown: !waiting.length,
  };
}

// The key of what the next undo takes back: null where there is nothing more, undefined where it is not known here.
function undoes(state, waiting) {
  const { changes = [] } = state.ledger || {};
  const done = changes.length ? [null, ...changes.map(([key]) => key)] : [...state.undo].reverse();
  const undone = [];
  for (const command of waiting) {
    const kind = kindOf(command);
    if (kind.is_undo) {
      if (done.at(-1)) undone.push(done.pop());
    } else if (kind.is_redo) {
      done.push(undone.pop());
    } else {
      done.push(command.key);
      undone.length = 0;
    }
  }
  return done.at(-1);
}

// Asks the rules of a table with the commands that wait; null where they are missing or do not answer.
async function askOf(state, waiting, question) {
  const about = questionOf(state, waiting);
  return about && askRules({ ...about, ...question });
}

// What a change of an older entry would do.
export const previewOf = (state, waiting, { key, kind, body }) =>
  askOf(state, waiting, { ask: "preview", command: { key, kind, body } });
// How an older hand was played: { number, chairs, body, version }.
export const playedHand = (state, waiting, entry) => askOf(state, waiting, { ask: "hand", entry });
// The page of a hand: { number, html, ways }, of which `ways` are the forms that change it.
export const pageOfHand = (state, waiting, entry) => askOf(state, waiting, { ask: "one_hand", entry });
export const gameOf = (state, waiting) => askOf(state, waiting, { ask: "game" });
export const sheetOf = (state, waiting) => askOf(state, waiting, { ask: "sheet" });

// Asks only once for the same table and the same commands; the answer that is shown is kept.
function playOn(state, waiting, isShown = false) {
  const question = questionOf(state, waiting);
  if (!question) return null;
  const about = aboutOf(engine.files, state, question);
  const answer = answers.get(about) || lastAnswer(about) || askRules(question);
  // The last in use is the last to go.
  answers.delete(about);
  answers.set(about, answer);
  if (answers.size > ANSWERS_KEPT) answers.delete(answers.keys().next().value);
  // Under what was asked: the picture of the table may be turned before the browser is idle.
  if (isShown) answer.then((known) => whenIdle(() => keepAnswer(about, state.session, known)));
  return answer;
}

// Has the rules work out how the table stands after a command that is not made yet: it is shown at once when it is.
export function foresee({ state, waiting, place }, command) {
  if (hasRules() && !place.later) playOn(state, [...waiting, command]);
}

/** Why the rules on this tablet refuse a command that is not made yet; empty where they do not. */
export async function refusalOf({ state, waiting }, command) {
  const answer = await inTime(playOn(state, [...waiting, command]));
  return answer && command.key in answer.refused ? answer.refused[command.key] || UNFIT : "";
}

function questionOf(state, waiting) {
  // What was started here goes on with the rules that are here: there is no server with others.
  const isOurs = typeof state.session === "string" || state.rules_file === engine?.files.rules;
  const isOnBoard = engine && canRun && state.ledger && isOurs;
  if (!isOnBoard || performance.now() - failedAt < RETRY_AFTER) return null;
  const isAway = server.isAway || network.isLost || !navigator.onLine || typeof state.session === "string";
  return tableQuestion(engine.table, state, waiting, isAway);
}

async function askRules(question) {
  const answer = await ask(engine.files, question);
  if (answer) return answer.known ? answer : null;
  failedAt = performance.now();
  answers.clear();
  return null;
}

// Turns the picture of a table that the server does not know by a quarter, and keeps it so.
export function turnTable() {
  const { look } = engine.table;
  look.turn = (look.turn + 1) % 4;
  writeStored(`turn-${pageState().session}`, look.turn);
}

export const hasRules = () => document.documentElement.dataset.rules === "on board";

// The stylesheet of a preview.
export const previewSheet = () => engine.preview_sheet;

// The files of the rules, where this browser may run them.
export const rulesFiles = () => (engine && canRun ? Object.values(engine.files) : []);

// Loads the rules while the network is there, and puts the preview's stylesheet into the browser's cache: on plain http
// no service worker keeps it.
export async function loadRules() {
  if (!engine || !canRun) return null;
  fetch(previewSheet())
    .then((answer) => answer.text())
    .catch(() => null);
  const answer = await ask(engine.files);
  if (!answer) return null;
  document.documentElement.dataset.rules = "on board";
  failedAt = -RETRY_AFTER;
  return answer;
}
