// Who sits where in the next hand: as the server said; or with what is not sent yet, as the rules on this tablet play it
// on. Without them nobody here knows.
import { isStep, kindOf } from "./kinds.js";

// A press of Save or Undo waits no longer for the rules; a worker that failed is left alone for a while.
const PATIENCE = 2500;
const LEFT_ALONE = 30000;
const WINDS = ["E", "S", "W", "N"];
const engine = JSON.parse(document.getElementById("engine-data")?.textContent || "null");
let asked = { about: "", answer: /** @type {Promise<any>} */ (Promise.resolve(null)) };
let failedAt = -LEFT_ALONE;

/**
 * The place of the next hand: `waiting` are the commands of this table, in order; `isDrawn` where the page shows this
 * state already. `later` is there where the rules have not answered yet, and is done once they have.
 * @returns {Promise<any>}
 */
export async function nextPlace(state, waiting, isDrawn = true) {
  const lines = waiting.filter((one) => kindOf(one).adds_entry);
  const place = { ...asSent(state), after: lines.length ? lines[lines.length - 1].key : state.last, undoes: undoes(state, waiting) };
  if (!waiting.length && isDrawn) return place;
  const answer = playOn(state, waiting);
  const found = await Promise.race([answer, new Promise((done) => { setTimeout(done, PATIENCE, undefined); })]);
  // A step that the rules refuse, as there is nothing to take back or make again, changes nothing.
  const isRefused = (one) => found.refused.includes(one.key) && !isStep(one);
  if (found && !waiting.some(isRefused)) return { ...place, ...played(state, found) };
  return { ...place, ...unknown(state, waiting), later: found === undefined ? answer : null };
}

function asSent(state) {
  const { number, names, players, chairs } = state;
  const seats = Object.fromEntries(WINDS.flatMap((wind, at) => (chairs.winds[at] === null ? [] : [[wind, String(chairs.winds[at])]])));
  const wind = chairs.wind_of_round;
  return { number, names, players, chairs, seats, out: chairs.out.map(String), wind, windName: state.winds[wind] || "", isGoulash: chairs.goulash, isOpen: state.open, isKnown: true, isCounted: true };
}

function played(state, { chairs, number, names, players, is_open: open, is_new_game: isNewGame, deal_words: dealWords, sticks, html }) {
  return { ...asSent({ ...state, chairs, number, names, players, open }), isNewGame, dealWords, sticks, html };
}

function unknown(state, waiting) {
  const isOpen = waiting.reduce((open, one) => isStep(one) || ((open || Boolean(kindOf(one).reopens)) && !kindOf(one).finishes), state.open);
  const isCounted = waiting.every((one) => kindOf(one).adds_entry);
  return { number: state.number + waiting.filter((one) => kindOf(one).is_hand).length, isCounted, isOpen, isKnown: !waiting.length };
}

// The key of what the next undo takes back: null where there is nothing more, undefined where that is not known here.
function undoes(state, waiting) {
  const { changes = [] } = state.ledger || {};
  const done = changes.length ? [null, ...changes.map(([key]) => key)] : [...state.undo].reverse();
  const undone = [];
  for (const command of waiting) {
    const kind = kindOf(command);
    if (kind.is_undo) {
      if (done[done.length - 1]) undone.push(done.pop());
    } else if (kind.is_redo) {
      done.push(undone.pop());
    } else {
      done.push(command.key);
      undone.length = 0;
    }
  }
  return done[done.length - 1];
}

// What the rules are asked of a table with these commands; null where they are not on board.
function questionOf(state, waiting) {
  const isOnBoard = engine && window.Worker && state.ledger && state.rules_file === engine.files.rules;
  if (!isOnBoard || performance.now() - failedAt < LEFT_ALONE) return null;
  const { ledger, names, players, balances, open } = state;
  const commands = waiting.map(({ key, kind, body, named }) => ({ key, kind, body, named: named || "" }));
  const look = { ...engine.table.look, turn: Number(document.getElementById("board")?.dataset.turn || 0) };
  return { ...engine.table, look, ledger, names, players, balances, open, waiting: commands };
}

// Asks the rules once for the same table and the same commands; null where they do not answer.
function playOn(state, waiting) {
  const question = questionOf(state, waiting);
  if (!question) return null;
  const about = JSON.stringify([state.version, question.waiting, question.look.turn]);
  if (asked.about !== about) asked = { about, answer: ask({ ...question, ask: "table" }) };
  return asked.answer;
}

// What a change of an older entry would do after the commands that wait; null where nobody here can say.
export async function previewOf(state, waiting, { key, kind, body }) {
  const question = questionOf(state, waiting);
  return question && ask({ ...question, ask: "preview", command: { key, kind, body } });
}

// How an older hand was played: { number, chairs, body, version }; null where nobody here can say.
export async function playedHand(state, waiting, entry) {
  const question = questionOf(state, waiting);
  return question && ask({ ...question, ask: "hand", entry });
}

// The sheet of the table with the commands that wait; null where nobody here can draw it.
export async function sheetOf(state, waiting) {
  const question = questionOf(state, waiting);
  return question && ask({ ...question, ask: "sheet" });
}

// Where the sheet of style of a preview is.
export const previewSheet = () => engine.preview_sheet;

async function ask(question) {
  try {
    const client = await import(engine.files.client);
    const answer = await client.ask(engine.files, question);
    if (answer) return answer.known ? answer : null;
  } catch {
    // Without the network these files are here only where they were loaded before.
  }
  failedAt = performance.now();
  asked = { about: "", answer: Promise.resolve(null) };
  return null;
}

// The files of the rules, where this browser may run them.
export const rulesFiles = () => (engine && window.Worker ? Object.values(engine.files) : []);

// Loads the rules while the network is there, for when it is not, and puts the preview's sheet of style into the browser's
// cache: on plain http no worker keeps it.
export async function loadRules() {
  if (!engine || !window.Worker) return null;
  fetch(previewSheet()).then((answer) => answer.text()).catch(() => null);
  return import(engine.files.client).then((client) => client.ask(engine.files)).catch(() => null);
}
