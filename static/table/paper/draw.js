// Writes the state into the page: seats, balances and sentences. What is typed stays in its fields.
import { byId } from "../../web/dom.js";
import { fragment, html } from "../../web/html.js";
import { windName, WINDS } from "../winds.js";
import { dealAfterAll, deals, follow, isBlank, nameOf, NOBODY, shownRows, state, typedRows, windOf } from "./state.js";

export const rowElement = (place) => byId(`row_${place + 1}`);

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// With `fields`, also fills the fields: at the beginning, and when rows have moved.
export function draw(fields = false) {
  const all = deals();
  const shown = shownRows();
  state.rows.forEach((row, place) => {
    const element = rowElement(place);
    element.hidden = place >= shown;
    if (element.hidden && !fields) return;
    drawRow(element, row, all[place], fields);
  });
  const typed = typedRows();
  put(byId("save-paper"), typed === 1 ? "Save 1 hand" : typed ? `Save ${typed} hands` : "Save the hands");
  put(byId("paper-status"), statusWords());
  const kept = "What you type is kept here until you save it.";
  put(
    byId("saved-state"),
    state.isKept ? kept : "This browser cannot keep what you type. You will lose it if you close the page.",
  );
}

// Draws who sits where once the rules say so. A player who sits out has no field: the focus moves to the next.
export async function drawFollowed() {
  if (!(await follow())) return;
  const input = document.activeElement;
  draw();
  if (!input.hidden) return;
  const fields = [...input.closest(".paper-row").querySelectorAll("input:not([type=hidden])")];
  fields
    .slice(fields.indexOf(input) + 1)
    .find((one) => !one.hidden)
    .focus();
}

function statusWords() {
  if (state.message) return state.message;
  const after = typedRows() ? dealAfterAll() : null;
  return [after?.winds && `${nameOf(after.winds.E)} is East next.`, state.difference].filter(Boolean).join(" ");
}

function drawRow(element, row, deal, fields) {
  put(element.querySelector(".paper-hand b"), `Hand ${deal.number}`);
  put(
    element.querySelector(".paper-round"),
    deal.winds ? `${windName(deal.round)} round${deal.goulash ? ", goulash" : ""}` : "",
  );
  element.classList.toggle("has-sheet", row.open || state.every || Object.values(row.sheet).some(Boolean));
  for (const cell of element.querySelectorAll(":scope > .paper-cell[data-seat]")) drawCell(cell, row, deal, fields);
  if (fields)
    for (const input of element.querySelectorAll(".sheet"))
      input.value = row.sheet[input.closest("[data-seat]").dataset.seat] || "";
  drawWinner(element, row, deal);
  drawSaid(element, row);
}

function drawCell(cell, row, deal, fields) {
  const { seat } = cell.dataset;
  const wind = windOf(deal, seat);
  const isOut = Boolean(deal.winds) && !wind;
  const input = cell.querySelector("input");
  if (fields) input.value = row.totals[seat] || "";
  input.hidden = isOut && !row.totals[seat];
  cell.classList.toggle("is-out", isOut);
  const mark = cell.querySelector(".cell-wind");
  mark.classList.toggle("is-east", wind === "E");
  put(mark, isOut ? "sits out" : wind);
  cell.classList.toggle("is-winner", row.winner === seat);
  put(cell.querySelector(".paper-balance"), isBlank(row) ? "" : state.answers.get(row.key)?.running?.[seat] || "");
}

function drawWinner(element, row, deal) {
  const input = element.querySelector(".winner");
  const isLetter = !row.winner || row.winner === NOBODY || WINDS.includes(row.winner);
  const letter = isLetter ? row.winner : windOf(deal, row.winner) || "?";
  if (input.value !== letter) input.value = letter;
  put(element.querySelector(".winner-name"), row.winner === NOBODY ? "nobody" : nameOf(row.winner));
  drawWays(element, row, deal);
}

// The buttons of a screen without keys: not of whoever sits out.
function drawWays(element, row, deal) {
  for (const way of element.querySelectorAll(".winner-ways button")) {
    way.hidden = Boolean(deal.winds) && way.value !== NOBODY && !windOf(deal, way.value);
    way.dataset.wind = windOf(deal, way.value) || "";
    way.setAttribute("aria-pressed", String(way.value === row.winner));
  }
}

// A row that is still being typed is not shown its problems yet.
function drawSaid(element, row) {
  const isActive = element.contains(document.activeElement) || state.rows.indexOf(row) + 1 >= shownRows();
  const said = isBlank(row)
    ? []
    : (state.answers.get(row.key)?.said || []).filter((one) => one.isTold || one.kind !== "problem" || !isActive);
  const list = element.querySelector(".paper-said");
  const words = said.map((one) => `${one.kind}:${one.words}`).join("\n");
  if (list.dataset.words !== words) {
    list.dataset.words = words;
    list.replaceChildren(fragment(said.map(({ kind, words: text }) => html`<li class="is-${kind}">${text}</li>`)));
  }
  const wrong = new Set(said.filter(({ kind }) => kind === "problem").map(({ name, seat }) => `${name}-${seat}`));
  for (const input of element.querySelectorAll("input:not([type=hidden])")) {
    const seat = input.closest("[data-seat]")?.dataset.seat || "";
    if (wrong.has(`${input.classList[0]}-${seat}`)) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
}
