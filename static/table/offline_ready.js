// On the club's page: gets the tablet ready for a hall without Wi-Fi while nobody waits, and says so in one line.
import { fetchWithin, whenIdle } from "../web/browser.js";
import { byId, message } from "../web/dom.js";
import { canRun } from "./engine/engine.js";
import { keptOfClub } from "./outbox/starting.js";
import { keepPages, keepTable, keptPages, storage, table } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const READY = "Ready without Wi-Fi";
const NOT_READY = "Not ready for a hall without Wi-Fi yet. Leave this page open for a moment while there is Wi-Fi.";
const FETCHING = "Getting ready for a hall without Wi-Fi …";
const NO_WIFI = "There is no Wi-Fi just now.";
const TRY_AGAIN = "We could not fetch anything new. It is tried again when you open this page with Wi-Fi. Sign in if you are asked to.";
const TOO_OLD = "This browser is too old to work out scores by itself. Save your hands all the same: the scores will appear when the Wi-Fi is back.";
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
// How far the clocks of tablet and server may be apart; minutes.
const CLOCKS_APART = 10;

const place = byId("offline-ready");
const state = byId("offline-state");
const refreshButton = /** @type {HTMLButtonElement} */ (byId("offline-refresh"));
const canKeep = "serviceWorker" in navigator && window.isSecureContext;
const pages = place.dataset.pages.split(" ");
const inPlay = place.dataset.tables.split(" ").filter(Boolean);
const files = canRun ? place.dataset.files.split(" ") : [];

const timeOf = (date) => date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayOf = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "long" });
const since = (date) => `${dayOf(date) === dayOf(new Date()) ? "today" : `on ${dayOf(date)}`} at ${timeOf(date)}`;

/** When an address was last kept here; null where it is not. */
async function keptAt(address) {
  const times = (await keptPages(address)).map((answer) => Date.parse(answer.headers.get("Date")));
  return times.length ? Math.max(...times) : null;
}

/** Draws what is here; returns since when all of it is, null where something is missing. */
async function draw() {
  const times = await Promise.all([...pages, ...files].map(keptAt));
  const [kept] = times.includes(null) ? [] : (await keptPages(place.dataset.kept)).slice(-1);
  const tables = kept ? (await kept.json()).tables : {};
  const isReady = Boolean(kept) && inPlay.every((session) => session in tables) && !storage.fault;
  const oldest = Math.min(...times.map(Number));
  state.textContent = isReady ? `${READY}, ${since(new Date(oldest))}` : storageWords() || NOT_READY;
  state.classList.toggle("is-there", isReady);
  const isPromised = await navigator.storage?.persisted?.();
  byId("offline-kept").textContent = [canRun ? "" : TOO_OLD, isPromised ? PROMISED : NOT_PROMISED, BY_HAND].join(" ").trim();
  return isReady ? oldest : null;
}

// Tables in play are listed after those opened here today: a date sorts before all its times.
async function keepTables() {
  const today = new Date().toISOString().slice(0, 10);
  const { tables } = (await keptOfClub(place.dataset.kept)) || {};
  for (const { state: stands } of Object.values(tables || {})) {
    const opened = (await table(stands.session))?.opened || "";
    await keepTable(stands, { opened: opened > today ? opened : today });
  }
}

/** @param {boolean} again also what is here already */
async function refresh(again) {
  refreshButton.disabled = true;
  state.textContent = FETCHING;
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    await keepPages({ keep: pages, refetch: again ? pages : [], files, atOnce: AT_ONCE });
    await keepTables();
    if (!(await draw())) throw new Error("Something is missing");
  } catch {
    await draw();
    if (!storage.fault) state.textContent = `${TRY_AGAIN} ${state.textContent}`;
  }
  refreshButton.disabled = false;
}

// What is played would have the wrong day or time by one of them.
function compareClocks(theirs) {
  const minutes = Math.round(Math.abs(theirs - Date.now()) / A_MINUTE);
  if (minutes <= CLOCKS_APART) return;
  const far = minutes < 120 ? `${minutes} minutes` : minutes < 2880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
  byId("messages").append(message(`The clock of this device and that of Clubscore are ${far} apart. Put right the one that is wrong.`, "warning"));
}

// The page may be the one that was kept here.
async function showAge() {
  const drawn = new Date(place.dataset.drawn);
  const answer = await fetchWithin(HEARD_WITHIN, "/healthz", { method: "HEAD" }).catch(() => null);
  if (answer?.ok) compareClocks(Date.parse(answer.headers.get("Date")));
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
    if (isFresh) return;
    const later = () => setTimeout(() => whenIdle(() => refresh(Boolean(oldest))), READY_AFTER);
    if (navigator.onLine) later();
    else addEventListener("online", later, { once: true });
  });
  showAge();
} else {
  state.textContent = NO_PAGES;
}
