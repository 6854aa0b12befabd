// The page that starts a session. Without the network this tablet starts it, with all that is played there; the club has it
// as soon as the network is back.
import { isHeard } from "../web/browser.js";
import { byId } from "../web/dom.js";
import { bringDay, clubDay } from "./day.js";
import { ask } from "./engine/engine.js";
import { redirect } from "./outbox/flash.js";
import { submitPlainly } from "./outbox/send.js";
import { askStart, freeTable, keepStart, playersAtTables, readStart, refuse, showProblems } from "./outbox/starting.js";
import { storageWords } from "./outbox/words.js";

const SENT_AGAIN_AFTER = 8000;
const STARTED = "Started on this tablet. The club will have it when the Wi-Fi is back.";
const NOT_READY =
  "There is no Wi-Fi just now, and this tablet was not made ready to start a table without it. Start it on another tablet, or when the Wi-Fi is back.";

const form = /** @type {HTMLFormElement} */ (byId("start-session"));
const { kept, zone, seen } = form.dataset;
/** @returns {any} */
const field = (name) => form.elements[name];
const value = (name) => field(name)?.value.trim() || "";
const seats = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('select[name^="player_"]')]);
let isBusy = false;
// For once.js: a press that is refused here may be made again at once.
form.dataset.outbox = "start";
document.documentElement.dataset.outbox = "on";

async function startHere() {
  const start = await readStart(kept, { rules: value("rules") });
  const { csrfmiddlewaretoken, ...body } = Object.fromEntries(
    [...new FormData(form)].map(([name, typed]) => [name, String(typed).trim()]),
  );
  if (start?.rules !== value("rules")) return refuse(NOT_READY);
  const names = Object.fromEntries([...seats[0].options].map((option) => [option.value, option.textContent]));
  const asked = await askStart(
    start,
    body,
    clubDay(zone, seen).day,
    Object.fromEntries(await playersAtTables(body.date)),
    names,
  );
  if (!asked) return refuse(NOT_READY);
  if (showProblems(form, asked)) return null;
  const state = await keepStart(start, body, asked);
  return redirect(state.urls.table, STARTED, "info");
}

// A player who has a seat is not offered for another.
function offerPlayers() {
  for (const seat of seats) {
    const taken = seats.filter((other) => other !== seat && Number(other.value)).map((other) => other.value);
    for (const option of seat.options) option.hidden = option.disabled = taken.includes(option.value);
  }
}

// By which rules the table would play now, as start_form.py says it when the page is opened.
function sayRules() {
  const rules = form.querySelector('[name="rules"]:checked');
  if (!rules) return;
  const { name, nobodyPays } = rules.dataset;
  const [sticks] = nobodyPays === undefined ? field("sticks").selectedOptions : [];
  byId("rules-in-short").textContent = sticks?.value ? `${name}, sticks of ${sticks.textContent}` : name;
}

// Who sits at another table now, as far as this tablet knows; the page says what the server knew when it was fetched.
async function markSeated() {
  const seated = await playersAtTables(value("date"));
  for (const option of seats.flatMap((seat) => [...seat.options])) {
    if (seated.has(option.value)) option.label = `${option.textContent}, at table ${seated.get(option.value)}`;
    else option.removeAttribute("label");
  }
}

// The page may be of another day, this tablet's clock wrong, and it may have started tables since.
async function bringUpToDate() {
  const [date, number, heard] = [field("date"), field("table"), await isHeard()];
  bringDay(date, zone, seen, heard);
  if (heard) return;
  if (number.value === number.defaultValue) number.value = String(await freeTable(date.value, Number(number.value)));
  await markSeated();
  // Started now, the rules answer the press on “Start playing” at once.
  const start = await readStart(kept);
  if (start) await ask(start.files);
}

// The same players as last time: without the network their seats are filled in here.
byId("again")?.addEventListener("click", async (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  if (await isHeard()) {
    location.assign(link.href);
    return;
  }
  const nobody = Object.fromEntries(seats.map(({ name }) => [name, ""]));
  for (const [name, chosen] of Object.entries({ ...nobody, ...JSON.parse(link.dataset.fields) })) {
    field(name).value = chosen;
    // That player is no longer on the list.
    if (name !== "rules" && field(name).selectedIndex < 0) field(name).value = "";
  }
  form.dispatchEvent(new Event("change", { bubbles: true }));
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  const heard = await isHeard();
  bringDay(field("date"), zone, seen, heard);
  if (heard) {
    submitPlainly(form);
    setTimeout(() => {
      isBusy = false;
    }, SENT_AGAIN_AFTER);
    return;
  }
  await startHere().catch(() => refuse(storageWords() || NOT_READY));
  isBusy = false;
});
function follow() {
  offerPlayers();
  sayRules();
}
document.addEventListener("change", follow);
addEventListener("pageshow", () => {
  isBusy = false;
  follow();
});
bringUpToDate();
