// What this tablet draws of a table without the server: the table page as it will be after the hands that wait here, the
// sheet, and the preview of a change.
import { fetchWithin } from "../../web/browser.js";
import { byId, h, mainButton, message, quietButton } from "../../web/dom.js";
import { ofSession, toBeAdded } from "./queue.js";
import { previewOf, previewSheet, sheetOf } from "./state.js";
import { table } from "./store.js";
import { SCORES_LATER, nextWords } from "./words.js";

// How long a finger may be down, and how long after it is lifted the click may come; milliseconds.
const PRESS_LIMIT = 10000;
const CLICK_DELAY = 400;
const BOARD_LIMIT = 8000;
const SHEET_LACKS = "Some hands on this tablet are not sent yet, and are missing here. They will appear when the Wi-Fi is back.";
let pressedUntil = 0;
// What is said of the next hand; the buttons between stay, as one of them may be under a finger.
const SAID = ".board-side > :not(.table-actions)";

// Draws what the rules on this tablet say, in the HTML that the server would send.
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

// Without the rules: says what was done last, and that this tablet does not know who sits where.
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
    h("ul", { class: "glance" }, ...[...last, ...nextWords(place), SCORES_LATER].map((words) => h("li", {}, words))));
}

// The board as the server drew it, while this tablet draws over it.
let asFetched = null;

// Removes what was drawn over the board once nothing waits here. The buttons stay: one may be under a finger.
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

// Draws over the fetched board what this tablet knows better; the same only once.
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
const isSignedOut = (answer) => answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status) || answer.headers.has("HX-Redirect");

// Whether the server was away when the board was last fetched.
export const server = { isAway: false };

// Fetches the board if it has changed; what was opened or typed there, and the focus, stay as they were. Returns "kept",
// "drawn", "refused" (signed out), "lost" or "unasked".
export async function refreshBoard(isForced = false) {
  if (!byId("board") || (!isForced && document.hidden)) return "unasked";
  const result = await fetchBoard(isForced).catch(() => "lost");
  server.isAway = result === "lost";
  return result;
}

async function fetchBoard(isForced) {
  const version = isForced ? "" : `?version=${encodeURIComponent(byId("board").dataset.version)}`;
  const answer = await fetchWithin(BOARD_LIMIT, `${location.pathname}${version}`, { headers: { "HX-Request": "true" } });
  if (answer.status === 204) return "kept";
  if (isSignedOut(answer)) return "refused";
  if (answer.status !== 200) return "lost";
  const text = await answer.text();
  await pointerReleased();
  return put(text) ? "drawn" : "lost";
}

// A press that began on one board would be lost on another.
async function pointerReleased() {
  while (performance.now() < pressedUntil) await new Promise((resolve) => setTimeout(resolve, 50));
}

const pressFor = (time) => () => { pressedUntil = performance.now() + time; };
for (const [kind, time] of Object.entries({ pointerdown: PRESS_LIMIT, pointerup: CLICK_DELAY, pointercancel: 0, click: 0 })) addEventListener(kind, pressFor(time), true);

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

// Draws the sheet with what is not sent yet.
export async function drawSheet() {
  const sheet = byId("sheet");
  const { session, version } = sheet.dataset;
  const own = await table(Number(session) || session);
  const kept = own?.started ? await table(own.started) : own;
  const waiting = kept ? toBeAdded(await ofSession(kept.session), kept.state) : [];
  if (!waiting.length && !(kept?.state.version > Number(version))) return;
  const drawn = await sheetOf(kept.state, waiting);
  if (drawn) {
    sheet.innerHTML = drawn.html;
    byId("sheet-state").textContent = drawn.state;
  } else if (!sheet.querySelector(".provisional")) {
    sheet.prepend(message(SHEET_LACKS, "warning provisional"));
  }
}

// Asks whether to go on with a change, if the rules on this tablet can say what it does; otherwise it is agreed unseen.
// `refused` is what the rules do not allow; `keepsSeats`: later hands keep the seats they were played in; `why`: the reason given.
export async function lookAtFirst(command, { state, waiting }) {
  const preview = await previewOf(state, waiting, command);
  if (!preview) return { isAgreed: true, isSeen: false };
  if (preview.refused) return { isAgreed: false, isSeen: true, refused: { message: preview.refused, seat: preview.seat } };
  return { isSeen: true, words: preview.words, ...(await answerTo(preview)) };
}

function answerTo({ heading, summary, html, has_buttons: hasButtons, button: words }) {
  const dialog = h("dialog", { class: "code-dialog", "aria-labelledby": "preview-heading" },
    h("link", { rel: "stylesheet", href: previewSheet() }), h("h2", { id: "preview-heading" }, heading), h("p", { class: "lead" }, summary));
  dialog.insertAdjacentHTML("beforeend", html);
  const why = h("input", { id: "preview-why", maxlength: "200", autocomplete: "off" });
  dialog.append(h("div", { class: "field why" }, h("label", { for: "preview-why" }, "Reason (optional)"), why));
  document.body.append(dialog);
  return new Promise((resolve) => {
    const answer = (isAgreed, keepsSeats = false) => () => { dialog.remove(); resolve({ isAgreed, keepsSeats, why: why.value.trim() }); };
    for (const choice of dialog.querySelectorAll("[name=keep_seats]")) choice.addEventListener("click", answer(true, Boolean(choice.value)));
    dialog.append(h("div", { class: "actions actions-end" }, quietButton("Back", answer(false)), !hasButtons && mainButton(words, answer(true))));
    dialog.addEventListener("cancel", answer(false));
    dialog.showModal();
  });
}
