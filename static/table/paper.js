// Typing in a paper sheet: figures and Enter, a letter for who went Mah-jong, and the next row is there.
import { byId, readJson } from "../web/dom.js";
import { button, message } from "../web/html.js";
import { draw, drawFollowed, rowElement } from "./paper/draw.js";
import { askSoon, save } from "./paper/server.js";
import { begin, deals, forget, isBlank, keep, NOBODY, shownRows, state } from "./paper/state.js";
import { WINDS } from "./winds.js";

const placeOf = (input) => Number(input.closest(".paper-row").dataset.at) - 1;
const isOfWinner = (control) => Boolean(control.closest(".paper-won"));
const seatOf = (input) => input.closest("[data-seat]")?.dataset.seat;

function changed() {
  state.message = "";
  keep();
  draw();
  askSoon();
  drawFollowed();
}

function focus(control) {
  control.focus();
  if (control.matches("input")) control.select();
}

// On a touch screen “Nobody” stands for the letter’s field, for those who have a keyboard too.
const fieldsOf = (place) =>
  [...rowElement(place).querySelectorAll("input:not([type=hidden]), .winner-ways button:last-child")].filter(
    (input) => input.offsetParent && !input.hidden,
  );

// The same field in another row.
function fieldAt(place, input) {
  const kind = ["total", "sheet"].find((name) => input.matches(`.${name}`)) || "winner";
  return [...rowElement(place).querySelectorAll(`.${kind}`)].find((one) => seatOf(one) === seatOf(input));
}

// The field after this one: a winner already entered is skipped. In an empty row Enter stays: many press it after the letter too.
function next(input) {
  const place = placeOf(input);
  const row = state.rows[place];
  if (isBlank(row)) return input;
  const fields = fieldsOf(place);
  const following = fields.slice(fields.indexOf(input) + 1).find((one) => !(isOfWinner(one) && row.winner));
  return following || firstOf(place + 1);
}

function firstOf(place) {
  return place < shownRows() ? fieldsOf(place)[0] : byId("save-paper");
}

// A letter typed anywhere in a row says who went Mah-jong; T opens the totals of the sheet, in a blank row those of the row
// before.
function typeLetter(input, typed) {
  const place = placeOf(input);
  const row = state.rows[place];
  if (typed === "T") return openSheet(isBlank(row) && place ? place - 1 : place);
  const { winds } = deals()[place];
  if (typed !== NOBODY && !(winds ? typed in winds : WINDS.includes(typed))) {
    state.message = `“${typed}” is not a player in this hand. Enter E, S, W or N for the winner, or D for nobody.`;
    return draw();
  }
  const isLineDone = typed === NOBODY && isBlank(row);
  row.winner = winds?.[typed] || typed;
  changed();
  if (isOfWinner(input) || isLineDone) return leaveWinner(place);
  return undefined;
}

function leaveWinner(place) {
  const sheet = fieldsOf(place).find((one) => one.matches(".sheet"));
  focus(sheet || firstOf(place + 1));
}

function tapWinner({ target }) {
  const way = target.closest(".winner-ways button");
  if (!way) return;
  const place = placeOf(way);
  state.rows[place].winner = way.value;
  changed();
  const empty = fieldsOf(place).find((one) => one.matches(".total") && !one.value);
  if (way.value === NOBODY || !empty) leaveWinner(place);
}

function openSheet(place) {
  state.rows[place].open = true;
  draw();
  focus(rowElement(place).querySelector(".sheet"));
}

function onInput(event) {
  const input = event.target;
  if (!input.closest(".paper-row")) return;
  const row = state.rows[placeOf(input)];
  const text = input.value;
  const typed = (text.match(/[a-z]/gi) || []).pop()?.toUpperCase();
  if (input.matches(".winner")) {
    if (typed) typeLetter(input, typed);
    else {
      row.winner = "";
      changed();
    }
    return;
  }
  const mine = input.matches(".total") ? row.totals : row.sheet;
  const before = mine[seatOf(input)] || "";
  const left = text.replace(input.matches(".total") ? /[^0-9\p{Pd}\u2212]/gu : /[^0-9,+\p{Pd}\u2212 ]/gu, "");
  const figures = typed && !left ? before : left;
  if (figures !== text) input.value = figures;
  if (before !== figures) {
    mine[seatOf(input)] = figures;
    changed();
  }
  if (typed) typeLetter(input, typed);
}

function onKey(event) {
  const input = event.target;
  if (!input.closest(".paper-row") || event.isComposing) return;
  if (event.key === "Enter" && input.matches("button")) return;
  if (event.key === "Enter") {
    event.preventDefault();
    focus(next(input));
  } else if (/^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    // Before the letter could take the place of a figure that is marked.
    event.preventDefault();
    typeLetter(input, event.key.toUpperCase());
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const place = placeOf(input) + (event.key === "ArrowDown" ? 1 : -1);
    if (place < 0 || place >= shownRows()) return;
    const same = fieldAt(place, input);
    event.preventDefault();
    focus(same.hidden || !same.offsetParent ? fieldsOf(place)[0] : same);
  }
}

function wire() {
  const form = byId("paper");
  form.addEventListener("input", onInput);
  form.addEventListener("keydown", onKey);
  form.addEventListener("click", tapWinner);
  form.addEventListener("focusin", (event) => {
    // Not for the buttons: what it writes would move them from under the finger.
    if (!event.target.matches(".paper-row input")) return;
    event.target.select();
    draw();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  byId("every").addEventListener("change", (event) => {
    state.every = event.target.checked;
    keep();
    draw();
  });
  byId("last-totals").addEventListener("click", () =>
    openSheet(
      Math.max(
        state.rows.findLastIndex((row) => !isBlank(row)),
        0,
      ),
    ),
  );
}

function showRestored(moved) {
  const more = moved ? ` Other hands have been saved since. The first row is now hand ${state.data.number}.` : "";
  const again = button("Start an empty sheet", () => {
    forget();
    location.reload();
  });
  byId("problems").append(message([`Your typed hands are back.${more} `, again]));
}

function start() {
  const { restored, moved } = begin(readJson("paper-data"));
  const isTouch = matchMedia("(pointer: coarse)").matches;
  byId("paper").classList.add("is-scripted");
  byId("paper").classList.toggle("is-touch", isTouch);
  for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;
  for (const element of document.querySelectorAll(".needs-no-script")) element.hidden = true;
  for (const how of document.querySelectorAll(".paper-how")) how.hidden = how.matches(".for-touch") !== isTouch;
  byId("every").checked = state.every;
  wire();
  draw(true);
  addEventListener("load", drawFollowed);
  if (restored) {
    showRestored(moved);
    askSoon();
  }
  fieldsOf(Math.max(shownRows() - 1, 0))[0]?.focus();
}

start();
