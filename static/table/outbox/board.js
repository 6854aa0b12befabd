// The table page without the server: seats, East and who sits out as they will be after the hands that wait here.
import { h } from "./dom.js";
import { placesOf } from "./seats.js";
import { FOLLOWS, line, nextWords } from "./words.js";

// The click comes a moment after the finger is lifted; no finger stays for ever.
const LIFTED = 400;
const LONGEST = 10000;
let stillUntil = 0;
const byId = (id) => document.getElementById(id);
const whole = (number) => number.toLocaleString("en-GB").replace("-", "−");

const part = (tag, className, ...children) => h(tag, className ? { class: className } : {}, ...children);

// People keep their sides while the winds move round: from the page as the server drew it, hand by hand. The picture may
// be turned for this tablet; its first side is the server's at that turn.
function sidesOf(board, place) {
  const sides = [...board.querySelectorAll("[data-side]")];
  const turn = Number(board.dataset.turn);
  const drawn = sides.map((_, side) => sides[(side - turn + 4) % 4].dataset.seat);
  const placed = placesOf(drawn, place.seatings);
  const winds = Object.fromEntries(Object.entries(place.seats).map(([wind, seat]) => [seat, wind]));
  return sides.map((side, at) => ({ side, seat: placed[(at + turn) % 4], wind: winds[placed[(at + turn) % 4]] }));
}

function drawSide({ side, seat, wind }, place, state) {
  side.dataset.seat = seat;
  side.className = `seat${wind === "E" ? " is-east" : ""}${seat ? "" : " is-empty"}`;
  if (!seat) return side.replaceChildren(part("span", "", "empty seat"));
  const mark = part("span", `wind${wind === "E" ? " is-east" : ""}`, wind);
  mark.setAttribute("aria-hidden", "true");
  const name = { E: "East", S: "South", W: "West", N: "North" }[wind];
  return side.replaceChildren(part("span", "seat-wind", mark, ` ${name}`), part("span", "seat-name", place.names[seat]), balance(seat, state));
}

const balance = (seat, state) => part("span", "balance", seat in state.balances ? whole(state.balances[seat]) : "");

function drawSitters(board, place, state) {
  const beside = board.querySelector(".beside");
  beside.querySelectorAll(".sitter").forEach((one) => one.remove());
  beside.prepend(...place.out.map((seat) => part("p", "sitter", part("span", "", "sits out"), " ", part("b", "seat-name", place.names[seat]), " ", balance(seat, state))));
}

function drawNext(board, place, waiting) {
  const head = board.querySelector("#next-hand");
  if (head) head.textContent = place.isOpen ? `Hand ${place.number}` : "";
  const enter = board.querySelector("#mahjong");
  if (enter) enter.textContent = `Enter hand ${place.number}`;
  const east = board.querySelector(".next-east");
  if (east) east.textContent = !place.isOpen ? "Finished" : place.isSure ? `${place.names[place.seats.E]} is East` : "East: not known yet";
  // What the list below says for this hand.
  board.querySelectorAll(".board-side > p:not(.next-east)").forEach((one) => one.remove());
  const list = board.querySelector(".glance");
  if (!list) return;
  const last = waiting[waiting.length - 1];
  const told = [...(last ? [line(`${last.words}.`)] : []), ...nextWords(place), line(FOLLOWS)];
  list.replaceChildren(...told.map(({ words, isOnFelt }) => part("li", isOnFelt ? "on-felt" : "", words)));
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
  board.querySelector(".board-table").replaceWith(fetched.querySelector(".board-table"));
  const [next, before] = [board, fetched].map((one) => [...one.querySelectorAll(".board-side > :not(.table-actions)")]);
  next.forEach((one) => one.remove());
  board.querySelector(".board-side").prepend(...before);
  const enter = board.querySelector("#mahjong");
  if (enter) enter.textContent = fetched.querySelector("#mahjong").textContent;
  hideActions(board, false);
}

function hideActions(board, isHidden) {
  for (const id of ["mahjong", "nobody", "penalty"]) board.querySelector(`#${id}`)?.toggleAttribute("hidden", isHidden);
}

// Draws over the board what this tablet knows better than the page that was fetched.
export function drawBoard({ state, place, waiting }) {
  undrawBoard();
  const board = byId("board");
  if (!board?.querySelector("[data-side]")) return;
  asFetched = board.cloneNode(true);
  board.classList.add("is-ahead");
  if (place.isSure) {
    sidesOf(board, place).forEach((side) => drawSide(side, place, state));
    drawSitters(board, place, state);
  }
  const middle = board.querySelector(".felt-middle");
  middle.replaceChildren(...[
    place.windName && part("p", "", `${place.windName} is the wind of the round`),
    place.isGoulash && part("p", "goulash", "Goulash"),
  ].filter(Boolean));
  drawNext(board, place, waiting);
  hideActions(board, !place.isOpen);
}

// The server itself says that this tablet may not look any more; a proxy or a café in the way says nothing of the kind.
const isOut = (answer) => answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status) || answer.headers.has("HX-Redirect");

// Fetches the board again where it has changed; what was opened or typed there, and the focus, stay as they were.
export async function refreshBoard(isForced = false) {
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
