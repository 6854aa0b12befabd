// What this tablet draws of a table without the server: the table page as it will be after the hands that wait here, the
// sheet, and the preview of a change.
import { Idiomorph } from "../../vendor/idiomorph/idiomorph.min.js";
import { fetchWithin, readStored, wait } from "../../web/browser.js";
import { byId, readJson } from "../../web/dom.js";
import { element, html, mainButton, message, nothing, quietButton } from "../../web/html.js";
import { heldOf, toBeAdded } from "./queue.js";
import { server } from "./send.js";
import { pageState, previewOf, previewSheet, setPageState, sheetOf, tableNow } from "./state.js";
import { device, table } from "./store.js";
import { unfinishedWords, withoutRules } from "./words.js";

// How long a finger may be down, and how long after it is lifted the click may come; milliseconds.
const PRESS_LIMIT = 10000;
const CLICK_DELAY = 400;
const GLANCE_EVERY = 20;
const BOARD_LIMIT = 8000;
const SHEET_LACKS =
  "Some hands on this tablet are not sent yet, and are missing here. They will appear when the Wi-Fi is back.";
let pressedUntil = 0;
let refreshing = null;
// Parts of the board by their names in the answer of the rules.
const PARTS = {
  after_hand: "last-hand",
  sticks: "table-sticks",
  questions: "board-questions",
  undo_words: "undo",
  redo_words: "redo",
  how_long: "how-long",
};

// Puts what the rules on this tablet say, in the HTML that the server would send, into a board.
function putPlayed(board, html) {
  board.querySelector(".felt").outerHTML = html.felt;
  board.querySelector(".felt-foot").insertAdjacentHTML("afterbegin", html.sitters);
  board.querySelector(".board-side").insertAdjacentHTML("afterbegin", html.head);
  board.querySelector(".board-side").insertAdjacentHTML("beforeend", html.notes);
  for (const [part, id] of Object.entries(PARTS)) {
    const place = board.querySelector(`#${id}`);
    if (place) place.innerHTML = html[part];
  }
  putHands(board, html.hands);
}

// The list in which every hand can be changed without the server.
function putHands(board, html) {
  const fields = [...board.querySelectorAll("[data-outbox=undo] > input")];
  board.querySelector("#hands").outerHTML = html;
  for (const form of board.querySelectorAll("#hands form")) form.prepend(...fields.map((one) => one.cloneNode()));
}

export function drawHands(html) {
  const wanted = cloneOf(byId("board"));
  putHands(wanted, html);
  morph(wanted);
}

// Without the rules: says what was done last, and that this tablet does not know who sits where.
function putUnknown(board, place, waiting) {
  if (!place.isKnown) {
    board.querySelectorAll(".felt .is-east").forEach((one) => one.classList.remove("is-east"));
    board
      .querySelectorAll(".felt :is(.seat-wind, .balance, .change), .felt-middle, .sitter :is(.balance, .change)")
      .forEach((one) => one.replaceChildren());
    board.querySelectorAll(".sitter > :first-child").forEach((one) => one.remove());
  }
  for (const id of ["table-sticks", "last-hand"]) board.querySelector(`#${id}`)?.replaceChildren();
  // Of what was done before.
  for (const words of board.querySelectorAll(".undo-words")) words.remove();
  const last = waiting.slice(-1).map((one) => `${one.words}.`);
  const rows = [...last, ...withoutRules(place)].map((words) => html`<li>${words}</li>`);
  board.querySelector(".board-side").append(element(html`<ul class="glance">${rows}</ul>`));
}

const cloneOf = (board) => /** @type {HTMLElement} */ (board.cloneNode(true));
// The board as the server drew it, which this tablet draws over.
let fetched = byId("board") && cloneOf(byId("board"));

// Makes the board of the page like another; what is opened or typed there, and the focus, stay as they are.
function morph(wanted) {
  const isTyped = (one) => one.matches?.("input[id]") && one.value !== one.defaultValue;
  Idiomorph.morph(byId("board"), wanted, {
    callbacks: {
      beforeAttributeUpdated: (name, element) => name !== "open" || !element.matches("details"),
      // What is the same already is not looked through part by part.
      beforeNodeMorphed: (element, fresh) => !isTyped(element) && !element.isEqualNode(fresh),
    },
  });
  nameTablets();
}

// Removes what was drawn over the board once nothing waits here.
export function undrawBoard() {
  if (byId("board")?.dataset.ahead) morph(cloneOf(fetched));
}

// Draws over the fetched board what this tablet knows better; the same only once.
export function drawBoard({ place, waiting, state }) {
  const board = byId("board");
  const about = JSON.stringify([state.version, waiting.map((one) => [one.key, one.body]), place.html]);
  if (!board?.querySelector("[data-side]") || board.dataset.ahead === about) return;
  fetched ??= cloneOf(board);
  const wanted = cloneOf(fetched);
  wanted.classList.toggle("is-ahead", waiting.length > 0);
  wanted.dataset.ahead = about;
  wanted
    .querySelectorAll(".board-side > :not(.table-actions), :is(.felt, .felt-foot) .next-out")
    .forEach((one) => one.remove());
  if (place.html) wanted.querySelectorAll(".sitter").forEach((one) => one.remove());
  if (place.html) putPlayed(wanted, place.html);
  else putUnknown(wanted, place, waiting);
  const enter = wanted.querySelector("#mahjong");
  if (enter) enter.textContent = place.isCounted ? `Enter hand ${place.number}` : "Enter the next hand";
  for (const id of ["mahjong", "nobody", "penalty"])
    wanted.querySelector(`#${id}`)?.toggleAttribute("hidden", !place.isOpen);
  morph(wanted);
}

// Names the hand that is half entered on this tablet, on the button that goes on with it.
export function labelEnter({ state, place, keys }) {
  const enter = byId("mahjong");
  if (!enter || !place.isCounted) return;
  const draft = readStored(`hand-${state.session}-new-${place.number}`);
  const words =
    draft && ![...state.recent, ...keys].includes(draft.key) ? unfinishedWords(draft.body, place.names) : "";
  // The last hand's changes are seen until the next one is begun.
  byId("board").classList.toggle("is-begun", Boolean(words));
  const label = words ? `Go on with hand ${place.number}: ${words}` : `Enter hand ${place.number}`;
  if (enter.textContent !== label) enter.textContent = label;
}

// The server itself says that this tablet may not look any more, not a proxy or a café in between.
const isSignedOut = (answer) =>
  answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status) || answer.headers.has("HX-Redirect");

// Fetches the board if it has changed; what was opened or typed there, and the focus, stay as they were. Returns "kept",
// "drawn", "refused" (signed out), "lost" or "unasked".
export async function refreshBoard(isForced = false) {
  if (!byId("board") || (!isForced && document.hidden) || !pageState()?.urls.state) return "unasked";
  const result = await fetchBoard(isForced).catch(() => "lost");
  server.isAway = result === "lost";
  return result;
}

async function fetchBoard(isForced) {
  const version = isForced ? "" : `?version=${encodeURIComponent(byId("board").dataset.version)}`;
  const answer = await fetchWithin(BOARD_LIMIT, `${location.pathname}${version}`, {
    headers: { "HX-Request": "true" },
  });
  if (answer.status === 204) return "kept";
  if (isSignedOut(answer)) return "refused";
  if (answer.status !== 200) return "lost";
  const text = await answer.text();
  await pointerReleased();
  return put(text) ? "drawn" : "lost";
}

// What the rules on this tablet cannot draw: whether the table is open, and what someone has to decide.
const needsServer = ({ state, place, isNewer }) =>
  (isNewer ? !place.html : state.board_version !== pageState().board_version) ||
  state.open !== pageState().open ||
  state.waiting?.length ||
  document.querySelector("#board .waiting");

// Several changes at once need one look at the board, but the last of them is never missed.
export async function refreshOnce() {
  if (!byId("board") || !needsServer(await tableNow())) return;
  while (refreshing) await refreshing;
  refreshing = refreshBoard(true);
  await refreshing;
  refreshing = null;
}

/** Waits until what a finger is down on may move: a press that began on one board would be lost on another. */
export async function pointerReleased() {
  while (performance.now() < pressedUntil) await wait(GLANCE_EVERY);
}

const pressFor = (time) => () => {
  pressedUntil = performance.now() + time;
};
for (const [kind, time] of Object.entries({
  pointerdown: PRESS_LIMIT,
  pointerup: CLICK_DELAY,
  pointercancel: 0,
  // Its menu may hide that the pointer is lifted.
  contextmenu: 0,
  click: 0,
}))
  addEventListener(kind, pressFor(time), true);

function put(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  const fresh = /** @type {HTMLElement} */ (holder.content.querySelector("#board"));
  if (!fresh) return false;
  const messages = fresh.querySelector("#messages");
  messages?.remove();
  if (messages?.children.length) byId("messages")?.replaceChildren(...messages.children);
  fetched = cloneOf(fresh);
  morph(fresh);
  setPageState(readJson("table-state"));
  return true;
}

// Takes what the server answered to the page itself, which showed what stood here before. Returns whether it is other.
export async function takePage(text) {
  await pointerReleased();
  const before = byId("board")?.dataset.version;
  return Boolean(before) && put(text) && byId("board").dataset.version !== before;
}

// Of two versions of a hand, says which was entered on this tablet.
export async function nameTablets() {
  const places = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-device]"))];
  if (!places.length) return;
  const own = await device();
  for (const place of places) place.textContent = place.dataset.device === own ? "on this tablet" : "on another tablet";
}

// Draws the sheet with what is not sent yet.
export async function drawSheet() {
  const sheet = byId("sheet");
  const { session, version } = sheet.dataset;
  const own = await table(pageState()?.session ?? Number(session));
  const kept = own?.started ? await table(own.started) : own;
  const waiting = kept ? toBeAdded((await heldOf(kept.session)).items, kept.state) : [];
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
  if (preview.refused)
    return { isAgreed: false, isSeen: true, refused: { message: preview.refused, seat: preview.seat } };
  return { isSeen: true, words: preview.words, ...(await answerTo(preview)) };
}

function answerTo({ heading, summary, html: changes, has_buttons: hasButtons, button: words }) {
  return new Promise((resolve) => {
    const answer =
      (isAgreed, keepsSeats = false) =>
      () => {
        const why = /** @type {HTMLInputElement} */ (dialog.querySelector("#preview-why")).value.trim();
        dialog.remove();
        resolve({ isAgreed, keepsSeats, why });
      };
    const dialog = element(
      html`<dialog class="code-dialog" aria-labelledby="preview-heading" @cancel=${answer(false)}>
        <link rel="stylesheet" href=${previewSheet()}><h2 id="preview-heading">${heading}</h2><p class="lead">${summary}</p>
        ${document.createRange().createContextualFragment(changes)}
        <div class="field why"><label for="preview-why">Reason (optional)</label><input id="preview-why" maxlength="200" autocomplete="off"></div>
        <div class="actions actions-end">${quietButton("Back", answer(false))}${hasButtons ? nothing : mainButton(words, answer(true))}</div></dialog>`,
    );
    for (const choice of dialog.querySelectorAll("[name=keep_seats]"))
      choice.addEventListener("click", answer(true, Boolean(choice.value)));
    document.body.append(dialog);
    dialog.showModal();
  });
}
