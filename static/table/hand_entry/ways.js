// Ways to enter a hand without tiles: a total, points and doubles, or a special hand by name.
import { html, nothing } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { button, drawFor, pressed, tilePicture, translate } from "./dom.js";
import * as rules from "./rules.js";
import { change, enterNothing, hand, keepBeside, redraw, seat, state, toggle, wayOf, winning } from "./state.js";
import { finishAs } from "./last_tile.js";
import { disagreement, totalQuestion } from "./words.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", "⌫"];
const LONGEST = 7;

const place = () => `${state.view} ${state.field}`;

export function chooseWay(number, way) {
  state.ways[number] = way;
  Object.assign(state, {
    editing: null,
    special: false,
    field: way === "total" ? "total" : "points",
    touched: "",
    isListOpen: false,
  });
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
  if (way in DRAWN) drawFor(number, byId(`way-${way}`), DRAWN[way](number));
}

const DRAWN = {
  total: (number) => figures(number, `${seat(number).name}’s total`, ["total"]),
  points: (number) => figures(number, `${seat(number).name}’s points and doubles`, ["points", "doubles"]),
  special,
  choose: choice,
};

function choice(number) {
  const go = (words, way) => button(words, () => chooseWay(number, way));
  return html`<h2>How to enter ${seat(number).name}’s tiles</h2><div class="way-choices">
    ${go("Enter tiles", "tiles")}${go(translate`Type a total`, "total")}
    ${state.data.offers.doubles ? go("Points and doubles", "points") : nothing}
    ${state.data.special_hands.length ? go("Special hand by name", "special") : nothing}
    ${winning(number) ? nothing : button("Nothing to score", () => enterNothing(number))}</div>`;
}

const typed = (mine, name) => (mine && name in mine ? String(mine[name]) : "");

function figures(number, title, names) {
  if (!names.includes(state.field)) [state.field] = names;
  const question = totalQuestion(number);
  return html`<h2>${title}</h2><div class="figures">${names.map((name) => figure(name, typed(hand(number), name)))}</div>
    <fieldset class="keypad" aria-label="Figures">${KEYS.map((key) => button(key, () => press(key), nothing, key === "⌫" ? "Delete the last digit" : nothing))}</fieldset>
    ${question ? html`<p class="please-check">${question}</p>` : nothing}${disagreement(number)}`;
}

function figure(name, text) {
  const oninput = (event) => {
    state.touched = place();
    write(name, event.target.value);
  };
  const onfocus = () => {
    state.field = name;
    redraw();
  };
  return html`<label for="figure-${name}">${name[0].toUpperCase() + name.slice(1)}<input type="text" .value=${text} inputmode="none" autocomplete="off" id="figure-${name}" @input=${oninput} @focus=${onfocus}
    class="${name === state.field ? "is-current" : ""} ${name === state.field && text && state.touched !== place() ? "is-fresh" : ""}"></label>`;
}

function press(key) {
  const before = typed(hand(state.view), state.field);
  const text = key === "⌫" || state.touched === place() ? before : "";
  state.touched = place();
  write(state.field, key === "⌫" ? text.slice(0, -1) : text + key);
}

// Letters are kept as typed: saving the hand says what is wrong with them.
function write(name, text) {
  const number = state.view;
  const kept = text.trim().slice(0, LONGEST);
  const value = /^[0-9]+$/.test(kept) ? Number(kept) : kept;
  change(
    () => {
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
    },
    `${seat(number).name}’s figures`,
  );
}

export const specialOf = (mine) =>
  state.data.special_hands.find((one) => one.key === (mine?.special || mine?.fishing_for));

function special(number) {
  const wins = Boolean(winning(number));
  const mine = hand(number);
  const chosen = specialOf(mine);
  const isChosen = chosen && !state.isListOpen;
  const canHave = (one) => (wins ? one.by.includes(seat(number).wind) : one.fishable || one.to === "all");
  const offered = state.data.special_hands.filter((one) => one === chosen || canHave(one));
  return html`<h2>${wins ? translate`${seat(number).name} goes Mah-jong with` : `${seat(number).name} was fishing for`}</h2>
    ${offered.length ? nothing : html`<p>${translate`Only the player who goes Mah-jong can score a special hand.`}</p>`}
    ${chosen?.exposable || mine?.exposed ? pressed(translate`With exposed sets`, mine.exposed, () => change(() => toggle(hand(number), "exposed"), "exposed sets"), "exposed-switch") : nothing}
    ${mine?.special && !wins ? button("Nothing to score", () => enterNothing(number), "another-special") : nothing}
    <div class="special-list ${isChosen ? "is-chosen" : ""}">${offered.map((one) => specialButton(number, one, wins, chosen === one))}</div>
    ${isChosen ? button("Choose another special hand", openList, "another-special") : nothing}`;
}

function openList() {
  state.isListOpen = true;
  redraw();
  byId("way-special").querySelector(".special-hand").focus({ preventScroll: true });
}

function specialButton(number, one, wins, isChosen) {
  const worth = wins ? one.worth : one.fishing_worth;
  const picture = html`<span class="special-tiles">${one.picture.slice(0, 18).map((code) => tilePicture(code, "tile-mini"))}</span>`;
  return pressed(
    html`<b>${one.name}</b>${worth ? html`<span class="special-worth">${worth}</span>` : nothing}${picture}`,
    isChosen,
    () =>
      change(() => {
        const bonus = hand(number)?.bonus;
        const win = winning(number);
        if (win) finishAs(win, one, specialOf(hand(number)));
        if (rules.hasTiles(hand(number))) keepBeside(number, hand(number));
        state.body.hands[number] = { [wins ? "special" : "fishing_for"]: one.key, ...(bonus && { bonus }) };
        state.ways[number] = "special";
        state.isListOpen = false;
        return `${one.name}: ${one.sentence}`;
      }, one.name),
    "special-hand",
  );
}
