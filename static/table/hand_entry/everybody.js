// The page of the whole hand: who went Mah-jong, what is entered for each player, and penalties.
import { button, byId, h } from "../../web/dom.js";
import { WINDS } from "../outbox/state.js";
import { windName } from "../outbox/words.js";
import { pressed, refill, setAttribute, setText, translate, unlessSaid } from "./dom.js";
import { hasTiles, isTiles } from "./rules.js";
import { blankSeats, change, enterNothing, EVERYBODY, hand, isVoid, refuse, scoreOf, seat, show, state, winners, winning } from "./state.js";
import { chooseWay, focusPage } from "./ways.js";
import { fromRow, nobody, toggleWinner } from "./winner.js";
import { handWords } from "./words.js";

// Where the seats are on the page, in the order of the winds.
const SIDES = ["bottom", "right", "top", "left"];
let penaltyOpen = false;

const windMark = (letter) => h("span", { class: `wind${letter === "E" ? " is-east" : ""}`, "aria-hidden": "true" }, letter);

const markOf = ({ number }) => (winning(number) ? translate`Mah-jong` : hand(number) ? totalOf(number) || "✓" : asked(number) ? "not yet" : "–");

const totalOf = (number) => scoreOf(number)?.total?.toLocaleString("en-GB") ?? "";

const tab = (view, words) => button(words, () => show(view), { class: "seat-tab", "data-focus": `tab-${view}`, "data-view": view });

const seatTab = ({ number, name, wind }) => unlessSaid(`${number} ${name} ${wind}`, () => tab(number, [windMark(wind),
  h("span", { class: "tab-words" }, h("span", { class: "tab-name" }, name, h("span", { class: "visually-hidden" }, `, ${windName(wind)}, `)), h("span", { class: "tab-score" }))]));

export function drawTabs() {
  const tabs = byId("seat-tabs");
  tabs.hidden = false;
  const seats = state.data.offers.hands ? state.data.seats : [];
  refill(tabs, unlessSaid(EVERYBODY, () => tab(EVERYBODY, "Everyone")), seats.map(seatTab));
  for (const one of /** @type {HTMLCollectionOf<HTMLElement>} */ (tabs.children)) setAttribute(one, "aria-pressed", one.dataset.view === state.view);
  seats.forEach((one, at) => setText(tabs.children[at + 1].querySelector(".tab-score"), markOf(one)));
}

const asked = (number) => blankSeats().some((one) => one.number === number);

function enter(number, way) {
  show(number);
  if (way) chooseWay(number, way);
  else focusPage();
}

// Whether the page asks who went Mah-jong, before anything else, with the seats as they are round the table.
const isAsked = () => !winners().length && !state.drawn && !isVoid() && !penaltyOpen;

function sideOf({ wind }) {
  const bottom = seat(state.data.bottom)?.wind || WINDS[0];
  return SIDES[(WINDS.indexOf(wind) - WINDS.indexOf(bottom) + WINDS.length) % WINDS.length];
}

function winnerButton(one, props = {}) {
  return pressed(isAsked() ? [windMark(one.wind), h("span", { class: "seat-name" }, one.name)] : one.name, winning(one.number), () => {
    const opens = !winning(one.number) && state.data.offers.hands;
    toggleWinner(one.number, opens);
    if (!opens) return;
    focusPage();
    window.scrollTo(0, 0);
  }, { "data-focus": `won-${one.number}`, ...props });
}

function drawWhoWon() {
  const nobodyWon = pressed("Nobody", state.drawn, nobody, { "data-focus": "won-nobody" });
  const penalty = button(state.body.penalties.length || penaltyOpen ? "Penalties" : "Penalty", togglePenalties, { class: "penalty-button", "aria-expanded": String(penaltyOpen), "data-focus": "penalty" });
  const seats = state.data.seats;
  const choices = isAsked()
    ? [h("div", { class: "felt who-buttons" }, seats.map((one) => winnerButton(one, { class: `seat${one.wind === "E" ? " is-east" : ""}`, "data-side": sideOf(one) })), h("div", { class: "felt-middle" }, nobodyWon)), penalty]
    : [h("div", { class: "who-buttons" }, seats.map((one) => winnerButton(one)), nobodyWon, penalty)];
  refill(byId("who-won"), h("fieldset", { "aria-label": translate`Who went Mah-jong?` }, h("h2", {}, translate`Who went Mah-jong?`), ...choices), sourceRow());
}

// Asked here where no tiles are entered, where the winner's page was left without an answer, and in a correction.
function sourceRow() {
  const [win] = winners();
  if (!win) return null;
  if (!state.data.offers.hands) return fromRow(win.by, win);
  const isOpen = state.data.mode === "change" || (!win.from && !win.dealt);
  if (!isTiles(hand(win.by)) || !hasTiles(hand(win.by))) return null;
  return isOpen ? fromRow(win.by, win, false, "source") : null;
}

export function drawEverybody() {
  setAttribute(byId("entry"), "data-asks", isAsked() ? "who" : "");
  drawWhoWon();
  refill(byId("seat-cards"), state.data.seats.map(card));
  drawPenalties();
  setText(byId("sits-out"), state.data.sits_out.length ? `${state.data.sits_out.map((one) => one.name).join(" and ")} ${state.data.sits_out.length === 1 ? "sits" : "sit"} out this hand.` : "");
}

function card(one) {
  const { number, name, wind } = one;
  const mine = hand(number);
  const has = mine && hasTiles(mine);
  return h("section", { class: `seat-card${mine ? " is-entered" : ""}`, "aria-label": `${name}, ${windName(wind)}` },
    h("div", { class: "seat-card-head" }, windMark(wind), h("b", { class: "seat-name" }, name),
      winning(number) ? h("span", { class: "badge" }, translate`Mah-jong`) : null,
      h("span", { class: "seat-card-words" }, mine || asked(number) ? handWords(mine, state.data) : state.data.offers.hands ? "Not needed" : ""),
      h("span", { class: "balance" }, mine ? totalOf(number) : "")),
    (mine || asked(number)) && h("div", { class: "seat-card-ways" },
      button(has ? "Change tiles" : "Enter tiles", () => enter(number, has ? null : "tiles"), { class: "enter-hand", "aria-label": `${has ? "Change tiles" : "Enter tiles"}, ${name}`, "data-focus": `enter-${number}` }),
      button(translate`Type a total`, () => enter(number, "total"), { "aria-label": translate`Type a total, ${name}`, "data-focus": `total-${number}` }),
      button("Nothing to score", () => enterNothing(number), { "aria-label": `Nothing to score, ${name}`, "data-focus": `nothing-${number}` }),
      button("Another way", () => enter(number, "choose"), { "aria-label": `Enter another way, ${name}`, "data-focus": `ways-${number}` })));
}

function togglePenalties() {
  penaltyOpen = !penaltyOpen;
  drawEverybody();
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

function drawPenalties() {
  const rows = state.body.penalties.map((one, place) => h("li", {}, h("span", {}, penaltyWords(one)), button("Remove", () => change(() => {
    state.body.penalties.splice(place, 1);
  }, "removed penalty"), { "aria-label": `Remove: ${penaltyWords(one)}` })));
  const open = byId("penalty-form");
  if (penaltyOpen && open && rows.length === byId("penalties").querySelectorAll("li").length) return;
  refill(byId("penalties"), rows.length ? h("ul", { class: "penalty-list" }, rows) : null, penaltyOpen ? penaltyForm() : null);
}

// Not a drop-down list, which would cut off the last words, in which two penalties may differ.
function choices(name, legend, options, isHidden = false) {
  return h("fieldset", { class: "penalty-choices", id: name, hidden: isHidden }, h("legend", {}, legend), options.map(([value, words], place) =>
    h("label", { class: "choice", for: `${name}-${place}` }, h("input", { type: "radio", name, id: `${name}-${place}`, value }), h("span", {}, words))));
}

const chosen = (name) => document.querySelector(`[name="${name}"]:checked`)?.value || "";
const chosenFoul = () => state.data.penalties.find((one) => one.key === chosen("penalty-kind"));
const hasPayee = (foul) => foul?.to === "needed" || foul?.to === "allowed";

function penaltyForm() {
  const people = state.data.seats.map((one) => [one.number, one.name]);
  const form = h("div", { class: "penalty-form panel", id: "penalty-form" },
    choices("penalty-kind", "What happened", state.data.penalties.map((one) => [one.key, one.words])),
    h("p", { class: "hint", id: "penalty-cost", role: "status" }),
    choices("penalty-by", "Who pays", people),
    choices("penalty-to", "Who receives it", [["", "Nobody: the points are only taken off"], ...people], true),
    h("label", { for: "penalty-amount", hidden: true }, "Amount", h("input", { id: "penalty-amount", inputmode: "numeric", autocomplete: "off" })),
    state.data.no_hu_for ? h("p", { class: "hint" }, state.data.no_hu_for) : null,
    h("div", { class: "actions actions-end" }, button("Back to the hand", leavePenalties, { class: "button-quiet" }), button("Add the penalty", addPenalty)));
  form.addEventListener("change", askWhatItNeeds);
  return form;
}

// Asks only what the chosen penalty needs, and says what it costs.
function askWhatItNeeds() {
  const foul = chosenFoul();
  byId("penalty-to").hidden = !hasPayee(foul);
  byId("penalty-to-0").parentElement.hidden = foul?.to !== "allowed";
  byId("penalty-amount").parentElement.hidden = !foul?.typed;
  byId("penalty-cost").textContent = foul?.cost || "";
}

function addPenalty() {
  const foul = chosenFoul();
  if (!foul) return refuse("Select what happened.");
  const by = chosen("penalty-by");
  const to = hasPayee(foul) ? chosen("penalty-to") : "";
  const amount = byId("penalty-amount").value.trim();
  if (!by) return refuse(state.data.sentences.no_payer);
  if (foul.to === "needed" && !to) return refuse(state.data.sentences.no_payee);
  if (to === by) return refuse(state.data.sentences.pays_self);
  if (foul.typed && !/^[1-9][0-9]{0,6}$/.test(amount)) return refuse("Enter the amount in figures, for example 30.");
  penaltyOpen = false;
  const sum = foul.typed ? Number(amount) : foul.amount;
  const payees = foul.to === "each" ? state.data.seats.map((one) => one.number).filter((number) => number !== by) : [to];
  return change(() => {
    const added = payees.map((payee) => ({ kind: foul.kind, by, ...(payee && { to: payee }), ...(sum && { amount: sum }) }));
    state.body.penalties.push(...added);
    return added.map(penaltyWords).join(" ");
  }, "penalty");
}

