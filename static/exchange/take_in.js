// Imports the hands of another tablet from its code. A phone scans the parts one after the other: each opens this page
// with one part in its address. Without the server this tablet goes on with the table: the commands join its own queue
// under the same keys, so that each counts once whichever tablet sends it.
import { isHeard, readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";
import { fragment, html, mainButton, message } from "../web/html.js";
import { readCode, readParts } from "../table/outbox/code_format.js";
import { isGame, isStart, messageOf, placeOf } from "../table/outbox/commands.js";
import { redirect } from "../table/outbox/flash.js";
import { askStart, readStart, tableOf } from "../table/outbox/starting.js";
import { add, addGames, addStart, all, storage, table } from "../table/outbox/store.js";
import { storageWords } from "../table/outbox/words.js";

const UNREADABLE = "Scan all parts of the code again. This one has a part missing or a mistake in it.";
const NOT_READY =
  "Choose a tablet that was made ready for this table. This one was not, so it cannot go on without Wi-Fi. The other tablet still has its hands.";
const OTHER_TABLE = "Scan the code again, and open the page that it leads to. This is the page of another table.";
const BEHIND =
  "Choose a tablet that has the earlier hands. This one does not have them. The other tablet still has its hands.";
const HERE_ALREADY = "All of this is on this tablet already.";
const DONE = "The hands of the other tablet are here now. Go on here, and put the other tablet away.";
const GAME_DONE = "The game of the other tablet is here now. Go on here from now on.";
const OTHER_RULES = "Carry on with the other tablet. The club’s rules have changed since it started this table.";
const OTHER_GAME = "Scan the code again. This is not the code of a game.";
const OTHER_CODE = "Scan the code again. This is not the code of a table that was started without Wi-Fi.";
const STORAGE = `take-in ${location.pathname}`;
// The page for a table that the club does not have yet: its code holds the command that starts it.
const forNewTable = location.pathname.match(/^\/c\/([^/]+)\/sessions\/0\//);
const field = byId("id_text");
const form = field?.form;
// The page for a game that no club has says what games are played with.
const keptOfGames = form?.dataset.kept;

function gatherPart() {
  const [scanned] = readParts(decodeURIComponent(location.hash.slice(1)));
  if (!scanned || !field) return;
  const kept = Object.values(readStored(STORAGE) || {}).join("\n");
  const others = readParts(kept).filter(({ whole, number }) => whole === scanned.whole && number !== scanned.number);
  const parts = [...others, scanned].sort((one, other) => one.number - other.number);
  const texts = parts.map(({ part }) => part);
  writeStored(STORAGE, texts);
  history.replaceState(null, "", location.pathname);
  field.value = texts.join("\n");
  showCount(
    parts.map(({ number }) => number),
    scanned.of,
  );
}

function showCount(numbers, of) {
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((number) => !numbers.includes(number));
  const isMany = numbers.length > 1;
  byId("parts").hidden = false;
  byId("parts").textContent = missing.length
    ? `${isMany ? "Parts" : "Part"} ${numbers.join(", ")} of ${of} ${isMany ? "are" : "is"} here. Scan part ${missing.join(", ")} now.`
    : "The whole code is here. Press “Check”.";
}

function show(content) {
  byId("go-on").replaceChildren(content);
  byId("go-on").hidden = false;
}

const refuse = (words) => show(message(words, "error"));

async function readHere() {
  const [file] = form.elements.file.files;
  let code = null;
  try {
    code = await readCode(file ? await file.text() : field.value);
  } catch {
    return refuse(UNREADABLE);
  }
  if (keptOfGames) return readGame(code);
  return forNewTable ? readNewTable(code) : readTable(code);
}

async function readTable({ club, session, device, commands }) {
  const kept = await table(Number(session) || 0);
  if (!kept?.state.ledger) return refuse(storageWords() || NOT_READY);
  const { state } = kept;
  if (state.urls.take_in !== location.pathname || state.slug !== club) return refuse(OTHER_TABLE);
  const known = await knownKeys(state);
  const missing = commands.filter(({ key }) => !known.has(key));
  if (!missing.length) return refuse(HERE_ALREADY);
  if (missing[0].after && !known.has(missing[0].after)) return refuse(BEHIND);
  return offer(state, missing, device);
}

async function readNewTable({ club, session, device, commands }) {
  if (club !== forNewTable[1] || !String(session).startsWith("new-")) return refuse(OTHER_CODE);
  const own = (await table(session)) || (await newTable(commands[0]));
  if (!own || own.refused) return refuse(own?.refused || storageWords() || NOT_READY);
  const { state } = own.started ? await table(own.started) : own;
  const known = await knownKeys(state);
  const missing = commands.filter((one) => !known.has(one.key) && !(own.started && isStart(one)));
  return missing.length ? offer(state, missing, device, own) : refuse(HERE_ALREADY);
}

async function readGame({ session, device, commands }) {
  if (!isGame(session) || !isStart(commands[0])) return refuse(OTHER_GAME);
  const kept = await table(session);
  const own = kept || (await newTable(commands[0], keptOfGames));
  if (!own || own.refused) return refuse(own?.refused || storageWords() || NOT_READY);
  const known = new Set(kept ? [commands[0].key, ...kept.commands.map(({ key }) => key)] : []);
  const missing = commands.filter(({ key }) => !known.has(key));
  return missing.length ? offer(own.state, missing, device, own) : refuse(HERE_ALREADY);
}

const knownKeys = async ({ recent, ledger }) =>
  new Set([...recent, ...ledger.entries.map(([key]) => key), ...(await all()).map(({ key }) => key)]);

// The table that a command starts, as the other tablet made it.
async function newTable(start, address = `${forNewTable?.[0]}kept.json`) {
  const kept = isStart(start) ? await readStart(address, start.body) : null;
  // A game has its rules with it, whatever version began it.
  if (kept && !keptOfGames && kept.basis !== start.body.basis) return { refused: OTHER_RULES };
  // What the other tablet has asked is not asked again.
  const asked =
    kept &&
    (await askStart({ ...kept, meetings: [] }, { ...start.body, date_is_right: start.body.date }, start.body.date));
  return asked?.beginning ? tableOf(kept, start.key, start.body, asked) : null;
}

function offer(state, commands, device, own = null) {
  const words = `${forNewTable || keptOfGames ? "" : "There is no Wi-Fi just now. "}This tablet can go on with these:`;
  show(
    fragment(html`<p>${words}</p>
      <ol class="taken">${commands.map((command) => html`<li><b>${command.words}</b></li>`)}</ol>
      <div class="actions actions-end">${mainButton("Go on here", () => goOn(state, commands, device, own))}</div>`),
  );
}

async function goOn(state, commands, device, own) {
  for (const one of commands) {
    const command = { ...messageOf(one), device, ...placeOf(state) };
    await keep(command, own).catch(() => null);
    // The other tablet still has them.
    if (storage.fault) return refuse(storageWords());
  }
  return redirect(state.urls.table, keptOfGames ? GAME_DONE : DONE, "info");
}

function keep(command, own) {
  if (!isStart(command)) return add(command);
  return keptOfGames
    ? addGames([{ ...own, opened: command.made_at, body: command.body, commands: [] }])
    : addStart(command, own);
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!forNewTable && !keptOfGames && (await isHeard())) HTMLFormElement.prototype.submit.call(form);
  else await readHere();
});
if (byId("taken-in")) writeStored(STORAGE, null);
addEventListener("hashchange", gatherPart);
gatherPart();
