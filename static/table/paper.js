// Keying in a paper sheet: figures and Enter, a letter for who went Mah-jong, and the next line is there.
import { draw, drawFollowed, rowElement, WINDS } from "./paper/draw.js";
import { askSoon, save } from "./paper/server.js";
import { begin, deals, forget, isBlank, keep, NOBODY, shownRows, state } from "./paper/state.js";

const byId = (id) => document.getElementById(id);
const placeOf = (input) => Number(input.closest(".paper-row").dataset.at) - 1;
const seatOf = (input) => input.closest("[data-seat]")?.dataset.seat;

function changed() {
  state.message = "";
  keep();
  draw();
  askSoon();
  drawFollowed();
}

function go(input) {
  input.focus();
  input.select();
}

const fieldsOf = (place) => [...rowElement(place).querySelectorAll("input:not([type=hidden])")].filter((input) => input.offsetParent && !input.hidden);

// The field of another line that stands where this one does in its own.
function fieldAt(place, input) {
  const [kind] = ["total", "winner", "sheet"].filter((name) => input.matches(`.${name}`));
  return [...rowElement(place).querySelectorAll(`.${kind}`)].find((one) => seatOf(one) === seatOf(input));
}

// The field after this one: a winner already entered is skipped; after an empty line there is only Save.
function next(input) {
  const place = placeOf(input);
  const row = state.rows[place];
  if (isBlank(row)) return byId("save-paper");
  const fields = fieldsOf(place);
  const following = fields.slice(fields.indexOf(input) + 1).find((one) => !(one.matches(".winner") && row.winner));
  return following || firstOf(place + 1);
}

function firstOf(place) {
  return place < shownRows() ? fieldsOf(place)[0] : byId("save-paper");
}

function goNext(input) {
  const following = next(input);
  if (following.matches("input")) go(following);
  else following.focus();
}

// A letter typed anywhere in a line says who went Mah-jong; T opens the sheet's own totals, in a blank line those of the
// hand just typed.
function letter(input, typed) {
  const place = placeOf(input);
  const row = state.rows[place];
  if (typed === "T") return openSheet(isBlank(row) && place ? place - 1 : place);
  const { winds } = deals()[place];
  if (typed !== NOBODY && !(typed in (winds || WINDS))) {
    state.message = `“${typed}” is not a player in this hand. Enter E, S, W or N for the winner, or D for nobody.`;
    return draw();
  }
  const isLineDone = typed === NOBODY && isBlank(row);
  row.winner = winds?.[typed] || typed;
  changed();
  if (input.matches(".winner") || isLineDone) return goOn(place);
  return undefined;
}

function goOn(place) {
  const sheet = fieldsOf(place).find((one) => one.matches(".sheet"));
  const following = sheet || firstOf(place + 1);
  if (following.matches("input")) go(following);
  else following.focus();
}

function openSheet(place) {
  state.rows[place].open = true;
  draw();
  go(rowElement(place).querySelector(".sheet"));
}

function onInput(event) {
  const input = event.target;
  if (!input.closest(".paper-row")) return;
  const row = state.rows[placeOf(input)];
  const text = input.value;
  const typed = (text.match(/[a-z]/gi) || []).pop()?.toUpperCase();
  if (input.matches(".winner")) {
    if (typed) letter(input, typed);
    else {
      row.winner = "";
      changed();
    }
    return;
  }
  const mine = input.matches(".total") ? row.totals : row.sheet;
  const before = mine[seatOf(input)] || "";
  const left = text.replace(input.matches(".total") ? /[^0-9]/g : /[^0-9,+\-\u2212\u2013 ]/g, "");
  const figures = typed && !left ? before : left;
  if (figures !== text) input.value = figures;
  if (before !== figures) {
    mine[seatOf(input)] = figures;
    changed();
  }
  if (typed) letter(input, typed);
}

function onKey(event) {
  const input = event.target;
  if (!input.closest(".paper-row") || event.isComposing) return;
  if (event.key === "Enter") {
    event.preventDefault();
    goNext(input);
  } else if (/^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    // Before the letter could take the place of a figure that is marked.
    event.preventDefault();
    letter(input, event.key.toUpperCase());
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const place = placeOf(input) + (event.key === "ArrowDown" ? 1 : -1);
    if (place < 0 || place >= shownRows()) return;
    const same = fieldAt(place, input);
    event.preventDefault();
    go(same.hidden || !same.offsetParent ? fieldsOf(place)[0] : same);
  }
}

function wire() {
  const form = byId("paper");
  form.addEventListener("input", onInput);
  form.addEventListener("keydown", onKey);
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
  byId("last-totals").addEventListener("click", () => openSheet(Math.max(state.rows.findLastIndex((row) => !isBlank(row)), 0)));
}

function tellRestored(moved) {
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Start an empty sheet" });
  again.addEventListener("click", () => {
    forget();
    location.reload();
  });
  const more = moved ? ` Other hands have been saved since. The first row is now hand ${state.data.number}.` : "";
  const box = Object.assign(document.createElement("p"), { className: "message", textContent: `Your typed hands are back.${more} ` });
  box.append(again);
  byId("problems").append(box);
}

function start() {
  const { restored, moved } = begin(JSON.parse(byId("paper-data").textContent));
  byId("paper").classList.add("is-scripted");
  for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;
  for (const element of document.querySelectorAll(".needs-no-script")) element.hidden = true;
  byId("every").checked = state.every;
  wire();
  draw(true);
  addEventListener("load", drawFollowed);
  if (restored) {
    tellRestored(moved);
    askSoon();
  }
  fieldsOf(Math.max(shownRows() - 1, 0))[0]?.focus();
}

start();
