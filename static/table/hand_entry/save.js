// Going on to the next player, and saving the hand.
import { wait } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { button, element, errorSummary, fragment, html, nothing, render } from "../../web/html.js";
import { filled, newKey } from "../outbox/commands.js";
import { redirect } from "../outbox/flash.js";
import { cancel } from "../outbox/queue.js";
import { submitPlainly } from "../outbox/send.js";
import { translate } from "./dom.js";
import { canBePreviewed, foreseeHand, keepHand, keepPenalty, lookHere } from "./offline_save.js";
import { showTitle } from "./next.js";
import { problems } from "./problems.js";
import { changesNothing, sentFields, untilScored } from "./scores.js";
import {
  believedSeats,
  blankSeats,
  change,
  EVERYBODY,
  hand,
  isUnsaved,
  isVoid,
  keep,
  redraw,
  seat,
  setNothing,
  show,
  state,
  winners,
  winning,
} from "./state.js";
import { focusPage } from "./ways.js";
import { settleLastTiles } from "./last_tile.js";
import { handWords } from "./words.js";

const DOUBLE_PRESS = 600;
// How long Save waits for a score, where the network hangs; milliseconds.
const SCORED_WITHIN = 4000;
const NOTHING_CHANGED = "Nothing was changed.";
const SAID_AFTER = 150;
let saying = 0;
let isSending = false;
let lastPress = -DOUBLE_PRESS;
// When another player was asked to agree, and where the score goes back to.
let askedAt = 0;
let putScoreBack = null;
// Whether the hand that is saved scores as it did: a last tile that is settled for it changes nothing.
let isScoredAlike = false;

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
  if (isSending) return state.data.mode === "new" ? "Saving …" : "One moment …";
  if (next) return `Next: ${next.name}`;
  return changesNothing() ? filled(state.data.sentences.save, { "": state.data.hand_number }) : state.data.save_words;
}

// Shows the payments above Save on a player's page; the page of everyone shows them with the score.
export function drawPayments() {
  const isLast = state.view !== EVERYBODY && !nextBlank() && state.score?.state === "whole";
  render(
    (isLast ? state.score.payments : []).map(
      ({ payer, payee, amount }) =>
        html`<li><b>${payer}</b> <span class="arrow">pays →</span> <b>${payee}</b> <span class="amount">${amount}</span></li>`,
    ),
    byId("foot-payments"),
  );
}

// Save shows at once what it does where the rules have worked that out: once the hand is whole, and nobody taps any more.
const FORESEEN_AFTER = 200;
let foreseeing = 0;

export function foreseeSave() {
  clearTimeout(foreseeing);
  const isWhole = state.score?.state === "whole" && !nextBlank();
  if (isWhole && !isSending) foreseeing = setTimeout(() => byId("entry") && foreseeHand(), FORESEEN_AFTER);
}

// Two presses with a tap or a typed figure between them are no double press.
function endGuard(event) {
  if (!event.target.closest?.("#go-on")) lastPress = -DOUBLE_PRESS;
}

// Ignores the second press of a double press, even if the button has changed its words since.
export function goOn(event) {
  if (isSending || event.timeStamp - lastPress < DOUBLE_PRESS) return;
  lastPress = event.timeStamp;
  const next = nextBlank();
  if (!next) return save();
  show(next.number);
  return focusPage();
}

// The players with nothing entered, once the tiles of the winner and of the player shown are there.
export function everyoneElse() {
  if (state.view === EVERYBODY || state.drawn || isVoid() || !winners().length) return [];
  const blank = blankSeats().map((one) => one.number);
  return blank.includes(state.view) || winners().some((one) => blank.includes(one.by)) ? [] : blank;
}

export function nothingElse() {
  change(() => {
    everyoneElse().forEach(setNothing);
    state.view = EVERYBODY;
    return "Everyone else: nothing to score.";
  }, "nothing to score");
  byId("go-on").focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

// What is shown as wrong, each with the view where it is put right.
let told = [];

const toPutRight = (found) => found.map(([words, view]) => button(words, () => goTo(view)));

// Takes away what has been put right since it was said.
export function redrawProblems() {
  const list = byId("error-summary")?.querySelector("ul");
  if (!list || !told.length) return;
  const now = problems().map(([words]) => words);
  const left = told.filter(([words]) => now.includes(words));
  if (left.length === told.length) return;
  told = left;
  list.replaceChildren(fragment(toPutRight(left).map((fix) => html`<li>${fix}</li>`)));
  if (left.length) return;
  byId("error-summary").remove();
  showTitle(state.data);
}

export function showProblems(found) {
  told = found;
  const box = errorSummary(toPutRight(found));
  byId("problems").replaceChildren(box);
  showTitle(state.data, true);
  box.focus();
}

export function goTo(view) {
  show(view);
  byId("problems").replaceChildren();
  window.scrollTo(0, 0);
}

// What is saved is what is shown: the score too, which may settle a last tile.
async function save() {
  const scored = untilScored();
  if (scored) {
    const { data } = state;
    setSending(true);
    await Promise.race([scored.catch(() => null), wait(SCORED_WITHIN)]);
    // Another hand may have been opened meanwhile, or the page left.
    if (state.data !== data || !byId("entry")) return null;
    setSending(false);
  }
  const found = problems();
  if (found.length) return showProblems(found);
  if (state.data.mode === "change" && !isUnsaved()) return redirect(state.data.urls.back, NOTHING_CHANGED, "info");
  isScoredAlike = changesNothing();
  settleLastTiles();
  return askFirst();
}

// On this tablet first, then on its way to the server; a change of an older hand is looked at before it is made.
async function send() {
  let looked = {};
  keep();
  setSending(true);
  if (state.data.mode !== "new" && !isScoredAlike) {
    if (state.data.asks_server && (await canBePreviewed())) return sendPlainly();
    looked = await lookHere();
    if (!looked.isSeen && (await canBePreviewed())) return sendPlainly();
    if (!looked.isAgreed) return stay(looked.refused);
  }
  const result = await keepHand(looked);
  if (result === "plainly") return sendPlainly();
  if (result === "recorded") return null;
  setSending(false);
  return showRefusal(result);
}

// “Saving …” is drawn where it takes a moment: most hands are shown at once.
function setSending(isBegun) {
  isSending = isBegun;
  clearTimeout(saying);
  if (isBegun) saying = setTimeout(() => byId("entry") && redraw(), SAID_AFTER);
  else redraw();
}

// What is tapped while the hand is saved would not be in it.
export const isBeingSaved = () => isSending;

// A penalty that belongs to no hand; what is entered of the hand stays on this tablet.
export async function savePenalty(body) {
  if (isSending) return null;
  setSending(true);
  const result = await keepPenalty(body);
  if (result === "recorded") return null;
  setSending(false);
  if (result !== "plainly") return showRefusal(result);
  const fields = { key: newKey(), after: state.data.after || "", seats: JSON.stringify(believedSeats()), ...body };
  const inputs = Object.entries({ ...fields, csrfmiddlewaretoken: "" }).map(
    ([name, value]) => html`<input type="hidden" name=${name} value=${value ?? ""}>`,
  );
  const form = element(html`<form method="post" action=${state.data.urls.penalty}>${inputs}</form>`);
  document.body.append(form);
  return submitPlainly(form);
}

function stay(refused) {
  setSending(false);
  return refused ? showRefusal({ ...refused, isKept: true }) : null;
}

function sendPlainly() {
  const fields = { ...sentFields(), key: state.key, after: state.data.after };
  for (const [name, value] of Object.entries(fields)) byId("save").elements[name].value = value;
  byId("save").action = state.data.urls.save;
  submitPlainly(byId("save"));
}

// What the rules refuse is shown next to the player whose hand it is; the hand stays as it was entered.
function showRefusal({ message, seat: wind, isKept, key }) {
  if (!isKept) cancel(key);
  const mine = state.data.seats.find((one) => [one.wind, one.number].includes(wind));
  if (mine) show(mine.number);
  showProblems([[mine ? `${mine.name}: ${message}` : message, mine?.number || EVERYBODY]]);
}

export function wireSave() {
  isSending = false;
  byId("agree")?.addEventListener("click", agree);
}

// What is tapped before “Saving …” is drawn changes nothing either.
function ignoreWhileSaved(event) {
  if (!isSending || !event.target.closest?.("#entry")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

for (const kind of ["pointerdown", "pointerup", "click"]) window.addEventListener(kind, ignoreWhileSaved, true);
for (const kind of ["click", "input"]) document.addEventListener(kind, endGuard, true);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) setSending(false);
});

// Where the club asks for it, another player agrees to the hand before it is saved. “Something is wrong” leads back to it.

function askFirst() {
  const step = byId("agree");
  if (!step) return send();
  state.agreed = null;
  const { parentElement, nextSibling } = byId("score");
  putScoreBack = () => parentElement.insertBefore(byId("score"), nextSibling);
  byId("agree-score").append(byId("score"));
  byId("agree-entered").replaceChildren(fragment(state.data.seats.map(enteredBy)));
  const place = step.querySelector(".agree-names");
  const others = state.data.seats.filter((one) => one.number !== place.dataset.holds);
  place.replaceChildren(
    fragment(
      others.map(
        ({ number, name }) =>
          html`<button class="button-main" type="submit" name="agreed" value=${number}>${name} agrees</button>`,
      ),
    ),
  );
  byId("problems").replaceChildren();
  showAgreement(true);
  window.scrollTo(0, 0);
  byId("agree-title").focus({ preventScroll: true });
  askedAt = performance.now();
  return null;
}

// What is agreed to while nothing is scored.
const enteredBy = ({ number, name }) =>
  html`<li>${name}: ${handWords(hand(number), state.data)}${winning(number) ? translate`, Mah-jong` : nothing}</li>`;

function showAgreement(isShown) {
  byId("agree").hidden = !isShown;
  document.body.classList.toggle("is-agreeing", isShown);
}

// The second press of a double press on Save agrees to nothing.
function agree(event) {
  const pressed = event.target.closest("button");
  if (!pressed || event.timeStamp - askedAt < DOUBLE_PRESS) return;
  putScoreBack();
  showAgreement(false);
  byId("go-on").focus({ preventScroll: true });
  if (pressed.name !== "agreed") return;
  state.agreed = pressed.value;
  send();
}
