// A watching page asks for news while it is seen: every three seconds, less often while the server is away.
import { fetchWithin, keepScreenOn } from "../web/browser.js";
import { byId, controlKey } from "../web/dom.js";

const EVERY = 3000;
const LONGEST_PAUSE = 30000;
const LIMIT = 8000;
const BIG_SCREEN = "(min-width: 1000px)";
const status = byId("watch-status");
const usualStatus = status.textContent;
let timer = 0;
let pause = EVERY;
let isAsking = false;
let hasEnded = false;
let reachedAt = new Date();
let isLost = false;

const board = () => document.querySelector("[data-rev]");
const timeOf = (moment) => moment.toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit", hour12: true });

function setStatus(words, isAlarm = false) {
  if (status.textContent !== words) status.textContent = words;
  status.classList.toggle("is-lost", isAlarm);
}

// The news of each table on the page, by the key of the hand.
function newsByHand() {
  const parts = [...document.querySelectorAll("[data-news]")].filter((one) => one.dataset.news);
  return new Map(parts.map((one) => [one.dataset.newsKey, one.dataset.news]));
}

function show(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = holder.content.querySelector("[data-rev]");
  const shown = board();
  // A button that is being pressed stays until it is let go; the next answer brings the news.
  if (!fresh || shown.querySelector(":active")) return;
  const known = newsByHand();
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  shown.replaceWith(fresh);
  // Other parts of the page that have changed with it.
  for (const part of holder.content.querySelectorAll("[data-also]")) byId(part.id)?.replaceWith(part);
  if (focused)
    [...fresh.querySelectorAll(focused.tagName)]
      .find((one) => controlKey(one) === controlKey(focused))
      ?.focus({ preventScroll: true });
  setStatus(
    [...newsByHand()]
      .filter(([key]) => !known.has(key))
      .map(([, news]) => news)
      .join(" ") || usualStatus,
  );
}

// The address was replaced, or a sign-in has expired.
function end() {
  hasEnded = true;
  for (const part of document.querySelectorAll("[data-rev], [data-also]")) part.replaceChildren();
  setStatus(status.dataset.over || "This link has stopped working. Ask for the new code, or reload the page.", true);
}

async function ask() {
  try {
    const { follow, rev } = board().dataset;
    const answer = await fetchWithin(LIMIT, `${follow || location.pathname}?rev=${encodeURIComponent(rev)}`);
    if (answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status)) return end();
    if (answer.status !== 200 && answer.status !== 204) throw new Error(String(answer.status));
    const html = answer.status === 200 ? await answer.text() : "";
    reachedAt = new Date();
    pause = EVERY;
    if (isLost) setStatus(usualStatus);
    isLost = false;
    if (html) show(html);
  } catch {
    isLost = true;
    pause = Math.min(pause * 2, LONGEST_PAUSE);
    setStatus(`No connection since ${timeOf(reachedAt)}. Trying again.`, true);
  }
}

async function look() {
  clearTimeout(timer);
  if (document.hidden || isAsking || hasEnded) return;
  isAsking = true;
  await ask();
  isAsking = false;
  if (!document.hidden && !hasEnded) timer = setTimeout(look, pause);
}

function keepBigScreenOn() {
  if (matchMedia(BIG_SCREEN).matches) keepScreenOn();
}

document.addEventListener("visibilitychange", () => {
  look();
  keepBigScreenOn();
});
addEventListener("online", look);
addEventListener("pageshow", (event) => {
  if (event.persisted) look();
});
timer = setTimeout(look, EVERY);
keepBigScreenOn();
