// Draws the tables of a meeting on this tablet, and starts them; the club has them when the network is back.
import { byId, readJson } from "../web/dom.js";
import { fragment, html, mainButton, nothing } from "../web/html.js";
import { bringDay, clubDay } from "../table/day.js";
import { ask } from "../table/engine/engine.js";
import { flash, redirect } from "../table/outbox/flash.js";
import { askStart, freeTable, keepStart, readStart, showProblems } from "../table/outbox/starting.js";
import { storageWords } from "../table/outbox/words.js";
import { WIND_NAMES } from "../table/winds.js";
import { isHeard } from "../web/browser.js";

const CANNOT = "This tablet cannot draw tables by itself. Get it ready on the club’s page while there is Wi-Fi.";
const NOT_READY =
  "This tablet was not made ready to start a table without Wi-Fi. Get it ready on the club’s page while there is Wi-Fi.";
const DRAWING = "Drawing the tables …";
const STARTED = "The tables have started on this tablet. The club will have them when the Wi-Fi is back.";
// Following seating requests takes long on a slow tablet.
const PATIENCE = 90000;
const SEEDS = 2 ** 30;

const form = /** @type {HTMLFormElement} */ (byId("draw-here"));
const place = byId("drawn-here");
const { files, outbox, page, sticks, zone, ...known } = readJson("draw-data");
const names = new Map(
  [...form.querySelectorAll("label.choice")].map((label) => [
    label.querySelector("input").value,
    label.textContent.trim(),
  ]),
);
let isBusy = false;

const PLACES = [...WIND_NAMES, "Sits out first"];
const date = /** @type {HTMLInputElement} */ (byId("date"));
const nameOf = (person) => names.get(String(person)) || "";
const listed = (people) => people.map(nameOf).join(", ");

async function draw() {
  const people = [...form.querySelectorAll("input[name=here]:checked")].map(({ value }) => Number(value));
  flash(DRAWING, "info");
  const drawn = await ask(files, { ...known, ask: "draw", people, seed: Math.floor(Math.random() * SEEDS) }, PATIENCE);
  byId("messages").replaceChildren();
  place.replaceChildren();
  if (!drawn) return flash(CANNOT, "error");
  if (drawn.error)
    return flash(
      drawn.people.length ? `${drawn.error} Check the requests of ${listed(drawn.people)}.` : drawn.error,
      "error",
    );
  const numbers = [];
  for (const _ of drawn.tables) numbers.push(await freeTable(date.value, (numbers.at(-1) || 0) + 1));
  return show(drawn, numbers);
}

function show({ tables, sits_out: left }, numbers) {
  const start = mainButton("Start all these tables", () => once(() => startAll(tables, numbers), NOT_READY));
  const seats = (people) => people.map((person, seat) => html`<li><b>${PLACES[seat]}</b> ${nameOf(person)}</li>`);
  place.replaceChildren(
    fragment(html`<h2>The tables</h2>
      ${tables.map((people, at) => html`<section class="panel"><h3>Table ${numbers[at]}</h3><ul class="rows">${seats(people)}</ul></section>`)}
      ${left.length ? html`<p>No table yet: ${listed(left)}.</p>` : nothing}<div class="actions actions-end">${start}</div>`),
  );
  place.scrollIntoView();
}

async function startAll(tables, numbers) {
  const start = await readStart(page);
  if (!start) return flash(NOT_READY, "error");
  // If a table cannot be kept, the next press goes on with it: those that have started are no longer in the lists.
  while (tables.length) {
    const [people] = tables;
    const seats = Object.fromEntries(people.map((person, seat) => [`player_${seat + 1}`, String(person)]));
    const { here, ...day } = Object.fromEntries(new FormData(form));
    const body = { ...day, table: String(numbers[0]), rules: start.rules, sticks, ...seats };
    const asked = await askStart(start, body, clubDay(zone, date.defaultValue).day);
    if (!asked) return flash(NOT_READY, "error");
    if (showProblems(form, asked)) return null;
    await keepStart(start, body, asked);
    tables.shift();
    numbers.shift();
  }
  place.replaceChildren();
  return redirect(outbox, STARTED, "info");
}

// Ignores a press while an earlier one is at work.
async function once(work, fault = CANNOT) {
  if (isBusy) return;
  isBusy = true;
  await work().catch(() => flash(storageWords() || fault, "error"));
  isBusy = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  once(draw);
});
addEventListener("pageshow", () => {
  isBusy = false;
});
// The page may be of another day, and this tablet's clock wrong.
isHeard().then((heard) => bringDay(date, zone, date.defaultValue, heard));
