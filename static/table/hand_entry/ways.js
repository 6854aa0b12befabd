// Ways to enter a hand without tiles: a total, points and doubles, or a special hand by name.
import { button, byId, h } from "../../web/dom.js";
import { pressed, refill, tilePicture, translate } from "./dom.js";
import * as rules from "./rules.js";
import { change, enterNothing, hand, keepBeside, redraw, seat, state, toggle, wayOf, winning } from "./state.js";
import { finishAs } from "./winner.js";
import { disagreement, doubtfulTotal } from "./words.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", "⌫"];
const LONGEST = 7;
let field = "points";
// The field that was last typed in: a number that was there before is replaced, not continued.
let touched = "";
// On a narrow screen the list of special hands is open until one is chosen, and again when another is wanted.
let isListOpen = false;

const place = () => `${state.view} ${field}`;

export function chooseWay(number, way) {
  state.ways[number] = way;
  state.editing = null;
  state.special = false;
  field = way === "total" ? "total" : "points";
  touched = "";
  isListOpen = false;
  redraw();
  byId(`way-${way}`)?.querySelector("input, button")?.focus({ preventScroll: true });
}

// Moves the focus to the total that is to be typed, or to the player's name.
export function focusPage() {
  const isTyped = wayOf(state.view) === "total" && !hand(state.view);
  byId(isTyped ? "figure-total" : "whose-hand").focus({ preventScroll: true });
}

export function drawWay() {
  const number = state.view;
  const way = wayOf(number);
  if (way === "total") drawFigures("total", `${seat(number).name}’s total`, ["total"]);
  if (way === "points") drawFigures("points", `${seat(number).name}’s points and doubles`, ["points", "doubles"]);
  if (way === "special") drawSpecial(number);
  if (way === "choose") drawChoice(number);
}

function drawChoice(number) {
  const go = (way) => () => chooseWay(number, way);
  refill(byId("way-choose"), h("h2", {}, `How to enter ${seat(number).name}’s tiles`), h("div", { class: "way-choices" },
    button("Enter tiles", go("tiles")),
    button(translate`Type a total`, go("total")),
    state.data.offers.doubles ? button("Points and doubles", go("points")) : null,
    state.data.special_hands.length ? button("Special hand by name", go("special")) : null,
    button("Nothing to score", () => enterNothing(number))));
}

const typed = (mine, name) => (mine && name in mine ? String(mine[name]) : "");

function drawFigures(way, title, names) {
  const number = state.view;
  const mine = hand(number);
  if (!names.includes(field)) field = names[0];
  refill(byId(`way-${way}`), h("h2", {}, title),
    h("div", { class: "figures" }, names.map((name) => figure(name, typed(mine, name)))),
    h("fieldset", { class: "keypad", "aria-label": "Figures" }, KEYS.map((key) => button(key, () => press(key), { "aria-label": key === "⌫" ? "Delete the last digit" : undefined, "data-focus": `key-${key}` }))),
    doubtfulTotal(number), disagreement(number));
}

function figure(name, text) {
  const input = h("input", {
    type: "text", value: text, inputmode: "none", autocomplete: "off", id: `figure-${name}`, class: name === field ? `is-current${text && touched !== place() ? " is-fresh" : ""}` : "", "data-focus": `figure-${name}`,
    oninput: (event) => {
      touched = place();
      write(name, event.target.value);
    }, onfocus: () => choose(name),
  });
  return h("label", { for: `figure-${name}` }, name[0].toUpperCase() + name.slice(1), input);
}

function choose(name) {
  field = name;
  for (const input of document.querySelectorAll(".figures input")) {
    input.classList.toggle("is-current", input.id === `figure-${name}`);
    input.classList.toggle("is-fresh", input.id === `figure-${name}` && input.value !== "" && touched !== place());
  }
}

function press(key) {
  const before = typed(hand(state.view), field);
  const text = key === "⌫" || touched === place() ? before : "";
  touched = place();
  write(field, key === "⌫" ? text.slice(0, -1) : text + key);
}

// Letters are kept as typed: saving the hand says what is wrong with them.
function write(name, text) {
  const number = state.view;
  const kept = text.trim().slice(0, LONGEST);
  const value = /^[0-9]+$/.test(kept) ? Number(kept) : kept;
  change(() => {
    const mine = hand(number);
    if (rules.isTiles(mine) && rules.hasTiles(mine)) keepBeside(number, mine);
    const names = name === "total" ? ["total"] : ["points", "doubles"];
    const next = Object.fromEntries(names.filter((one) => mine && one in mine).map((one) => [one, mine[one]]));
    if (kept === "") delete next[name];
    else next[name] = value;
    if ("doubles" in next && !("points" in next)) next.points = 0;
    if (Object.keys(next).length) state.body.hands[number] = next;
    else delete state.body.hands[number];
    state.ways[number] = name === "total" ? "total" : "points";
  }, `${seat(number).name}’s figures`);
}

const specialOf = (mine) => state.data.special_hands.find((one) => one.key === (mine?.special || mine?.fishing_for));

function drawSpecial(number) {
  const wins = Boolean(winning(number));
  const mine = hand(number);
  const key = wins ? "special" : "fishing_for";
  const chosen = specialOf(mine);
  const canHave = (one) => (wins ? one.by.includes(seat(number).wind) : one.fishable || one.to === "all");
  const offered = state.data.special_hands.filter((one) => one === chosen || canHave(one));
  const intro = wins ? translate`${seat(number).name} goes Mah-jong with` : `${seat(number).name} was fishing for`;
  refill(byId("way-special"), h("h2", {}, intro),
    offered.length ? null : h("p", {}, translate`Only the player who goes Mah-jong can score a special hand.`),
    chosen?.exposable || mine?.exposed ? pressed(translate`With exposed sets`, mine.exposed, () => change(() => toggle(hand(number), "exposed")), { "data-focus": "exposed", class: "exposed-switch" }) : null,
    h("div", { class: `special-list${chosen && !isListOpen ? " is-chosen" : ""}` }, offered.map((one) => specialButton(number, one, key, chosen === one))),
    chosen && !isListOpen ? button("Choose another special hand", openList, { class: "another-special" }) : null);
}

function openList() {
  isListOpen = true;
  redraw();
  byId("way-special").querySelector(".special-hand").focus({ preventScroll: true });
}

function specialButton(number, special, key, isChosen) {
  const worth = key === "special" ? special.worth : special.fishing_worth;
  const picture = h("span", { class: "special-tiles" }, special.picture.slice(0, 18).map((code) => tilePicture(code, "tile-mini")));
  return pressed([h("b", {}, special.name), worth ? h("span", { class: "special-worth" }, worth) : null, picture].filter(Boolean), isChosen, () => change(() => {
    const bonus = hand(number)?.bonus;
    const win = winning(number);
    if (win) finishAs(win, special, specialOf(hand(number)));
    if (rules.hasTiles(hand(number))) keepBeside(number, hand(number));
    state.body.hands[number] = { [key]: special.key, ...(bonus && { bonus }) };
    state.ways[number] = "special";
    isListOpen = false;
    return `${special.name}: ${special.sentence}`;
  }, special.name), { class: "special-hand", "data-focus": `special-${special.key}` });
}
