// The page of the whole hand: who went Mah-jong, what is entered for each player, and penalties.
import { html, nothing, render } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { windName, WINDS } from "../winds.js";
import { button, pressed, translate } from "./dom.js";
import { hasTiles, isTiles } from "./rules.js";
import {
  blankSeats,
  change,
  enterNothing,
  EVERYBODY,
  hand,
  isFalseMahjong,
  isVoid,
  redraw,
  refuse,
  scoreOf,
  seat,
  show,
  state,
  wayOf,
  winners,
  winning,
} from "./state.js";
import { fromRow } from "./last_tile.js";
import { savePenalty } from "./save.js";
import { chooseWay, focusPage } from "./ways.js";
import { moreOf, nobody, penaltiesOf, toggleWinner } from "./winner.js";
import { handWords } from "./words.js";

// The most that a penalty may cost.
const MOST = 1_000_000;

// Where the seats are on the page, in the order of the winds.
const SIDES = ["bottom", "right", "top", "left"];

const windMark = (letter) =>
  html`<span class="wind ${letter === "E" ? "is-east" : ""}" aria-hidden="true">${letter}</span>`;

const markOf = ({ number }) =>
  winning(number) ? translate`Mah-jong` : hand(number) ? totalOf(number) || "✓" : asked(number) ? "not yet" : "–";

const totalOf = (number) => scoreOf(number)?.total?.toLocaleString("en-GB") ?? "";

const tab = (view, words) =>
  html`<button type="button" class="seat-tab" data-view=${view} aria-pressed=${view === state.view} @click=${() => show(view)}>${words}</button>`;

const seatTab = (one) =>
  tab(
    one.number,
    html`${windMark(one.wind)}<span class="tab-words"><span class="tab-name">${one.name}<span class="visually-hidden">, ${windName(one.wind)}, </span></span><span class="tab-score">${markOf(one)}</span></span>`,
  );

export function drawTabs() {
  byId("seat-tabs").hidden = false;
  render(
    [tab(EVERYBODY, "Everyone"), ...(state.data.offers.hands ? state.data.seats : []).map(seatTab)],
    byId("seat-tabs"),
  );
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

const whoWon =
  () => html`<fieldset aria-label=${translate`Who went Mah-jong?`}><h2>${translate`Who went Mah-jong?`}</h2>
  <div class="who-choices"><div class="who-buttons ${isAsked() ? "felt" : ""}">${state.data.seats.map(winnerButton)}<div class="felt-middle">${pressed("Nobody", state.drawn, nobody)}</div></div>
    <button type="button" class="penalty-button" aria-expanded=${Boolean(state.penalty)} @click=${togglePenalties}>${state.body.penalties.length || state.penalty ? "Penalties" : "Penalty"}</button></div></fieldset>
  ${conflictRow()}${sourceRow()}`;

// A false Mah-jong makes the hand void: with a winner too, one of them was entered by mistake.
function conflictRow() {
  if (!isVoid() || !winners().length) return nothing;
  const names = winners()
    .map((win) => seat(win.by).name)
    .join(" and ");
  const keepFalse = () =>
    change(() => {
      Object.assign(state.body, { mahjong: null, hands: {}, beside: {} });
      return translate`The false Mah-jong stays. The hand is void.`;
    });
  const keepWinner = () =>
    change(() => {
      state.body.penalties = state.body.penalties.filter((one) => !isFalseMahjong(one));
      return translate`${names} goes Mah-jong. The penalty is removed.`;
    });
  return html`<fieldset class="question" aria-label=${translate`A false Mah-jong and a Mah-jong`}><span class="question-words" aria-hidden="true">${translate`Which was it?`}</span>
    <div class="question-answers">${button(translate`Keep the false Mah-jong, without the tiles`, keepFalse)}${button(translate`Keep ${names}’s Mah-jong`, keepWinner)}</div></fieldset>`;
}

// Asked here where no tiles are entered, where the winner's page was left without an answer, and in a correction.
function sourceRow() {
  const [win] = winners();
  if (!win) return nothing;
  if (!state.data.offers.hands) return fromRow(win.by, win, moreOf(win.by, win));
  const isOpen = state.data.mode === "change" || (!win.from && !win.dealt);
  return isOpen && isTiles(hand(win.by)) && hasTiles(hand(win.by)) ? fromRow(win.by, win) : nothing;
}

export function drawEverybody() {
  byId("entry").dataset.asks = state.penalty ? "penalty" : isAsked() ? "who" : state.data.mode;
  render(whoWon(), byId("who-won"));
  render(state.data.seats.map(card), byId("seat-cards"));
  render([penalties(), state.penalty ? penaltyForm() : nothing], byId("penalties"));
  const out = state.data.sits_out.map((one) => one.name);
  render(
    out.length ? `${out.join(" and ")} ${out.length === 1 ? "sits" : "sit"} out this hand.` : "",
    byId("sits-out"),
  );
}

function card({ number, name, wind }) {
  const mine = hand(number);
  const has = mine && hasTiles(mine);
  const tiles = () =>
    button(
      has ? "Change tiles" : "Enter tiles",
      () => enter(number, has ? null : "tiles"),
      nothing,
      `${has ? "Change tiles" : "Enter tiles"}, ${name}`,
    );
  const total = () =>
    button(translate`Type a total`, () => enter(number, "total"), nothing, translate`Type a total, ${name}`);
  const [usual, other] = wayOf(number) === "total" ? [total, tiles] : [tiles, total];
  return html`<section class="seat-card ${mine ? "is-entered" : ""} ${wantedNext() === number ? "is-wanted" : ""}" aria-label="${name}, ${windName(wind)}">
    <div class="seat-card-head">${windMark(wind)}<b class="seat-name">${name}</b>
      ${winning(number) ? html`<span class="badge">${translate`Mah-jong`}</span>` : nothing}
      <span class="seat-card-words">${mine || asked(number) ? handWords(mine, state.data) : state.data.offers.hands ? "Not needed" : ""}</span>
      <span class="balance">${mine ? totalOf(number) : ""}</span></div>
    ${
      mine || asked(number)
        ? html`<div class="seat-card-ways">${usual()}<button type="button" aria-expanded=${String(state.others === number)} aria-label="Other ways to enter, ${name}" @click=${() => showOthers(number)}>Other ways</button>
      ${
        state.others === number
          ? html`<div class="seat-card-others">${other()}${winning(number) ? nothing : button("Nothing to score", () => enterNothing(number), nothing, `Nothing to score, ${name}`)}
      ${button("More ways", () => enter(number, "choose"), nothing, `More ways to enter, ${name}`)}</div>`
          : nothing
      }</div>`
        : nothing
    }</section>`;
}

function showOthers(number) {
  state.others = state.others === number ? "" : number;
  redraw();
}

// Whose hand is wanted next, once it is known who went Mah-jong.
export function wantedNext() {
  const blank = winners().length ? blankSeats().map((one) => one.number) : [];
  return blank.find((number) => winning(number)) || blank[0];
}

function togglePenalties() {
  state.penalty = state.penalty ? null : {};
  redraw();
  const asked = byId("penalty-kind")?.querySelector("input") || byId("who-won").querySelector(".penalty-button");
  asked.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function penaltyWords({ kind, by, to, amount }) {
  const words = state.data.penalties.find((one) => one.key === kind)?.words || kind;
  return `${words}: ${seat(by)?.name || "?"} pays${to ? ` ${seat(to)?.name || "?"}` : ""}${amount ? ` ${amount.toLocaleString("en-GB")}` : ""}`;
}

function penalties() {
  const remove = (place) =>
    change(() => {
      state.body.penalties.splice(place, 1);
    }, "removed penalty");
  return state.body.penalties.length
    ? html`<ul class="penalty-list">${state.body.penalties.map((one, place) => html`<li><span>${penaltyWords(one)}</span>${button("Remove", () => remove(place), nothing, `Remove: ${penaltyWords(one)}`)}</li>`)}</ul>`
    : nothing;
}

// Not a drop-down list, which would cut off the last words, in which two penalties may differ.
const choices = (name, legend, options) =>
  html`<fieldset class="penalty-choices" id="penalty-${name}"><legend>${legend}</legend>${options.map(
    ([value, words, cost], place) => html`
  <label class="choice" for="penalty-${name}-${place}"><input type="radio" name="penalty-${name}" id="penalty-${name}-${place}" value=${value} .checked=${state.penalty[name] === value} @change=${() => choose(name, value)}><span>${words}${cost ? html` <span class="hint">${cost}</span>` : nothing}</span></label>`,
  )}</fieldset>`;

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
  const payees = row?.to === "allowed" ? [["", "Nobody. The points are lost."], ...people] : people;
  return html`<div class="penalty-form panel" id="penalty-form">
    ${choices(
      "kind",
      "What happened",
      state.data.penalties.map((one) => [one.key, one.words, one.cost]),
    )}
    ${choices("by", "Who pays", people)}
    ${hasPayee(row) ? choices("to", "Who receives it", payees) : nothing}
    ${
      row?.typed
        ? html`<label for="penalty-amount">Amount<input id="penalty-amount" inputmode="numeric" autocomplete="off" .value=${state.penalty.amount || ""} @input=${(
            event,
          ) => {
            state.penalty.amount = event.target.value;
          }}></label>`
        : nothing
    }
    ${state.data.no_hu_for ? html`<p class="hint">${state.data.no_hu_for}</p>` : nothing}
    ${
      standsAlone(row) && row.to === "allowed"
        ? html`<label for="penalty-why">Reason (optional)<input id="penalty-why" maxlength="200" autocomplete="off" .value=${state.penalty.why || ""} @input=${(
            event,
          ) => {
            state.penalty.why = event.target.value;
          }}></label>`
        : nothing
    }
    <div class="actions actions-end">${state.penalty.isFromTable ? html`<a class="button-quiet" href=${state.data.urls.back}>Back to the table</a>` : button("Back to the hand", togglePenalties, "button-quiet")}
      ${standsAlone(row) ? button("Record the penalty", recordPenalty, "button-main") : button("Add the penalty", addPenalty, "button-main")}</div></div>`;
}

// Whether it is recorded at once, and not with the hand.
const standsAlone = (row) => Boolean(state.penalty.isFromTable && row?.stands_alone);

// Returns what is entered of a penalty; null where something is missing, which is said.
function enteredPenalty() {
  const row = chosenPenalty();
  if (!row) return refuse("Select what happened.");
  const { by } = state.penalty;
  const to = (hasPayee(row) && state.penalty.to) || "";
  const typed = (state.penalty.amount || "").trim();
  if (!by) return refuse(state.data.sentences.no_payer);
  if (row.to === "needed" && !to) return refuse(state.data.sentences.no_payee);
  if (to === by) return refuse(state.data.sentences.pays_self);
  if (row.typed && !(/^[1-9][0-9]{0,6}$/.test(typed) && Number(typed) <= MOST))
    return refuse("Enter the amount in figures, for example 30.");
  return { row, by, to, sum: row.typed ? Number(typed) : row.amount };
}

function recordPenalty() {
  const entered = enteredPenalty();
  if (!entered) return;
  const { row, by, to, sum } = entered;
  savePenalty({ by, to: to || null, amount: sum, why: state.penalty.why?.trim() || row.why });
}

function addPenalty() {
  const entered = enteredPenalty();
  if (!entered) return;
  const { row, by, to, sum } = entered;
  togglePenalties();
  change(() => {
    const added = penaltiesOf(row, by, to, sum);
    state.body.penalties.push(...added);
    return added.map(penaltyWords).join(" ");
  }, "penalty");
}
