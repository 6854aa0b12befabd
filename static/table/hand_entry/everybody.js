// The page of the whole hand: who went Mah-jong, what is entered for each player, and penalties.
import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { byId } from "../../web/dom.js";
import { windName, WINDS } from "../winds.js";
import { button, pressed, translate } from "./dom.js";
import { hasTiles, isTiles } from "./rules.js";
import { blankSeats, change, enterNothing, EVERYBODY, hand, isVoid, redraw, refuse, scoreOf, seat, show, state, winners, winning } from "./state.js";
import { chooseWay, focusPage } from "./ways.js";
import { fromRow, nobody, toggleWinner } from "./winner.js";
import { handWords } from "./words.js";

// Where the seats are on the page, in the order of the winds.
const SIDES = ["bottom", "right", "top", "left"];

const windMark = (letter) => html`<span class="wind ${letter === "E" ? "is-east" : ""}" aria-hidden="true">${letter}</span>`;

const markOf = ({ number }) => (winning(number) ? translate`Mah-jong` : hand(number) ? totalOf(number) || "✓" : asked(number) ? "not yet" : "–");

const totalOf = (number) => scoreOf(number)?.total?.toLocaleString("en-GB") ?? "";

const tab = (view, words) => html`<button type="button" class="seat-tab" data-view=${view} aria-pressed=${view === state.view} @click=${() => show(view)}>${words}</button>`;

const seatTab = (one) => tab(one.number, html`${windMark(one.wind)}<span class="tab-words"><span class="tab-name">${one.name}<span class="visually-hidden">, ${windName(one.wind)}, </span></span><span class="tab-score">${markOf(one)}</span></span>`);

export function drawTabs() {
  byId("seat-tabs").hidden = false;
  render([tab(EVERYBODY, "Everyone"), ...(state.data.offers.hands ? state.data.seats : []).map(seatTab)], byId("seat-tabs"));
}

const asked = (number) => blankSeats().some((one) => one.number === number);

function enter(number, way) {
  show(number);
  if (way) chooseWay(number, way);
  else focusPage();
}

// Whether the page asks who went Mah-jong, before anything else, with the seats as they are round the table.
const isAsked = () => !winners().length && !state.drawn && !isVoid() && !state.penalty;

function sideOf(wind) {
  const bottom = seat(state.data.bottom)?.wind || WINDS[0];
  return SIDES[(WINDS.indexOf(wind) - WINDS.indexOf(bottom) + WINDS.length) % WINDS.length];
}

function winnerButton({ number, name, wind }) {
  const asks = isAsked();
  const onclick = () => {
    const opens = !winning(number) && state.data.offers.hands;
    toggleWinner(number, opens);
    if (!opens) return;
    focusPage();
    window.scrollTo(0, 0);
  };
  return html`<button type="button" class=${asks ? `seat ${wind === "E" ? "is-east" : ""}` : nothing} data-side=${asks ? sideOf(wind) : nothing} aria-pressed=${Boolean(winning(number))} @click=${onclick}>
    ${asks ? [windMark(wind), html`<span class="seat-name">${name}</span>`] : name}</button>`;
}

const whoWon = () => html`<fieldset aria-label=${translate`Who went Mah-jong?`}><h2>${translate`Who went Mah-jong?`}</h2>
  <div class="who-choices"><div class="who-buttons ${isAsked() ? "felt" : ""}">${state.data.seats.map(winnerButton)}<div class="felt-middle">${pressed("Nobody", state.drawn, nobody)}</div></div>
    <button type="button" class="penalty-button" aria-expanded=${Boolean(state.penalty)} @click=${togglePenalties}>${state.body.penalties.length || state.penalty ? "Penalties" : "Penalty"}</button></div></fieldset>
  ${sourceRow()}`;

// Asked here where no tiles are entered, where the winner's page was left without an answer, and in a correction.
function sourceRow() {
  const [win] = winners();
  if (!win) return nothing;
  if (!state.data.offers.hands) return fromRow(win.by, win);
  const isOpen = state.data.mode === "change" || (!win.from && !win.dealt);
  return isOpen && isTiles(hand(win.by)) && hasTiles(hand(win.by)) ? fromRow(win.by, win, false) : nothing;
}

export function drawEverybody() {
  byId("entry").dataset.asks = isAsked() ? "who" : "";
  render(whoWon(), byId("who-won"));
  render(state.data.seats.map(card), byId("seat-cards"));
  render([penalties(), state.penalty ? penaltyForm() : nothing], byId("penalties"));
  const out = state.data.sits_out.map((one) => one.name);
  render(out.length ? `${out.join(" and ")} ${out.length === 1 ? "sits" : "sit"} out this hand.` : "", byId("sits-out"));
}

function card({ number, name, wind }) {
  const mine = hand(number);
  const has = mine && hasTiles(mine);
  const tiles = has ? "Change tiles" : "Enter tiles";
  return html`<section class="seat-card ${mine ? "is-entered" : ""}" aria-label="${name}, ${windName(wind)}">
    <div class="seat-card-head">${windMark(wind)}<b class="seat-name">${name}</b>
      ${winning(number) ? html`<span class="badge">${translate`Mah-jong`}</span>` : nothing}
      <span class="seat-card-words">${mine || asked(number) ? handWords(mine, state.data) : state.data.offers.hands ? "Not needed" : ""}</span>
      <span class="balance">${mine ? totalOf(number) : ""}</span></div>
    ${mine || asked(number) ? html`<div class="seat-card-ways">
      ${button(tiles, () => enter(number, has ? null : "tiles"), "enter-hand", `${tiles}, ${name}`)}
      ${button(translate`Type a total`, () => enter(number, "total"), nothing, translate`Type a total, ${name}`)}
      ${button("Nothing to score", () => enterNothing(number), nothing, `Nothing to score, ${name}`)}
      ${button("Another way", () => enter(number, "choose"), nothing, `Enter another way, ${name}`)}</div>` : nothing}</section>`;
}

function togglePenalties() {
  state.penalty = state.penalty ? null : {};
  redraw();
  byId("penalty-form")?.scrollIntoView({ block: "nearest" });
}

function leavePenalties() {
  togglePenalties();
  byId("who-won").querySelector(".penalty-button").focus();
}

function penaltyWords({ kind, by, to, amount }) {
  const words = state.data.penalties.find((one) => one.key === kind)?.words || kind;
  return `${words}: ${seat(by)?.name || "?"} pays${to ? ` ${seat(to)?.name || "?"}` : ""}${amount ? ` ${amount.toLocaleString("en-GB")}` : ""}`;
}

function penalties() {
  const remove = (place) => change(() => { state.body.penalties.splice(place, 1); }, "removed penalty");
  return state.body.penalties.length ? html`<ul class="penalty-list">${state.body.penalties.map((one, place) => html`<li><span>${penaltyWords(one)}</span>${button("Remove", () => remove(place), nothing, `Remove: ${penaltyWords(one)}`)}</li>`)}</ul>` : nothing;
}

// Not a drop-down list, which would cut off the last words, in which two penalties may differ.
const choices = (name, legend, options) => html`<fieldset class="penalty-choices" id="penalty-${name}"><legend>${legend}</legend>${options.map(([value, words], place) => html`
  <label class="choice" for="penalty-${name}-${place}"><input type="radio" name="penalty-${name}" id="penalty-${name}-${place}" value=${value} .checked=${state.penalty[name] === value} @change=${() => choose(name, value)}><span>${words}</span></label>`)}</fieldset>`;

function choose(name, value) {
  state.penalty[name] = value;
  redraw();
}

const chosenPenalty = () => state.data.penalties.find((one) => one.key === state.penalty.kind);
const hasPayee = (row) => row?.to === "needed" || row?.to === "allowed";

// Asks only what the chosen penalty needs, and says what it costs.
function penaltyForm() {
  const row = chosenPenalty();
  const people = state.data.seats.map((one) => [one.number, one.name]);
  const payees = row?.to === "allowed" ? [["", "Nobody: the points are only taken off"], ...people] : people;
  return html`<div class="penalty-form panel" id="penalty-form">
    ${choices("kind", "What happened", state.data.penalties.map((one) => [one.key, one.words]))}
    <p class="hint" id="penalty-cost" role="status">${row?.cost}</p>
    ${choices("by", "Who pays", people)}
    ${hasPayee(row) ? choices("to", "Who receives it", payees) : nothing}
    ${row?.typed ? html`<label for="penalty-amount">Amount<input id="penalty-amount" inputmode="numeric" autocomplete="off" .value=${state.penalty.amount || ""} @input=${(event) => { state.penalty.amount = event.target.value; }}></label>` : nothing}
    ${state.data.no_hu_for ? html`<p class="hint">${state.data.no_hu_for}</p>` : nothing}
    <div class="actions actions-end">${button("Back to the hand", leavePenalties, "button-quiet")}${button("Add the penalty", addPenalty)}</div></div>`;
}

function addPenalty() {
  const row = chosenPenalty();
  if (!row) return refuse("Select what happened.");
  const { by } = state.penalty;
  const to = (hasPayee(row) && state.penalty.to) || "";
  const amount = (state.penalty.amount || "").trim();
  if (!by) return refuse(state.data.sentences.no_payer);
  if (row.to === "needed" && !to) return refuse(state.data.sentences.no_payee);
  if (to === by) return refuse(state.data.sentences.pays_self);
  if (row.typed && !/^[1-9][0-9]{0,6}$/.test(amount)) return refuse("Enter the amount in figures, for example 30.");
  state.penalty = null;
  const sum = row.typed ? Number(amount) : row.amount;
  const payees = row.to === "each" ? state.data.seats.map((one) => one.number).filter((number) => number !== by) : [to];
  return change(() => {
    const added = payees.map((payee) => ({ kind: row.kind, by, ...(payee && { to: payee }), ...(sum && { amount: sum }) }));
    state.body.penalties.push(...added);
    return added.map(penaltyWords).join(" ");
  }, "penalty");
}

