// Pages that are kept for all tables started here without the network: makes one this table's own before its scripts run.
import { byId } from "../web/dom.js";
import { filled } from "./outbox/commands.js";
import { storage, table } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const key = new URLSearchParams(location.search).get("new");
const scripts = /** @type {HTMLElement} */ (document.querySelector("script[data-scripts]")).dataset.scripts.split(" ");
// With the rules, where they are not the club's usual ones.
const PLACE = /\/sessions\/0\/(by\/[^/]+\/)?/;
const onBoard = byId("board");

/** Changes what the page carries as JSON. */
function rewrite(id, made) {
  const data = byId(id);
  if (data) data.textContent = JSON.stringify(made(JSON.parse(data.textContent)));
}

/** The addresses of its hands and its sheet; empty until the club has the table. */
function ownPages({ hand_page: hand, change_page: change, preview_page: preview }, { session, urls }) {
  const own = (address) => (typeof session === "number" ? address.replace("/sessions/0/", `/sessions/${session}/`) : "");
  return { hand_page: own(hand), change_page: own(change), preview_page: own(preview), player_page: "", sheet_page: urls.sheet, entry_page: urls.entry };
}

const ownTitles = ({ title, title_of_change: change }, { table: number }) => {
  const own = (template) => filled(template, { "": "{}", table: number });
  return { title: own(title), title_of_change: own(change) };
};

function fill({ rules }, state) {
  // Version 0, so that the page is drawn from what is kept here.
  rewrite("table-state", () => ({ ...state, version: 0, ledger: null }));
  rewrite("engine-data", (engine) => ({ ...engine, table: { ...engine.table, ...rules, look: { ...engine.table.look, ...ownPages(engine.table.look, state) } } }));
  rewrite("entry-data", (entry) => ({
    ...entry,
    storage_start: `hand-${state.session}-new-`,
    sentences: { ...entry.sentences, ...ownTitles(entry.sentences, state) },
    urls: { ...entry.urls, page: state.urls.entry, back: state.urls.table, draft: "" },
  }));
}

function fillLinks({ urls }) {
  const own = new Map(Object.values(urls).map((address) => [address.replace(PLACE, "/sessions/0/").split("?")[0], address]));
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[href*='/sessions/0/']"))) link.href = own.get(link.pathname) || link.href;
}

function fillSheet(state) {
  const title = byId("sheet-title");
  document.title = filled(title.dataset.title, { "": `${state.table}, ${state.date}` });
  title.textContent = `Table ${state.table}, ${state.date}`;
  byId("sheet").dataset.session = state.session;
  byId("sheet").dataset.version = "0";
}

function fillBoard(state) {
  document.title = filled(onBoard.dataset.title, { "": state.table });
  byId("new-table").textContent = `Table ${state.table}`;
  byId("new-table-date").textContent = state.date;
  for (const seat of /** @type {NodeListOf<HTMLElement>} */ (onBoard.querySelectorAll(".felt [data-seat]"))) {
    seat.querySelector(".seat-name").textContent = state.names[seat.dataset.seat] || "";
    seat.querySelector(".balance").textContent = state.balances[seat.dataset.seat]?.toLocaleString("en-GB") ?? "";
  }
  byId("no-new-table").remove();
  onBoard.hidden = false;
}

async function start() {
  const own = key && (await table(`new-${key}`));
  if (storage.fault && onBoard) document.querySelector("#no-new-table .empty").textContent = storageWords();
  if (!own) return onBoard ? null : location.replace(location.pathname.replace(/\/sessions\/0\/.*/, "/sessions/0/table/"));
  const { state } = own.started ? await table(own.started) : own;
  // The club has the table by now: the session's own page is better, if it is kept here.
  const address = location.pathname.replace(PLACE, `/sessions/${own.started}/`);
  if (own.started && (await caches.match(address, { ignoreVary: true }))) return location.replace(address + location.hash);
  document.documentElement.dataset.newTable = "";
  fill(own, state);
  fillLinks(own.state);
  if (onBoard) fillBoard(state);
  if (byId("sheet")) fillSheet(state);
  for (const src of scripts) document.body.append(Object.assign(document.createElement("script"), { type: "module", src }));
  return null;
}

start();
