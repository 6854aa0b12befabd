// What is this hand worth? The taps of the hand-entry page for a hand by itself. The server answers what it scores or, while
// the server is away, this tablet.
import { byId, isSite, readJson } from "../web/dom.js";
import { fragment, html } from "../web/html.js";
import { ask } from "../table/engine/engine.js";
import { useSprite } from "../table/hand_entry/dom.js";
import * as rules from "../table/hand_entry/rules.js";
import { begin, hand, onChange, show, state, undo } from "../table/hand_entry/state.js";
import { wireTiles } from "../table/hand_entry/tile_taps.js";
import { drawModes, drawTray } from "../table/hand_entry/tray.js";

const ALONE = "1";
const HERE = "There is no Wi-Fi just now. This tablet works out the scores.";
const NOT_HERE =
  "There is no Wi-Fi just now, and this tablet cannot work out the scores by itself. Try again when the Wi-Fi is back.";
const form = byId("worth");
const { files, ...known } = readJson("worth-data");
known.look.worth = new URL(known.look.worth, location.href).href;
let isAway = false;
let isBusy = false;

function typed() {
  const mine = hand(ALONE);
  return {
    sets: (mine?.sets || []).join(", "),
    tiles: rules.singlesOf(mine).join(" "),
    bonus: rules.bonusOf(mine).join(" "),
  };
}

function draw(changed) {
  drawModes();
  drawTray();
  byId("entry-status").textContent = state.message;
  if (!changed) return;
  for (const [name, text] of Object.entries(typed())) form.elements[name].value = text;
  form.dispatchEvent(new Event("hand-changed"));
}

// "open peng 5B", as some rules have it, is "exposed pung 5B".
function inOurWords(text) {
  const theirs = new Map(Object.entries(state.data.typed_set_words));
  return text
    .split(/\s+/)
    .map((word) => theirs.get(word.toLowerCase()) ?? word)
    .join(" ");
}

// Draws what is typed if it can be read; otherwise the server says what is wrong with it.
function readTyped() {
  const sets = form.elements.sets.value
    .split(",")
    .map((text) => inOurWords(text.trim()))
    .filter(Boolean);
  const known = (code) => code in state.data.tiles;
  const singles = rules.words(form.elements.tiles.value);
  const bonus = rules.words(form.elements.bonus.value);
  const isSet = (text) =>
    /^((exposed|concealed) (pung|kong|chow)|pair) \S+$/i.test(text) && rules.setTiles(rules.readSet(text)).every(known);
  if (!sets.every(isSet) || ![...singles, ...bonus].every(known)) return;
  const mine = { sets, tiles: singles.join(" "), bonus: bonus.join(" ") };
  state.body.hands[ALONE] = Object.fromEntries(Object.entries(mine).filter(([, value]) => value.length));
  draw(false);
}

// Shows the answers next to the tiles too, the first one large, so that they are in sight with every tap.
function glance() {
  const [first, ...others] = [...document.querySelectorAll(".worth-card")].map((card) => card.dataset.glance);
  byId("worth-glance").textContent = first || "";
  byId("worth-others").replaceChildren(fragment(others.filter(Boolean).map((words) => html`<li>${words}</li>`)));
}

function asked() {
  const fields = new FormData(form);
  return { ...Object.fromEntries(fields), how: fields.getAll("how") };
}

// Answers the last of several taps made while one is worked out.
async function answerHere() {
  isAway = true;
  if (isBusy) return;
  isBusy = true;
  let answer = null;
  let wanted = "";
  do {
    wanted = JSON.stringify(asked());
    answer = await ask(files, { ...known, ask: "worth", asked: asked() });
  } while (answer && wanted !== JSON.stringify(asked()));
  isBusy = false;
  if (!isAway) return;
  byId("worth-away").textContent = answer ? (isSite ? "" : HERE) : NOT_HERE;
  if (answer) byId("worth-answers").outerHTML = answer.html;
  else byId("worth-answers").replaceChildren();
  glance();
}

// Draws the hand of the form; a page that was kept has not read its address, and fills the form from it.
function readAddress() {
  if (["sets", "tiles", "bonus"].some((name) => form.elements[name].value)) {
    readTyped();
    return;
  }
  for (const [name, value] of new URLSearchParams(location.search)) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "text") field.value = value;
      else field.checked ||= field.value === value;
    }
  }
  readTyped();
  // Not before: htmx would miss it.
  if (location.search)
    document.addEventListener("DOMContentLoaded", () => form.dispatchEvent(new Event("hand-changed")));
}

function wire() {
  document.body.addEventListener("htmx:afterSwap", () => {
    isAway = false;
    byId("worth-away").textContent = "";
    glance();
  });
  for (const kind of ["sendError", "timeout"]) document.body.addEventListener(`htmx:${kind}`, answerHere);
  if (isSite) for (const kind of ["hand-changed", "change"]) form.addEventListener(kind, answerHere);
  wireTiles();
  byId("undo-last").addEventListener("click", undo);
  for (const name of ["sets", "tiles", "bonus"]) form.elements[name].addEventListener("change", readTyped);
}

function start() {
  useSprite(form.dataset.sprite);
  begin(readJson("entry-data"));
  onChange(draw);
  wire();
  byId("players-hand").hidden = false;
  byId("worth-ask").hidden = true;
  byId("worth-typed").open = false;
  show(ALONE);
  readAddress();
  glance();
}

start();
