// The views of a table: the board, a hand being entered, a hand with its lines, who comes and goes, who sits where,
// the sheet, the last changes. Each has its address, and the page of one has the others as templates: going from one to
// another loads nothing.
import { byId } from "../web/dom.js";

const BOARD = "table";
const HAND = "hand_entry";
const SHEET = "sheet";
const ONE_HAND = "hand";
const CHANGES = "changes";
// What all views do that are a form.
export const FORM = "form";

/**
 * What a view does when it is shown, and when it is left. `prepare` returns what `open` needs; null where only the server
 * has that page.
 * @typedef {{ prepare?: (url: URL, content?: DocumentFragment) => Promise<any>, open: (prepared: any, url: URL) => void, close?: () => void }} Doing
 * The parts of a page that are its view's own.
 * @typedef {{ header: Node[], main: Node[], footer: Node[], body: string, page: string, title: string, sheets: string[], y: number }} Parts
 */

const doing = /** @type {Map<string, Doing>} */ (new Map());
const doingOf = (name) => doing.get([BOARD, HAND, SHEET, ONE_HAND, CHANGES].includes(name) ? name : FORM);
const templates = /** @type {Map<string, HTMLTemplateElement>} */ (new Map());
// The names of views by their addresses, without what follows a “#”.
let names = /** @type {Map<string, string>} */ (new Map());
// The view that is shown; empty for a form.
let shown = (byId("board") && BOARD) || (byId("entry") && HAND) || (byId("sheet") && SHEET) || "";
// The parts of the board, since another view was shown.
let board = /** @type {Parts | null} */ (null);
// Its address, which Back changes before anything else.
let where = location.pathname + location.search;

function whereOf(address) {
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
// The address of every hand is that of one view.
const KEY = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const nameOf = (address) => names.get(whereOf(address)) || names.get(whereOf(address).replace(KEY, "KEY")) || "";

export const register = (name, what) => doing.set(name, what);

/** Takes the templates that the page has. `urls` are those of the table's state. */
export function takeViews({ table, entry, ...others }) {
  for (const template of /** @type {NodeListOf<HTMLTemplateElement>} */ (
    document.querySelectorAll("template[data-view]")
  )) {
    templates.set(template.dataset.view, template);
    sheetsIn(template.content).forEach(addSheet);
  }
  const addresses = { ...others, [BOARD]: table, [HAND]: entry };
  // A game has no address for some: nobody else knows it.
  names = new Map(
    Object.entries(addresses)
      .filter(([, address]) => address)
      .map(([name, address]) => [whereOf(address), name]),
  );
}

const sheetsIn = (part) => [...part.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href"));
// All but the first, of every page, and the last, of the looks.
const ownSheets = () =>
  /** @type {HTMLLinkElement[]} */ ([...document.head.querySelectorAll("link[rel=stylesheet]")].slice(1, -1));

// Fetched before it is needed; it counts only while its view is shown.
function addSheet(href) {
  if (ownSheets().some((link) => link.getAttribute("href") === href)) return;
  const last = [...document.head.querySelectorAll("link[rel=stylesheet]")].pop();
  last.before(Object.assign(document.createElement("link"), { rel: "stylesheet", media: "not all", href }));
}

let tell = () => {};
/** Settled once the scripts of the other views are there. */
export const viewsAreHere = new Promise((resolve) => {
  tell = () => resolve(null);
});

export function noteViews() {
  document.documentElement.dataset.views = "here";
  tell();
}

/** Whether a view will be shown without loading, once its script is there: of a table that this tablet draws. */
export const willShow = (address) => "anyTable" in document.documentElement.dataset && Boolean(nameOf(address));

/** Whether the address is that of a view that can be shown without loading. */
export function canShow(address) {
  const name = nameOf(address);
  return Boolean(doingOf(name)) && (templates.has(name) || (name === BOARD && Boolean(board || byId("board"))));
}

/**
 * Shows the view of an address; `found` is what it would prepare, where that is known. Returns whether it is shown: where only
 * the server has it, it has to be loaded as a page.
 * @param {string} address @param {boolean} [isBack] @param {boolean} [isLoaded] @param {any} [found]
 */
export async function go(address, isBack = false, isLoaded = isBack, found = null) {
  const url = new URL(address, location.href);
  const name = nameOf(url.href);
  const view = canShow(url.href) ? doingOf(name) : null;
  const prepared = view?.prepare && !found ? await view.prepare(url, templates.get(name)?.content) : found || view;
  if (!prepared) {
    if (isLoaded) location.reload();
    return false;
  }
  doingOf(shown)?.close?.();
  if (!isBack) history.pushState(null, "", url);
  where = whereOf(url.href);
  show(name);
  view.open(prepared, url);
  document.dispatchEvent(new Event("view:shown"));
  return true;
}

function show(name) {
  if (shown === BOARD) board = partsShown();
  const { header, main, footer, body, page, title, sheets, y } =
    (name === BOARD && board) || partsOf(templates.get(name));
  byId("header").replaceChildren(...header);
  byId("main").replaceChildren(...main);
  byId("footer-own").replaceChildren(...footer);
  // After the parts: taking out what has the focus would lay out the view that is left by the styles of the next.
  for (const link of ownSheets()) link.media = sheets.includes(link.getAttribute("href")) ? "all" : "not all";
  document.body.className = body;
  byId("main").className = page;
  document.title = title;
  shown = name;
  window.scrollTo(0, y);
}

/** @returns {Parts} */
function partsShown() {
  const [header, main, footer] = ["header", "main", "footer-own"].map((id) => [...byId(id).childNodes]);
  const sheets = ownSheets()
    .filter((link) => link.media !== "not all")
    .map((link) => link.getAttribute("href"));
  return {
    header,
    main,
    footer,
    body: document.body.className,
    page: byId("main").className,
    title: document.title,
    sheets,
    y: window.scrollY,
  };
}

/** @returns {Parts} */
function partsOf({ content, dataset }) {
  const copy = content.cloneNode(true);
  const [header, main, footer] = ["header", "main", "footer"].map((part) => [
    ...copy.querySelector(`[data-part=${part}]`).childNodes,
  ]);
  const messages = Object.assign(document.createElement("div"), { id: "messages", className: "messages" });
  messages.setAttribute("role", "status");
  return {
    header,
    main: [messages, ...main],
    footer,
    body: dataset.body,
    page: `page ${dataset.main}`,
    title: dataset.title,
    sheets: sheetsIn(copy),
    y: 0,
  };
}

// A page that only the server has, or had, is loaded again.
addEventListener("popstate", () => {
  if (whereOf(location.href) !== where) go(location.href, true);
});
