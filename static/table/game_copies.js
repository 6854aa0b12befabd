// The page of copies: keeps one of all games on this tablet, and reads one back.
import { byId } from "../web/dom.js";
import { share } from "../web/give.js";
import { noteCopied } from "./copy_due.js";
import { copyOf, joinAsIn, merge, readCopy } from "./game_copy.js";
import { isGame } from "./outbox/commands.js";
import { keptOfClub } from "./outbox/starting.js";
import { addGames, tables } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const MOST = 200;
const NOT_FETCHED = "This tablet has not fetched what it needs yet. Open this page once while there is Wi-Fi.";
const NEWER = "Open this page with Wi-Fi, then choose the file again.";
const FULL = "This tablet has no room for these games. Free some space on it, then try again.";

const field = /** @type {HTMLInputElement} */ (byId("read-copy"));
const gamesHere = async () => (await tables()).filter(({ session }) => isGame(session));
const say = (words) => {
  byId("copy-said").textContent = words;
};

async function draw() {
  const games = await gamesHere();
  byId("keep-copy").hidden = !games.length;
  byId("no-games").hidden = games.length > 0;
}

async function keepCopy() {
  const games = await gamesHere();
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long" });
  const file = new File([copyOf(games)], `mah-jong games ${day}.json`, { type: "application/json" });
  if (!(await share(file))) return;
  noteCopied();
  say("Put the file where you can find it, for example in an email to yourself.");
}

const counted = (number) => (number === 1 ? "1 game" : `${number} games`);

/** What became of a file that was chosen, in a sentence. */
async function readBack(file) {
  const { fault, games, joined } = readCopy(await file.text());
  if (fault) return fault;
  const kept = await keptOfClub(field.dataset.kept);
  if (!kept) return NOT_FETCHED;
  // Another page may have saved a hand while that was fetched.
  const here = await gamesHere();
  const { writes, known, strange } = merge(here, games, kept.start);
  const room = MOST - here.length;
  const added = writes.filter(({ session }) => here.every((game) => game.session !== session)).length;
  if (added > room)
    return `Delete some games first. There is room for ${counted(room)}, and the file has ${added} more.`;
  const isWritten = await addGames(writes).then(
    () => true,
    () => false,
  );
  if (!isWritten) return storageWords() || FULL;
  joinAsIn(joined);
  await draw();
  const others = known ? ` ${counted(known)} ${known === 1 ? "was" : "were"} here already.` : "";
  const left = strange ? ` ${counted(strange)} could not be read. ${NEWER}` : "";
  return `${counted(writes.length)} read back.${others}${left}`;
}

byId("keep-copy").addEventListener("click", keepCopy);
field.addEventListener("change", async () => {
  const [file] = field.files;
  if (file) say(await readBack(file));
  field.value = "";
});
draw();
