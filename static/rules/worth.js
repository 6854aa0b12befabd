// What is this hand worth? The taps of the hand-entry page for one hand by itself; the server answers what it counts.
import { byId, drawFor, setText, useSprite } from "../table/hand_entry/dom.js";
import * as rules from "../table/hand_entry/rules.js";
import { begin, hand, onChange, show, state, undo } from "../table/hand_entry/state.js";
import { drawModes, drawTray, wireTiles } from "../table/hand_entry/tray.js";

const ALONE = "1";
const form = byId("worth");

function typed() {
  const mine = hand(ALONE);
  return {
    sets: (mine?.sets || []).join(", "),
    tiles: rules.singlesOf(mine).join(" "),
    bonus: rules.bonusOf(mine).join(" "),
  };
}

function draw(changed) {
  drawFor(`${state.view} ${state.copy}`);
  drawModes();
  drawTray();
  setText(byId("entry-status"), state.message);
  if (!changed) return;
  for (const [name, text] of Object.entries(typed())) form.elements[name].value = text;
  form.dispatchEvent(new Event("hand-changed"));
}

// "open peng 5B", as some rules have it, is "exposed pung 5B".
function inOurWords(text) {
  const theirs = new Map(Object.entries(state.data.typed_set_words));
  return text.split(/\s+/).map((word) => theirs.get(word.toLowerCase()) ?? word).join(" ");
}

// What is typed is drawn when it can be; else it stays as it is, and the server says what is wrong with it.
function readTyped() {
  const sets = form.elements.sets.value.split(",").map((text) => inOurWords(text.trim())).filter(Boolean);
  const known = (code) => code in state.data.tiles;
  const singles = rules.words(form.elements.tiles.value);
  const bonus = rules.words(form.elements.bonus.value);
  const isSet = (text) => /^((exposed|concealed) (pung|kong|chow)|pair) \S+$/i.test(text) && known(rules.readSet(text).tile);
  if (!sets.every(isSet) || ![...singles, ...bonus].every(known)) return;
  const mine = { sets, tiles: singles.join(" "), bonus: bonus.join(" ") };
  state.body.hands[ALONE] = Object.fromEntries(Object.entries(mine).filter(([, value]) => value.length));
  state.copy += 1;
  draw(false);
}

// The first answer stands beside the tiles too, so that it is in sight with every tap.
function glance() {
  setText(byId("worth-glance"), document.querySelector(".worth-card")?.dataset.glance || "");
}

function wire() {
  document.body.addEventListener("htmx:afterSwap", glance);
  wireTiles();
  byId("undo-last").addEventListener("click", undo);
  for (const name of ["sets", "tiles", "bonus"]) form.elements[name].addEventListener("change", readTyped);
}

function start() {
  useSprite(form.dataset.sprite);
  begin(JSON.parse(byId("entry-data").textContent));
  onChange(draw);
  wire();
  byId("players-hand").hidden = false;
  byId("worth-ask").hidden = true;
  byId("worth-typed").open = false;
  show(ALONE);
  glance();
}

start();
