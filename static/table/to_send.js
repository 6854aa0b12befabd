// On every page without a table of its own: sends what this tablet keeps, and says so in one line of the bar.
import { byId } from "../web/dom.js";
import { keepFlushing, network, onChange } from "./outbox/queue.js";
import { all, storage, takeOutcomes } from "./outbox/store.js";
import { sentWords, statusWords } from "./outbox/words.js";

const line = byId("saved");
const link = /** @type {HTMLAnchorElement} */ (byId("saved-words"));
const list = link.getAttribute("href");
const sent = [];

async function draw() {
  const items = await all();
  const asking = items.filter(({ state }) => state === "attention");
  const isOneTable = new Set(asking.map(({ session }) => session)).size === 1;
  // A page that is no table's keeps nothing by itself, so a fault of the storage loses nothing here.
  link.textContent = storage.fault ? "" : statusWords(items, network, sentWords(sent));
  link.href = isOneTable ? asking[0].pages.table : list;
  line.hidden = !link.textContent;
  line.classList.toggle(
    "is-waiting",
    items.some(({ state }) => state === "waiting"),
  );
  line.classList.toggle("is-attention", asking.length > 0);
}

onChange((recorded, isOwn) => {
  sent.push(...recorded);
  draw();
  // What was told here, the table need not tell again.
  const keys = recorded.map(({ key }) => key);
  if (isOwn && keys.length) takeOutcomes(({ key }) => keys.includes(key));
});
draw();
keepFlushing();
