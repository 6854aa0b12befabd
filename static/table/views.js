// The views of a table: the board, a hand being entered, a penalty, who comes and goes. Each has its address; going from one
// to another loads nothing, once the page of the board has fetched the others. Without them a view is a page to load.
import { fetchWithin } from "../web/browser.js";
import { byId } from "../web/dom.js";

const LIMIT = 20000;
const BOARD = "table";
const HAND = "hand_entry";
// What all views do that are a form.
export const FORM = "form";

/**
 * What a view does when it is shown, and when it is left. `prepare` returns what `open` needs; null where only the server
 * has that page.
 * @typedef {{ prepare?: (url: URL, content?: DocumentFragment) => Promise<any>, open: (prepared: any, url: URL) => void, close?: () => void }} Doing
 * The parts of a page that are its view's own; a view without a header or a footer leaves those of the board.
 * @typedef {{ header?: Node[], main: Node[], footer?: Node[], body: string, page: string, title: string, sheets: string[], y: number }} Parts
 */

const doing = /** @type {Map<string, Doing>} */ (new Map());
const doingOf = (name) => doing.get([BOARD, HAND].includes(name) ? name : FORM);
const templates = /** @type {Map<string, HTMLTemplateElement>} */ (new Map());
// The names of views by their addresses, without what follows a “#”.
let names = /** @type {Map<string, string>} */ (new Map());
// The view that is shown; empty on a page that was not opened at the board.
let shown = byId("board") ? BOARD : "";
// The parts of the board, since another view was shown.
let board = /** @type {Parts | null} */ (null);
// Its address, which Back changes before anything else.
let where = location.pathname + location.search;

function whereOf(address) {
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
const nameOf = (address) => names.get(whereOf(address)) || "";

export const register = (name, what) => doing.set(name, what);

/** Fetches the other views of the board's page. `urls` are those of the table's state. */
export async function fetchViews({ views, table, entry, ...others }) {
  if (shown !== BOARD || !views) return;
  const answer = await fetchWithin(LIMIT, views);
  if (answer.status !== 200) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  for (const template of /** @type {NodeListOf<HTMLTemplateElement>} */ (holder.content.querySelectorAll("template"))) {
    templates.set(template.dataset.view, template);
    sheetsIn(template.content).forEach(addSheet);
  }
  const addresses = { ...others, [BOARD]: table, [HAND]: entry };
  names = new Map(Object.entries(addresses).map(([name, address]) => [whereOf(address), name]));
  document.documentElement.dataset.views = "here";
}

const sheetsIn = (part) => [...part.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href"));
// All but the first, of every page, and the last, of the looks.
const ownSheets = () => /** @type {HTMLLinkElement[]} */ ([...document.head.querySelectorAll("link[rel=stylesheet]")].slice(1, -1));

// Fetched before it is needed; it counts only while its view is shown.
function addSheet(href) {
  if (ownSheets().some((link) => link.getAttribute("href") === href)) return;
  const last = [...document.head.querySelectorAll("link[rel=stylesheet]")].pop();
  last.before(Object.assign(document.createElement("link"), { rel: "stylesheet", media: "not all", href }));
}

/** Whether the address is that of a view that can be shown without loading. */
export function canShow(address) {
  const name = nameOf(address);
  return Boolean(doingOf(name)) && (name === BOARD || templates.has(name));
}

/** Shows the view of an address; loads it as a page where only the server has it. Returns whether it is shown. */
export async function go(address, isBack = false) {
  const url = new URL(address, location.href);
  const name = nameOf(url.href);
  const view = canShow(url.href) ? doingOf(name) : null;
  const prepared = view?.prepare ? await view.prepare(url, templates.get(name)?.content) : view;
  if (!prepared) {
    if (isBack) location.reload();
    else location.assign(url);
    return false;
  }
  doingOf(shown)?.close?.();
  if (!isBack) history.pushState(null, "", url);
  where = whereOf(url.href);
  show(name);
  view.open(prepared, url);
  return true;
}

function show(name) {
  if (shown === BOARD) board = partsShown();
  const { header, main, footer, body, page, title, sheets, y } = name === BOARD ? board : partsOf(templates.get(name));
  for (const link of ownSheets()) link.media = sheets.includes(link.getAttribute("href")) ? "all" : "not all";
  byId("header").replaceChildren(...(header || board.header));
  byId("main").replaceChildren(...main);
  byId("footer-own").replaceChildren(...(footer || board.footer));
  document.body.className = body;
  byId("main").className = page;
  document.title = title;
  shown = name;
  window.scrollTo(0, y);
}

/** @returns {Parts} */
function partsShown() {
  const [header, main, footer] = ["header", "main", "footer-own"].map((id) => [...byId(id).childNodes]);
  const sheets = ownSheets().filter((link) => link.media !== "not all").map((link) => link.getAttribute("href"));
  return { header, main, footer, body: document.body.className, page: byId("main").className, title: document.title, sheets, y: window.scrollY };
}

/** @returns {Parts} */
function partsOf({ content, dataset }) {
  const copy = content.cloneNode(true);
  const [header, main, footer] = ["header", "main", "footer"].map((part) => copy.querySelector(`[data-part=${part}]`));
  const own = (part) => (part.childElementCount ? [...part.childNodes] : undefined);
  const messages = Object.assign(document.createElement("div"), { id: "messages", className: "messages" });
  messages.setAttribute("role", "status");
  return { header: own(header), main: [messages, ...main.childNodes], footer: own(footer), body: dataset.body, page: `page ${dataset.main}`, title: dataset.title, sheets: sheetsIn(copy), y: 0 };
}

// A page that was opened at another view, or loaded again there, has to load the board.
addEventListener("popstate", () => {
  if (whereOf(location.href) !== where) go(location.href, true);
});
