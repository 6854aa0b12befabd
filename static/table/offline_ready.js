// On the club's page: gets the tablet ready for a hall without Wi-Fi while nobody waits, and says in one line how far it is.
import { byId } from "../web/dom.js";
import { message } from "../web/html.js";
import { canStart } from "./engine/engine.js";
import { storageWords } from "./outbox/words.js";
import { Doing, keepReady } from "./readiness.js";

const READY = "Ready without Wi-Fi";
const NEEDS_WIFI = "This tablet needs Wi-Fi for the scores.";
const NO_TABLES = "Not all tables are on this tablet yet.";
const NOT_READY = "Not ready without Wi-Fi yet.";
const DOING = {
  [Doing.FETCHING]: "Fetching what is missing …",
  [Doing.UPDATING]: "Fetching the new version …",
  [Doing.TRYING_AGAIN]: "It tries again by itself.",
  [Doing.AWAY]: "Waiting for the Wi-Fi.",
  [Doing.SIGNED_OUT]: "Sign in to fetch the rest.",
};
const TOO_OLD =
  "This browser is too old to work out scores by itself. Save your hands all the same: the scores will appear when the Wi-Fi is back.";
const NO_PAGES =
  "This tablet cannot keep pages, because the address of Clubscore here begins with http and not https. Open your table before the Wi-Fi goes, and leave its page open. It goes on working out scores, and your saved hands stay on this tablet.";
const PROMISED = "This browser has promised to keep all this until you remove it.";
const NOT_PROMISED =
  "This browser may delete this when the tablet runs out of space, or after seven days without Clubscore. Open this page again on the day you play.";
const BY_HAND =
  "Signing out removes these pages. Clearing the browser’s data also removes hands that have not been sent yet.";
const A_MINUTE = 60000;
// How far the clocks of tablet and server may be apart; minutes.
const CLOCKS_APART = 10;

const place = byId("offline-ready");
const state = byId("offline-state");
const refreshButton = /** @type {HTMLButtonElement} */ (byId("offline-refresh"));
const drawn = new Date(place.dataset.drawn);
const canKeep = "serviceWorker" in navigator && window.isSecureContext;
// How far the server's clock is ahead of this one, once it is heard; milliseconds.
let ahead = /** @type {number | null} */ (null);

const timeOf = (date) => date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayOf = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "long" });
const today = () => dayOf(new Date(Date.now() + (ahead || 0)));
const since = (date) => `${dayOf(date) === today() ? "today" : `on ${dayOf(date)}`} at ${timeOf(date)}`;

function lineOf({ isReady, isWhole, lacksTables, since: whole }) {
  if (isReady) return `${READY}, ${since(whole)}`;
  if (isWhole) return NEEDS_WIFI;
  return lacksTables ? NO_TABLES : NOT_READY;
}

/** @param {import("./readiness.js").Readiness} readiness */
async function show(readiness) {
  const { isReady, isWhole, doing, now } = readiness;
  if (now && ahead === null) compareClocks(now);
  if (now || doing === Doing.AWAY) showAge(now);
  const words = storageWords() || lineOf(readiness);
  if (state.textContent !== words) state.textContent = words;
  state.classList.toggle("is-there", isReady);
  byId("offline-doing").textContent = isWhole || storageWords() ? "" : DOING[doing] || "";
  refreshButton.disabled = doing === Doing.FETCHING;
  const isPromised = await navigator.storage?.persisted?.();
  byId("offline-kept").textContent = [isWhole && !isReady ? TOO_OLD : "", isPromised ? PROMISED : NOT_PROMISED, BY_HAND]
    .join(" ")
    .trim();
}

// What is played would have the wrong day or time by one of them.
function compareClocks(theirs) {
  ahead = theirs.getTime() - Date.now();
  const minutes = Math.round(Math.abs(ahead) / A_MINUTE);
  if (minutes <= CLOCKS_APART) return;
  const far =
    minutes < 120
      ? `${minutes} minutes`
      : minutes < 2880
        ? `${Math.round(minutes / 60)} hours`
        : `${Math.round(minutes / 1440)} days`;
  byId("messages").append(
    message(
      `The clock of this device and that of Clubscore are ${far} apart. Put right the one that is wrong.`,
      "warning",
    ),
  );
}

// The page may be the one that was kept here: it says so, and no longer than there is no Wi-Fi that there is none.
let isOld = /** @type {boolean | null} */ (null);
let age = "";

function showAge(now) {
  if (now) isOld ??= now.getTime() - drawn.getTime() > A_MINUTE;
  const words =
    now && !isOld ? "" : `${now ? "" : "There is no Wi-Fi just now. "}This page is as it was ${since(drawn)}.`;
  if (words === age) return;
  age = words;
  document.querySelector("#messages [data-name=age]")?.remove();
  if (words) byId("messages").append(message(words, "info", "age"));
}

async function showWithoutPages() {
  state.textContent = NO_PAGES;
  const needs = await fetch(place.dataset.needs)
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  if (!needs || (await canStart(needs.files))) return;
  state.textContent = NEEDS_WIFI;
  byId("offline-kept").textContent = TOO_OLD;
}

place.hidden = false;
if (canKeep) {
  const fetchAgain = keepReady(place.dataset.needs, show);
  refreshButton.hidden = false;
  refreshButton.addEventListener("click", async () => {
    // Some browsers ask a question then, which only a press should bring.
    await navigator.storage?.persist?.();
    fetchAgain();
  });
} else {
  showWithoutPages();
}
