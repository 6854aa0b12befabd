// One player's tiles: the kinds of set, the grid of tiles, and the tray next to it.
import { html, nothing, render } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { button, drawFor, tilePicture, translate, translateText } from "./dom.js";
import * as rules from "./rules.js";
import {
  change,
  setUnsure,
  unsureOf,
  enterNothing,
  hand,
  keepBeside,
  mode,
  redraw,
  refuse,
  scoreOf,
  seat,
  state,
  wayOf,
  winners,
  winning,
} from "./state.js";
import { isLowest, showQuestions, tilesChanged } from "./winner.js";
import { disagreement, setKind, setName, setTile, setWords, several } from "./words.js";

const names = () => state.data.tiles;
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

function replaceSet(place, set, sentence, isUnsure = false) {
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

function dropSingle(place) {
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
  const mine = hand(number);
  if (!rules.hasTiles(mine) && !mine.fishing && !mine.original_call && !mine.count) delete state.body.hands[number];
}

export function drawModes() {
  const current = mode(state.view);
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (byId("modes").querySelectorAll("[data-kind]"))) {
    one.setAttribute("aria-pressed", String(one.dataset.kind === current.kind));
    one.hidden = state.data.goulash && one.dataset.kind === "chow";
  }
  const concealed = byId("concealed");
  const idle = current.kind === "pair" || current.kind === "single";
  concealed.setAttribute("aria-checked", current.concealed);
  concealed.classList.toggle("is-idle", idle);
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

export function drawTray() {
  const number = state.view;
  const mine = hand(number);
  const bonus = rules.bonusOf(mine);
  // Of a hand by itself nobody says that it has nothing.
  const isBegun = mine && (!state.data.alone || rules.hasTiles(mine) || bonus.length);
  const isEdited = state.editing !== null && mine?.sets?.[state.editing];
  drawFor(
    number,
    byId("tray-list"),
    isEdited
      ? changeSet(state.editing)
      : isBegun
        ? [trayRows(mine), rules.isTiles(mine) ? disagreement(number) : nothing]
        : emptyTray(number),
  );
  render(
    rules.hasTiles(mine)
      ? `${rules.size(mine)} ${rules.size(mine) === 1 ? "tile" : "tiles"}${rules.setsOf(mine).some((set) => set.kind === "kong") ? " (a kong as three)" : ""}${bonus.length ? ` and ${bonus.length} bonus` : ""}`
      : "",
    byId("tray-count"),
  );
  const score = scoreOf(number);
  render(
    !mine || !score || "total" in mine ? "" : score.note || `${isLowest(number) ? "At least " : ""}${score.brief}`,
    byId("tray-score"),
  );
  const used = state.data.goulash ? new Set() : rules.usedUp(state.body.hands, number);
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".face"))) {
    if (rules.isBonus(face.dataset.tile)) face.setAttribute("aria-pressed", String(bonus.includes(face.dataset.tile)));
    face.classList.toggle("is-used-up", used.has(face.dataset.tile));
  }
}

const emptyTray = (number) => html`
  <p class="hint">${state.data.goulash ? translate`Tap a tile for each set: a pung, kong or pair at one tap.` : translate`Tap a tile for each set: a pung, kong, chow or pair at one tap.`}</p>
  ${state.data.alone || winning(number) ? nothing : button("Nothing to score", () => enterNothing(number))}`;

const plain = (words) => html`<p class="tray-plain">${words}</p>`;

function trayRows(mine) {
  if (!rules.isTiles(mine)) return [plain(plainWords(mine)), bonusLine(mine)];
  const singles = rules.singlesOf(mine);
  return [
    rules
      .setsOf(mine)
      .map((set, place) =>
        button(
          [
            miniTiles(set),
            html`<span>${traySet(set)}${unsureOf(state.view).includes(rules.setNotation(set)) ? " (not sure)" : ""}</span>`,
          ],
          () => edit(place),
          "tray-set",
        ),
      ),
    singles.length
      ? html`<fieldset class="tray-singles" aria-label="Single tiles: tap one to remove it">${singles.map((code, place) => button(tilePicture(code, "tile-small"), () => dropSingle(place), nothing, `${names()[code]}: remove`))}</fieldset>`
      : nothing,
    rules.hasTiles(mine) ? nothing : plain("Nothing to score"),
    bonusLine(mine),
  ];
}

// The tiles of a chow are drawn: naming them too would take a second line.
const traySet = (set) =>
  set.kind === "chow"
    ? html`${setKind(set)}<span class="visually-hidden">: ${setTile(set, names())}</span>`
    : setWords(set, names());

const miniTiles = (set) =>
  (set.kind === "chow" ? rules.setTiles(set) : [set.tile]).map((code) => tilePicture(code, "tile-small"));

function bonusLine(mine) {
  const bonus = rules.bonusOf(mine);
  return bonus.length
    ? html`<p class="tray-bonus">${bonus.map((code) => tilePicture(code, "tile-small"))}<span class="visually-hidden">${bonus.map((code) => names()[code]).join(", ")}</span></p>`
    : nothing;
}

function plainWords(mine) {
  if ("total" in mine) return `Total: ${mine.total.toLocaleString("en-GB")}`;
  if ("points" in mine)
    return `${mine.points.toLocaleString("en-GB")} ${mine.points === 1 ? "point" : "points"}, ${several(mine.doubles || 0, "double", "doubles")}`;
  const special = state.data.special_hands.find((one) => one.key === (mine.special || mine.fishing_for));
  return `${mine.fishing_for ? "Fishing for " : ""}${special?.name || "Special hand"}${mine.exposed ? translate`, exposed` : ""}`;
}

function edit(place) {
  state.editing = place;
  state.message = "";
  redraw();
  byId("tray-list").querySelector("button")?.focus({ preventScroll: true });
  byId("tray-list").querySelector(".change-set")?.scrollIntoView({ block: "nearest" });
}

function changeSet(place) {
  const set = rules.readSet(hand(state.view).sets[place]);
  const words = setWords(set, names());
  const to = (changed, label) => button(label, () => replaceSet(place, changed, `${setWords(changed, names())}.`));
  const unsure = () =>
    replaceSet(place, { ...set, concealed: false }, translate`Nobody was sure, so it is scored as exposed.`, true);
  const kinds = set.kind === "chow" ? [] : ["pung", "kong", "pair"].filter((kind) => kind !== set.kind);
  return html`<fieldset class="change-set" aria-label="Change ${words}">${plain(words)}
    ${set.kind === "pair" ? nothing : to({ ...set, concealed: !set.concealed }, set.concealed ? translate`Make it exposed` : translate`Make it concealed`)}
    ${set.kind === "pair" || state.data.alone ? nothing : button("Not sure if it was shown", unsure)}
    ${kinds.map((kind) => to({ ...set, kind }, `Make it a ${translateText(kind)}`))}
    ${button("Remove it", () => replaceSet(place, null, `${words} removed.`), "button-warn")}
    ${button("Cancel", () => {
      state.editing = null;
      redraw();
    })}</fieldset>`;
}

export function drawWays() {
  const way = wayOf(state.view);
  for (const panel of document.querySelectorAll(".way")) panel.hidden = panel.dataset.way !== way;
  byId("entry").dataset.way = way;
}
