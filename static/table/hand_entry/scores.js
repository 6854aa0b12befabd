// The score of the hand: at once from this tablet where it has the rules on board, and from the server, whose stands.
import { whenIdle } from "../../web/browser.js";
import { byId, readJson } from "../../web/dom.js";
import { ask } from "../engine/engine.js";
import { token } from "../outbox/send.js";
import { fetchLedger, loadRules, tableNow } from "../outbox/state.js";
import { drawEntered, scored, showOthers } from "./next.js";
import { believedSeats, redraw, sentBody, state } from "./state.js";
import { takeLeast } from "./winner.js";

const DIFFERENT = "This tablet had worked out a different score. The score shown now is the one that counts.";
const HERE = "There is no Wi-Fi just now. This tablet works out the score and keeps what you enter.";
const LATER = "There is no Wi-Fi just now. What you enter is kept on this tablet. Go on: the score will appear when the Wi-Fi is back.";
const LOAD_AFTER = 2000;
const engine = readJson("engine-data");
let hasRules = false;
let isBusy = false;
let isAway = false;
// The last scores of this tablet and of the server, and of which hand. What the score says of a last tile is put into the
// hand, which is then `now`.
let own = { about: "", now: "", html: "", question: null };
let theirs = { about: "", html: "", isAlike: false };

export function fill(form, more = {}) {
  const values = { body: JSON.stringify(sentBody()), seats: JSON.stringify(believedSeats()), drawn: state.drawn ? "1" : "", ...more };
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
}

// Which hand a score is of, as the form has it.
const about = ({ body, drawn }) => `${state.data.hand_number} ${body} ${drawn}`;
const now = () => about({ body: JSON.stringify(sentBody()), drawn: state.drawn ? "1" : "" });

// Of an older hand as this tablet alone has it the server has no score.
export function askForScore() {
  if (state.data.is_made_here) return;
  const form = byId("live");
  fill(form);
  theirs = { about: "", html: "", isAlike: false };
  // If this tablet scores by itself, the server need not be asked between two taps.
  form.dispatchEvent(new CustomEvent(hasRules && state.data.chairs ? "hand-scored" : "hand-changed"));
}

// Loads the rules well after the page is usable. The state of the table says which rules it needs: others stay silent.
export function loadRulesLater() {
  if (engine) setTimeout(() => whenIdle(getReady), LOAD_AFTER);
}

async function getReady() {
  try {
    const table = await tableNow();
    if (table && table.state.rules_file !== engine.files.rules) return;
    await fetchLedger();
    hasRules = Boolean(await loadRules());
  } catch {
    hasRules = false;
  }
  if (hasRules) byId("entry").dataset.rules = "on board";
  if (isAway || state.data.is_made_here) scoreHere();
}

function question() {
  const { words, seats, sits_out, chairs, tells_next, sticks } = state.data;
  return { ...engine.table, ask: "enter", words, seats, sits_out, chairs, tells_next, sticks, body: sentBody(), drawn: state.drawn };
}

// Answers the last of several taps made while one is worked out.
export async function scoreHere() {
  if (!hasRules || isBusy || !state.data.chairs) return;
  isBusy = true;
  let answer = /** @type {any} */ (true);
  while (answer && own.now !== now()) {
    const wanted = now();
    const asked = question();
    answer = await ask(engine.files, asked);
    if (answer) own = { about: wanted, now: wanted, html: answer.html, question: asked };
  }
  isBusy = false;
  if (own.now !== now()) return;
  if (theirs.about === own.about) compare();
  else show();
}

function show() {
  byId("score").outerHTML = own.html;
  scored();
  readScores();
  own.now = now();
  redraw();
  if (isAway) byId("saved-state").textContent = HERE;
}

const isShownHere = () => own.now === now() && byId("score").dataset.state !== "entered";

// Returns a copy of the whole score for another part of the page; null where this tablet has none.
export function copyOfScore() {
  if (!isShownHere() || byId("score").dataset.state !== "whole") return null;
  const copy = byId("score").cloneNode(true);
  for (const one of copy.querySelectorAll(".score-next")) one.remove();
  for (const one of [copy, ...copy.querySelectorAll("[id]")]) one.removeAttribute("id");
  return copy;
}

// A score as it is drawn, to be compared: without the sticks, which others may have moved, and without what only the server
// says.
function drawing(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const sticks = holder.content.querySelector(".sticks");
  sticks?.previousElementSibling.remove();
  sticks?.remove();
  const score = /** @type {HTMLElement} */ (holder.content.querySelector("#score"));
  if (score.dataset.noChangeBy) score.querySelector(".score-next").remove();
  delete score.dataset.noChangeBy;
  return score;
}

// A difference is shown, and sent with what this tablet was given; whose hands they are is left out.
function compare() {
  if (!theirs.isAlike || own.html === theirs.html || drawing(own.html).isEqualNode(drawing(theirs.html))) return;
  showOthers(DIFFERENT, "warning");
  const { seats, sits_out, look, words, ...given } = own.question;
  const sent = { body: JSON.stringify(given.body), drawn: given.drawn ? "1" : "", tablet: JSON.stringify({ given, said: drawing(own.html).textContent }) };
  fetch(state.data.urls.score, { method: "POST", headers: { "X-CSRFToken": token() }, body: new URLSearchParams(sent) }).catch(() => null);
}

// Reads from the score what other parts of the page repeat.
export function readScores() {
  state.scores = {};
  for (const row of document.querySelectorAll("#score [data-seat][data-total]")) {
    const { seat: number, total, note, brief, beside, finished } = row.dataset;
    if (finished) takeLeast(number, finished);
    state.scores[number] = { total, note, beside, brief: brief.trim() };
  }
}

// Takes the server's score; returns whether to show it: not if this tablet already shows that of a later change.
function takeServerScore(html, basis, { body, drawn }) {
  isAway = false;
  theirs = { about: about({ body, drawn }), html, isAlike: state.data.tells_next && basis === engine.basis };
  // The page is older than the seats or the rules now: this tablet does not score.
  if (state.data.tells_next && !theirs.isAlike) state.data.chairs = null;
  if (own.about === theirs.about) compare();
  if (isShownHere() && (own.about !== theirs.about || html === own.html)) return false;
  scored();
  return true;
}

function showEntered() {
  if (isShownHere()) return;
  drawEntered();
  redraw();
}

// Only a score takes the place of the score, not the sign-in page or an error.
export function watchScores() {
  const usual = byId("saved-state").textContent;
  const setState = (words) => { byId("saved-state").textContent = words; };
  // As renewToken does for a form that is sent whole.
  document.body.addEventListener("htmx:configRequest", (event) => {
    event.detail.parameters.csrfmiddlewaretoken = token();
    event.detail.headers["X-CSRFToken"] = token();
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, serverResponse, requestConfig } = event.detail;
    const basis = xhr.getResponseHeader("Score-Basis");
    const isScore = xhr.status === 200 && basis !== null;
    event.detail.shouldSwap = isScore && takeServerScore(serverResponse, basis, requestConfig.parameters);
    if (!isScore) showEntered();
    setState(isScore ? usual : "The score is not available just now. What you enter is kept on this tablet.");
  });
  for (const kind of ["sendError", "timeout"]) {
    document.body.addEventListener(`htmx:${kind}`, () => {
      isAway = true;
      showEntered();
      setState(isShownHere() ? HERE : LATER);
      scoreHere();
    });
  }
  document.body.addEventListener("htmx:afterSwap", () => {
    readScores();
    redraw();
  });
}
