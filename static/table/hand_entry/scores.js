// The score of the hand: from the rules on this tablet as soon as they are loaded, until then from the server.
import { fetchWithin, whenIdle } from "../../web/browser.js";
import { byId, readJson } from "../../web/dom.js";
import { ask } from "../engine/engine.js";
import { pointerReleased } from "../outbox/board.js";
import { server, token } from "../outbox/send.js";
import { fetchLedger, loadRules, tableNow } from "../outbox/state.js";
import { sayNoScore } from "./next.js";
import { believedSeats, redraw, sentBody, state } from "./state.js";
import { takeLeast } from "./last_tile.js";

const HERE = "There is no Wi-Fi just now. This tablet works out the score and keeps what you enter.";
const LATER =
  "There is no Wi-Fi just now. What you enter is kept on this tablet. Go on: the score will appear when the Wi-Fi is back.";
const SOON = "There is no Wi-Fi just now. What you enter is kept on this tablet. The score will appear in a moment.";
const NOT_NOW = "The score is not available just now. What you enter is kept on this tablet.";
const LOAD_AFTER = 2000;
// Several quick taps are one question to the server.
const SERVER_AFTER = 120;
const SERVER_LIMIT = 8000;
const engine = readJson("engine-data");
let hasRules = false;
/** @type {Promise<void> | null} */
let working = null;
/** @type {Promise<void> | null} */
let loading = null;
let usual = "";
let timer = 0;

const now = () => `${state.data.hand_number} ${JSON.stringify(sentBody())} ${state.drawn}`;
const isCurrent = () => state.score?.about === now();
// Whether the rules on this tablet score the hand.
export const scoresHere = () => hasRules && Boolean(state.data.chairs);

// The score that came with the page, which is of the hand as it came: others may be entered here.
export function useScore(score, isAsItCame) {
  usual ||= byId("saved-state").textContent;
  hasRules ||= document.documentElement.dataset.rules === "on board";
  if (hasRules) sayRules("on board");
  if (score && isAsItCame) take(score);
}

// Is called at every change, before the page is drawn: the worker does its part meanwhile.
export function askForScore() {
  if (scoresHere()) return score();
  clearTimeout(timer);
  timer = setTimeout(score, SERVER_AFTER);
  return null;
}

// Loads the rules well after the page is usable. The state of the table says which rules it needs: others stay silent.
export function loadRulesLater() {
  if (!engine || hasRules) return;
  sayRules("coming");
  setTimeout(() => whenIdle(getReady), LOAD_AFTER);
}

const areComing = () => byId("entry")?.dataset.rules === "coming";

// Says on the page whether the rules are "on board", "coming", or not to be had.
function sayRules(words) {
  const page = byId("entry");
  if (!page) return;
  if (words) page.dataset.rules = words;
  else delete page.dataset.rules;
}

function getReady() {
  loading ||= hasRules ? Promise.resolve() : beginRules();
  return loading.finally(() => {
    loading = null;
  });
}

async function beginRules() {
  try {
    const table = await tableNow();
    // What was started here goes on with the rules that are here.
    if (table && typeof table.state.session === "number" && table.state.rules_file !== engine.files.rules) {
      sayRules("");
      return;
    }
    await fetchLedger();
    // Asked once for nothing: the first answer takes the longest.
    hasRules = Boolean(await loadRules()) && Boolean(!state.data.chairs || (await ask(engine.files, question())));
  } catch {
    hasRules = false;
  }
  if (!byId("entry")) return;
  sayRules(hasRules ? "on board" : "");
  await score();
}

function question() {
  const { words, seats, sits_out, chairs, tells_next, sticks, recorded, bottom } = state.data;
  const look = { ...engine.table.look, bottom };
  return {
    ...engine.table,
    look,
    ask: "enter",
    words,
    seats,
    sits_out,
    chairs,
    tells_next,
    sticks,
    recorded,
    body: sentBody(),
    drawn: state.drawn,
  };
}

// Answers the last of several changes made while one is worked out.
function score() {
  working ||= answerAll().finally(() => {
    working = null;
  });
  return working;
}

async function answerAll() {
  while (!isCurrent()) {
    const wanted = now();
    const isHere = scoresHere();
    const answer = await (isHere ? ask(engine.files, question()) : askServer());
    await pointerReleased();
    if (!byId("entry")) break;
    if (answer && wanted === now()) show(answer);
    if (answer) continue;
    if (!isHere) {
      sayNoScore();
      redraw();
      break;
    }
    // The rules have failed: the server scores until they are loaded again.
    hasRules = false;
    loadRulesLater();
  }
}

/** Waits for the score of the hand as it stands, which rules on their way begin at once to give; null where it is there. */
export function untilScored() {
  return isCurrent() ? null : waitForScore();
}

async function waitForScore() {
  clearTimeout(timer);
  if (scoresHere() || !server.isAway) await score();
  if (!isCurrent() && areComing()) await getReady();
}

// Of an older hand as this tablet alone has it the server has no score.
async function askServer() {
  if (state.data.is_made_here || !state.data.urls.score) return null;
  const body = new URLSearchParams({ ...sentFields(), bottom: state.data.bottom });
  // As htmx asks: for a part of this page.
  const headers = {
    "X-CSRFToken": token(),
    "HX-Request": "true",
    "HX-Target": "score",
    "HX-Current-URL": location.href,
  };
  try {
    const answer = await fetchWithin(SERVER_LIMIT, state.data.urls.score, { method: "POST", headers, body });
    noteServer(answer.status < 500);
    // A sign-in page or an error is no score.
    if (answer.ok) return await answer.json();
    setState(NOT_NOW);
  } catch {
    noteServer(false);
  }
  return null;
}

export const sentFields = () => ({
  body: JSON.stringify(sentBody()),
  seats: JSON.stringify(believedSeats()),
  drawn: state.drawn ? "1" : "",
});

// Whether the server was heard, by whoever asked it.
export function noteServer(isHeard) {
  server.isAway = !isHeard;
  sayServer();
}

const sayServer = () =>
  setState(!server.isAway && navigator.onLine ? usual : scoresHere() ? HERE : areComing() ? SOON : LATER);

const setState = (words) => {
  if (byId("saved-state")) byId("saved-state").textContent = words;
};

function show({ html, ...data }) {
  byId("score").outerHTML = html;
  take(data);
  redraw();
  sayServer();
}

// What the score says of a last tile is put into the hand; the score is of the hand as it is then.
function take(data) {
  state.score = { ...data, about: "" };
  for (const [number, { finished }] of Object.entries(data.players)) if (finished) takeLeast(number, finished);
  state.score.about = now();
}

// Whether a correction, as it is now, changes no score.
export const changesNothing = () => isCurrent() && state.score.changes_nothing;

// The totals shown for a whole hand, by seat; null without them.
export function shownTotals() {
  if (!isCurrent() || state.score.state !== "whole") return null;
  return Object.fromEntries(Object.entries(state.score.players).map(([number, { total }]) => [number, total]));
}
