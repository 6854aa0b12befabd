// What can be laid down with the tiles there are, and the paper sheet as it is typed.
import assert from "node:assert/strict";
import test from "node:test";

import { openPage, Tablet } from "./page.mjs";

const NAMES = { "7D": "7 Circles", "8B": "8 Bamboo", R: "Red Dragon", F1: "Plum" };
const set = (text) => ({ hands: { 1: { sets: [text] } } });
const hands = (...all) => ({ hands: Object.fromEntries(all.map((one, at) => [at + 1, one])) });

async function rulesOf() {
  return (await openPage(new Tablet(), "hand")).load("table/hand_entry/rules.js");
}

test("there are four copies of a tile, over all hands", async () => {
  const { impossible } = await rulesOf();
  assert.equal(impossible(set("exposed kong 7D"), NAMES, false, ""), "");
  assert.equal(
    impossible(hands({ sets: ["exposed pung 7D"] }, { sets: ["pair 7D"] }), NAMES, false, ""),
    "There are only four 7 Circles tiles.",
  );
  assert.notEqual(impossible(hands({ sets: ["concealed kong R"] }, { tiles: "R" }), NAMES, false, ""), "");
  // Two winners may end on one tile.
  assert.equal(impossible(hands({ sets: ["exposed pung 7D"] }, { sets: ["pair 7D"] }), NAMES, false, "7D"), "");
});

test("four jokers of a goulash stand for four more tiles, and no fifth", async () => {
  const { impossible } = await rulesOf();
  const four = hands({ sets: ["exposed kong 7D"] }, { sets: ["exposed kong 7D"] });
  assert.equal(impossible(four, NAMES, true, ""), "");
  four.hands[3] = { tiles: "7D" };
  assert.equal(impossible(four, NAMES, true, ""), "A goulash has at most four jokers; this would need more.");
});

test("each flower and season is there once", async () => {
  const { impossible } = await rulesOf();
  assert.equal(impossible(hands({ bonus: "F1" }, { bonus: "F2" }), NAMES, false, ""), "");
  assert.equal(
    impossible(hands({ bonus: "F1" }, { bonus: "F1" }), NAMES, false, ""),
    "There is only one Plum, and it is already entered.",
  );
});

test("a chow is a run of one suit, named by its lowest tile, and never in a goulash", async () => {
  const { impossibleSet, readSet } = await rulesOf();
  const why = (text, isGoulash = false) => impossibleSet(readSet(text), NAMES, isGoulash);
  assert.equal(why("exposed chow 7D"), "");
  assert.equal(why("exposed chow R"), "A chow is a run of one suit; Red Dragon cannot be in one.");
  assert.equal(why("exposed chow 8B"), "A chow is named by its lowest tile; none begins with 8 Bamboo.");
  assert.equal(why("exposed chow 7D", true), "There are no chows in a goulash.");
  assert.equal(why("exposed pung R", true), "");
});

test("a Mah-jong has fourteen tiles and another hand thirteen, a kong counted as three", async () => {
  const { maxTiles, size } = await rulesOf();
  assert.equal(
    size({ sets: ["exposed kong 7D", "concealed kong R", "exposed chow 1C", "exposed pung E", "pair W"] }),
    14,
  );
  assert.equal(maxTiles({}, true, false), 14);
  assert.equal(maxTiles({}, false, true), 13);
  assert.equal(maxTiles({}, false, false), 14);
});

// The sheet

const typedRow = (key, totals, winner) => ({ key, totals, winner, sheet: {}, open: false });

async function paperOf(tablet) {
  const page = await openPage(tablet, "paper");
  const [paper, { readJson }] = await Promise.all([page.load("table/paper/state.js"), page.load("web/dom.js")]);
  return { ...paper, data: readJson("paper-data") };
}

test("what is typed on the sheet is back on the next page, without the rows that the club has", async () => {
  const tablet = new Tablet();
  const first = await paperOf(tablet);
  assert.deepEqual(first.begin(first.data), { restored: false, moved: false });
  const [one, two] = first.state.rows;
  Object.assign(one, typedRow(one.key, { 1: "64", 2: "0", 3: "8", 4: "2" }, "1"));
  Object.assign(two, typedRow(two.key, { 1: "128" }, ""));
  first.keep();
  assert.ok(first.state.isKept);
  const again = await paperOf(tablet);
  assert.deepEqual(again.begin(again.data), { restored: true, moved: false });
  assert.deepEqual(
    again.state.rows.slice(0, 2).map(({ totals }) => totals),
    [{ 1: "64", 2: "0", 3: "8", 4: "2" }, { 1: "128" }],
  );
  // The first was recorded, though its answer was lost.
  const later = await paperOf(tablet);
  assert.deepEqual(later.begin({ ...later.data, decided: [one.key], number: 2 }), { restored: true, moved: true });
  assert.deepEqual(
    later.state.rows.slice(0, 2).map(({ totals }) => totals),
    [{ 1: "128" }, {}],
  );
  later.forget();
  const last = await paperOf(tablet);
  assert.deepEqual(last.begin(last.data), { restored: false, moved: false });
});

test("a computer that cannot keep the sheet says so", async () => {
  const tablet = new Tablet();
  tablet.localStorage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const { begin, keep, state, data } = await paperOf(tablet);
  begin(data);
  state.rows[0].winner = "D";
  keep();
  assert.equal(state.isKept, false);
});
