// A copy of the games of a tablet: kept, read back on another one, twice, behind and beside what is there; and what is no copy.
import assert from "node:assert/strict";
import test from "node:test";

import { textOf } from "./hand_page.mjs";
import { OwnTable } from "./own_table.mjs";
import { openPage, Tablet } from "./page.mjs";

const ONE = "game-11111111-1111-4111-8111-111111111111";
const OTHER = "game-22222222-2222-4222-8222-222222222222";

const gameOf = (session, keys, day = "12 November 2026") => ({
  session,
  opened: "2026-11-12T14:00:00.000Z",
  body: { rules: "bmja", date: "2026-11-12", name_1: "Jean" },
  rules: {
    rules: "bmja",
    house_rules: {},
    club_hands: [],
    words: [],
    settling: { session: session.slice(5), table: 1 },
  },
  commands: keys.map((key, at) => ({ key, kind: "hand", body: {}, order: at + 1, session })),
  state: {
    session,
    date: day,
    names: { 1: "Jean", 2: "Brian" },
    ledger: { entries: [] },
    urls: { table: "/elsewhere/" },
  },
  stands: {
    players: [
      ["Jean", 2040],
      ["Brian", 1960],
    ],
    hands: keys.length,
    isOpen: false,
  },
});

async function inDatabase(tablet, work) {
  const opening = tablet.indexedDB.open("clubscore", 1);
  const database = await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = database.transaction("tables", "readwrite");
  const found = work(transaction.objectStore("tables"));
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  database.close();
  return found?.result;
}

async function tabletWith(...games) {
  const tablet = Object.assign(new Tablet(), { hasRules: true, isReady: true });
  await OwnTable.openOn(tablet, "games", "game");
  await inDatabase(tablet, (tables) => void games.forEach((game) => tables.put(game)));
  return tablet;
}

const gamesOn = async (tablet) => inDatabase(tablet, (tables) => tables.getAll());
const keysOf = (games) => games.map(({ commands }) => commands.map(({ key }) => key).join("")).sort();

async function copiesOf(tablet) {
  const page = await openPage(tablet, "game copies");
  await page.run();
  return page;
}

/** Presses “Keep a copy”, and returns the text of the file. */
async function copyFrom(tablet) {
  const page = await copiesOf(tablet);
  const button = document.getElementById("keep-copy");
  await page.until(() => !button.hidden, "a copy can be kept");
  let file = null;
  URL.createObjectURL = (given) => {
    file = given;
    return "#";
  };
  URL.revokeObjectURL = () => {};
  button.click();
  await page.until(() => file, "the file is given");
  return file.text();
}

/** Reads a file back, and returns what the page says. */
async function readOn(tablet, text) {
  const page = await copiesOf(tablet);
  const field = document.getElementById("read-copy");
  Object.defineProperty(field, "files", { value: [{ text: async () => text }] });
  Object.defineProperty(field, "value", { value: "", writable: true });
  field.dispatchEvent(new Event("change"));
  const said = () => textOf(document.getElementById("copy-said"));
  await page.until(said, "something is said");
  return said();
}

test("a copy names who played, and brings its games to another tablet once", async () => {
  const text = await copyFrom(await tabletWith(gameOf(ONE, ["a", "b"]), gameOf(OTHER, ["c"], "19 November 2026")));
  assert.match(text, /"day": "12 November 2026",\n\s+"players": \[\n\s+"Jean",\n\s+"Brian"/);
  const fresh = await tabletWith();
  assert.equal(await readOn(fresh, text), "2 games read back.");
  assert.equal(await readOn(fresh, text), "0 games read back. 2 games were here already.");
  const [game] = await gamesOn(fresh);
  // It is played on here, whatever its address was.
  assert.match(game.state.urls.table, /^\/game\/table\/\?new=11111111/);
  assert.deepEqual([game.stands.hands, game.commands.length], [2, 2]);
});

test("of one game the copy with more hands counts, also the other way round", async () => {
  const longer = await copyFrom(await tabletWith(gameOf(ONE, ["a", "b", "c"])));
  const shorter = await tabletWith(gameOf(ONE, ["a", "b"]));
  assert.equal(await readOn(shorter, longer), "1 game read back.");
  assert.deepEqual(keysOf(await gamesOn(shorter)), ["abc"]);
  const before = await copyFrom(await tabletWith(gameOf(ONE, ["a"])));
  assert.equal(await readOn(shorter, before), "0 games read back. 1 game was here already.");
  assert.deepEqual(keysOf(await gamesOn(shorter)), ["abc"]);
});

test("where each has hands that the other lacks, both are kept, and twice is once", async () => {
  const copy = await copyFrom(await tabletWith(gameOf(ONE, ["a", "x"])));
  const tablet = await tabletWith(gameOf(ONE, ["a", "b"]));
  assert.equal(await readOn(tablet, copy), "1 game read back.");
  assert.equal(await readOn(tablet, copy), "0 games read back. 1 game was here already.");
  assert.deepEqual(keysOf(await gamesOn(tablet)), ["ab", "ax"]);
});

test("a hand that is saved on another page meanwhile stays", async () => {
  const longer = await copyFrom(await tabletWith(gameOf(ONE, ["a", "b"])));
  const tablet = await tabletWith(gameOf(ONE, ["a"]));
  tablet.isReady = false;
  const answer = tablet.server.answer.bind(tablet.server);
  tablet.server.answer = async (to, options) => {
    if (to.includes("kept.json")) await inDatabase(tablet, (tables) => void tables.put(gameOf(ONE, ["a", "x"])));
    return answer(to, options);
  };
  assert.equal(await readOn(tablet, longer), "1 game read back.");
  assert.deepEqual(keysOf(await gamesOn(tablet)), ["ab", "ax"]);
});

test("a game by rules that are not known here is not said to be here", async () => {
  const game = gameOf(ONE, ["a"]);
  const text = await copyFrom(
    await tabletWith({ ...game, body: { ...game.body, rules: "lunar" } }, gameOf(OTHER, ["b"])),
  );
  const said = "1 game read back. 1 game could not be read. Open this page with Wi-Fi, then choose the file again.";
  assert.equal(await readOn(await tabletWith(), text), said);
});

test("a tablet that is full reads back the hands of a game that it has, and which clubs have it stays", async () => {
  const longer = await copyFrom(await tabletWith(gameOf(ONE, ["a", "b"])));
  const others = Array.from({ length: 199 }, (_, at) => gameOf(OTHER.replace(/2{3}$/, String(at + 100)), ["c"]));
  const tablet = await tabletWith({ ...gameOf(ONE, ["a"]), clubs: ["Bramley"] }, ...others);
  assert.equal(await readOn(tablet, longer), "1 game read back.");
  const [game] = await gamesOn(tablet);
  assert.deepEqual([game.commands.length, game.clubs], [2, ["Bramley"]]);
});

test("what is no copy, or a damaged one, changes nothing and is refused in a sentence", async () => {
  const copy = await copyFrom(await tabletWith(gameOf(ONE, ["a"])));
  const tablet = await tabletWith(gameOf(OTHER, ["b"]));
  const other = "Choose a file that “Keep a copy” has made. This is another file.";
  const damaged = "Choose another copy. This file is damaged, and nothing of it was read.";
  for (const [text, said] of [
    ["Hand,Jean,Brian\n1,40,-40\n", other],
    ['{"games": []}', other],
    ["null", other],
    [copy.slice(0, -40), damaged],
    [copy.replace("2040", "9040"), damaged],
    [
      copy.replace('"version": 1', '"version": 9'),
      "Open this page with Wi-Fi, then choose the file again. It was made by a newer version.",
    ],
  ])
    assert.equal(await readOn(tablet, text), said);
  assert.deepEqual(keysOf(await gamesOn(tablet)), ["b"]);
});
