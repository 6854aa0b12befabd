// Brings games to a club. From a site of files they go to the club's own site behind the "#" of its address, which browsers
// send to nobody; there they are put where the page that imports them finds them. What is too long for that is saved as a file.
import { readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";
import { save } from "../web/give.js";
import { message } from "../web/html.js";
import { isFinished } from "../table/copy_due.js";
import { fileOf } from "../table/game_file.js";
import { packed, unpacked } from "../table/outbox/code_format.js";
import { isGame } from "../table/outbox/commands.js";
import { keptOfClub } from "../table/outbox/starting.js";
import { tables } from "../table/outbox/store.js";

const FILE = "game-file";
const CLUB = "club-site";
const NO_ADDRESS = "Enter the address of your club’s Clubscore, for example scores.example.";
const NO_GAME = "Finish a game first. There is none on this tablet to bring.";
const NOT_WHOLE = "The game did not arrive whole. Go back and bring it again.";
const NOT_NOW = "This tablet could not bring all games. Try again in a moment.";
const BEGINS = "#game=";
const ALL = "#all";
// Browsers on tablets take no longer address.
const LONGEST = 60_000;
const SAVED =
  "The games are saved in a file on this tablet. In your club’s Clubscore, open “Import”, then “Games from a tablet”.";

const form = /** @type {HTMLFormElement | null} */ (byId("club-address"));
const refuse = (words) => byId("messages").replaceChildren(message(words, "error"));

/** The root of the club's site, as somebody types it or copies it from the browser's bar; null where it is no address. */
function rootOf(typed) {
  try {
    const { protocol, origin } = new URL(/^https?:/.test(typed) ? typed : `https://${typed}`);
    return typed && protocol.startsWith("http") ? `${origin}/` : null;
  } catch {
    return null;
  }
}

async function bring() {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("address"));
  const root = rootOf(field.value.trim());
  const file = readStored(FILE, "sessionStorage");
  if (!root) {
    field.focus();
    return refuse(NO_ADDRESS);
  }
  if (!file) return refuse(NO_GAME);
  writeStored(CLUB, field.value.trim());
  const text = await packed(file);
  if (text.length <= LONGEST) return location.assign(`${root}game/into-a-club/${BEGINS}${text}`);
  save(new File([file], "mah-jong games for a club.json", { type: "application/json" }));
  return byId("messages").replaceChildren(message(SAVED));
}

async function take() {
  const text = location.hash.slice(BEGINS.length);
  history.replaceState(null, "", location.pathname + location.search);
  const file = await unpacked(text)
    .then((found) => JSON.parse(found) && found)
    .catch(() => null);
  if (file && writeStored(FILE, file, "sessionStorage")) sayReady();
  else refuse(NOT_WHOLE);
}

/** Says how many games go to the club that is chosen next. */
function sayReady(rest = 0) {
  const number = [JSON.parse(readStored(FILE, "sessionStorage"))].flat().length;
  byId("all-games").hidden = false;
  byId("all-said").textContent =
    `${number === 1 ? "1 game is" : `${number} games are`} ready. Go on below.${rest ? " Then bring the rest." : ""}`;
}

/** Brings finished games in the place of one, as many as a club looks at together. */
async function bringAll(games, said) {
  const { kept: address, mostGames, mostEntries } = byId("all-games").dataset;
  const kept = await keptOfClub(address);
  const files = [];
  let entries = 0;
  for (const [at, game] of games.slice(0, Number(mostGames)).entries()) {
    said.textContent = `Game ${at + 1} of ${games.length} …`;
    const file = kept && (await fileOf(game, kept));
    if (!file) continue;
    for (const table of file.tables) entries += table.hands.length + table.lines.length;
    if (files.length && entries > Number(mostEntries)) break;
    files.push(file);
  }
  if (files.length && writeStored(FILE, JSON.stringify(files), "sessionStorage")) sayReady(games.length - files.length);
  else said.textContent = NOT_NOW;
}

/** Whoever comes with a game brings that one, and may bring all; whoever comes from the list brings all. */
async function offerAll() {
  const found = (await tables()).filter((game) => isGame(game.session) && isFinished(game));
  const hasFile = Boolean(readStored(FILE, "sessionStorage")) && location.hash !== ALL;
  if (hasFile) sayReady();
  if (found.length < (hasFile ? 2 : 1)) return;
  // First those that no club has, the oldest first.
  const order = ({ clubs = [], opened }) => `${clubs.length ? 1 : 0} ${opened}`;
  const sorted = found.sort((one, other) => order(one).localeCompare(order(other)));
  const [button, said] = [/** @type {HTMLButtonElement} */ (byId("bring-all")), byId("all-said")];
  const bringThem = () => bringAll(sorted, said);
  byId("all-games").hidden = false;
  button.hidden = !hasFile;
  if (!hasFile) {
    await bringThem();
    return;
  }
  button.textContent = `Bring all ${found.length} finished games`;
  button.addEventListener("click", bringThem);
}

if (form) {
  /** @type {HTMLInputElement} */ (form.elements.namedItem("address")).value = readStored(CLUB) || "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    bring();
  });
}
if (location.hash.startsWith(BEGINS)) take();
else offerAll();
