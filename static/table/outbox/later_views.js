// What a table's page needs next, fetched once it is drawn: its other views with their scripts, and the rules.
import { fetchWithin, whenIdle } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { FORM, go, noteViews, register, takeViews } from "../views.js";
import { draw, drawAhead, drawNews, drawSeatings, goToTable, isNewTable, isOurs } from "./ahead.js";
import { drawSheet } from "./board.js";
import { isGame } from "./commands.js";
import { flashOutcomes } from "./flash.js";
import { isAwaited } from "./follow.js";
import { fillPlayers, renewForms } from "./forms.js";
import { keptPages } from "./kept_pages.js";
import { openRow } from "./links.js";
import { drawStatus } from "./list.js";
import { fetchLedger, loadRules, pageState, rulesFiles, tableNow } from "./state.js";

const LOAD_AGAIN = 10000;
const VIEWS_WITHIN = 10000;

export const getViewsLater = () => getViews().catch(() => setTimeout(getViewsLater, LOAD_AGAIN));

// Fetches what the table needs to go on without the server.
export async function getReady() {
  await fetchLedger().catch(() => null);
  // What was not known before may be worked out now.
  if (await loadRules()) drawAhead();
  else if (rulesFiles().length) setTimeout(getReady, LOAD_AGAIN);
}

// What a page may need later, and nobody waits for; it is done without where it cannot be fetched.
export async function fetchLater() {
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
  // A table that this tablet draws has nobody else to open a hand.
  if (!("anyTable" in document.documentElement.dataset)) await new Promise(whenIdle);
  await Promise.all(modules.split(" ").map((src) => load([{ type: "module", src }])));
  noteViews();
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
    // The line in the bar is that of when the table was left.
    drawStatus(isGame(now.state.session) ? [] : now.waiting);
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
