// The table page without the server: as it will be after the hands that wait here.
import { h } from "./dom.js";
import { FOLLOWS, nextWords } from "./words.js";

// The click comes a moment after the finger is lifted; no finger stays for ever.
const LIFTED = 400;
const LONGEST = 10000;
let stillUntil = 0;
// What is said of the next hand; the buttons between stay, as one of them may be under a finger.
const SAID = ".board-side > :not(.table-actions)";
const byId = (id) => document.getElementById(id);

// As the rules on this tablet have it, in the HTML that the server would send.
function drawPlayed(board, { felt, sitters, head, notes, sticks, hands }) {
  board.querySelector(".felt").outerHTML = felt;
  board.querySelectorAll(".sitter, .next-out").forEach((one) => one.remove());
  board.querySelector(".felt-foot").insertAdjacentHTML("afterbegin", sitters);
  board.querySelector(".board-side").insertAdjacentHTML("afterbegin", head);
  board.querySelector(".board-side").insertAdjacentHTML("beforeend", notes);
  board.querySelector("#table-sticks").innerHTML = sticks;
  drawHands(hands);
}

// The list in which every hand can be changed without the server.
export function drawHands(html) {
  const fields = [...byId("board").querySelectorAll("[data-outbox=undo] > input")];
  byId("hands").outerHTML = html;
  for (const form of byId("hands").querySelectorAll("form")) form.prepend(...fields.map((one) => one.cloneNode()));
}

// Without the rules: what was done last, and that nobody here knows who sits where.
function drawUnknown(board, place, waiting) {
  if (!place.isKnown) {
    board.querySelectorAll(".felt .is-east").forEach((one) => one.classList.remove("is-east"));
    board.querySelectorAll(".felt :is(.seat-wind, .balance), .felt-middle, .sitter .balance").forEach((one) => one.replaceChildren());
    board.querySelectorAll(".sitter > :first-child, .next-out").forEach((one) => one.remove());
  }
  board.querySelector("#table-sticks").replaceChildren();
  const last = waiting.slice(-1).map((one) => `${one.words}.`);
  const east = place.isKnown ? `${place.names[place.seats.E]} is East` : "East: not known yet";
  board.querySelector(".board-side").prepend(
    h("h2", { class: "hint", id: "next-hand" }, place.isOpen && place.isCounted ? `Hand ${place.number}` : ""),
    h("p", { class: "next-east" }, place.isOpen ? east : "Finished"));
  board.querySelector(".board-side").append(
    h("ul", { class: "glance" }, ...[...last, ...nextWords(place), FOLLOWS].map((words) => h("li", {}, words))));
}

// The board as the server drew it, while another is drawn over it.
let asFetched = null;

// Takes back what was drawn over the board: nothing waits here any more, for it was refused perhaps, or put aside. The
// buttons stay: one of them may be under a finger.
export function undrawBoard() {
  const board = byId("board");
  if (!board?.classList.contains("is-ahead")) return;
  board.classList.remove("is-ahead");
  const fetched = asFetched.cloneNode(true);
  for (const part of [".board-table", "#table-sticks"]) board.querySelector(part).replaceWith(fetched.querySelector(part));
  keepUse(board.querySelector("#hands"), fetched.querySelector("#hands"));
  board.querySelector("#hands").replaceWith(fetched.querySelector("#hands"));
  board.querySelectorAll(SAID).forEach((one) => one.remove());
  const before = [...fetched.querySelector(".board-side").children];
  const buttons = before.findIndex((one) => one.matches(".table-actions"));
  board.querySelector(".board-side").append(...before.slice(buttons + 1));
  board.querySelector(".board-side").prepend(...before.slice(0, Math.max(buttons, 0)));
  const enter = board.querySelector("#mahjong");
  if (enter) enter.textContent = fetched.querySelector("#mahjong").textContent;
  hideActions(board, false);
}

function hideActions(board, isHidden) {
  for (const id of ["mahjong", "nobody", "penalty"]) board.querySelector(`#${id}`)?.toggleAttribute("hidden", isHidden);
}

// Draws over the board what this tablet knows better than the page that was fetched; the same only once.
export function drawBoard({ place, waiting, state }) {
  const board = byId("board");
  const about = JSON.stringify([state.version, waiting.map((one) => [one.key, one.body]), place.html]);
  if (!board?.querySelector("[data-side]") || (board.classList.contains("is-ahead") && board.dataset.ahead === about)) return;
  undrawBoard();
  asFetched = board.cloneNode(true);
  board.classList.add("is-ahead");
  board.dataset.ahead = about;
  board.querySelectorAll(SAID).forEach((one) => one.remove());
  if (place.html) drawPlayed(board, place.html);
  else drawUnknown(board, place, waiting);
  keepUse(asFetched, board);
  const enter = board.querySelector("#mahjong");
  if (enter) enter.textContent = place.isCounted ? `Enter hand ${place.number}` : "Enter the next hand";
  hideActions(board, !place.isOpen);
}

// The server itself says that this tablet may not look any more, not a proxy or a café in between.
const isOut = (answer) => answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status) || answer.headers.has("HX-Redirect");

// Whether the server was away when the board was asked for last.
export const server = { isAway: false };

// Fetches the board again where it has changed; what was opened or typed there, and the focus, stay as they were.
export async function refreshBoard(isForced = false) {
  const become = await fetchBoard(isForced);
  if (become !== "unasked") server.isAway = become === "lost";
  return become;
}

async function fetchBoard(isForced) {
  const board = byId("board");
  if (!board || (!isForced && document.hidden)) return "unasked";
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), 8000);
  try {
    const version = isForced ? "" : `?version=${encodeURIComponent(board.dataset.version)}`;
    const answer = await fetch(`${location.pathname}${version}`, { headers: { "HX-Request": "true" }, cache: "no-store", redirect: "manual", signal: stop.signal });
    if (answer.status === 204) return "kept";
    if (isOut(answer)) return "refused";
    if (answer.status !== 200) return "lost";
    const text = await answer.text();
    await pointerReleased();
    return put(text) ? "drawn" : "lost";
  } catch {
    return "lost";
  } finally {
    clearTimeout(limit);
  }
}

// A press begun on one board would be lost on another.
async function pointerReleased() {
  while (performance.now() < stillUntil) await new Promise((done) => setTimeout(done, 50));
}

const keepStill = (time) => () => { stillUntil = performance.now() + time; };
for (const [kind, time] of Object.entries({ pointerdown: LONGEST, pointerup: LIFTED, pointercancel: 0, click: 0 })) addEventListener(kind, keepStill(time), true);

function put(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  const fresh = holder.content.querySelector("#board");
  if (!fresh) return false;
  const messages = fresh.querySelector("#messages");
  messages?.remove();
  if (messages?.children.length) byId("messages")?.replaceChildren(...messages.children);
  const focused = document.activeElement?.closest?.("#board") ? nameOf(document.activeElement) : "";
  keepUse(byId("board"), fresh);
  byId("board").replaceWith(fresh);
  if (focused) [...fresh.querySelectorAll("[id], [data-key]")].find((one) => nameOf(one) === focused)?.focus({ preventScroll: true });
  return true;
}

const nameOf = (element) => element.id || element.dataset.key;

function keepUse(board, fresh) {
  const opened = new Set([...board.querySelectorAll("details[open] > summary")].map(nameOf));
  for (const summary of fresh.querySelectorAll("details > summary")) summary.parentNode.open ||= opened.has(nameOf(summary));
  for (const typed of board.querySelectorAll("input[id]")) {
    const same = fresh.querySelector(`#${CSS.escape(typed.id)}`);
    if (same && typed.value !== typed.defaultValue) same.value = typed.value;
  }
}
