// Going on to the next player, and saving the hand.
import { askFirst } from "./agree.js";
import { filled } from "../outbox/kinds.js";
import { cancel } from "../outbox/queue.js";
import { renewToken } from "../outbox/send.js";
import { byId, button, h, refill, translate } from "./dom.js";
import { canBePreviewed, keepHand, lookHere } from "./offline_save.js";
import { showTitle } from "./next.js";
import { handTiles, isTiles, size } from "./rules.js";
import { fill } from "./scores.js";
import { blankSeats, change, doubts, EVERYBODY, hand, isVoid, keep, redraw, seat, sentBody, show, state, winners } from "./state.js";
import { focusPage } from "./ways.js";
import { leastTile, settleLastTiles, WINNERS_TILES } from "./winner.js";

const DOUBLE_PRESS = 600;
let sending = false;
let lastPress = -DOUBLE_PRESS;

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
  if (next) return `Next: ${next.name}`;
  return changesNoScore() ? filled(state.data.sentences.save, { "": state.data.hand_number }) : state.data.save_words;
}

// Where a player's page has Save, what is saved is seen above it; the page of everyone has it with the score.
export function drawPayments() {
  const isLast = state.view !== EVERYBODY && !nextBlank() && byId("score").dataset.state === "whole";
  const rows = isLast ? [...byId("score").querySelectorAll(".payments > li")] : [];
  refill(byId("foot-payments"), rows.map((one) => {
    const row = /** @type {HTMLElement} */ (one.cloneNode(true));
    row.querySelector(".why").remove();
    return row;
  }));
}

// A tap or a typed figure between two presses makes them no double press.
function endGuard(event) {
  if (!event.target.closest?.("#go-on")) lastPress = -DOUBLE_PRESS;
}

// The second press of a double press goes nowhere, also where the button has become another since.
export function goOn(event) {
  if (sending || event.timeStamp - lastPress < DOUBLE_PRESS) return;
  lastPress = event.timeStamp;
  const next = nextBlank();
  if (!next) return save();
  show(next.number);
  return focusPage();
}

// Who has nothing yet, once the winner's tiles and those of who is shown are there.
export function everyoneElse() {
  if (state.view === EVERYBODY || state.drawn || isVoid() || !winners().length) return [];
  const blank = blankSeats().map((one) => one.number);
  return blank.includes(state.view) || winners().some((one) => blank.includes(one.by)) ? [] : blank;
}

export function nothingElse() {
  change(() => {
    for (const number of everyoneElse()) {
      state.body.hands[number] = { sets: [] };
      delete state.ways[number];
    }
    state.view = EVERYBODY;
    return "Everyone else: nothing to score.";
  });
  byId("go-on").focus({ preventScroll: true });
  window.scrollTo(0, 0);
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
  if (win.tile || !handTiles(mine).length || leastTile(win)) return found;
  const laid = size(mine);
  if (laid !== WINNERS_TILES) return [...found, [translate`${name}’s hand has ${laid} ${laid === 1 ? "tile" : "tiles"}; a Mah-jong has 14.`, win.by]];
  const waits = doubts(win.by).includes("tile") ? "Still working out the lowest score. Wait a moment, or choose" : "Choose";
  return [...found, [`${waits} ${name}’s last tile.`, win.by]];
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

// Whether the server has said so of the correction as it is now.
const changesNoScore = () => byId("score").dataset.noChangeBy === JSON.stringify(sentBody());

function save() {
  const found = problems();
  if (found.length) return showProblems(found);
  settleLastTiles();
  return askFirst(send);
}

// On this tablet first, then on its way to the server; a change of an older hand is looked at before it is made.
async function send() {
  let keepsSeats = false;
  sending = true;
  keep();
  redraw();
  if (state.data.mode !== "new" && !changesNoScore()) {
    if (await canBePreviewed()) return sendPlainly();
    const looked = await lookHere();
    if (!looked.isAgreed) return stay(looked.refused);
    keepsSeats = looked.keepsSeats;
  }
  const become = await keepHand(keepsSeats);
  if (become === "plainly") return sendPlainly();
  if (become === "recorded") return null;
  sending = false;
  redraw();
  return become === "kept" ? byId("problems").replaceChildren() : showRefusal(become);
}

function stay(refused) {
  sending = false;
  redraw();
  return refused ? showRefusal({ ...refused, isKept: true }) : null;
}

function sendPlainly() {
  fill(byId("save"), { key: state.key, after: state.data.after });
  byId("save").action = state.data.urls.save;
  renewToken(byId("save"));
  return byId("save").submit();
}

// What the rules refuse is shown next to the player whose hand it is; the hand stays as it was entered.
function showRefusal({ message, seat: wind, isKept, key }) {
  if (!isKept) cancel(key);
  const mine = state.data.seats.find((one) => [one.wind, one.number].includes(wind));
  if (mine) show(mine.number);
  showProblems([[mine ? `${mine.name}: ${message}` : message, mine?.number || EVERYBODY]]);
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
