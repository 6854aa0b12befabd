// Going on to the next player, saving the hand, and asking the server for the score meanwhile.
import { askFirst } from "./agree.js";
import { filled } from "../outbox/kinds.js";
import { cancel } from "../outbox/queue.js";
import { renewToken, token } from "../outbox/send.js";
import { byId, button, h } from "./dom.js";
import { canBePreviewed, keepHand } from "./offline_save.js";
import { drawEntered, scored, showTitle } from "./next.js";
import { handTiles, isTiles } from "./rules.js";
import { believedSeats, blankSeats, doubts, EVERYBODY, hand, keep, redraw, seat, sentBody, show, state, winners } from "./state.js";
import { takeLeast } from "./winner.js";

const DOUBLE_PRESS = 600;
let sending = false;
let lastPress = -DOUBLE_PRESS;

const isVoid = () => state.data.offers.false_mahjong_voids && state.body.penalties.some((one) => one.kind === "false mahjong");

function nextBlank() {
  if (state.view === EVERYBODY || state.drawn || isVoid()) return null;
  const order = state.data.seats.map((one) => one.number);
  const place = order.indexOf(state.view);
  const following = [...order.slice(place + 1), ...order.slice(0, place)];
  const blank = new Set(blankSeats().map((one) => one.number));
  return seat(following.find((number) => blank.has(number))) || null;
}

export function goOnWords() {
  const next = nextBlank();
  if (sending) return "Saving …";
  return next ? `Next: ${next.name}` : state.data.save_words;
}

// Two presses with another tap or a typed figure between them are not a double press.
function endGuard(event) {
  if (!event.target.closest?.("#go-on")) lastPress = -DOUBLE_PRESS;
}

// The second press of a double press goes nowhere, also where the button has become another meanwhile.
export function goOn(event) {
  if (sending || event.timeStamp - lastPress < DOUBLE_PRESS) return;
  lastPress = event.timeStamp;
  const next = nextBlank();
  if (next) show(next.number);
  else save();
}

function problems() {
  const found = [];
  if (!state.drawn && !isVoid()) {
    const asked = state.data.offers.losers_score || winners().length ? blankSeats() : [];
    for (const one of asked) found.push([`${one.name}: ${state.data.sentences.blank}`, one.number]);
    if (!winners().length) found.push([state.data.sentences.no_winner, EVERYBODY]);
  }
  for (const [number, mine] of Object.entries(state.body.hands)) {
    for (const name of ["total", "points", "doubles"]) {
      if (name in mine && !Number.isInteger(mine[name])) found.push([`${seat(number).name}: ${filled(state.data.sentences.not_whole, { typed: mine[name], name })}`, number]);
    }
  }
  for (const win of winners()) found.push(...winnerProblems(win));
  return found;
}

function winnerProblems(win) {
  const mine = hand(win.by);
  const { hands, winner_needs_tiles: needsTiles, discarder_pays_more: asksFrom } = state.data.offers;
  if (mine ? !isTiles(mine) && !asksFrom : needsTiles) return [];
  const name = seat(win.by).name;
  const found = [];
  if (!win.from && !win.dealt) found.push([`${name}: ${state.data.sentences.no_source}`, hands ? win.by : EVERYBODY]);
  if (!mine || !isTiles(mine)) return found;
  const waits = doubts(win.by).includes("tile") ? "Still working out the lowest score. Wait a moment, or choose" : "Choose";
  if (!win.tile && handTiles(mine).length) found.push([`${waits} which group ${name}’s last tile completed.`, win.by]);
  return found;
}

export function showProblems(found) {
  const box = h("div", { class: "error-summary", id: "error-summary", role: "alert", tabindex: "-1" }, h("h2", {}, "There is a problem"),
    h("ul", {}, found.map(([words, view]) => h("li", {}, button(words, () => goTo(view))))));
  byId("problems").replaceChildren(box);
  showTitle(state.data, true);
  box.focus();
}

export function goTo(view) {
  show(view);
  byId("problems").replaceChildren();
  window.scrollTo(0, 0);
}

function save() {
  const found = problems();
  return found.length ? showProblems(found) : askFirst(send);
}

// On this tablet first, then on its way to the server; a change of an older hand is looked at before it is made.
async function send() {
  sending = true;
  keep();
  redraw();
  if (state.data.mode !== "new" && (await canBePreviewed())) return sendPlainly();
  const become = await keepHand();
  if (become === "plainly") return sendPlainly();
  if (become === "recorded") return null;
  sending = false;
  redraw();
  return become === "kept" ? byId("problems").replaceChildren() : showRefusal(become);
}

function sendPlainly() {
  fill(byId("save"), { key: state.key, after: state.data.after });
  renewToken(byId("save"));
  return byId("save").submit();
}

// What the rules refuse is told beside the player whose hand it is; the hand stays as it was entered.
function showRefusal({ message, seat: wind, isKept, key }) {
  if (!isKept) cancel(key);
  const mine = state.data.seats.find((one) => [one.wind, one.number].includes(wind));
  if (mine) show(mine.number);
  showProblems([[mine ? `${mine.name}: ${message}` : message, mine?.number || EVERYBODY]]);
}

function fill(form, more = {}) {
  const values = { body: JSON.stringify(sentBody()), seats: JSON.stringify(believedSeats()), drawn: state.drawn ? "1" : "", ...more };
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
}

export function askForScore() {
  const form = byId("live");
  fill(form);
  form.dispatchEvent(new CustomEvent("hand-changed"));
}

// Takes from the score that the server wrote what the other parts of the page repeat.
export function readScores() {
  state.scores = {};
  for (const row of document.querySelectorAll("#score [data-seat][data-total]")) {
    const { seat: number, total, note, brief, beside, finished } = row.dataset;
    if (finished) takeLeast(number, finished);
    state.scores[number] = { total, note, beside, brief: brief.trim() };
  }
}

function followLater() {
  drawEntered();
  redraw();
}

// Only a score takes the place of the score: not the sign-in page, not an error of the network.
export function watchScores() {
  const told = byId("saved-state").textContent;
  const setState = (words) => { byId("saved-state").textContent = words; };
  // As renewToken does for a form that is sent whole.
  document.body.addEventListener("htmx:configRequest", (event) => {
    event.detail.parameters.csrfmiddlewaretoken = token();
    event.detail.headers["X-CSRFToken"] = token();
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const isScore = event.detail.xhr.status === 200 && hasScore(event.detail.serverResponse);
    event.detail.shouldSwap = isScore;
    if (isScore) scored();
    else followLater();
    setState(isScore ? told : "The score is not available just now. What you enter is kept on this tablet.");
  });
  for (const kind of ["sendError", "timeout"]) {
    document.body.addEventListener(`htmx:${kind}`, () => {
      followLater();
      setState("There is no Wi-Fi just now. What you enter is kept on this tablet. Go on: the score will appear when the Wi-Fi is back.");
    });
  }
  document.body.addEventListener("htmx:afterSwap", () => {
    readScores();
    redraw();
  });
}

function hasScore(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  return Boolean(holder.content.querySelector("#score"));
}

export function watchPresses() {
  for (const kind of ["click", "input"]) document.addEventListener(kind, endGuard, true);
}

export function watchLeaving() {
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    sending = false;
    redraw();
  });
}

// Keeps the screen awake during play where the tablet knows how.
export async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    return false;
  }
  return true;
}
