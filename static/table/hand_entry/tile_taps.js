// What a tap on a tile does to a player's hand, and which hands cannot be.
import { byId } from "../../web/dom.js";
import { translate } from "./dom.js";
import { tilesChanged } from "./last_tile.js";
import * as rules from "./rules.js";
import { change, hand, keepBeside, mode, redraw, refuse, seat, setUnsure, state, winners, winning } from "./state.js";
import { showQuestions } from "./winner.js";
import { setName, setWords } from "./words.js";

export const names = () => state.data.tiles;
const tilesHand = (number) => (rules.isTiles(hand(number)) ? { ...hand(number) } : { sets: [] });

function maxTiles(number) {
  return rules.maxTiles(
    hand(number),
    Boolean(winning(number)),
    winners().some((one) => one.by !== number),
  );
}

// Returns why the player cannot have these tiles; empty if they can.
function refusal(number, wanted) {
  const shared = winners().length > 1 ? winners()[0].tile : "";
  return rules.impossible(
    { ...state.body, hands: { ...state.body.hands, [number]: wanted } },
    names(),
    state.data.goulash,
    shared,
  );
}

function tapFace(code) {
  const number = state.view;
  if (rules.isBonus(code)) return tapBonus(number, code);
  const { kind, concealed } = mode(number);
  const wanted = tilesHand(number);
  const set = { kind, tile: code, concealed };
  const pung = kind === "kong" ? rules.setsOf(wanted).findIndex((one) => one.kind === "pung" && one.tile === code) : -1;
  if (pung >= 0) return toKong(pung, set);
  if (kind === "single") wanted.tiles = [...rules.singlesOf(wanted), code].join(" ");
  else wanted.sets = [...(wanted.sets || []), rules.setNotation(set)];
  const why =
    (kind === "single" ? "" : rules.impossibleSet(set, names(), state.data.goulash)) ||
    tooMany(number, wanted) ||
    refusal(number, wanted);
  if (why) return refuse(why);
  change(
    () => {
      lay(number, wanted);
      if (kind === "single") return translate`${names()[code]}, a single concealed tile.`;
      return choosePair(number, wanted) || `${setWords(set, names())}.`;
    },
    kind === "single" ? names()[code] : setName(set, names()),
  );
  return showQuestions(number);
}

// The fourth tile of a pung makes it a kong, concealed only if both are.
function toKong(place, kong) {
  const pung = rules.setsOf(hand(state.view))[place];
  return replaceSet(
    place,
    { ...kong, concealed: kong.concealed && pung.concealed },
    translate`${names()[kong.tile]}: the pung is a kong now.`,
  );
}

// After four sets the next is the pair.
function choosePair(number, wanted) {
  const current = mode(number);
  if (rules.bigSets(wanted) !== 4 || current.kind === "pair" || rules.size(wanted) >= maxTiles(number)) return "";
  current.before = current.kind;
  current.kind = "pair";
  return "That is four sets. Tap the pair next.";
}

// With a set removed again, the next is of the kind chosen before.
function leavePair(number, wanted) {
  const current = mode(number);
  if (!current.before || rules.bigSets(wanted) >= 4) return;
  current.kind = current.before;
  delete current.before;
}

function tooMany(number, wanted) {
  const most = maxTiles(number);
  const size = rules.size(wanted);
  const name = seat(number).name;
  if (rules.bigSets(wanted) > 4 && most !== Infinity)
    return `${name} already has four sets. Tap a set next to the tiles to change it.`;
  if (size <= most) return "";
  return most === rules.WINNERS_TILES
    ? `That makes ${size} tiles, and a hand has 14. Tap a set next to the tiles to change it.`
    : translate`That makes ${size} tiles. Only the player who goes Mah-jong can have more than 13.`;
}

// A special hand by name keeps its bonus tiles; a figure gives way to the tiles.
function tapBonus(number, code) {
  const mine = hand(number);
  const wanted = mine && ("special" in mine || "fishing_for" in mine) ? { ...mine } : tilesHand(number);
  const had = rules.bonusOf(wanted);
  const left = had.filter((one) => one !== code);
  wanted.bonus = (left.length < had.length ? left : [...had, code]).join(" ");
  if (!wanted.bonus) delete wanted.bonus;
  const why = refusal(number, wanted);
  if (why) return refuse(why);
  return change(() => {
    lay(number, wanted);
    return `${names()[code]}${left.length < had.length ? " removed" : ""}.`;
  });
}

function lay(number, wanted) {
  if (!rules.isTiles(hand(number)) && hand(number) && rules.isTiles(wanted)) keepBeside(number, hand(number));
  if (rules.isTiles(wanted)) state.ways[number] = "tiles";
  state.body.hands[number] = wanted;
  tilesChanged(number);
}

export function replaceSet(place, set, sentence, isUnsure = false) {
  const number = state.view;
  const wanted = { ...hand(number), sets: [...hand(number).sets] };
  if (set) wanted.sets[place] = rules.setNotation(set);
  else wanted.sets.splice(place, 1);
  const why = set ? tooMany(number, wanted) || refusal(number, wanted) : "";
  if (why) return refuse(why);
  return change(() => {
    state.editing = null;
    setUnsure(number, hand(number).sets[place], false);
    if (set) setUnsure(number, rules.setNotation(set), isUnsure);
    lay(number, wanted);
    leavePair(number, wanted);
    dropEmpty(number);
    return sentence;
  });
}

export function dropSingle(place) {
  const number = state.view;
  const tiles = rules.singlesOf(hand(number));
  const [gone] = tiles.splice(place, 1);
  change(() => {
    const wanted = { ...hand(number), tiles: tiles.join(" ") };
    if (!wanted.tiles) delete wanted.tiles;
    lay(number, wanted);
    dropEmpty(number);
    return `${names()[gone]} removed.`;
  });
}

// Without tiles nothing is entered for the player, which is not the same as nothing to score.
function dropEmpty(number) {
  if (rules.isNothing(hand(number))) delete state.body.hands[number];
}

function chooseMode(kind) {
  const current = mode(state.view);
  current.kind = kind;
  delete current.before;
  state.message = kind === "chow" ? translate`Tap the lowest tile of the chow.` : "";
  redraw();
}

// On a narrow screen one row of tiles shows at a time.
function chooseRow(row) {
  byId("tile-grid").dataset.row = row;
  for (const one of byId("suit-tabs").children) one.setAttribute("aria-pressed", one.dataset.row === row);
}

function toggleConcealed() {
  const current = mode(state.view);
  current.concealed = !current.concealed;
  state.message = current.concealed ? translate`The next sets are concealed.` : translate`The next sets are exposed.`;
  redraw();
}

// How far a finger may move in a tap, in px.
const TREMBLE = 10;
let touched = null;

// A tile counts as the finger is lifted, as the browser's own click comes later. A finger that scrolled, slid off the tile or
// was not the only one is left to the browser.
function clickAtOnce(event) {
  const pressed = event.target.closest(".face, #undo-last");
  const { clientX, clientY } = event.changedTouches[0];
  const isStill = touched && Math.hypot(clientX - touched.x, clientY - touched.y) <= TREMBLE;
  if (!pressed || !event.cancelable || !isStill || !pressed.contains(document.elementFromPoint(clientX, clientY)))
    return;
  event.preventDefault();
  pressed.click();
}

/** @param {TouchEvent} event */
function noteTouch({ touches: [one, another] }) {
  touched = another ? null : { x: one.clientX, y: one.clientY };
}

// On every page with the tiles of a hand; with special hands the bonus tiles stand outside the grid.
export function wireTiles() {
  byId("players-hand").addEventListener("click", (event) => {
    const face = event.target.closest(".face");
    if (face) tapFace(face.dataset.tile);
  });
  document.addEventListener("touchstart", noteTouch, { passive: true });
  document.addEventListener("touchend", clickAtOnce);
  byId("modes").addEventListener("click", (event) => {
    const one = event.target.closest("[data-kind]");
    if (one) chooseMode(one.dataset.kind);
  });
  byId("suit-tabs").addEventListener("click", (event) => {
    const row = event.target.closest("[data-row]");
    if (row) chooseRow(row.dataset.row);
  });
  byId("concealed").addEventListener("click", toggleConcealed);
}
