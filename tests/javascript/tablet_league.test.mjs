// The league of the games on a tablet: what counts, who is who, the figures, and that nothing leaves the tablet.
import assert from "node:assert/strict";
import test from "node:test";

import { textOf, textsOf } from "./hand_page.mjs";
import { OwnTable } from "./own_table.mjs";
import { beginRules, openPage, Tablet } from "./page.mjs";

const DAYS = ["2026-09-03", "2026-09-10", "2026-10-01"];

// A game as a tablet keeps it once it is finished: { name: [hands, won, gained, lost, best hand] }.
function gameOf(number, day, players, { isOpen = false, rules = "bmja", house = {}, tallies = true } = {}) {
  const names = Object.keys(players);
  const figures = Object.values(players);
  return {
    session: `game-${number}`,
    opened: `${day}T14:0${number}:00.000Z`,
    body: { rules, date: day },
    rules: { rules, house_rules: house },
    commands: [],
    state: {
      session: `game-${number}`,
      date: new Date(`${day}T12:00`).toLocaleDateString("en-GB", { dateStyle: "long" }),
      names: Object.fromEntries(names.map((name, at) => [at + 1, name])),
      urls: { table: `/game/table/?new=${number}` },
    },
    stands: {
      players: names.map((name, at) => [name, 2000 + figures[at][2] + figures[at][3]]),
      ...(tallies && { tallies: figures }),
      hands: figures[0][0],
      isOpen,
    },
  };
}

const THREE = [
  gameOf(1, DAYS[0], {
    Jean: [16, 6, 700, -300, 640],
    Brian: [16, 4, 300, -200, 320],
    Barbara: [16, 4, 200, -400, 128],
    Ken: [16, 2, 100, -400, 96],
  }),
  gameOf(2, DAYS[1], {
    jean: [8, 1, 50, -150, 64],
    Brian: [8, 4, 250, -50, 256],
    Barbra: [8, 3, 0, -100, 88],
  }),
  gameOf(3, DAYS[2], { Jean: [4, 4, 90, 0, 40], Brian: [4, 0, 0, -90, 12] }, { isOpen: true }),
];

async function tabletWith(games) {
  await beginRules(process.env.CLUBSCORE_LEAGUE);
  const tablet = Object.assign(new Tablet(), { hasRules: true, isReady: true });
  await OwnTable.openOn(tablet, "games", "game");
  const opening = tablet.indexedDB.open("clubscore", 1);
  const database = await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = database.transaction("tables", "readwrite");
  for (const game of games) transaction.objectStore("tables").put(game);
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  database.close();
  tablet.server.requests.length = 0;
  return tablet;
}

const rows = () =>
  [...document.querySelectorAll("table.league tbody tr:not(.below-line)")].map((row) =>
    [...row.children].map(textOf).slice(0, 3),
  );
const within = (page, isSo, what) => page.until(isSo, () => `${what}: ${textOf(document.getElementById("league"))}`);

async function leagueOf(tablet, hash = "") {
  const page = await openPage(tablet, "tablet league");
  globalThis.location.hash = hash;
  await page.run();
  await within(page, () => document.querySelector("#league > *"), "something is shown");
  return page;
}

async function choose(page, name, value) {
  const field = document.querySelector(`[name=${name}]`);
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  await page.tablet.clock.pass(100);
}

const press = (words) =>
  [...document.querySelectorAll("button")]
    .find((button) => textOf(button) === words)
    .dispatchEvent(new MouseEvent("click", { bubbles: true }));

// Jean +400 and -100 in 24 hands, Brian +100 and +200 in 24, Barbara -200 in 16, Barbra -100 in 8, Ken -300 in 16. Brian and
// Jean are level in all but the hands that they won: 8 and 7.
test("finished games are ranked in each way, capitals make nobody else, and nothing leaves the tablet", async () => {
  const tablet = await tabletWith(THREE);
  const page = await leagueOf(tablet);
  const order = ["Brian", "Jean", "Barbra", "Barbara", "Ken"];
  for (const [method, values] of Object.entries({
    average: ["12.5", "12.5", "−12.5", "−12.5", "−18.8"],
    average_session: ["150.0", "150.0", "−100.0", "−200.0", "−300.0"],
    total: ["300", "300", "−100", "−200", "−300"],
    won: ["1", "1", "0", "0", "0"],
  })) {
    await choose(page, "method", method);
    assert.deepEqual(
      rows(),
      order.map((name, at) => [String(at + 1), name, values[at]]),
    );
  }
  await choose(page, "method", "best_n");
  assert.deepEqual(rows().slice(0, 2), [
    ["1", "Jean", "400"],
    ["2", "Brian", "200"],
  ]);
  assert.equal(textsOf(".small-print p")[0], "Your score is your best game.");
  const sent = ({ method, body, address }) => (method && method !== "GET") || body || /jean|brian/i.test(address);
  assert.deepEqual(tablet.server.requests.filter(sent), []);
});

test("what does not count is named with its reason", async () => {
  const before = gameOf(4, DAYS[2], { Jean: [4, 2, 10, 0, 40], Brian: [4, 2, 0, -10, 12] }, { tallies: false });
  const straight = gameOf(5, DAYS[2], { Jean: [4, 2, 90, 0, 40], Ken: [4, 2, 30, 0, 12] }, { rules: "turner" });
  const page = await leagueOf(await tabletWith([...THREE, before, straight]));
  assert.deepEqual(textsOf("#league details li").slice(0, 3), [
    "1 October 2026, Jean, Ken: it is not among those chosen above.",
    "1 October 2026, Jean, Brian: open it once, so that it counts.",
    "1 October 2026, Jean, Brian: it is not finished.",
  ]);
  assert.deepEqual(textsOf("#league-rules option"), ["British (BMJA)", "Turner simple scoring"]);
  await choose(page, "rules", "turner straight");
  assert.deepEqual(
    rows().map(([, name]) => name),
    ["Jean", "Ken"],
  );
});

test("a table is of chosen days, and who played in fewer games than needed stands apart", async () => {
  const page = await leagueOf(await tabletWith(THREE));
  await choose(page, "minimum", "2");
  assert.deepEqual(rows(), [
    ["1", "Brian", "12.5"],
    ["2", "Jean", "12.5"],
    ["", "Barbara 1 of 2 games", "−12.5"],
    ["", "Barbra 1 of 2 games", "−12.5"],
    ["", "Ken 1 of 2 games", "−18.8"],
  ]);
  assert.equal(textsOf(".small-print p")[1], "Players need at least 2 games to be ranked.");
  await choose(page, "minimum", "1");
  await choose(page, "last_day", DAYS[0]);
  assert.deepEqual(rows()[0], ["1", "Jean", "25.0"]);
  assert.equal(rows().length, 4);
});

async function joinNames(page, one, other) {
  document.getElementById("join-one").value = one;
  document.getElementById("join-other").value = other;
  press("Join the two names");
  await page.tablet.clock.pass(200);
}

test("two spellings of a player are joined for all games, and parted again", async () => {
  const tablet = await tabletWith(THREE);
  let page = await leagueOf(tablet);
  await joinNames(page, "ken", "jean");
  assert.equal(
    document.getElementById("spellings-said").textContent,
    "They played in the same game on 3 September 2026, so they are two people.",
  );
  await joinNames(page, "barbra", "barbara");
  // -300 in 24 hands.
  const three = ["3", "Barbara", "−12.5"];
  assert.deepEqual(rows()[2], three);
  page = await leagueOf(tablet);
  assert.deepEqual(rows()[2], three);
  press("Separate them");
  await page.tablet.clock.pass(200);
  assert.equal(rows().length, 5);
});

test("a player has a page with games, best hands and form", async () => {
  await leagueOf(await tabletWith(THREE), "#player-jean");
  const words = textOf(document.getElementById("league"));
  assert.match(words, /Position 2, average per hand 12\.5\. Won 7 of 24 hands\./);
  assert.match(words, /Last games, newest first: −100, \+400\./);
  assert.deepEqual(textsOf("#league ol li"), ["640 on 3 September 2026", "64 on 10 September 2026"]);
  assert.deepEqual(textsOf("#league ul li"), [
    "10 September 2026: −100 won 1 of 8 hands, with Brian, Barbra",
    "3 September 2026: +400 won 6 of 16 hands, with Brian, Barbara, Ken",
  ]);
});

test("the spreadsheet has the columns and the words of a club’s league table", async () => {
  const page = await leagueOf(await tabletWith(THREE));
  await choose(page, "minimum", "2");
  const saved = [];
  URL.createObjectURL = (file) => saved.push(file) && "blob:";
  press("Save as a spreadsheet");
  const lines = (await saved[0].text()).replace("\uFEFF", "").trim().split("\r\n");
  assert.deepEqual(lines.slice(0, 4), [
    "Position,Player,Games played,Hands,Hands won,Won or lost,Best game,Ranked by the figure,Why not ranked",
    "1,Brian,2,24,8,300,200,12.5000,",
    "2,Jean,2,24,7,300,400,12.5000,",
    ",Barbara,1,16,4,-200,-200,-12.5000,1 of 2 games",
  ]);
});

test("a picture of the league has everyone who is ranked, with their figure", async () => {
  const page = await leagueOf(await tabletWith(THREE));
  const drawn = [];
  const pen = { fillRect() {}, fillText: (words) => drawn.push(words) };
  const canvas = Object.getPrototypeOf(document.createElement("canvas"));
  canvas.getContext = () => pen;
  canvas.toBlob = (done) => done(new Blob(["picture"]));
  const saved = [];
  URL.createObjectURL = (file) => saved.push(file) && "blob:";
  press("Share a picture");
  await page.until(() => saved.length, "the picture is given");
  assert.equal(saved[0].type, "image/png");
  const words = drawn.join("|");
  assert.match(words, /League table\|2 games until 10 September 2026\|/);
  assert.match(words, /1\|Brian\|12\.5\|2\|Jean\|12\.5\|3\|Barbra\|\u221212\.5/);
});

test("a tablet without finished games, or too old to rank, says so", async () => {
  await leagueOf(await tabletWith(THREE.slice(2)));
  assert.match(textOf(document.getElementById("league")), /There is no finished game on this tablet yet\./);
  const tablet = await tabletWith(THREE);
  tablet.hasRules = false;
  await leagueOf(tablet);
  assert.match(textOf(document.getElementById("league")), /This browser is too old to work out the league table\./);
});
