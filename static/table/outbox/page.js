// Every page of a table, and the page of unsent hands: forms that are kept on the tablet first, the line that says what is
// saved, and the board or sheet while the server is not heard.
import { fetchWithin, isHeard, whenIdle } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { fragment, html } from "../../web/html.js";
import {
  drawBoard,
  drawHands,
  drawSheet,
  labelEnter,
  lookAtFirst,
  nameTablets,
  refreshOnce,
  undrawBoard,
} from "./board.js";
import { flash, flashAfterRedirect, flashOutcomes, redirect } from "./flash.js";
import { isGame, isUndoOrRedo } from "./commands.js";
import { follow, isAwaited } from "./follow.js";
import { asksFirst, commandOf, fillPlayers, renewForms, unseenCommandOf } from "./forms.js";
import { install } from "./install.js";
import { canShow, FORM, go, register, takeViews } from "../views.js";
import { drawList, drawOpenedTables, drawStatus, wireList } from "./list.js";
import { cancel, isHolding, keep, keepFlushing, onChange, outcomeOf, save } from "./queue.js";
import { ATTENTION, RECORDED, server, submitPlainly } from "./send.js";
import {
  fetchLedger,
  hasRules,
  isSetBack,
  loadRules,
  pageState,
  refreshLedger,
  RETRY_AFTER,
  rulesFiles,
  setPageState,
  tableNow,
} from "./state.js";
import { keepPages, keptPages } from "./kept_pages.js";
import { all, noteGame, storage, table } from "./store.js";
import { keptWords } from "./words.js";

const DOUBLE_PRESS = 700;
const LOAD_AFTER = 2000;
const LOAD_AGAIN = 10000;
const VIEWS_WITHIN = 10000;
const NOT_HEARD =
  "There is no Wi-Fi just now, and this cannot be done without it. You have not lost anything. Try again in a moment.";
const INCOMPLETE = "Enter what is missing, or choose another player. Something does not fit yet.";
const CHANGED_LATER = "You’ll see what changed once it has been sent.";
const STAY = "Stay on this page until the Wi-Fi is back. It alone keeps what is not sent yet, as this tablet cannot.";
const NO_OTHER_PAGE =
  "Other pages cannot be opened without Wi-Fi. Your saved hands are on this tablet: keep this page open until the Wi-Fi is back.";
// A second undo so soon may be meant for the button that stood there before.
const UNDO_AGAIN = 2000;
const pressed = new Map();
let looks = 0;

// The club has no pages of a table that was started here.
const isNewTable = () => "newTable" in document.documentElement.dataset;
const isWithoutWorker = () => !navigator.serviceWorker?.controller;

export async function drawAhead() {
  looks += 1;
  const look = looks;
  const items = await drawKept();
  const now = await tableNow();
  // A slower look would draw what has been sent since.
  if (look !== looks) return items;
  draw(now);
  now?.place.later?.then((answer) => (answer ? drawAhead() : setTimeout(drawAhead, RETRY_AFTER)));
  return items;
}

// The line in the bar, and the list behind it: a game sends nothing.
async function drawKept() {
  const items = await all();
  const shown = isGame(pageState()?.session) ? [] : items;
  drawStatus(shown);
  drawList(shown);
  return items;
}

function draw(now) {
  const isAhead = Boolean(now && (now.waiting.length || now.isNewer));
  drawSeatings(now, isAhead);
  if (isAhead) drawBoard(now);
  else undrawBoard();
  if (now) labelEnter(now);
  if (now?.place.balances && isGame(now.state.session))
    noteGame(now.state.session, { stands: standing(now.place) }).catch(() => null);
}

/** How a game stands, for the list of games: names with their balances, hands played, and whether it goes on. */
const standing = ({ names, balances, number, isOpen }) => ({
  players: Object.entries(balances).map(([seat, points]) => [names[seat], points]),
  hands: number - 1,
  isOpen,
});

// The seatings to choose from: those that the server drew are for the hand that it knew of.
function drawSeatings(now, isAhead) {
  const place = byId("likely-seatings");
  if (!place) return;
  place.toggleAttribute("hidden", isAhead && !now.place.html);
  if (now?.place.html) place.innerHTML = now.place.html.seatings;
}

// Shows what was recorded as the server has it, and says so once nothing more of this table waits.
async function showRecorded(recorded) {
  await followStart(recorded);
  const session = pageState()?.session;
  const others = recorded.filter((one) => !isAwaited(one));
  if (others.some((one) => one.session === session)) await refreshOnce();
  const items = await drawAhead();
  // What this page alone knows, no other can say later.
  const isListening = byId("board") || byId("outbox-page") || storage.fault;
  const isQuiet = !items.some((one) => one.state === "waiting" && (!session || one.session === session));
  if (isListening && isQuiet && others.length) await flashOutcomes((one) => isOurs(one) && !isAwaited(one));
}

const isOurs = (one) => !pageState() || pageState().session === one.session;

// Once the club has the table that was started here, the page goes on as that of its session. The table's own page follows
// when it is kept on this tablet: the network may go again.
async function followStart(recorded) {
  const start = recorded.find(({ started }) => started && started === pageState()?.session);
  if (!start) return;
  const { state } = await table(start.session);
  setPageState({ ...state, version: 0, ledger: null });
  if (byId("board")) goToTable(state.urls.table).catch(() => null);
}

async function goToTable(address) {
  await keepPages({ keep: [address], refetch: [address] });
  if (await caches.match(address)) location.replace(address);
}

/** Draws what was heard of the table meanwhile. */
export async function drawNews() {
  await refreshOnce();
  await drawAhead();
}

function isDoublePress(form) {
  const now = performance.now();
  const isDouble = now - (pressed.get(form.dataset.outbox) ?? -DOUBLE_PRESS) < DOUBLE_PRESS;
  pressed.set(form.dataset.outbox, now);
  return isDouble;
}

function isUndoneTwice(form) {
  if (form.dataset.outbox !== "undo") return false;
  const now = performance.now();
  const isSoon = now - (pressed.get("undone") ?? -UNDO_AGAIN) < UNDO_AGAIN;
  // The next press counts.
  pressed.set("undone", isSoon ? -UNDO_AGAIN : now);
  if (isSoon) flash("One step is taken back. Press Undo again to take back another.", "info");
  return isSoon;
}

async function sendPlainly(form, submitter) {
  // The server has no page to remove an entry that is not sent yet.
  const isUnsent = form.dataset.entry && !form.hasAttribute("action");
  if (isNewTable() || isUnsent || !(await isHeard())) return keepUnseen(form);
  if (submitter?.name)
    form.append(fragment(html`<input type="hidden" name=${submitter.name} value=${submitter.value}>`));
  return submitPlainly(form);
}

// Removes or restores an entry, once the rules on this tablet have shown what that changes; else the server's page shows it.
async function changeEntry(form, submitter) {
  await refreshLedger();
  const now = await tableNow();
  const command = now && unseenCommandOf(form, now.place, now.state);
  const looked = command && (await lookAtFirst(command, now));
  if (!looked?.isSeen) return sendPlainly(form, submitter);
  if (looked.refused) return flash(looked.refused.message, "error");
  if (!looked.isAgreed) return null;
  const { words, why } = looked;
  return keepAndShow({ ...command, words, why }, form, submitter, now.state);
}

// Keeps a command and shows the table as it is then; what the server says of it comes later. Without the rules on this
// tablet it is waited for.
async function keepAndShow(command, form, submitter, state) {
  const kept = await keep(command);
  if (await isPlayed(kept)) {
    if (byId("board") || (await go(state.urls.table))) {
      await drawAhead();
      return follow(kept, (await tableNow()).place.said, () => showChange(state.open));
    }
  }
  const outcome = await outcomeOf(kept);
  return showOutcome(form, submitter, kept, outcome, state);
}

// The rules on this tablet have taken the command, or may take an undo or redo that they do not know.
async function isPlayed({ key }) {
  const now = await tableNow();
  return (
    Boolean(now.place.html) &&
    now.waiting.some((one) => one.key === key) &&
    (byId("board") || canShow(now.state.urls.table))
  );
}

// Without the rules and the server, such a change is kept unseen; all else has to wait for the server.
async function keepUnseen(form) {
  const now = await tableNow();
  const command = now && unseenCommandOf(form, now.place, now.state);
  if (!command) return flash(NOT_HEARD, "error");
  try {
    await save(command, 0);
    return flash(
      [`${keptWords().heading}: ${command.words}.`, CHANGED_LATER, keptWords().until].filter(Boolean).join(" "),
      "info",
    );
  } catch {
    return flash(NOT_HEARD, "error");
  }
}

async function keepForm(form, submitter) {
  const submit = submitter || form.querySelector("button[type=submit]");
  const words = [...submit.childNodes];
  submit.replaceChildren("Saving …");
  submit.setAttribute("data-saving", "");
  try {
    // What a step takes back is asked of the rules, once they are there, however the page was drawn.
    const { place, state } = await tableNow(null, !(hasRules() && isUndoOrRedo({ kind: form.dataset.outbox })));
    const command = commandOf(form, place, state, submitter);
    if (!command) return isNewTable() ? flash(INCOMPLETE, "error") : await sendPlainly(form, submitter);
    return await keepAndShow(command, form, submitter, state);
  } catch {
    return await sendPlainly(form, submitter);
  } finally {
    // Unless the table was drawn meanwhile, which says what can be undone now.
    if (submit.hasAttribute("data-saving")) submit.replaceChildren(...words);
    submit.removeAttribute("data-saving");
  }
}

async function showOutcome(form, submitter, command, { verdict, reply, isKept }, state) {
  const onBoard = Boolean(byId("board"));
  if (verdict === ATTENTION && !isKept) {
    await cancel(command.key);
    return onBoard || isNewTable() ? flash(reply.message, "error") : sendPlainly(form, submitter);
  }
  if (verdict === ATTENTION || verdict === RECORDED) {
    const words = verdict === ATTENTION ? reply.message : "";
    if (!onBoard) return redirect(state.urls.table, words, "error");
    await refreshOnce();
    if (words) flash(words, "error");
    else {
      await showChange(state.open);
      await flashOutcomes((one) => one.key === command.key);
    }
    return window.scrollTo(0, 0);
  }
  const words =
    `${keptWords().heading}: ${command.words}. It will be sent when the Wi-Fi is back. ${keptWords().until}`.trim();
  if (!onBoard && !isWithoutWorker() && !storage.fault) return redirect(state.urls.table, words, "info");
  if (!onBoard) form.replaceChildren();
  return flash(words, "info");
}

async function showChange(wasOpen) {
  await drawAhead();
  if (!wasOpen || !byId("finished")) return;
  // Finish is pressed far down the page; the final order is at the top.
  window.scrollTo(0, 0);
  byId("finished").focus({ preventScroll: true });
}

function wireForms() {
  document.documentElement.dataset.outbox = "on";
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!pageState() || form.method !== "post") return;
    event.preventDefault();
    if (form.dataset.entry) changeEntry(form, event.submitter);
    else if (!form.dataset.outbox) sendPlainly(form, event.submitter);
    else if (!asksFirst(form) && !isDoublePress(form) && !isUndoneTwice(form)) keepForm(form, event.submitter);
  });
}

// Without the server a hand of the list is opened in place, where it can be changed all the same.
async function openHere(link) {
  if ((await isHeard()) || !(await openRow(link.pathname.split("/").at(-2)))) location.assign(link.href);
}

async function openRow(key) {
  const { place } = await tableNow(null, false);
  const { html } = (await place.later) || place;
  if (html) drawHands(html.hands);
  const row = document.querySelector(`#hands :is(summary[data-key="${key}"], form[data-entry="${key}"])`);
  if (!row) return false;
  row.closest("details").open = true;
  row.focus();
  return true;
}

// A page that cannot be left without losing something is not left; where the browser asks first, it asks.
// Without a service worker a page that cannot be fetched would be the browser's own error page.
async function openPage(address) {
  if (isHolding()) return flash(STAY, "warning");
  if (isWithoutWorker() && !window.isSecureContext && !(await isHeard())) return flash(NO_OTHER_PAGE, "error");
  return location.assign(address);
}

function wireLinks() {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    const isHere = link?.hash && link.pathname === location.pathname;
    const isPlain =
      link &&
      !event.defaultPrevented &&
      event.button === 0 &&
      !link.target &&
      link.origin === location.origin &&
      !isHere;
    if (isPlain && !event.ctrlKey && !event.metaKey && !event.shiftKey && canShow(link.href)) {
      event.preventDefault();
      return (await go(link.href)) || openPage(link.href);
    }
    if (isPlain && !isHolding() && link.matches("#hands li > a") && (server.isAway || !navigator.onLine)) {
      event.preventDefault();
      return openHere(link);
    }
    if (!isPlain || (!isHolding() && (link.hasAttribute("download") || !isWithoutWorker() || window.isSecureContext)))
      return;
    event.preventDefault();
    return openPage(link.href);
  });
  addEventListener("beforeunload", (event) => {
    if (isHolding()) event.preventDefault();
  });
}

const getViewsLater = () => getViews().catch(() => setTimeout(getViewsLater, LOAD_AGAIN));

// Fetches what the table needs to go on without the server.
async function getReady() {
  await fetchLedger().catch(() => null);
  // What was not known before may be worked out now.
  if (await loadRules()) drawAhead();
  else if (rulesFiles().length) setTimeout(getReady, LOAD_AGAIN);
}

// What a page may need later, and nobody waits for; it is done without where it cannot be fetched.
async function fetchLater() {
  const { script, module } = byId("later").dataset;
  await load([{ src: script }, { type: "module", src: module }]);
}

async function load(scripts) {
  for (const properties of scripts) {
    const element = Object.assign(document.createElement("script"), properties);
    document.head.append(element);
    await new Promise((resolve) => {
      for (const outcome of ["load", "error"]) element.addEventListener(outcome, resolve);
    });
  }
}

// Without the server the page of the table comes in place of each of its views, and of each hand.
const OF_HAND = /\/hands\/([0-9a-f-]{36})\/(?:(change|insert)\/)?$/;

async function showAsked() {
  const { table: address, entry } = pageState().urls;
  if (location.pathname === new URL(address, location.href).pathname) return;
  const [, key, mode] = location.pathname.match(OF_HAND) || [];
  if (mode) history.replaceState(null, "", `${entry}#${mode}-${key}`);
  const isShown = await go(location.href, true, !key || Boolean(mode));
  if (!isShown && key) await openRow(key);
}

// The views that the service worker has kept, where the server does not give them.
async function fetchViews(address) {
  const answer = await fetchWithin(VIEWS_WITHIN, address).catch(() => null);
  const found = answer?.ok ? answer : (await keptPages(address)).pop();
  if (!found) throw new Error("No views");
  return found.text();
}

// The other views, and in idle time their scripts.
async function getViews() {
  const { address, modules } = byId("later-views").dataset;
  if (address) byId("later-views").insertAdjacentHTML("beforebegin", await fetchViews(address));
  takeViews(pageState().urls);
  await new Promise(whenIdle);
  await load(modules.split(" ").map((src) => ({ type: "module", src })));
  document.documentElement.dataset.views = "here";
  if (byId("board")) await showAsked();
}

// A form among the views: for the players who are at the table, with a key of its own.
const formView = {
  prepare: () => tableNow(null, false),
  async open({ place }) {
    renewForms(place);
    drawSeatings({ place: (await place.later) || place }, false);
    await fillPlayers();
    document.querySelector("h1").focus();
  },
};

register("table", {
  prepare: () => tableNow(),
  open(now) {
    if (isNewTable() && typeof pageState().session === "number") goToTable(pageState().urls.table).catch(() => null);
    draw(now);
    // What was opened to change a hand has done its part.
    for (const row of document.querySelectorAll("#hands .row-waits[open], .board-groups details[open]"))
      row.removeAttribute("open");
    document.querySelector("#board h1").focus({ preventScroll: true });
    // What was recorded while another view was shown.
    drawNews().then(() => flashOutcomes((one) => isOurs(one) && !isAwaited(one)));
  },
});
register(FORM, formView);
register("sheet", {
  prepare: async () => Boolean(await loadRules()),
  async open() {
    await drawSheet();
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-print]"))) {
      button.hidden = false;
      button.onclick = () => window.print();
    }
    document.querySelector("h1").focus({ preventScroll: true });
  },
});

async function start() {
  if (byId("later-views")) takeViews(pageState().urls);
  if ("anyTable" in document.documentElement.dataset) await go(pageState().urls.table, true);
  if (byId("later-views")) getViewsLater();
  if (byId("later")) {
    if (document.readyState === "complete") whenIdle(fetchLater);
    else addEventListener("load", () => whenIdle(fetchLater));
  }
  wireList();
  wireForms();
  wireLinks();
  flashAfterRedirect();
  drawOpenedTables();
  await drawAhead();
  // Each view has a line and a list of its own.
  document.addEventListener("view:shown", drawKept);
  onChange(showRecorded);
  onChange(() => byId("sheet") && drawSheet());
  if (byId("sheet")) drawSheet();
  nameTablets();
  if (byId("board") || byId("outbox-page")) await flashOutcomes(isOurs);
  keepFlushing();
  install(pageState());
  if (pageState() && !byId("entry")) {
    // The ledger is small and changes with every hand; the rules are neither.
    fetchLedger().catch(() => null);
    setTimeout(getReady, LOAD_AFTER);
  }
  if (pageState() && (await isSetBack())) location.reload();
}

start();
