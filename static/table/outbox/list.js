// What is not sent yet: the line in the bar of every page of a table, the list behind it, and the tables opened here.
import { byId } from "../../web/dom.js";
import { quietButton as button, fragment, html, mainButton, nothing } from "../../web/html.js";
import { isStart, isUndoOrRedo, Outcome, OwnOutcome } from "./commands.js";
import { discard, dismiss, heldBackBy, network, park, restore, sendAgain } from "./queue.js";
import { server } from "./send.js";
import { storage, tables } from "./store.js";
import { isCorrectable, noWifi, NOTHING_TO_SEND, stateWords, statusWords, storageWords } from "./words.js";

const MAX_TABLES = 12;
// How long what is just being sent is not called waiting; milliseconds.
const SOON = 1500;
const SENDING = "Saving …";
let again = 0;

// A page that alone keeps what is not sent yet has to stay.
const link = (words, href, css = "button-quiet") =>
  html`<a class=${css} href=${href} target=${storage.fault ? "_blank" : nothing}>${words}</a>`;
const time = (item) => new Date(item.made_at).toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit" });

// The answers to what the server asks about a start.
const answers = (item) =>
  (item.agree || []).map(({ words: answer, fields }) =>
    mainButton(answer, () => sendAgain(item, { body: { ...item.body, ...fields } })),
  );

const isSignedOut = (item) => item.state === "waiting" && network.signIn.has(item.session);

// What a person has to do for an item; green for the first that needs someone.
function actions(item, isFirst) {
  const { table, entry } = item.pages;
  const css = isFirst ? "button-main" : "button-quiet";
  const sendOrPark = [button("Send again", () => sendAgain(item)), button("Do not send it", () => park(item))];
  if (isStart(item) && item.state === "attention") return [...answers(item), ...sendOrPark];
  if (item.state === "aside")
    return [
      button("Send", () => sendAgain(item)),
      html`<button type="button" class="button-warn" @click=${() => discard(item)}>Discard</button>`,
    ];
  if (item.state === "thrown") return [button("Restore", () => restore(item))];
  if (item.state === "waiting")
    return isSignedOut(item)
      ? [link("Sign in", `${byId("saved").dataset.signIn}?next=${encodeURIComponent(table)}`, css)]
      : [];
  if (item.isKept)
    return [
      link(item.outcome === Outcome.CONTESTED ? "Choose a version" : "See the table", table, css),
      button("The club has it. Take it off this list", () => dismiss(item)),
    ];
  if (isUndoOrRedo(item) && [Outcome.REFUSED, OwnOutcome.NOT_UNDONE].includes(item.outcome))
    return [link("See the table", table, css), button("Clear it from the list", () => dismiss(item))];
  return [
    isCorrectable(item)
      ? link("Correct this hand", `${entry}#again-${item.key}`, css)
      : link("See the table", table, css),
    ...sendOrPark,
  ];
}

const words = (item, items) => stateWords(item, network, heldBackBy(item, items));

const row = (item, items, isFirst) =>
  html`<li class="saved-item is-${item.state}" data-key=${item.key}><p><b>${item.words || "A change"}</b> at ${time(item)}</p>
    <p class="saved-state">${words(item, items)}</p><div class="actions">${actions(item, isFirst)}</div></li>`;

export function drawList(items) {
  const place = byId("saved-items");
  if (!place) return;
  const key = JSON.stringify([
    storage.fault,
    ...items.map((one) => [one.order, one.state, one.message, words(one, items)]),
  ]);
  if (place.dataset.drawn === key) return;
  place.dataset.drawn = key;
  const first = items.find((one) => one.state === "attention" || isSignedOut(one));
  const isLost = network.isLost && items.some(({ state }) => state === "waiting");
  const rows = items.map((item) => row(item, items, item === first));
  place.replaceChildren(
    fragment(
      html`${isLost ? html`<p>${noWifi()}</p>` : nothing}${
        items.length
          ? html`<ol class="saved-items">${rows}</ol>`
          : html`<p class="empty">${storageWords() || NOTHING_TO_SEND}</p>`
      }`,
    ),
  );
}

let unsaved;
/** @type {any[] | null} */
let drawn = null;

// On the hand-entry page: says that this hand is not saved yet; undefined where nothing is entered.
export function showUnsaved(words) {
  // Another view brings an empty line of its own.
  if (words === unsaved && (!drawn || byId("saved-words")?.textContent)) return;
  unsaved = words;
  drawStatus(drawn || []);
}

// Where all that waits has just been done, and nothing says that the server is not heard.
function isOnItsWay(items) {
  const isNew = ({ state, made_at: made }) => state === "waiting" && Math.abs(Date.now() - Date.parse(made)) < SOON;
  const isHeard = navigator.onLine && !network.isLost && !network.signIn.size && !server.isAway && !storage.fault;
  return isHeard && items.length > 0 && items.every(isNew);
}

export function drawStatus(items) {
  drawn = items;
  clearTimeout(again);
  const line = byId("saved");
  if (!line) return;
  const isSending = isOnItsWay(items);
  if (isSending) again = setTimeout(() => drawStatus(drawn), SOON);
  const words = isSending ? SENDING : statusWords(items, network, unsaved);
  const isAttention = Boolean(storage.fault) || items.some((one) => one.state === "attention");
  line.hidden = false;
  line.classList.toggle("is-waiting", !isSending && items.some((one) => one.state === "waiting"));
  line.classList.toggle("is-attention", isAttention);
  if (byId("saved-words").textContent !== words) byId("saved-words").textContent = words;
  const look = /** @type {HTMLButtonElement | null} */ (byId("saved-look"));
  if (look) look.disabled = !items.length || isSending;
}

export function wireList() {
  document.addEventListener("click", ({ target }) => {
    const list = /** @type {HTMLDialogElement} */ (byId("saved-list"));
    if (target.closest("#saved-look")) list.showModal();
    // A sign-in or a hand to correct is another page.
    if (target.closest("#saved-close, #saved-list a")) list.close();
  });
}

// On the page of unsent hands, which opens without the server too: the tables opened on this tablet.
export async function drawOpenedTables() {
  const notKept = byId("not-kept");
  if (!notKept) return;
  // The page is also shown in place of one that this tablet has not kept.
  notKept.hidden = location.pathname === notKept.dataset.address;
  const kept = await tables();
  const opened = kept
    .filter((one) => one.opened && !one.started)
    .sort((one, other) => other.opened.localeCompare(one.opened));
  if (storage.fault) byId("opened-tables").replaceChildren(fragment(html`<p class="empty">${storageWords()}</p>`));
  const inPlay = opened.find(({ state }) => state.open);
  if (inPlay)
    byId("go-on-at").replaceChildren(
      fragment(
        html`<a class="button-main" href=${inPlay.state.urls.table}>Table ${inPlay.state.table}: go on playing</a>`,
      ),
    );
  if (opened.length)
    byId("opened-tables").replaceChildren(
      fragment(html`<ul class="rows">${opened.slice(0, MAX_TABLES).map(tableRow)}</ul>`),
    );
}

const tableRow = ({ state }) =>
  html`<li><a href=${state.urls.table}>${state.club}, table ${state.table} <span class="row-aside">${state.date}${state.open ? "" : ", finished"}</span></a></li>`;
