// The page that starts a session. Without the network this tablet starts it, with all that is played there; the club has it
// as soon as the network is back.
import { isHeard } from "../web/browser.js";
import { byId, message, readJson } from "../web/dom.js";
import { redirect } from "./outbox/flash.js";
import { submitPlainly } from "./outbox/send.js";
import { balanceProblem, dateProblem, freeTable, keepStart, PLACES, playersAtTables, playersOf, readStart, seatingProblem, todayWritten } from "./outbox/starting.js";
import { storageWords } from "./outbox/words.js";

const SENT_AGAIN_AFTER = 8000;
const STARTED = "Started on this tablet. The club will have it when the Wi-Fi is back.";
const NOT_READY = "There is no Wi-Fi just now, and this tablet was not made ready to start a table without it. Start it on another tablet, or when the Wi-Fi is back.";
const MAX_TABLE = 99;
const sentences = readJson("start-sentences");

const form = /** @type {HTMLFormElement} */ (byId("start-session"));
/** @returns {any} */
const field = (name) => form.elements[name];
const value = (name) => field(name)?.value.trim() || "";
const seats = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('select[name^="player_"]')]);
let isBusy = false;
// For once.js: a press that is refused here may be made again at once.
form.dataset.outbox = "start";
document.documentElement.dataset.outbox = "on";

function problem(start, players) {
  const seating = seatingProblem(players, sentences);
  if (seating) return seating;
  const fault = dateProblem(field("date"), sentences);
  if (fault) return fault;
  if (!(Number(value("table")) >= 1 && Number(value("table")) <= MAX_TABLE)) return sentences.table;
  return balanceProblem(start, players.length, value, sentences);
}

async function startHere() {
  const start = await readStart(form.dataset.kept, value("rules"));
  if (start?.rules !== value("rules")) return showProblem(NOT_READY);
  const players = playersOf(value);
  const found = problem(start, players);
  if (found) return showProblem(found);
  const { csrfmiddlewaretoken, ...body } = Object.fromEntries(new FormData(form));
  const state = await keepStart(start, body, players);
  return redirect(state.urls.table, STARTED, "info");
}

function showProblem(words) {
  const shown = message(words, "error");
  byId("messages").replaceChildren(shown);
  shown.scrollIntoView();
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
  const { name, points, nobodyPays } = rules.dataset;
  const sticks = field("sticks").selectedOptions[0];
  const typed = /^\d+$/.test(value("starting_balance")) ? `${Number(value("starting_balance")).toLocaleString("en-GB")} points each` : points;
  const start = nobodyPays === undefined ? (sticks.value ? `sticks of ${sticks.textContent}` : `${typed}, no sticks`) : points;
  byId("rules-in-short").textContent = `${name}, ${start}`;
}

// Who sits at another table now, as far as this tablet knows; the page says what the server knew when it was fetched.
async function markSeated() {
  const seated = await playersAtTables(value("date"));
  for (const option of seats.flatMap((seat) => [...seat.options])) {
    if (seated.has(option.value)) option.label = `${option.textContent}, at table ${seated.get(option.value)}`;
    else option.removeAttribute("label");
  }
}

// The page may be of another day, the clock of the club's computer wrong, and this tablet may have started tables since.
async function bringUpToDate() {
  const [date, number] = [field("date"), field("table")];
  if (date.value === form.dataset.today) date.value = todayWritten();
  if (await isHeard()) return;
  if (number.value === number.defaultValue) number.value = String(await freeTable(date.value, Number(number.value)));
  await markSeated();
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
  const nobody = Object.fromEntries(PLACES.map((_, at) => [`player_${at + 1}`, ""]));
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
  if (await isHeard()) {
    submitPlainly(form);
    setTimeout(() => { isBusy = false; }, SENT_AGAIN_AFTER);
    return;
  }
  await startHere().catch(() => showProblem(storageWords() || NOT_READY));
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
