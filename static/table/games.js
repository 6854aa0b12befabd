// Games that no club has: this tablet alone keeps them. Starts one, and lists those that are here.
import { isHeard, readStored, whenIdle, writeStored } from "../web/browser.js";
import { byId, root } from "../web/dom.js";
import { quietButton as button, element, fragment, html, mainButton, message, nothing, render } from "../web/html.js";
import "./can_score.js";
import { isCopyDue, isFinished, isTab } from "./copy_due.js";
import { clockWords, clubDay } from "./day.js";
import { ask } from "./engine/engine.js";
import { isGame, keyOfGame } from "./outbox/commands.js";
import { redirect } from "./outbox/flash.js";
import { forgetAnswer } from "./outbox/last_answer.js";
import { askStart, keepGame, keptOfClub, readStart, refuse, showProblems } from "./outbox/starting.js";
import { keepPages } from "./outbox/kept_pages.js";
import { noteGame, removeGame, storage, tables } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const MOST = 200;
// The newest stand above the form; the others open with a press.
const FIRST = 3;
// Names of earlier games that are offered for the next.
const MOST_NAMES = 12;
const RULES = "game-rules";
// How many games are here.
const HERE = "games-here";
// House rules of a game: { rules, house, words }, with `house` as JSON; and what is typed while they are chosen.
const HOUSE = "game-house";
const TYPED = "game-typed";
const NOT_FETCHED = "This tablet has not fetched what it needs yet. Open this page once while there is Wi-Fi.";
const EMPTIED = "This browser has removed the games that were here. Read a copy back, if you have one.";
const FULL = "This tablet cannot keep another game. Delete one below, or free some space on it.";

const form = /** @type {HTMLFormElement} */ (byId("game-start"));
const value = (name) => /** @type {any} */ (form.elements.namedItem(name))?.value.trim() || "";
const hearing = isHeard();
const newestFirst = (games) => games.sort((one, other) => other.opened.localeCompare(one.opened));
const gamesHere = async () => newestFirst((await tables()).filter(({ session }) => isGame(session)));

/** The rules chosen: { rules, house, words }, with `house` empty where they are as in the book. */
const chosenRules = () => (value("rules") === "own" && readStored(HOUSE)) || { rules: value("rules"), house: "" };

async function start() {
  const games = await gamesHere();
  if (games.length >= MOST) return offerRoom(games);
  const chosen = chosenRules();
  const start = await readStart(form.dataset.kept, chosen);
  if (!start) return refuse(NOT_FETCHED);
  const today = clubDay();
  const typed = Object.fromEntries([...new FormData(form)].map(([name, text]) => [name, String(text).trim()]));
  const body = { ...typed, ...chosen, date: today.day, table: "1" };
  const asked = await askStart(start, body, today.day);
  if (!asked) return refuse(NOT_FETCHED);
  if (showProblems(form, asked)) return null;
  const address = await keepGame(start, body, asked).catch(() => null);
  if (!address) return refuse(storageWords() || FULL);
  writeStored(RULES, value("rules"));
  writeStored(TYPED, null, "sessionStorage");
  // Whoever plays a second time comes again.
  if (games.length) navigator.storage?.persist?.().catch(() => null);
  return redirect(address, clockWords(today, await hearing), "warning");
}

async function forget({ session }) {
  forgetAnswer();
  await removeGame(session);
  writeStored(HERE, (await gamesHere()).length);
}

function offerRoom(games) {
  const oldest = games.filter(({ stands }) => stands && !stands.isOpen).at(-1) || games.at(-1);
  const words = `There are ${games.length} games on this tablet, which is as many as it keeps. Delete the oldest, of ${oldest.state.date}?`;
  const remove = button("Delete the oldest", () => forget(oldest).then(start));
  const ask = element(html`<div class="message warning"><p>${words}</p><div class="actions">${remove}</div></div>`);
  byId("messages").replaceChildren(ask);
  ask.scrollIntoView();
}

// With whoever came later.
const namesOf = ({ state, stands }) => stands?.players.map(([name]) => name) || Object.values(state.names);

/** Who is ahead, or has won, and with what. */
function standingWords({ stands }) {
  if (!stands?.hands) return "No hands yet";
  const most = Math.max(...stands.players.map(([, points]) => points));
  const ahead = stands.players.filter(([, points]) => points === most).map(([name]) => name);
  const verb = stands.isOpen ? `lead${ahead.length === 1 ? "s" : ""}` : "won";
  const hands = `${stands.hands} hand${stands.hands === 1 ? "" : "s"}`;
  return `${ahead.join(" and ")} ${verb} with ${most.toLocaleString("en-GB")} after ${hands}`;
}

/** Offers the names of earlier games: each goes into the first empty place. */
function offerNames(games) {
  const known = [...new Set(games.flatMap(namesOf))];
  const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name^=name_]")]);
  const take = (name) => {
    const free = fields.find((field) => !field.value.trim());
    if (free) free.value = name;
    offerNames(games);
  };
  const left = known.filter((name) => !fields.some((field) => field.value.trim() === name));
  const buttons = left.slice(0, MOST_NAMES).map((name) => button(name, () => take(name)));
  render(buttons, byId("names-before"));
  byId("who-before").hidden = !buttons.length;
  render(
    known.map((name) => html`<option value=${name}></option>`),
    byId("known-names"),
  );
  form.onchange = () => offerNames(games);
}

/** Fills the form. */
function fill(body) {
  for (const [name, chosen] of Object.entries(body)) {
    const field = /** @type {any} */ (form.elements.namedItem(name));
    if (field?.type === "checkbox") field.checked = Boolean(chosen);
    else if (field && !["date", "table"].includes(name)) field.value = chosen;
  }
}

function again({ body }) {
  fill({ round_payments: "", ...body });
  if (body.house) {
    takeHouse(body);
    fill({ rules: "own" });
  }
  sayRules();
  byId("who").scrollIntoView();
  byId("name_1").focus();
  draw();
}

/** Which clubs have it too. */
const elsewhereWords = ({ clubs = [] }) =>
  clubs.length ? `${clubs.join(" and ")} has it too.` : "It is nowhere else.";

const askToDelete = (game, place) =>
  place.replaceChildren(
    fragment(html`<p>Delete this game? ${elsewhereWords(game)}</p>${mainButton("Keep it", draw)}
      <button type="button" class="button-warn" @click=${() => forget(game).then(draw)}>Delete it</button>`),
  );

/** When a game began, and by which rules. */
function beganWords({ state, body }) {
  const at = body.began ? `, ${new Date(body.began).toLocaleTimeString("en-GB", { timeStyle: "short" })}` : "";
  const name = byId(`rules_${body.rules}`)?.dataset.name;
  return `${state.date}${at}${name ? `, ${name}` : ""}${body.house ? ", with house rules" : ""}`;
}

function row(game) {
  const { state, stands } = game;
  const ask = ({ target }) => askToDelete(game, target.closest(".actions"));
  return html`<li class="game"><p><b>${namesOf(game).join(", ")}</b></p>
    <p>${standingWords(game)}</p><p class="hint">${beganWords(game)}</p><div class="actions">
    <a class="button-quiet" href=${state.urls.table}>${stands && !stands.isOpen ? "Look at it" : "Go on"}</a>
    ${button("Same players again", () => again(game))} ${button("Delete", ask)}</div></li>`;
}

/** A club has just taken in games of this tablet. */
async function noteClub() {
  const brought = location.hash === "#brought" && readStored("game-brought", "sessionStorage");
  if (!brought) return;
  for (const game of await gamesHere())
    if (brought.games.includes(keyOfGame(game)))
      await noteGame(game.session, { clubs: [...new Set([...(game.clubs || []), brought.club])] });
  writeStored("game-brought", null, "sessionStorage");
}

async function draw() {
  const games = await gamesHere();
  const inPlay = games.find(({ stands }) => !stands || stands.isOpen);
  render(
    inPlay
      ? html`<a class="button-main" href=${inPlay.state.urls.table}>Go on: ${namesOf(inPlay).join(", ")}</a>`
      : nothing,
    byId("go-on-with"),
  );
  byId("games-here").hidden = !games.length;
  offerNames(games);
  byId("game-list").replaceChildren(fragment(games.slice(0, FIRST).map(row)));
  byId("earlier-games").replaceChildren(fragment(games.slice(FIRST).map(row)));
  byId("earlier").hidden = games.length <= FIRST;
  byId("league-link").hidden = !games.some(isFinished);
  const isKept = await navigator.storage?.persisted?.().catch(() => false);
  byId("how-kept").textContent = isKept
    ? "They stay on this tablet until you delete them."
    : "They stay on this tablet, but a browser may clear what has not been used for some weeks.";
  byId("read-back").hidden = games.length > 0;
  byId("copy-due").hidden = !isCopyDue(games.filter(isFinished));
  if (!games.length && readStored(HERE)) byId("messages").replaceChildren(message(EMPTIED, "warning"));
  if (!storage.fault && (games.length || !readStored(HERE))) writeStored(HERE, games.length);
}

async function getReady() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  await navigator.serviceWorker.register(`${root}sw.js`, { updateViaCache: "none" });
  const address = form.dataset.kept;
  await keepPages({ keep: [location.pathname, address], refetch: [location.pathname] });
  const kept = await keptOfClub(address);
  const { table, take_in: takeIn } = kept.start[kept.usual].state.urls;
  // The league and the page of copies come with the first game.
  const later = (await gamesHere()).length ? kept.later : { pages: [], files: [] };
  await keepPages({
    keep: [table, takeIn, ...later.pages],
    files: [...Object.values(kept.files), kept.preview_sheet, ...later.files],
  });
  form.dataset.ready = "";
  // Started now, the rules answer the press on “Start” at once.
  await ask(kept.files);
}

function sayRules() {
  byId("rules-in-short").textContent = /** @type {HTMLElement} */ (
    form.querySelector("[name=rules]:checked")
  ).dataset.name;
  const { rules, house } = chosenRules();
  const link = /** @type {HTMLAnchorElement} */ (byId("house-rules"));
  link.href = `${link.dataset.of.replace("KEY", rules)}#${new URLSearchParams(house ? { house } : {})}`;
}

/** Offers rules with house rules beside the others. */
function takeHouse({ rules, house, words }) {
  const name = /** @type {HTMLElement} */ (byId(`rules_${rules}`)).dataset.name;
  const box = /** @type {HTMLInputElement} */ (byId("rules_own"));
  box.dataset.name = `${name}, with house rules`;
  box.closest("label").hidden = false;
  byId("own-rules").replaceChildren(
    fragment(
      html`<b>${box.dataset.name}</b> <span class="hint">${words || "as in the game that you begin again"}</span>`,
    ),
  );
  writeStored(HOUSE, { rules, house, words });
}

/** Takes the house rules that were just chosen on their own page, with what was typed here before. */
function bringHouse() {
  const chosen = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (chosen.house) {
    takeHouse(/** @type {any} */ (chosen));
    writeStored(RULES, "own");
    history.replaceState(null, "", location.pathname);
    byId("rules-of-game").setAttribute("open", "");
  } else if (chosen.rules) {
    writeStored(RULES, chosen.rules);
    history.replaceState(null, "", location.pathname);
  }
  if (!chosen.house && readStored(HOUSE)) takeHouse(readStored(HOUSE));
  fill(readStored(TYPED, "sessionStorage") || {});
}

byId("home-screen").hidden = !isTab;
byId("house-rules").addEventListener("click", () => {
  const { rules, ...typed } = Object.fromEntries(new FormData(form));
  writeStored(TYPED, typed, "sessionStorage");
});
form.addEventListener("change", sayRules);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
bringHouse();
const last = byId(`rules_${readStored(RULES)}`);
if (last && !last.closest("label").hidden) /** @type {HTMLInputElement} */ (last).checked = true;
sayRules();
noteClub()
  .then(draw)
  .then(() => {
    if (storage.fault) refuse(storageWords());
  });
whenIdle(() => getReady().catch(() => null));
