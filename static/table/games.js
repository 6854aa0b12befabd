// Games that no club has: this tablet alone keeps them. Starts one, and lists those that are here.
import { readStored, whenIdle, writeStored } from "../web/browser.js";
import { byId, h, mainButton, message, quietButton as button } from "../web/dom.js";
import { isGame } from "./outbox/commands.js";
import { keepGame, playersOf, readStart, todayWritten } from "./outbox/starting.js";
import { keepPages, removeGame, storage, tables } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const MOST = 200;
const NAMES = "game-names";
const RULES = "game-rules";
const NOT_FETCHED = "This tablet has not fetched what it needs yet. Open this page once while there is Wi-Fi.";
const FULL = "This tablet cannot keep another game. Delete one below, or free some space on it.";

const form = /** @type {HTMLFormElement} */ (byId("game-start"));
const value = (name) => /** @type {any} */ (form.elements.namedItem(name))?.value.trim() || "";
const newestFirst = (games) => games.sort((one, other) => other.opened.localeCompare(one.opened));
const gamesHere = async () => newestFirst((await tables()).filter(({ session }) => isGame(session)));

function say(words) {
  const shown = message(words, "error");
  byId("messages").replaceChildren(shown);
  shown.scrollIntoView();
}

/** What is missing or wrong, or "". */
function problem({ seatings, settles }, players) {
  const places = players.map(({ place }) => place);
  const missing = ["East", "South", "West"].find((place) => !places.includes(place));
  if (missing) return `Enter who is ${missing}.`;
  if (places.includes("Sits out first") && !places.includes("North")) return "Enter who is North. Five play, so nobody’s place is empty.";
  const names = players.map(({ name }) => name.toLowerCase());
  const twice = players.find((_, at) => names.indexOf(names[at]) < at);
  if (twice) return `Two players are called ${twice.name}. Add a letter to one of them.`;
  if (!seatings[players.length]) return "Choose other rules: these are not for so many players.";
  const typed = value("starting_balance");
  if (typed && !/^\d{1,6}$/.test(typed)) return "Enter the starting balance as a whole number, for example 2000.";
  const dealt = settles && value("sticks") ? seatings[players.length].balances[value("sticks")] : null;
  if (dealt !== null && typed && Number(typed) !== dealt) return `Enter ${dealt.toLocaleString("en-GB")}, which is what each player’s sticks are worth, or leave it empty.`;
  return "";
}

async function start() {
  const games = await gamesHere();
  if (games.length >= MOST) return offerRoom(games);
  const rules = await readStart(form.dataset.kept, value("rules"));
  if (!rules) return say(NOT_FETCHED);
  const players = playersOf((name) => (name.startsWith("name_") ? value(name) : ""));
  const found = problem(rules, players);
  if (found) return say(found);
  const { starting_balance, sticks } = { starting_balance: value("starting_balance"), sticks: value("sticks") };
  const round = /** @type {HTMLInputElement} */ (byId("round_payments")).checked ? { round_payments: "on" } : {};
  const fields = Object.fromEntries(["rules", ...[1, 2, 3, 4, 5].map((at) => `name_${at}`)].map((name) => [name, value(name)]));
  const address = await keepGame(rules, { ...fields, starting_balance, sticks, ...round, date: todayWritten(), table: "1" }, players).catch(() => null);
  if (!address) return say(storageWords() || FULL);
  remember(players);
  navigator.storage?.persist?.().catch(() => null);
  location.assign(address);
  return null;
}

function remember(players) {
  const known = players.map(({ name }) => name);
  writeStored(NAMES, [...new Set([...known, ...(readStored(NAMES) || [])])].slice(0, 40));
  writeStored(RULES, value("rules"));
}

function offerRoom(games) {
  const oldest = games.filter(({ stands }) => stands && !stands.isOpen).at(-1) || games.at(-1);
  const words = `There are ${games.length} games on this tablet, which is as many as it keeps. Delete the oldest, of ${oldest.state.date}?`;
  const ask = h("div", { class: "message warning" }, h("p", {}, words), h("div", { class: "actions" }, button("Delete the oldest", () => removeGame(oldest.session).then(start))));
  byId("messages").replaceChildren(ask);
  ask.scrollIntoView();
}

/** Who is ahead, and by how much. */
function standingWords({ stands, state }) {
  if (!stands?.hands) return "No hands yet";
  const [[name, points]] = [...stands.players].sort((one, other) => other[1] - one[1]);
  const hands = `${stands.hands} hand${stands.hands === 1 ? "" : "s"}`;
  return `${hands}, ${name} ${stands.isOpen ? "leads" : "won"} with ${points.toLocaleString("en-GB")}${state.open && stands.isOpen ? "" : ", finished"}`;
}

function again({ body }) {
  for (const [name, chosen] of Object.entries(body)) {
    const field = /** @type {any} */ (form.elements.namedItem(name));
    if (field && !["date", "table"].includes(name)) field.value = chosen;
  }
  sayRules();
  window.scrollTo(0, 0);
  byId("name_1").focus();
}

function askToDelete(game, place) {
  place.replaceChildren(h("p", {}, "Delete this game? It is nowhere else."), mainButton("Keep it", draw), h("button", { type: "button", class: "button-warn", onclick: () => removeGame(game.session).then(draw) }, "Delete it"));
}

function row(game) {
  const { state } = game;
  const actions = h("div", { class: "actions" });
  actions.append(h("a", { class: "button-quiet", href: state.urls.table }, game.stands && !game.stands.isOpen ? "Look at it" : "Go on"),
    button("Same players again", () => again(game)), button("Delete", () => askToDelete(game, actions)));
  return h("li", { class: "game" }, h("p", {}, h("b", {}, state.date), ` ${Object.values(state.names).join(", ")}`), h("p", { class: "hint" }, standingWords(game)), actions);
}

async function draw() {
  const games = await gamesHere();
  const inPlay = games.find(({ stands }) => !stands || stands.isOpen);
  byId("go-on-with").replaceChildren(...(inPlay ? [h("a", { class: "button-main", href: inPlay.state.urls.table }, `Go on: ${Object.values(inPlay.state.names).join(", ")}`)] : []));
  byId("games-here").hidden = !games.length;
  byId("game-list").replaceChildren(...games.map(row));
  const isKept = await navigator.storage?.persisted?.().catch(() => false);
  byId("how-kept").textContent = isKept ? "They stay on this tablet until you delete them." : "They stay on this tablet, but a browser may clear what has not been used for some weeks. Print or save what you want to keep.";
}

async function getReady() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const kept = await (await fetch(form.dataset.kept)).json();
  const { table } = kept.start[kept.usual].state.urls;
  await keepPages({ keep: [location.pathname, table, form.dataset.kept], refetch: [location.pathname], files: [...Object.values(kept.files), kept.preview_sheet] });
  form.dataset.ready = "";
}

function sayRules() {
  byId("rules-in-short").textContent = /** @type {HTMLElement} */ (form.querySelector("[name=rules]:checked")).dataset.name;
}

form.addEventListener("change", sayRules);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
byId("known-names").append(...(readStored(NAMES) || []).map((name) => h("option", { value: name })));
const last = byId(`rules_${readStored(RULES)}`);
if (last) /** @type {HTMLInputElement} */ (last).checked = true;
sayRules();
draw().then(() => { if (storage.fault) say(storageWords()); });
whenIdle(() => getReady().catch(() => null));
