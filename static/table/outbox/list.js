// What waits on this tablet: the line every screen of a table shows, and the list behind it.
import { pagesOf } from "./addresses.js";
import { button, h } from "./dom.js";
import { isStart, isStep } from "./kinds.js";
import { Outcome, OwnOutcome } from "./outcomes.js";
import { restore, network, park, sendAgain, dismiss, discard, isHeldBack } from "./queue.js";
import { isCorrectable, NO_WIFI, NOTHING_TO_SEND, stateWords, statusWords } from "./words.js";

const byId = (id) => document.getElementById(id);

const link = (words, href) => h("a", { class: "button-quiet", href }, words);
const time = (item) => new Date(item.made_at).toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit" });

// What may be answered to a question about a start.
const waysOn = (item) => (item.agree || []).map(({ words: answer, fields }) => button(answer, () => sendAgain(item, { body: { ...item.body, ...fields } }), "button-main"));

function actions(item) {
  const { table, entry } = pagesOf(item);
  if (isStart(item) && item.state === "attention") return [...waysOn(item), button("Send again", () => sendAgain(item)), button("Set aside", () => park(item))];
  if (item.state === "aside") return [button("Send", () => sendAgain(item)), button("Discard", () => discard(item), "button-warn")];
  if (item.state === "thrown") return [button("Restore", () => restore(item))];
  if (item.state === "waiting") return network.signIn.has(item.session) ? [link("Sign in", `${byId("saved").dataset.signIn}?next=${encodeURIComponent(table)}`)] : [];
  if (item.isKept) return [link(item.outcome === Outcome.CONTESTED ? "Choose a version" : "See the table", table), button("The club has this – clear it from the list", () => dismiss(item))];
  if (isStep(item) && [Outcome.REFUSED, OwnOutcome.DOUBTFUL].includes(item.outcome)) return [link("See the table", table), button("Clear it from the list", () => dismiss(item))];
  return [
    isCorrectable(item) ? link("Correct this hand", `${entry}#again-${item.key}`) : link("See the table", table),
    button("Send again", () => sendAgain(item)),
    button("Set aside", () => park(item)),
  ];
}

const words = (item, items) => stateWords(item, network, isHeldBack(item, items));

function row(item, items) {
  return h("li", { class: `saved-item is-${item.state}`, "data-key": item.key },
    h("p", {}, h("b", {}, item.words || "A change"), ` at ${time(item)}`),
    h("p", { class: "saved-state" }, words(item, items)),
    h("div", { class: "actions" }, ...actions(item)));
}

export function drawList(items) {
  const place = byId("saved-items");
  if (!place) return;
  const key = JSON.stringify(items.map((one) => [one.order, one.state, one.message, words(one, items)]));
  if (place.dataset.drawn === key) return;
  place.dataset.drawn = key;
  const lead = network.isLost && items.some((one) => one.state === "waiting") ? [h("p", {}, NO_WIFI)] : [];
  place.replaceChildren(...lead, items.length ? h("ol", { class: "saved-items" }, ...items.map((one) => row(one, items))) : h("p", { class: "empty" }, NOTHING_TO_SEND));
}

let unsaved;
let drawn = [];

// Where a hand is being entered: that this one is not saved yet, or nothing where there is nothing of it.
export function showUnsaved(words) {
  if (words === unsaved) return;
  unsaved = words;
  drawStatus(drawn);
}

export function drawStatus(items) {
  drawn = items;
  const line = byId("saved");
  if (!line) return;
  const words = statusWords(items, network, unsaved);
  const isAttention = !network.isUsable || items.some((one) => one.state === "attention");
  line.hidden = false;
  line.classList.toggle("is-waiting", items.some((one) => one.state === "waiting"));
  line.classList.toggle("is-attention", isAttention);
  if (byId("saved-words").textContent !== words) byId("saved-words").textContent = words;
  if (byId("saved-look")) byId("saved-look").hidden = !items.length;
}

export function wireList() {
  const list = byId("saved-list");
  if (!list) return;
  byId("saved-look").addEventListener("click", () => list.showModal());
  byId("saved-close").addEventListener("click", () => list.close());
  // A sign-in or a hand to mend is another page.
  list.addEventListener("click", (event) => { if (event.target.closest("a")) list.close(); });
}
