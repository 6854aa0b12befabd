// On the club's page: gets the tablet ready for a hall without Wi-Fi while nobody waits, and says so in one line.
import { fetchWithin, whenIdle } from "../web/browser.js";
import { byId, message } from "../web/dom.js";
import { canRun } from "./engine/engine.js";
import { fetchState } from "./outbox/send.js";
import { keepPages, keepTable, keptPages, storage, table, tables } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const READY = "Ready without Wi-Fi";
const NOT_READY = "Not ready for a hall without Wi-Fi yet. Leave this page open for a moment while there is Wi-Fi.";
const FETCHING = "Getting ready for a hall without Wi-Fi …";
const NO_WIFI = "There is no Wi-Fi just now.";
const TRY_AGAIN = "We could not fetch anything new. It is tried again when you open this page with Wi-Fi. Sign in if you are asked to.";
const TOO_OLD = "this browser is too old for them. Save your hands all the same: the scores will appear when the Wi-Fi is back.";
const NO_PAGES = "This tablet cannot keep pages, because the address of Clubscore here begins with http and not https. Open your table before the Wi-Fi goes, and leave its page open. It goes on working out scores, and your saved hands stay on this tablet.";
const PROMISED = "This browser has promised to keep all this until you remove it.";
const NOT_PROMISED = "This browser may delete this when the tablet runs out of space, or after seven days without Clubscore. Open this page again on the day you play.";
const BY_HAND = "Signing out removes these pages. Clearing the browser’s data also removes hands that have not been sent yet.";
const A_MINUTE = 60000;
const HEARD_WITHIN = 30000;
// How many pages are fetched at once.
const AT_ONCE = 3;
// How long after the page is there; milliseconds. What is older than this many hours is fetched again.
const READY_AFTER = 1500;
const FRESH_HOURS = 6;

const place = byId("offline-ready");
const state = byId("offline-state");
const refreshButton = /** @type {HTMLButtonElement} */ (byId("offline-refresh"));
const canKeep = "serviceWorker" in navigator && window.isSecureContext;
/** @returns {HTMLElement[]} */
const parts = () => [...place.querySelectorAll("[data-needs]")];
const needs = (part) => part.dataset.needs.split(" ");
const states = (part) => part.dataset.states?.split(" ") || [];

const timeOf = (date) => date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayOf = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "long" });
const since = (date) => `${dayOf(date) === dayOf(new Date()) ? "today" : `on ${dayOf(date)}`} at ${timeOf(date)}`;

/** When an address was last kept here; null where it is not. */
async function keptAt(address) {
  const times = (await keptPages(address)).map((answer) => Date.parse(answer.headers.get("Date")));
  return times.length ? Math.max(...times) : null;
}

// Without its ledger the rules cannot play a table on.
async function hasLedgers(part) {
  const kept = (await tables()).filter(({ state: stands }) => stands.ledger).map(({ state: stands }) => stands.urls.state);
  return states(part).every((address) => !storage.fault && kept.includes(address));
}

async function keepLedger(address) {
  const { reply } = await fetchState(address);
  if (!reply) return;
  // Listed with the tables opened here, after those opened today: a date sorts before all its times.
  const today = new Date().toISOString().slice(0, 10);
  const opened = (await table(reply.session))?.opened || "";
  await keepTable(reply, { opened: opened > today ? opened : today });
}

async function drawPart(part) {
  const times = await Promise.all(needs(part).map(keptAt));
  const isTooOld = "engine" in part.dataset && !canRun;
  const isThere = !isTooOld && !times.includes(null) && (await hasLedgers(part));
  part.classList.toggle("is-there", isThere);
  const words = isThere ? `on this tablet, refreshed ${since(new Date(Math.min(...times)))}` : "not on this tablet yet";
  part.querySelector("span").textContent = isTooOld ? TOO_OLD : words;
  return isThere || isTooOld;
}

/** Draws what is here; returns since when all of it is, null where something is missing. */
async function draw() {
  const found = await Promise.all(parts().map(drawPart));
  const isReady = found.every(Boolean) && !storage.fault;
  const oldest = Math.min(...(await Promise.all(parts().flatMap(needs).map(keptAt))).map(Number));
  state.textContent = isReady ? `${READY}, ${since(new Date(oldest))}` : storageWords() || NOT_READY;
  state.classList.toggle("is-there", isReady);
  const isPromised = await navigator.storage?.persisted?.();
  byId("offline-kept").textContent = `${isPromised ? PROMISED : NOT_PROMISED} ${BY_HAND}`;
  return isReady ? oldest : null;
}

// Tables may have been started or finished since this page was fetched.
async function fetchParts() {
  const answer = await fetch(location.pathname);
  const list = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("offline-parts");
  if (!list) throw new Error("Another page came instead");
  byId("offline-parts").replaceWith(list);
}

/** @param {boolean} again also what is here already */
async function keepAll(again) {
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const pages = parts().filter((part) => !("engine" in part.dataset)).flatMap(needs);
  const files = parts().filter((part) => "engine" in part.dataset).flatMap(needs);
  await keepPages({ keep: pages, refetch: again ? pages : [], files, atOnce: AT_ONCE });
}

/** @param {boolean} again */
async function refresh(again) {
  refreshButton.disabled = true;
  state.textContent = FETCHING;
  try {
    await fetchParts();
    await keepAll(again);
    for (const address of parts().flatMap(states)) await keepLedger(address);
    await draw();
  } catch {
    await draw();
    state.textContent = `${TRY_AGAIN} ${state.textContent}`;
  }
  refreshButton.disabled = false;
}

// The page may be the one that was kept here.
async function showAge() {
  const drawn = new Date(place.dataset.drawn);
  const answer = await fetchWithin(HEARD_WITHIN, "/healthz", { method: "HEAD" }).catch(() => null);
  if (answer?.ok && Date.parse(answer.headers.get("Date")) - drawn.getTime() < A_MINUTE) return;
  byId("messages").append(message(`${answer?.ok ? "" : `${NO_WIFI} `}This page is as it was ${since(drawn)}.`, "info"));
}

place.hidden = false;
if (canKeep) {
  refreshButton.hidden = false;
  refreshButton.addEventListener("click", async () => {
    // Some browsers ask a question then, which only a press should bring.
    await navigator.storage?.persist?.();
    refresh(true);
  });
  draw().then((oldest) => {
    const isFresh = oldest && Date.now() - oldest < FRESH_HOURS * 60 * A_MINUTE;
    if (!isFresh && navigator.onLine) setTimeout(() => whenIdle(() => refresh(Boolean(oldest))), READY_AFTER);
  });
  showAge();
} else {
  byId("offline-parts").hidden = true;
  state.textContent = NO_PAGES;
}
