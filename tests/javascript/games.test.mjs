// Games that no club has: begun, played, listed and deleted on the tablet alone, by its rules.
import assert from "node:assert/strict";
import test from "node:test";

import { textOf, textsOf } from "./hand_page.mjs";
import { OwnTable } from "./own_table.mjs";
import { openWhole, pageOf, rules, Tablet } from "./page.mjs";

const FOUR = ["Jean", "Brian", "Barbara", "Ken"];

class Game extends OwnTable {
  static list(tablet = null) {
    return Game.openOn(tablet, "games", "game");
  }

  static async begin(names, rules) {
    const one = await Game.list();
    one.fill(names);
    if (rules) document.getElementById(`rules_${rules}`).checked = true;
    await one.start();
    return one;
  }

  fill(names) {
    for (const [at, name] of names.entries()) document.getElementById(`name_${at + 1}`).value = name;
  }

  async start() {
    await this.tap("Start");
    await this.begun();
  }

  async finish() {
    await this.tap("Finish the game");
    await this.page.until(() => document.querySelector(".final-order"), "the game is finished");
  }

  // What a press on “Save as a spreadsheet” gives, line by line.
  async savedLines() {
    const saved = [];
    URL.createObjectURL = (file) => saved.push(file) && "blob:";
    await this.tap("Save as a spreadsheet");
    await this.page.until(() => saved.length, "a spreadsheet");
    return (await saved[0].text()).replace("\uFEFF", "").trim().split("\r\n");
  }
}

test("a game is started and played by nobody but this tablet", async () => {
  const one = await Game.begin(FOUR);
  await one.east("Jean");
  await one.win(1, "Brian", 20);
  // East pays double: Brian has 40 of Jean and 20 of each other.
  assert.deepEqual(one.balances(), { Jean: "1,960", Brian: "2,080", Barbara: "1,980", Ken: "1,980" });
  await one.load();
  await one.east("Brian");
  assert.equal(one.balances().Brian, "2,080");
  const { requests } = one.server;
  assert.ok(requests.every(({ method }) => ["GET", "HEAD"].includes(method)));
  assert.deepEqual(
    requests.filter(({ address, body }) => body || FOUR.some((name) => address.includes(name))),
    [],
  );
});

test("in Safari a copy is due at the end of the game that is played", async () => {
  const one = await Game.list(Object.assign(new Tablet(), { hasRules: true, isReady: true, standalone: false }));
  one.fill(FOUR);
  await one.start();
  await one.page.until(() => document.documentElement.classList.contains("copy-is-due"), "a copy is due");
});

test("what “Nobody” and Save do is worked out before they are pressed", async () => {
  const one = await Game.begin(FOUR);
  await one.tablet.clock.pass(4000);
  rules.beBusy();
  await one.pressOn("nobody");
  assert.equal(textOf(document.getElementById("next-hand")), "Hand 2");
  rules.goOn();
  await one.toEntry(2);
  // The rules were there already.
  assert.equal(document.getElementById("entry").dataset.rules, "on board");
  await one.enterWin("Brian", 20);
  await one.pause();
  rules.beBusy();
  await one.tap("Save hand 2");
  assert.equal(textOf(document.getElementById("next-hand")), "Hand 3");
  assert.deepEqual(one.balances(), { Jean: "1,960", Brian: "2,080", Barbara: "1,980", Ken: "1,980" });
  rules.goOn();
  await one.load();
  await one.nextIs(3);
});

test("a game that is opened, or opened again, is drawn before the rules have begun", async () => {
  const one = await Game.list();
  one.fill(FOUR);
  await one.tap("Start");
  await one.page.until(() => one.page.left, "the game has begun");
  rules.beBusy();
  await one.begun();
  await one.east("Jean");
  await one.toEntry(1);
  rules.goOn();
  await one.load();
  await one.win(1, "Brian", 20);
  rules.beBusy();
  await one.load();
  await one.nextIs(2);
  assert.deepEqual(one.balances(), { Jean: "1,960", Brian: "2,080", Barbara: "1,980", Ken: "1,980" });
  await one.toEntry(2);
  rules.goOn();
  const other = await Game.list(one.tablet);
  other.fill(["Ann", "Bea", "Cy"]);
  await other.start();
  await other.east("Ann");
  assert.ok(!textOf(document.body).includes("Brian"));
});

// What the tablet has kept of the rules’ last answer, as other rules would have given it.
function answerOtherwise(tablet, was, would) {
  const kept = tablet.localStorage.getItem("last-answer");
  assert.ok(kept.includes(was));
  tablet.localStorage.setItem("last-answer", kept.replaceAll(was, would));
}

test("after an upgrade a game keeps its hands and is scored by the rules that came with it", async () => {
  const one = await Game.begin(FOUR);
  await one.win(1, "Brian", 20);
  await one.tablet.clock.pass(4000);
  answerOtherwise(one.tablet, "2,080", "2,090");
  await one.load();
  assert.equal(one.balances().Brian, "2,090");
  const pages = ["kept of games", "game"].map(pageOf);
  const before = pages.map(({ html }) => html);
  for (const page of pages) page.html = page.html.replaceAll("rules.json", "rules.newer.json");
  try {
    await one.load();
    await one.nextIs(2);
    assert.deepEqual(one.balances(), { Jean: "1,960", Brian: "2,080", Barbara: "1,980", Ken: "1,980" });
    await one.win(2, "Brian", 20);
    assert.equal(one.balances().Brian, "2,200");
    await one.finish();
    assert.equal(textOf(document.querySelector(".final-order li .num")), "+200");
  } finally {
    pages.forEach((page, at) => Object.assign(page, { html: before[at] }));
  }
});

test("another game of five by other rules, with all that happens at a table", async () => {
  const one = await Game.begin(["Ann", "Bea", "Cy", "Dot", "Eve"], "western");
  assert.deepEqual(textsOf(".sitter .seat-name"), ["Eve"]);
  await one.win(1, "Bea", 20);
  await one.pressOn("nobody");
  await one.nextIs(3);
  await one.pressOn("undo");
  await one.nextIs(2);
  document.querySelector("ol.history .row-waits").open = true;
  await one.follow("Change this hand");
  await one.shows(".hand-title", /Change hand 1/);
  await one.choose("Bea", "total");
  await one.figures("40");
  await one.everybody();
  await one.tap("Show what changes");
  await one.lookAnd("Change the hand", "What changes with hand 1");
  // Five share 8,000: 1,600 each. East pays double under Western rules, too: 80 of Ann, 40 of each other at the table.
  await one.page.until(() => document.querySelector(".felt") && one.balances().Bea === "1,760", "Bea has 160 more");
  await one.follow("A player is leaving");
  await one.page.until(() => document.querySelector("label.choice"), "who leaves");
  [...document.querySelectorAll("label.choice")]
    .find((label) => textOf(label) === "Dot")
    .querySelector("input").checked = true;
  await one.tap("Leave the table");
  await one.page.until(() => textsOf(".felt .seat-name").includes("Eve"), "Eve plays");
  await one.follow("The sheet");
  await one.shows("#sheet", /Bea/);
  assert.match(textOf(document.querySelector("h1")), /^Your game, /);
  await one.load();
  await one.finish();
  assert.match(textOf(document.querySelector(".final-order li")), /Bea/);
  const lines = await one.savedLines();
  assert.equal(lines[0], "Hand,What happened,Ann,Bea,Cy,Dot,Eve");
  assert.ok(lines.includes("1,Bea goes Mah Jong with 40,-80,160,-40,-40,0"), lines.join("\n"));
});

test("a form is kept by the names of its fields, and what the rules refuse is not", async () => {
  const one = await Game.begin(["Ann", "Bea", "Cy", "Dot"]);
  const sat = textsOf(".felt .seat-name");
  await one.follow("We sat differently");
  await one.shows("h1", "We sat differently");
  const field = (name) => document.querySelector(`#main select[name="${name}"]`);
  await one.page.until(() => field("winds-S").value === "2", "the players are in the form");
  for (const wind of "ES") field(`winds-${wind}`).value = "1";
  await one.tap("Save these seats");
  await one.shows("#messages", "No one can sit in two seats.");
  for (const name of "ab") Object.assign(field(name), { value: "1" });
  await one.tap("Swap the two");
  await one.shows("#messages", "This does not fit. Choose another player or amount.");
  Object.assign(field("b"), { value: "2" });
  await one.tap("Swap the two");
  await one.page.until(() => document.querySelector(".felt"), "the table is shown");
  await one.shows("#messages", /Ann and Bea have swapped seats/);
  assert.notDeepEqual(textsOf(".felt .seat-name"), sat);
  const store = await one.page.load("table/outbox/store.js");
  const [{ commands }] = await one.page.within(store.tables());
  assert.deepEqual(
    commands.map(({ kind, body, words }) => ({ kind, body, words })),
    [{ kind: "exchange", body: { a: "1", b: "2" }, words: "Ann and Bea swap seats" }],
  );
});

test("a sixth player is refused in the rules’ own words, and the game goes on", async () => {
  const one = await Game.begin([...FOUR, "Eve"]);
  await one.follow("Add a player");
  await one.type("New player’s name", "Dot");
  await one.tap("Seat the player");
  await one.shows("#messages", "British (BMJA) is for 5 players at most. No one else can join.");
  assert.equal(document.querySelector("#main [name=name]").value, "Dot");
  await one.load();
  await one.east("Jean");
  await one.win(1, "Brian", 20);
});

test("a hand that the rules refuse, as those of a later version may, leaves the game its other hands", async () => {
  const one = await Game.begin(FOUR);
  await one.win(1, "Brian", 20);
  const store = await one.page.load("table/outbox/store.js");
  const [game] = await one.page.within(store.tables());
  const [hand] = game.commands;
  const refused = { ...hand, key: "refused", body: { ...hand.body, mahjong: { by: "9" } } };
  await one.page.within(store.addGames([{ ...game, commands: [hand, refused] }]));
  await one.load();
  await one.nextIs(2);
  assert.equal(one.balances().Brian, "2,080");
  await one.win(2, "Brian", 20);
});

test("three play and one comes later", async () => {
  const one = await Game.begin(["Ann", "Bea", "Cy"]);
  await one.win(1, "Ann");
  await one.follow("Add a player");
  await one.type("New player’s name", "Dot");
  await one.tap("Seat the player");
  await one.page.until(() => textsOf(".felt .seat-name").includes("Dot"), "Dot plays");
  const list = await Game.list(one.tablet);
  await list.shows(".game b", "Ann, Bea, Cy, Dot");
});

// By 8,000 points for three, as for four.
test("a table of three says its starting balance, until the first hand is played", async () => {
  const one = await Game.begin(["Ann", "Bea", "Cy"]);
  await one.shows(".board-side", /Everyone starts with 2,660\./);
  await one.win(1, "Ann");
  await one.page.until(() => !textOf(document.querySelector(".board-side")).includes("Everyone starts"), "begun");
});

test("the picture of a game is turned by quarters, and stays so", async () => {
  const one = await Game.begin(FOUR);
  const atBottom = () => textOf(document.querySelector('[data-side="bottom"] .seat-name'));
  const sides = [];
  for (const _ of FOUR) {
    sides.push(atBottom());
    await one.tap("Turn the table");
    await one.page.until(() => atBottom() !== sides.at(-1), "turned");
  }
  assert.deepEqual(new Set(sides), new Set(FOUR));
  assert.equal(atBottom(), sides[0]);
  await one.tap("Turn the table");
  await one.page.until(() => atBottom() === sides[1], "turned");
  await one.load();
  await one.page.until(() => atBottom() === sides[1], "as it was turned");
  // Twice before the rules answer: what is kept of each answer is what was asked.
  rules.beBusy();
  await one.tap("Turn the table");
  await one.tap("Turn the table");
  rules.goOn();
  await one.page.until(() => atBottom() === sides[3], "turned twice");
  await one.tablet.clock.pass(4000);
  rules.beBusy();
  await one.load();
  assert.equal(atBottom(), sides[3]);
  rules.goOn();
});

test("who says that the last three hands begin is shown on the felt, and when it is fair to stop", async () => {
  const one = await Game.begin(FOUR);
  await one.tap("Last 3 hands");
  await one.shows(".last-hands", "Last 3 hands");
  await one.shows("#messages", /Noted: Last 3 hands\./);
  await one.shows("#how-long", /Or stop when one of you has been East/);
  await one.win(1, "Ken");
  await one.shows(".last-hands", "Last 2 hands");
});

test("names of earlier games are offered, and each goes into the first empty place", async () => {
  let one = await Game.begin(FOUR);
  one = await Game.list(one.tablet);
  const offered = () => textsOf("#names-before button");
  await one.page.until(() => offered().length, "names");
  assert.deepEqual(offered(), FOUR);
  await one.tap("Ken");
  await one.tap("Jean");
  assert.deepEqual(
    [1, 2, 3].map((at) => document.getElementById(`name_${at}`).value),
    ["Ken", "Jean", ""],
  );
  assert.deepEqual(offered(), ["Brian", "Barbara"]);
});

test("who won is listed, two who are equal both", async () => {
  let one = await Game.begin(["Ann", "Bea", "Cy"]);
  await one.win(1, "Bea", 20);
  await one.pressOn("nobody");
  await one.nextIs(3);
  await one.finish();
  one = await Game.list(one.tablet);
  await one.shows(".game", /Bea won with 2,720 after 2 hands/);
  one.fill(["Ann", "Bea", "Cy", "Dot"]);
  await one.start();
  await one.pressOn("nobody");
  await one.nextIs(2);
  one = await Game.list(one.tablet);
  await one.shows(".game", /Ann and Bea and Cy and Dot lead with 2,000 after 1 hand/);
});

test("what is missing is said and nothing typed is lost", async () => {
  const one = await Game.list();
  one.fill(["Ann"]);
  await one.tap("Start");
  await one.shows("#messages", "Choose a player for South.");
  one.fill(["Ann", "Bea", "ann"]);
  await one.tap("Start");
  await one.shows("#messages", "Choose another player for West. This one already has a seat.");
  assert.equal(document.getElementById("name_2").value, "Bea");
});

test("games are listed, begun again with the same players, and deleted", async () => {
  let one = await Game.begin(FOUR);
  await one.win(1, "Ken");
  one = await Game.list(one.tablet);
  await one.shows(".game", /Ken leads with 2,032 after 1 hand/);
  assert.deepEqual(textsOf("#go-on-with a"), ["Go on: Jean, Brian, Barbara, Ken"]);
  await one.tap("Same players again");
  assert.equal(document.getElementById("name_3").value, "Barbara");
  await one.start();
  await one.east("Jean");
  one = await Game.list(one.tablet);
  await one.page.until(() => document.querySelectorAll(".game").length === 2, "two games");
  await one.tap("Delete", document.querySelector(".game"));
  await one.tap("Delete it");
  await one.page.until(() => document.querySelectorAll(".game").length === 1, "one game");
  await one.shows(".game", /Ken leads/);
});

// Puts games beside the one that is kept, of which the first is still in play.
async function fillUp(tablet, wanted) {
  const opening = tablet.indexedDB.open("clubscore");
  const database = await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = database.transaction("tables", "readwrite");
  const games = transaction.objectStore("tables");
  games.getAll().onsuccess = ({ target }) => {
    const [game] = target.result;
    for (let number = 1; number < wanted; number += 1) {
      games.put({
        ...game,
        session: `game-${number}`,
        opened: `2020-01-01T10:${String(100 + number)}Z`,
        stands: { ...game.stands, isOpen: number === 1 },
      });
    }
  };
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  database.close();
}

test("a game is of the server’s day where that was heard, and a tablet with another clock is told", async () => {
  const tablet = Object.assign(new Tablet(), { hasRules: true, isReady: true, today: Date.UTC(2027, 0, 12, 12) });
  tablet.server.time = Date.UTC(2027, 0, 15, 12);
  const one = await Game.list(tablet);
  one.fill(FOUR);
  await one.start();
  await one.shows("#messages", "This tablet’s clock says 12 January. The table starts today, 15 January.");
  const list = await Game.list(tablet);
  await list.shows(".game", /15 January 2027, \d\d:\d\d, British \(BMJA\)/);
  const order = [...document.querySelectorAll("#games-here, #game-start")].map(({ id }) => id);
  assert.deepEqual(order, ["games-here", "game-start"]);
});

test("whoever goes from the list to a club brings all finished games, from a game that one", async () => {
  const one = await Game.begin(FOUR);
  await one.win(1, "Brian", 20);
  await one.finish();
  const other = await Game.openOn(one.tablet, "games", "game");
  other.fill(FOUR);
  await other.start();
  await other.win(1, "Ken", 30);
  await other.finish();
  const { sessionStorage } = one.tablet;
  const ready = async (search) => {
    const page = await openWhole(one.tablet, "into a club", search);
    const said = document.getElementById("all-said");
    await page.until(
      () => /ready/.test(textOf(said)),
      () => `ready: ${textOf(said)}`,
    );
    return textOf(said);
  };
  const brought = () => [JSON.parse(JSON.parse(sessionStorage.getItem("game-file")))].flat().length;
  assert.equal(await ready(), "2 games are ready. Go on below.");
  assert.equal(brought(), 2);
  sessionStorage.setItem("game-file", JSON.stringify('{"game": "game-1"}'));
  assert.equal(await ready(), "1 game is ready. Go on below.");
  assert.equal(brought(), 1);
  assert.equal(textOf(document.getElementById("bring-all")), "Bring all 2 finished games");
  // No more hands than a club looks at together.
  document.getElementById("all-games").dataset.mostEntries = "1";
  document.getElementById("bring-all").click();
  await one.page.until(
    () => textOf(document.getElementById("all-said")) === "1 game is ready. Go on below. Then bring the rest.",
    () => textOf(document.getElementById("all-said")),
  );
  assert.equal(await ready("#all"), "2 games are ready. Go on below.");
  // What a site of files brings is that alone, whatever is on this tablet.
  const { packed } = await one.page.load("table/outbox/code_format.js");
  const sent = await one.page.within(packed('[{"game": "game-1"}, {"game": "game-2"}, {"game": "game-3"}]'));
  assert.equal(await ready(`#game=${sent}`), "3 games are ready. Go on below.");
  assert.equal(brought(), 3);
});

test("a game that a club has too says so before it is deleted", async () => {
  const one = await Game.begin(FOUR);
  const asked = async (search) => {
    one.page = await openWhole(one.tablet, "games", search);
    await one.page.until(() => document.querySelector(".game"), "the game is listed");
    await one.tap("Delete", document.querySelector(".game"));
    return textOf(document.querySelector(".game .actions p"));
  };
  assert.equal(await asked(), "Delete this game? It is nowhere else.");
  const key = new URL(one.address, "http://clubscore.test").searchParams.get("new");
  one.tablet.sessionStorage.setItem("game-brought", JSON.stringify({ games: [`game-${key}`], club: "Bramley" }));
  // Looked at there, but not put in.
  assert.equal(await asked(), "Delete this game? It is nowhere else.");
  assert.equal(await asked("#brought"), "Delete this game? Bramley has it too.");
  assert.equal(await asked(), "Delete this game? Bramley has it too.");
});

test("a tablet keeps 200 games, and then offers to delete the oldest finished one", async () => {
  let one = await Game.begin(FOUR);
  await one.win(1, "Ken");
  await one.page.within(fillUp(one.tablet, 200));
  one = await Game.list(one.tablet);
  await one.page.until(() => document.querySelectorAll(".game").length === 200, "200 games");
  one.fill(FOUR);
  await one.tap("Start");
  await one.shows("#messages", /There are 200 games on this tablet/);
  await one.tap("Delete the oldest");
  await one.begun();
  const store = await one.page.load("table/outbox/store.js");
  const sessions = (await one.page.within(store.tables())).map(({ session }) => session);
  // The oldest of all is still in play, and stays.
  assert.deepEqual([sessions.length, sessions.includes("game-1"), sessions.includes("game-2")], [200, true, false]);
});

test("a tablet that keeps nothing says so before a game is begun on it", async () => {
  const tablet = Object.assign(new Tablet(), { hasRules: true, isReady: true });
  tablet.indexedDB = { open: () => ({}) };
  const one = await Game.list(tablet);
  one.fill(FOUR);
  await one.tap("Start");
  await one.shows("#messages", /cannot/);
  assert.equal(document.getElementById("name_4").value, "Ken");
});

// East first. A hand is who went Mah-jong, and with how much; null: nobody did. The nets are those of
// tests/browser/test_games.py, which plays on a tablet with fingers.
const AFTERNOONS = {
  "of three, British": {
    names: ["Ann", "Bea", "Cy"],
    hands: [["Bea", 20], ["Bea", 40], ["Ann", 8], null, ["Cy", 64]],
    starts: 2660,
  },
  "of four, British": {
    names: FOUR,
    hands: [["Ken", 20], null, ["Jean", 50], ["Barbara", 100], ["Barbara", 8]],
    starts: 2000,
  },
};

// Plays an afternoon by the rules of East and paying; returns who is East at last, and the nets.
function played(names, hands) {
  let table = [...names];
  const net = Object.fromEntries(names.map((name) => [name, 0]));
  for (const [winner, total] of hands.map((hand) => hand || [null, 0])) {
    const [east] = table;
    for (const payer of winner ? table.filter((one) => one !== winner) : []) {
      const amount = total * ([payer, winner].includes(east) ? 2 : 1);
      net[payer] -= amount;
      net[winner] += amount;
    }
    // East goes to the player on the right.
    if (winner && winner !== east) table = [...table.slice(1), east];
  }
  return [table[0], net];
}

for (const [which, { names, hands, starts }] of Object.entries(AFTERNOONS)) {
  test(`a whole afternoon ${which}, needs no server`, async () => {
    const one = await Game.begin(names);
    for (const [at, hand] of hands.entries()) {
      if (at === 2) {
        one.server.isAway = true;
        await one.load();
      }
      if (hand) await one.win(at + 1, ...hand);
      else {
        await one.pressOn("nobody");
        await one.nextIs(at + 2);
      }
    }
    const [east, net] = played(names, hands);
    await one.east(east);
    const ends = Object.fromEntries(names.map((name) => [name, starts + net[name]]));
    assert.deepEqual(
      one.balances(),
      Object.fromEntries(names.map((name) => [name, ends[name].toLocaleString("en-GB")])),
    );
    // Undone and done again, it is as it was.
    await one.pressOn("undo");
    await one.nextIs(hands.length);
    await one.pressOn("redo");
    await one.nextIs(hands.length + 1);
    await one.finish();
    assert.equal((await one.savedLines()).at(-1), ["", "Final balance", ...names.map((name) => ends[name])].join(","));
    await one.tap("Put it into a club");
    await one.shows("#messages", /no Wi-Fi just now\. Put the game into a club when it is back/);
    assert.ok(one.server.requests.every(({ method, body }) => ["GET", "HEAD"].includes(method) && !body));
    one.server.isAway = false;
    const list = await Game.list(one.tablet);
    await list.shows(".game", /won with/);
  });
}
