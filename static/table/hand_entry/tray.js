// One player's tiles, as they are drawn: the kinds of set, the grid of tiles, and the tray next to it.
import { html, nothing, render } from "../../web/html.js";
import { byId } from "../../web/dom.js";
import { button, drawFor, tilePicture, translate, translateText } from "./dom.js";
import * as rules from "./rules.js";
import { unsureOf, enterNothing, hand, mode, redraw, scoreOf, state, wayOf, winning } from "./state.js";
import { isLowest } from "./last_tile.js";
import { dropSingle, names, replaceSet } from "./tile_taps.js";
import { disagreement, setKind, setTile, setWords, several } from "./words.js";

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
