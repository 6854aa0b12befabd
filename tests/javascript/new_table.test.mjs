// A table of a club that is started without the network: what is asked before it begins, and what is done at it.
import assert from "node:assert/strict";
import test from "node:test";

import { textOf } from "./hand_page.mjs";
import { OwnTable } from "./own_table.mjs";
import { openWhole, pageOf, Tablet } from "./page.mjs";

const SILENT =
  "This browser’s storage does not answer, so hands cannot be kept on this tablet. Close Clubscore and open it again.";
const PEOPLE = ["Alice", "Bob", "Carol", "Dave"];
// Bob got 16 of East Alice and 8 of the others, Carol 16 of East Bob and 8 of the others.
const AFTER_TWO = { Alice: "1,976", Bob: "2,016", Carol: "2,024", Dave: "1,984" };

class NewTable extends OwnTable {
  // Opens the page that starts a table, without the network.
  static async form(tablet = null) {
    const one = await NewTable.openOn(tablet, "start", "new table");
    one.server.isAway = true;
    return one;
  }

  static async begin(names = PEOPLE) {
    const one = await NewTable.form();
    one.seat(names);
    await one.start();
    return one;
  }

  static async playedTwo() {
    const one = await NewTable.begin();
    await one.win(1, "Bob");
    await one.win(2, "Carol");
    return one;
  }

  place(number) {
    return document.getElementById(`id_player_${number}`);
  }

  seat(names) {
    for (const [at, name] of names.entries())
      this.place(at + 1).value = [...this.place(at + 1).options].find((option) => option.textContent === name).value;
  }

  chosen(number) {
    return this.place(number).selectedOptions[0].textContent;
  }

  async start() {
    await this.tap("Start playing");
    await this.begun();
  }

  async startIsRefused(words) {
    await this.tap("Start playing");
    await this.shows("#messages", words);
  }

  // What the tablet keeps until the club has it.
  async kept() {
    const store = await this.page.load("table/outbox/store.js");
    return this.page.within(store.all());
  }

  openHand(number) {
    const row = [...document.querySelectorAll("ol.history .row-waits")].at(-number);
    row.open = true;
    return row;
  }
}

test("someone new joins a table that the club has, and waits where it does not have it", async () => {
  const offered = async (one) => {
    await one.follow("Add a player");
    await one.shows("h1", "Add a player");
    return [...document.querySelectorAll("[name=player] option")].map(textOf).includes("Someone new …");
  };
  assert.ok(!(await offered(await NewTable.begin())));
  const one = await NewTable.openOn(null, "table", "table");
  await one.page.until(() => "views" in document.documentElement.dataset, "the views are there");
  assert.ok(await offered(one));
});

test("a date is checked on the tablet as on the server", async () => {
  const one = await NewTable.form();
  one.seat(PEOPLE);
  const date = document.getElementById("id_date");
  for (const [wrong, sentence] of [
    ["0026-11-26", "Enter the year with four digits, for example 2026."],
    ["3000-01-01", "Enter a year from 1900 to 2999."],
    ["", "Enter the date, for example 12/11/2026."],
  ]) {
    date.value = wrong;
    await one.startIsRefused(sentence);
  }
  date.value = "2028-11-15";
  await one.startIsRefused("This date is 2 years ahead. Correct it, or choose “15 November 2028 is right”.");
  const isRight = (words) =>
    [...document.querySelectorAll("label")]
      .find((label) => textOf(label) === `${words} is right`)
      .querySelector("input");
  isRight("15 November 2028").checked = true;
  // The tick was for the other date.
  date.value = "2062-11-15";
  await one.startIsRefused("This date is 36 years ahead. Correct it, or choose “15 November 2062 is right”.");
  assert.equal(one.chosen(1), "Alice");
  isRight("15 November 2062").checked = true;
  await one.start();
  const [{ body }] = await one.kept();
  assert.deepEqual([body.date, body.date_is_right], ["2062-11-15", "2062-11-15"]);
});

const A_DAY = 86_400_000;
const [NOON, EVENING] = [Date.UTC(2027, 0, 15, 12), Date.UTC(2027, 0, 15, 23, 30)];

// Opens the page on a tablet whose clock shows another time than the server’s.
async function withClock(
  tabletTime,
  serverTime,
  { tablet = Object.assign(new Tablet(), { hasRules: true, isReady: true }), isAway = false } = {},
) {
  Object.assign(tablet, { today: tabletTime });
  Object.assign(tablet.server, { time: serverTime, isAway });
  const one = await NewTable.openOn(tablet, "start", "new table");
  await one.page.until(
    () => document.getElementById("id_date").value !== pageOf("start").html.match(/data-seen="([^"]*)"/)[1],
    "the date is brought up to date",
  );
  return {
    one,
    tablet,
    date: document.getElementById("id_date").value,
    said: textOf(document.getElementById("messages")).trim(),
  };
}

test("with the server there its day is the day, and a tablet with another clock is told", async () => {
  const says = (clock) => `This tablet’s clock says ${clock}. The table starts today, 15 January.`;
  for (const [tabletTime, said] of [
    [NOON, ""],
    [NOON - 3 * A_DAY, says("12 January")],
    [NOON + 3 * A_DAY, says("18 January")],
    [NOON - 40 * A_DAY, "This tablet’s clock says 6 December 2026. The table starts today, 15 January 2027."],
  ]) {
    const found = await withClock(tabletTime, NOON);
    assert.deepEqual([found.date, found.said], ["2027-01-15", said]);
  }
});

test("the day is that of the club’s time zone, whatever the tablet’s", async () => {
  const zone = process.env.TZ;
  try {
    process.env.TZ = "Pacific/Auckland";
    const found = await withClock(EVENING, EVENING);
    assert.deepEqual(
      [found.date, found.said],
      ["2027-01-15", "This tablet’s clock says 16 January. The table starts today, 15 January."],
    );
  } finally {
    process.env.TZ = zone ?? "UTC";
  }
});

test("a date that somebody enters stays", async () => {
  const { one } = await withClock(NOON - 40 * A_DAY, NOON);
  one.server.isAway = true;
  one.seat(PEOPLE);
  document.getElementById("id_date").value = "2027-01-08";
  await one.start();
  assert.deepEqual(
    (await one.kept()).map(({ body }) => body.date),
    ["2027-01-08"],
  );
});

test("without the server a tablet goes by how far its clock was out when it last heard from it", async () => {
  const said = (clock, day) =>
    `This tablet’s clock says ${clock}. The table starts on ${day}. Change the date if that is wrong.`;
  const { tablet } = await withClock(NOON + 3 * A_DAY, NOON);
  const later = await withClock(NOON + 10 * A_DAY, 0, { tablet, isAway: true });
  assert.deepEqual([later.date, later.said], ["2027-01-22", said("25 January", "22 January")]);
  // Put back since, as by an empty battery: it cannot be before the day on which the server was last heard.
  const back = await withClock(NOON - 400 * A_DAY, 0, { tablet, isAway: true });
  assert.deepEqual([back.date, back.said], ["2027-01-15", said("11 December 2025", "15 January 2027")]);
});

test("which of a day’s meetings a table is part of is asked before anything is sent", async () => {
  const one = await NewTable.form();
  one.seat(PEOPLE);
  const [first, evening] = JSON.parse(pageOf("kept of club").html).meetings;
  const meeting = () => document.getElementById("id_meeting");
  document.getElementById("id_date").value = first.date;
  assert.equal(document.getElementById("which-meeting").hidden, true);
  await one.startIsRefused("Which meeting is this table part of?");
  assert.equal(document.getElementById("which-meeting").hidden, false);
  const day = new Date(`${first.date}T12:00`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  assert.deepEqual(
    [...meeting().options].map((option) => option.textContent),
    ["— choose —", `Meeting of ${day}, 14:00`, "Evening"],
  );
  meeting().value = evening.key;
  await one.start();
  assert.deepEqual(
    (await one.kept()).map(({ body }) => [body.date, body.meeting]),
    [[first.date, evening.key]],
  );
});

test("no table is started that the next page would not find", async () => {
  const tablet = Object.assign(new Tablet(), { hasRules: true, isReady: true });
  tablet.indexedDB = { open: () => ({}) };
  const one = await NewTable.form(tablet);
  one.seat(PEOPLE);
  await one.startIsRefused(SILENT);
  assert.deepEqual([one.chosen(1), one.page.left], ["Alice", null]);
});

test("what is missing is said and nothing typed is lost", async () => {
  const one = await NewTable.form();
  one.seat(["Alice", "Bob"]);
  await one.startIsRefused("Choose a player for West.");
  one.place(3).value = "new";
  await one.startIsRefused("Enter the new player’s name for West.");
  document.getElementById("id_name_3").value = "Gwen";
  await one.start();
  assert.deepEqual(Object.keys(one.balances()), ["Alice", "Bob", "Gwen"]);
  const [{ kind, body }] = await one.kept();
  assert.deepEqual([kind, body.player_3, body.name_3], ["start", "new", "Gwen"]);
});

test("a table that plays Chinese Official pays as its rule book says", async () => {
  const one = await NewTable.form();
  one.seat([...PEOPLE, "Fay"]);
  document.querySelector("[name=rules][value=chinese_official]").checked = true;
  await one.startIsRefused(
    "Choose other rules, or change the players. Chinese Official (81 fan) is not for 5 players.",
  );
  one.place(5).value = "";
  await one.start();
  assert.deepEqual(one.balances(), { Alice: "0", Bob: "0", Carol: "0", Dave: "0" });
  await one.toEntry(1);
  await one.mark("Bob");
  await one.everybody();
  await one.tap("Other ways to enter, Bob");
  await one.tap("Announced, Bob");
  await one.figures("10");
  await one.lastTileFrom("Dave");
  await one.everybody();
  await one.tap("Save hand 1");
  await one.nextIs(2);
  // Each pays 8, and Dave, who discarded, the 10 besides.
  assert.deepEqual(one.balances(), { Alice: "−8", Bob: "34", Carol: "−8", Dave: "−18" });
  assert.deepEqual(
    (await one.kept()).map(({ kind, body }) => [kind, body.rules]),
    [
      ["start", "chinese_official"],
      ["hand", undefined],
    ],
  );
});

test("too few are not drawn", async () => {
  const one = await NewTable.openOn(null, "draw", "new table");
  [...document.querySelectorAll("label.choice")]
    .find((label) => textOf(label) === "Alice")
    .querySelector("input").checked = true;
  await one.tap("Draw the tables");
  await one.shows("#messages", "One person is here: a table needs at least three, so nobody can play yet.");
});

test("players at another table are marked without the network too", async () => {
  const { tablet } = await NewTable.begin();
  const one = await NewTable.form(tablet);
  const labels = () =>
    Object.fromEntries([...one.place(1).options].map((option) => [option.textContent, option.getAttribute("label")]));
  await one.page.until(() => labels().Alice === "Alice, at table 1", "Alice is marked");
  assert.equal(labels().Fay, null);
});

test("who sits at another table of this tablet is asked about before anything is sent", async () => {
  const { tablet } = await NewTable.begin();
  const one = await NewTable.form(tablet);
  one.seat(["Alice", "Bob", "Fay"]);
  await one.startIsRefused(
    "Alice and Bob are still playing at table 1. Finish that table first, or select “Start this table too”.",
  );
  document.querySelector("[name=plays_twice]").checked = true;
  await one.start();
  assert.deepEqual(
    (await one.kept()).map(({ body }) => body.plays_twice),
    [undefined, "on"],
  );
});

test("a tablet that was closed opens its new table again", async () => {
  const one = await NewTable.begin();
  await one.win(1, "Bob");
  one.page = await openWhole(one.tablet, "outbox");
  await one.page.until(() => document.querySelector("#opened-tables a"), "the tables opened here");
  await one.load(document.querySelector("#opened-tables a").getAttribute("href"));
  await one.nextIs(2);
  await one.east("Bob");
});

test("hands are removed, restored, corrected and put before others after a look", async () => {
  const one = await NewTable.playedTwo();
  await one.tap("Remove this hand", one.openHand(1));
  await one.lookAnd("Remove the hand", "What changes without hand 1");
  await one.shows("#messages", /Hand 1 is removed\. 1 other hand changed\. Bob is East\./);
  // Alice is East in Carol’s hand now.
  assert.deepEqual(one.balances(), { Alice: "1,984", Bob: "1,992", Carol: "2,032", Dave: "1,992" });
  document.querySelector(".removed-hands").open = true;
  await one.tap("Restore this hand");
  await one.lookAnd("Restore the hand", /./);
  await one.page.until(() => !document.querySelector(".removed-hands"), "nothing is removed");
  assert.deepEqual(one.balances(), AFTER_TWO);
  await one.follow("Change this hand", one.openHand(1));
  await one.shows(".hand-title", /Change hand 1/);
  await one.choose("Bob", "total");
  await one.figures("20");
  await one.everybody();
  await one.tap("Show what changes");
  await one.shows("#preview-heading", "What changes with hand 1");
  // Bob wins 20 from East and two others instead of 8.
  await one.shows("dialog .will [data-name=Bob]", /\+80/);
  await one.shows("dialog .lead", "2 hands change.");
  await one.lookAnd("Change the hand", "What changes with hand 1");
  await one.nextIs(3);
  // East Alice pays 40, two pay 20; then East Bob pays Carol 16, two pay 8.
  assert.deepEqual(one.balances(), { Alice: "1,952", Bob: "2,064", Carol: "2,012", Dave: "1,972" });
  await one.follow("Add a missing hand before this one", one.openHand(2));
  await one.shows(".hand-title", /Before hand 2/);
  // Bob is East and stays.
  await one.enterWin("Bob", 8);
  await one.tap("Save the missing hand");
  await one.lookAnd("Add the hand", "What changes with a hand before hand 2");
  await one.nextIs(4);
  // Each pays East 16 in the hand put in.
  assert.deepEqual(one.balances(), { Alice: "1,936", Bob: "2,112", Carol: "1,996", Dave: "1,956" });
  assert.deepEqual(
    (await one.kept()).map(({ kind }) => kind),
    ["start", "hand", "hand", "take_out", "put_back", "correct", "insert"],
  );
});

test("a penalty counts once", async () => {
  const one = await NewTable.playedTwo();
  await one.follow("Penalty");
  const choose = (group, name) =>
    [...one.group(group).querySelectorAll("label")]
      .find((label) => textOf(label).startsWith(name))
      .querySelector("input")
      .click();
  await one.page.until(() => document.querySelector("#penalty-form"), "the form of a penalty");
  choose("What happened", "Another penalty");
  await one.tap("Record the penalty");
  await one.shows("#entry-status", "Choose who pays the penalty.");
  choose("Who pays", "Dave");
  choose("Who receives it", "Alice");
  await one.type("Amount", "50");
  // The second press of a double press counts for nothing.
  const record = one.button("Record the penalty");
  one.press(record);
  one.press(record);
  await one.shows("#messages", /Dave pays a penalty of 50 to Alice\./);
  assert.deepEqual(one.balances(), { ...AFTER_TWO, Alice: "2,026", Dave: "1,934" });
  assert.deepEqual(
    (await one.kept()).map(({ kind }) => kind),
    ["start", "hand", "hand", "fine"],
  );
});

test("who sits out next stands once", async () => {
  const one = await NewTable.begin([...PEOPLE, "Fay"]);
  await one.pressOn("nobody");
  await one.nextIs(2);
  assert.deepEqual(
    [".is-ahead", ".next-out"].map((part) => document.querySelectorAll(part).length),
    [1, 1],
  );
});
