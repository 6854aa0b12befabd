// Every page of a table, and the page of what waits: the forms that are kept here first, the line that says what is
// saved, the board while the server is not heard.
import "../later.js";
import { drawBoard, drawHands, refreshBoard, server, undrawBoard } from "./board.js";
import { asksFirst, commandOf, unseenCommandOf } from "./forms.js";
import { install } from "./install.js";
import { drawList, drawStatus, wireList } from "./list.js";
import { isUsable, keepFlushing, network, onChange, save, cancel } from "./queue.js";
import { ATTENTION, isHeard, RECORDED, renewToken } from "./send.js";
import { lookAtFirst } from "./preview.js";
import { loadRules } from "./seats.js";
import { fetchLedger, isSetBack, pageState, tableNow } from "./state.js";
import { followStart } from "./started.js";
import { all } from "./store.js";
import { redirect, flash, flashAfterRedirect, flashOutcomes } from "./flash.js";

const DOUBLE_PRESS = 700;
const LOAD_AFTER = 2000;
const NOT_HEARD = "There is no Wi-Fi just now, and this cannot be done without it. You have not lost anything. Try again in a moment.";
const INCOMPLETE = "Enter what is missing, or choose another player. Something does not fit yet.";
const TOLD_LATER = "You’ll see what changed once it has been sent.";
const NO_OTHER_PAGE = "There is no Wi-Fi just now, so other pages cannot be opened. You have not lost anything. Saved hands stay on this tablet. Stay on this page until the Wi-Fi is back.";
const pressed = new Map();
// What someone at this page waits for is shown by itself.
const own = new Set();
let refreshing = null;
let looks = 0;

const byId = (id) => document.getElementById(id);
// The club has no pages of a table that was started here.
const isNewTable = () => "newTable" in document.documentElement.dataset;
const isWithoutWorker = () => !navigator.serviceWorker?.controller;

export async function drawAhead() {
  looks += 1;
  const look = looks;
  const items = network.isUsable ? await all() : [];
  drawStatus(items);
  drawList(items);
  const now = await tableNow();
  // A slower look would draw what has been sent since.
  if (look !== looks) return items;
  // Those are for the hand that the page was drawn for.
  document.querySelector(".ready")?.toggleAttribute("hidden", Boolean(now && (now.waiting.length || now.isNewer)));
  if (now && (now.waiting.length || now.isNewer)) drawBoard(now);
  else undrawBoard();
  now?.place.later?.then((answer) => answer && drawAhead());
  return items;
}

// What was recorded is shown as the server has it; said once nothing more of this table waits.
async function news(recorded) {
  await followStart(recorded);
  const session = pageState()?.session;
  const others = recorded.filter((one) => !own.has(one.key));
  const mine = others.some((one) => one.session === session);
  if (mine && byId("board")) await refreshOnce();
  const items = await drawAhead();
  const isListening = byId("board") || byId("outbox-page");
  const isQuiet = !items.some((one) => one.state === "waiting" && (!session || one.session === session));
  if (isListening && isQuiet && others.length) await flashOutcomes((one) => isOurs(one) && !own.has(one.key));
}

const isOurs = (one) => !pageState() || pageState().session === one.session;

// Several news at once are one look at the board, but the last of them is never missed.
async function refreshOnce() {
  while (refreshing) await refreshing;
  refreshing = refreshBoard(true);
  await refreshing;
  refreshing = null;
}

function isDoublePress(form) {
  const now = performance.now();
  const isDouble = now - (pressed.get(form.dataset.outbox) ?? -DOUBLE_PRESS) < DOUBLE_PRESS;
  pressed.set(form.dataset.outbox, now);
  return isDouble;
}

async function plainly(form, button = null) {
  // Of an entry that is not sent yet the server has no page to remove it.
  const isUnsent = form.dataset.entry && !form.hasAttribute("action");
  if (isNewTable() || isUnsent || !(await isHeard(3000))) return notHeard(form);
  if (button?.name) {
    const said = document.createElement("input");
    Object.assign(said, { type: "hidden", name: button.name, value: button.value });
    form.append(said);
  }
  renewToken(form);
  return HTMLFormElement.prototype.submit.call(form);
}

// What is only looked at before it is done can be kept without; all else has to wait for the server.
async function notHeard(form) {
  const now = network.isUsable ? await tableNow() : null;
  const command = now && unseenCommandOf(form, now.place, now.state);
  if (!command) return flash(NOT_HEARD, "error");
  const { isAgreed, isSeen, words = command.words, refused } = await lookAtFirst(command, now);
  if (refused) return flash(refused.message, "error");
  if (!isAgreed) return null;
  try {
    await save({ ...command, words }, 0);
    return flash(`Saved on this tablet: ${words}. ${isSeen ? "" : TOLD_LATER}`.trim(), "info");
  } catch {
    return flash(NOT_HEARD, "error");
  }
}

async function keep(form) {
  const press = form.querySelector("button[type=submit]");
  const words = [...press.childNodes];
  press.replaceChildren("Saving …");
  try {
    const { place, state } = await tableNow();
    const command = commandOf(form, place, state);
    if (!command) return isNewTable() ? flash(INCOMPLETE, "error") : await plainly(form);
    own.add(command.key);
    const outcome = await save(command);
    await answered(form, command, outcome, state);
    return own.delete(command.key);
  } catch {
    return await plainly(form);
  } finally {
    press.replaceChildren(...words);
  }
}

async function answered(form, command, { verdict, reply, isKept }, state) {
  const onBoard = Boolean(byId("board"));
  if (verdict === ATTENTION && !isKept) {
    await cancel(command.key);
    return onBoard || isNewTable() ? flash(reply.message, "error") : plainly(form);
  }
  if (verdict === ATTENTION) return onBoard ? seeBoth(reply.message) : redirect(state.urls.table, reply.message, "error");
  if (verdict === RECORDED) return onBoard ? seeIt(command.key, state.open) : redirect(state.urls.table);
  const words = `Saved on this tablet: ${command.words}. It will be sent when the Wi-Fi is back.`;
  if (onBoard) return flash(words, "info");
  if (!isWithoutWorker()) return redirect(state.urls.table, words, "info");
  form.replaceChildren();
  return flash(words, "info");
}

async function seeIt(key, wasOpen) {
  await refreshOnce();
  if (wasOpen && byId("finished")) showFinished();
  await drawAhead();
  await flashOutcomes((one) => one.key === key);
}

// Finishing is pressed far down the page; the final order stands at its top.
function showFinished() {
  window.scrollTo(0, 0);
  byId("finished").focus({ preventScroll: true });
}

async function seeBoth(words) {
  await refreshOnce();
  flash(words, "error");
}

function wireForms() {
  document.documentElement.dataset.outbox = "on";
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!pageState() || form.method !== "post") return;
    if (form.dataset.outbox && !network.isUsable) return;
    event.preventDefault();
    if (!form.dataset.outbox) plainly(form, event.submitter);
    else if (!asksFirst(form) && !isDoublePress(form)) keep(form);
  });
}

// Without the server a hand of the list is opened in place, where it can be changed all the same.
async function openHere(link) {
  if (await isHeard(3000)) return location.assign(link.href);
  const { place } = await tableNow(null, false);
  const { html } = (await place.later) || place;
  if (html) drawHands(html.hands);
  const key = link.pathname.split("/").at(-2);
  const row = document.querySelector(`#hands :is(summary[data-key="${key}"], form[data-entry="${key}"])`);
  if (!row) return location.assign(link.href);
  row.closest("details").open = true;
  return row.focus();
}

// Without a service worker a page that cannot be fetched would be the browser's own page of error.
function wireLinks() {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    const isHere = link?.hash && link.pathname === location.pathname;
    const isPlain = link && !event.defaultPrevented && event.button === 0 && !link.target && link.origin === location.origin && !isHere;
    if (isPlain && link.matches("#hands li > a") && (server.isAway || !navigator.onLine)) {
      event.preventDefault();
      return openHere(link);
    }
    if (!isPlain || link.hasAttribute("download") || !isWithoutWorker() || window.isSecureContext) return;
    event.preventDefault();
    if (await isHeard(3000)) location.assign(link.href);
    else flash(NO_OTHER_PAGE, "error");
  });
}

async function start() {
  wireList();
  wireForms();
  wireLinks();
  flashAfterRedirect();
  if (!(await isUsable())) delete document.documentElement.dataset.outbox;
  await drawAhead();
  onChange(news);
  if (network.isUsable && (byId("board") || byId("outbox-page"))) await flashOutcomes(isOurs);
  if (network.isUsable) keepFlushing();
  install(pageState());
  if (pageState() && !byId("entry")) {
    // The ledger is small and changes with every hand; the rules are neither.
    fetchLedger().catch(() => null);
    setTimeout(getReady, LOAD_AFTER);
  }
  if (network.isUsable && pageState() && (await isSetBack())) location.reload();
}

// What the tablet needs to play on without the server.
async function getReady() {
  await fetchLedger().catch(() => null);
  if (await loadRules()) document.documentElement.dataset.rules = "on board";
}

start();
