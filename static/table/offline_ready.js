// What this tablet has for a hall without Wi-Fi, on the club's page: shown with its time, and fetched again at a press.
import { askState } from "./outbox/send.js";
import { keepTable, table, tables } from "./outbox/store.js";
import { keepByWorker } from "./outbox/worker.js";

const READY = "This tablet is ready. All this opens without Wi-Fi.";
const NOT_READY = "This tablet is not ready yet. Press “Get this tablet ready” while there is Wi-Fi.";
const FETCHING = "Fetching all that is needed …";
const NO_WIFI = "There is no Wi-Fi just now.";
const TRY_AGAIN = "Nothing new could be fetched. Try again when the Wi-Fi is back, and sign in if you are asked to.";
const TOO_OLD = "this browser is too old for them. Save your hands all the same: the scores will appear when the Wi-Fi is back.";
const NO_PAGES = "This tablet cannot keep pages, because the address of Clubscore here begins with http and not https. Open your table before the Wi-Fi goes, and leave its page open. It goes on working out scores, and your saved hands stay on this tablet.";
const PROMISED = "This browser has promised not to throw this away by itself.";
const NOT_PROMISED = "This browser may throw this away when the tablet runs out of space, or after seven days without Clubscore. Get the tablet ready again on the day you play.";
const BY_HAND = "Signing out removes these pages. Clearing the browser’s data also removes hands that have not been sent yet.";
const A_MINUTE = 60000;
// Someone waits for it, and hardly anything else is asked for.
const AT_ONCE = 3;

const byId = (id) => document.getElementById(id);
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
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).match(address, { ignoreVary: true })));
  const times = kept.filter(Boolean).map((answer) => Date.parse(answer.headers.get("Date")));
  return times.length ? Math.max(...times) : null;
}

// With its ledger the rules play a table on without the server.
async function hasLedgers(part) {
  const kept = (await tables().catch(() => [])).filter(({ state: stands }) => stands.ledger).map(({ state: stands }) => stands.urls.state);
  return states(part).every((address) => kept.includes(address));
}

async function keepLedger(address) {
  const reply = await askState(address);
  if (!reply) return;
  // Listed with the tables opened here, behind those of today: a day alone comes before all its times.
  const today = new Date().toISOString().slice(0, 10);
  const opened = (await table(reply.session))?.opened || "";
  await keepTable(reply, { opened: opened > today ? opened : today });
}

async function drawPart(part) {
  const times = await Promise.all(needs(part).map(keptAt));
  const isTooOld = "engine" in part.dataset && !(window.Worker && window.WebAssembly);
  const isThere = !isTooOld && !times.includes(null) && (await hasLedgers(part));
  part.classList.toggle("is-there", isThere);
  const words = isThere ? `on this tablet, refreshed ${since(new Date(Math.min(...times)))}` : "not on this tablet yet";
  part.querySelector("span").textContent = isTooOld ? TOO_OLD : words;
  return isThere || isTooOld;
}

async function draw() {
  const isReady = (await Promise.all(parts().map(drawPart))).every(Boolean);
  state.textContent = isReady ? READY : NOT_READY;
  state.classList.toggle("is-there", isReady);
  const isPromised = await navigator.storage?.persisted?.();
  byId("offline-kept").textContent = `${isPromised ? PROMISED : NOT_PROMISED} ${BY_HAND}`;
}

// Tables may have been started or finished since this page was fetched.
async function fetchParts() {
  const answer = await fetch(location.pathname);
  const list = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("offline-parts");
  if (!list) throw new Error("Another page came instead");
  byId("offline-parts").replaceWith(list);
}

async function keepAll() {
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const pages = parts().filter((part) => !("engine" in part.dataset)).flatMap(needs);
  const files = parts().filter((part) => "engine" in part.dataset).flatMap(needs);
  await keepByWorker({ keep: pages, anew: pages, files, atOnce: AT_ONCE });
}

async function refresh() {
  refreshButton.disabled = true;
  state.textContent = FETCHING;
  try {
    await navigator.storage?.persist?.();
    await fetchParts();
    await keepAll();
    for (const address of parts().flatMap(states)) await keepLedger(address);
    await draw();
  } catch {
    await draw();
    state.textContent = `${TRY_AGAIN} ${state.textContent}`;
  }
  refreshButton.disabled = false;
}

// The page may be the one that was kept here.
async function sayHowOldThisIs() {
  const drawn = new Date(place.dataset.drawn);
  const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store" }).catch(() => null);
  const isHeard = Boolean(answer?.ok);
  if (isHeard && Date.parse(answer.headers.get("Date")) - drawn.getTime() < A_MINUTE) return;
  const message = document.createElement("p");
  message.className = "message info";
  message.textContent = `${isHeard ? "" : `${NO_WIFI} `}This page is as it was ${since(drawn)}.`;
  byId("messages").append(message);
}

place.hidden = false;
if (canKeep) {
  refreshButton.hidden = false;
  refreshButton.addEventListener("click", refresh);
  draw();
  sayHowOldThisIs();
} else {
  byId("offline-parts").hidden = true;
  state.textContent = NO_PAGES;
}
