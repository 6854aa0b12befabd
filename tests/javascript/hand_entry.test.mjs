// The hand-entry page: what is refused, undone, kept and worded. The scores are those of tests/browser.
import assert from "node:assert/strict";
import test from "node:test";

import { HandPage, isShown, nameOf, textOf, textOfId, textsOf } from "./hand_page.mjs";
import { beginRules, Tablet } from "./page.mjs";

const SETS = ["exposed pung 7D", "exposed pung 9B", "exposed pung 2C", "exposed pung R", "pair E"];
test("a fifth copy of a tile is answered with a sentence", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "tiles");
  await one.face("7D");
  await one.tap("Next: Carol");
  const felt = [];
  navigator.vibrate = (time) => felt.push(time);
  await one.face("7D");
  one.says("There are only four 7 Circles tiles.");
  assert.ok(document.getElementById("entry-status").classList.contains("is-refused"));
  await one.face("7D");
  await one.face("9B");
  // The refused taps are felt, the other is not.
  assert.equal(felt.length, 2);
  assert.ok(!document.getElementById("entry-status").classList.contains("is-refused"));
  assert.deepEqual(one.body.hands[3].sets, ["exposed pung 9B"]);
});

test("tiles that are all entered are greyed, on every player’s page", async () => {
  const one = await HandPage.open();
  const isGrey = (code) => document.querySelector(`.face[data-tile="${code}"]`).classList.contains("is-used-up");
  await one.choose("Bob", "tiles");
  await one.mode("kong");
  await one.face("7D");
  await one.face("F1");
  assert.deepEqual(["7D", "8D", "F1"].map(isGrey), [true, false, false]);
  await one.tap("Next: Carol");
  assert.deepEqual(["7D", "8D", "F1"].map(isGrey), [true, false, true]);
  await one.tap("Everyone", document.getElementById("seat-tabs"));
});

test("a kong on a pung that lies there makes it a kong", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "tiles");
  await one.lay("exposed pung 7D", "exposed kong 7D");
  assert.deepEqual(one.body.hands[2].sets, ["exposed kong 7D"]);
  one.says("7 Circles: the pung is a kong now.");
  await one.undo();
  await one.lay("concealed pung R", "concealed kong R");
  assert.deepEqual(one.body.hands[2].sets, ["exposed pung 7D", "concealed kong R"]);
});

test("a second chow is questioned at once: it was a pung, or a false Mah-jong", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.lay("exposed chow 4B", "exposed chow 5D");
  const asked = "Only one chow in a Mah-jong";
  await one.tap("It was a pung", one.group(asked));
  assert.deepEqual(one.body.hands[2].sets, ["exposed chow 4B", "exposed pung 5D"]);
  assert.throws(() => one.group(asked));
  await one.undo();
  await one.tap("False Mah-jong", one.group(asked));
  assert.equal(one.body.mahjong, null);
  assert.deepEqual(
    one.body.penalties.map(({ kind, by, to }) => [kind, by, to]),
    [["false mahjong", "2", undefined]],
  );
});

test("a false Mah-jong beside a Mah-jong asks which of them to keep", async () => {
  for (const [answer, hands, mahjong, penalties] of [
    ["Keep the false Mah-jong, without the tiles", {}, null, 1],
    ["Keep Bob’s Mah-jong", { 2: { sets: ["exposed pung 7D"] } }, { by: "2" }, 0],
  ]) {
    const one = await HandPage.open();
    await one.mark("Bob");
    await one.lay("exposed pung 7D");
    await one.everybody();
    await one.tap("Penalty");
    for (const [name, value] of [
      ["kind", "false mahjong"],
      ["by", "3"],
    ])
      await one.tapOn(document.querySelector(`[name=penalty-${name}][value="${value}"]`));
    await one.tap("Add the penalty");
    await one.tap("Save hand 1");
    one.asks("Choose which to keep: the false Mah-jong or the Mah-jong.");
    await one.tap(answer, one.group("A false Mah-jong and a Mah-jong"));
    assert.deepEqual([one.body.hands, one.body.mahjong, one.body.penalties.length], [hands, mahjong, penalties]);
  }
});

test("another winner is offered the tiles of the one before", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.lay("exposed pung 7D", "pair E");
  await one.everybody();
  await one.tap("Carol", document.querySelector(".who-buttons"));
  await one.tap("Yes, move them", one.group("Are Bob’s tiles Carol’s?"));
  assert.deepEqual([one.body.hands[2], one.body.hands[3].sets], [undefined, ["exposed pung 7D", "pair E"]]);
});

test("another winner is asked for the tiles though all else was nothing to score", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.lay(...SETS);
  await one.lastTileFrom("Alice");
  await one.tap("Everyone else: nothing to score");
  await one.mark("Carol");
  assert.equal(one.body.hands[3], undefined);
  await one.tap("Yes, move them", one.group("Are Bob’s tiles Carol’s?"));
  assert.deepEqual([one.body.hands[2], one.body.hands[3].sets], [undefined, SETS]);
  assert.deepEqual(one.body.mahjong, { by: "3" });
  one.group("Last tile from");
  await one.undo();
  one.group("Are Bob’s tiles Carol’s?");
  await one.undo();
  assert.deepEqual([one.body.mahjong.by, one.body.hands[3]], ["2", { sets: [] }]);
});

test("what nobody was sure of goes with the tiles, but where the last one came from is asked again", async () => {
  const one = await HandPage.open();
  await one.choose("Carol", "tiles");
  await one.lay("exposed pung 5B");
  await one.mark("Bob");
  await one.lay(...SETS);
  await one.lastTileFrom("Not sure");
  await one.tapOn(one.tray()[0]);
  await one.tap("Not sure if it was shown");
  assert.deepEqual(one.body.beside.unsure, { 2: ["from", SETS[0]] });
  await one.everybody();
  await one.mark("Carol");
  await one.tap("Yes, exchange them", one.group("Are Bob’s tiles Carol’s?"));
  assert.deepEqual([one.body.hands[2].sets, one.body.hands[3].sets], [["exposed pung 5B"], SETS]);
  assert.deepEqual([one.body.mahjong, one.body.beside.unsure], [{ by: "3" }, { 3: [SETS[0]] }]);
  const from = one.group("Last tile from");
  assert.deepEqual([...from.querySelectorAll("[aria-pressed=true]")], []);
});

test("a special hand by name and a typed total go to another winner too", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.tap("Other ways to enter");
  await one.tap("Special hand by name");
  await one.tapOn(document.querySelector(".special-hand"));
  const { special } = one.body.hands[2];
  await one.choose("Carol", "total");
  await one.figures("20");
  // Taken off first, as where two players may win.
  await one.mark("Bob");
  await one.mark("Carol");
  await one.tap("Yes, exchange them", one.group("Are Bob’s tiles Carol’s?"));
  assert.deepEqual([one.body.hands[2], one.body.hands[3]], [{ total: 20 }, { special }]);
  await one.mark("Bob");
  await one.tap("No", one.group("Are Carol’s tiles Bob’s?"));
  await one.mark("Carol");
  await one.tap("Yes, exchange them", one.group("Is Bob’s score Carol’s?"));
  assert.deepEqual([one.body.hands[2], one.body.hands[3]], [{ special }, { total: 20 }]);
});

test("a winner is not offered nothing to score", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  assert.throws(() => one.button("Nothing to score"));
  await one.everybody();
  await one.others("Bob");
  assert.throws(() => one.button("Nothing to score, Bob"));
  await one.others("Carol");
  one.button("Nothing to score, Carol");
});

test("figures write over a total that stood there before", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "total");
  await one.figures("20");
  await one.everybody();
  await one.choose("Bob", "total");
  await one.figures("64");
  assert.deepEqual(one.body.hands[2], { total: 64 });
  await one.tap("Delete the last digit");
  assert.deepEqual(one.body.hands[2], { total: 6 });
});

test("letters for a total are told beside the player and stay", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.choose("Alice", "total");
  await one.type("Total", "12o");
  for (const name of ["Bob", "Carol", "Dave"]) {
    await one.choose(name, "total");
    await one.figures("8");
    await one.everybody();
  }
  await one.tap("Save hand 1");
  one.asks("Alice: “12o” is not a whole number.");
  assert.equal(document.title, "Error: Hand 1, table 1 – Clubscore");
  await one.tapOn(document.querySelector("#error-summary button"));
  assert.equal(document.querySelector("#way-total input").value, "12o");
  assert.deepEqual(one.body.hands[2], { total: 8 });
  assert.deepEqual(one.server.asked, []);
});

test("a hand without Mah-jong is not saved in silence", async () => {
  const one = await HandPage.open();
  for (const name of ["Alice", "Bob", "Carol", "Dave"]) await one.choose(name, "nothing");
  await one.everybody();
  await one.tap("Save hand 1");
  one.asks("Choose who went Mah-jong, or “Nobody”.");
  assert.deepEqual(one.server.asked, []);
});

test("where the last tile came from is asked for before saving", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.lay(...SETS);
  for (const name of ["Alice", "Carol", "Dave"]) await one.choose(name, "nothing");
  await one.everybody();
  await one.tap("Save hand 1");
  one.asks("Bob: Choose where the last tile came from.");
  assert.deepEqual(one.server.asked, []);
});

test("a winner with too few tiles is not asked for the last one", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.lay("exposed pung 7D", "exposed pung 9B");
  await one.tap("Alice", one.group("Last tile from"));
  await one.tap("Everyone else: nothing to score");
  await one.tap("Save hand 1");
  one.asks("Bob has 6 tiles. A Mah-jong has 14 (count a kong as three).");
  assert.deepEqual(one.server.asked, []);
});

test("tapping a set in the tray changes it", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "tiles");
  await one.face("R");
  await one.tapOn(one.tray()[0]);
  await one.tap("Make it concealed");
  await one.tapOn(one.tray()[0]);
  await one.tap("Make it a kong");
  assert.deepEqual(one.body.hands[2].sets, ["concealed kong R"]);
  await one.undo();
  assert.deepEqual(one.body.hands[2].sets, ["concealed pung R"]);
});

test("a wrong fourth set, undone or taken away, is followed by a set and not by the pair", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "tiles");
  for (const code of ["7D", "9B", "2C", "W"]) await one.face(code);
  assert.equal(document.querySelector('#modes [data-kind="pair"]').getAttribute("aria-pressed"), "true");
  await one.undo();
  await one.face("R");
  await one.tapOn(one.tray().at(-1));
  await one.tap("Remove it");
  for (const code of ["G", "E"]) await one.face(code);
  assert.deepEqual(one.body.hands[2].sets, [
    "exposed pung 7D",
    "exposed pung 9B",
    "exposed pung 2C",
    "exposed pung G",
    "pair E",
  ]);
});

test("fishing without tiles opens the list of special hands", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.choose("Carol", "tiles");
  await one.tap("Fishing for a special hand");
  assert.ok(!("3" in one.body.hands));
  const listed = document.getElementById("way-special");
  assert.ok(listed.textContent.includes("Carol was fishing for"));
  await one.tapOn(
    [...listed.querySelectorAll("button")].find((button) => button.textContent.includes("Buried Treasure")),
  );
  assert.deepEqual(one.body.hands[3], { fishing_for: "buried_treasure" });
});

test("fishing with thirteen tiles leaves the hand to the rules", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.choose("Carol", "tiles");
  await one.mode("single");
  for (const code of "1C 1C 9C 9C 1B 1B 9B 9B 1D 1D 9D 9D E".split(" ")) await one.face(code);
  await one.tap("Fishing for a special hand");
  assert.equal(one.body.hands[3].fishing, true);
  one.undoes("Undo: Fishing for a special hand");
  await one.tap("Fishing for a special hand");
  assert.ok(!("fishing" in one.body.hands[3]));
});

test("a second Next counts once something else was tapped between", async () => {
  const one = await HandPage.open();
  await one.choose("Alice", "total");
  const press = (...ids) => ids.forEach((id) => one.press(document.getElementById(id)));
  // All within one moment, as quick fingers are: two at the same place are one, two with a tap between are two.
  press("go-on", "goes-mahjong", "go-on");
  one.whose("Carol, West");
  await one.pause();
  press("go-on", "go-on");
  one.whose("Dave, North");
});

test("Undo says what it takes back, and leaves the other players alone", async () => {
  const one = await HandPage.open();
  const tab = (name) =>
    one.tapOn([...document.querySelectorAll("#seat-tabs button")].find((button) => button.textContent.includes(name)));
  await one.choose("Bob", "tiles");
  await one.face("7D");
  await tab("Carol");
  one.undoes("Undo");
  await one.face("9B");
  one.undoes("Undo: Pung 9 Bamboo");
  await tab("Bob");
  one.undoes("Undo: Pung 7 Circles");
  await one.undo();
  one.undoes("Undo");
  await one.undo();
  one.says("There is nothing to undo for Bob.");
  assert.deepEqual(one.body.hands, { 3: { sets: ["exposed pung 9B"] } });
  await one.everybody();
  await one.undo();
  one.whose("Carol, West");
  assert.deepEqual(one.body.hands, {});
});

test("a chow says which of its tiles to tap", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "tiles");
  await one.mode("chow");
  one.says("Tap the lowest tile of the chow.");
  await one.face("2B");
  one.says("Exposed chow: 2 3 4 Bamboo.");
});

test("a seat tapped by mistake is undone, and the question is back", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  one.whose("Bob, South");
  await one.tap("Undo: Bob goes Mah-jong");
  assert.ok(isShown(document.querySelector("#who-won .felt")));
  assert.equal(one.body.mahjong, null);
});

test("a control that is drawn again keeps the focus, another player’s is another control", async () => {
  const one = await HandPage.open();
  const nobody = () =>
    [...document.querySelectorAll("#who-won button")].find((button) => button.textContent === "Nobody");
  nobody().focus();
  // The seats round the table give way to a row of names, and come back.
  for (const isPressed of ["true", "false"]) {
    await one.tapOn(nobody());
    assert.equal(nobody().getAttribute("aria-pressed"), isPressed);
    assert.equal(document.activeElement, nobody());
  }
  await one.choose("Bob", "tiles");
  const bobs = one.button("Nothing to score", document.getElementById("tray-list"));
  await one.tap("Next: Carol");
  const carols = one.button("Nothing to score", document.getElementById("tray-list"));
  assert.notEqual(bobs, carols);
  await one.tapOn(carols);
  assert.deepEqual(one.body.hands, { 3: { sets: [] } });
});

test("the caret stays where a figure is typed in the middle", async () => {
  const one = await HandPage.open();
  await one.choose("Bob", "total");
  const field = await one.type("Total", "14");
  field.focus();
  field.value = "124";
  field.setSelectionRange(2, 2);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  assert.equal(document.activeElement, field);
  assert.equal(field.selectionStart, 2);
  assert.deepEqual(one.body.hands, { 2: { total: 124 } });
});

test("where the last tile came from may be said before the tiles", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.lay("exposed pung 7D");
  await one.tap("Alice", one.group("Last tile from"));
  await one.lay(...SETS.slice(1));
  assert.deepEqual(one.body.mahjong, { by: "2", from: "1" });
});

test("the only tile that can have been drawn is taken once all are there", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.tap("The wall", one.group("Last tile from"));
  await one.lay(...SETS.slice(0, 4));
  assert.deepEqual(one.body.mahjong, { by: "2", from: "wall" });
  await one.lay(SETS[4]);
  assert.deepEqual(one.body.mahjong, { by: "2", from: "wall", tile: "E" });
});

test("naming the discarder after all ends the doubt", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  await one.face("R");
  const source = () => one.group("Last tile from");
  await one.tap("Not sure", source());
  assert.deepEqual(one.body.beside, { unsure: { 2: ["from"] } });
  await one.tap("Alice", source());
  assert.deepEqual([...source().querySelectorAll('[aria-pressed="true"]')].map(nameOf), ["Alice"]);
  assert.deepEqual(one.body.beside, {});
});

test("a half-entered hand survives a reload", async () => {
  const first = await HandPage.open();
  await first.choose("Carol", "tiles");
  await first.lay("concealed kong 5B", "exposed pung W");
  await first.face("F2");
  const one = await HandPage.open(first.tablet);
  assert.ok(document.getElementById("problems").textContent.includes("Your unfinished hand is back as you left it."));
  const tray = document.getElementById("tray-list").textContent;
  assert.ok(tray.includes("Concealed kong: 5 Bamboo") && tray.includes("Exposed pung: West Wind"));
  await one.tap("Start again");
  assert.deepEqual(one.body?.hands || {}, {});
});

test("a hand saved without the Wi-Fi waits on the tablet; the next one is in place", async () => {
  const one = await HandPage.open();
  await one.mark("Bob");
  // This server scores nothing.
  assert.match(textOfId("saved-state"), /^The score is not available just now\./);
  await one.choose("Bob", "total");
  await one.figures("8");
  await one.everybody();
  for (const name of ["Alice", "Carol", "Dave"]) await one.choose(name, "nothing").then(() => one.everybody());
  one.server.isAway = true;
  await one.tap("Save hand 1");
  await one.page.until(() => document.getElementById("board"));
  await one.page.until(() => document.getElementById("messages").textContent.includes("Saved on this tablet"));
  assert.match(
    document.getElementById("messages").textContent,
    /Saved on this tablet: Hand 1: Bob goes Mah-jong\. There is no Wi-Fi just now\. Go on playing\./,
  );
  assert.equal(document.getElementById("saved-words").textContent, "1 hand to send");
  // The second press of a double press would press what is now in the place of Save.
  await one.pause();
  assert.equal(document.getElementById("mahjong").textContent, "Enter hand 2");
  document.getElementById("mahjong").click();
  await one.page.until(() => /Hand 2/.test(document.querySelector(".hand-title")?.textContent));
  one.server.isAway = false;
  await one.page.until(() => one.server.recorded.length === 1);
  assert.deepEqual(one.server.recorded[0].body.mahjong, { by: "2" });
});

test("without the server the score comes in a moment while the rules are loaded, and with the Wi-Fi where they are not", async () => {
  const one = await HandPage.open();
  one.server.isAway = true;
  await one.mark("Bob");
  const said = () =>
    `${document.getElementById("score").textContent} ${document.getElementById("saved-state").textContent}`;
  assert.match(said(), /Scores and payments will appear in a moment\..*The score will appear in a moment\./s);
  // No worker starts here.
  await one.page.until(
    () => said().includes("Scores and payments will appear when the Wi-Fi is back."),
    "the rules are given up",
  );
});

// What cannot be true of a Mah-jong is not offered.
const LOOSE = "3B 3B 3B 6C 6C 6C 8D 8D 8D 7D 7D".split(" ");
const ALL_CONCEALED = ["2B", "2B", "2B", ...LOOSE];

// Opens what is special about the last tile of a player's Mah-jong, and returns the words offered.
async function offered(winner, source, sets, tiles) {
  const one = await HandPage.open();
  await one.mark(winner);
  await one.lay(...sets);
  await one.mode("single");
  for (const tile of tiles) await one.face(tile);
  await one.tap(source, one.group("Last tile from"));
  await one.tap("Anything special?");
  return [...document.querySelectorAll(".special-ways button")].filter(isShown).map(nameOf);
}

for (const [sets, tiles, isOffered] of [
  [[], ALL_CONCEALED, true],
  [["exposed pung 2B"], LOOSE, false],
  [["concealed kong 2B"], LOOSE, false],
]) {
  test(`the tiles as dealt are ${isOffered ? "" : "not "}offered with ${sets[0] || "concealed tiles alone"}`, async () => {
    assert.equal((await offered("Alice", "The wall", sets, tiles)).includes("With the tiles as dealt"), isOffered);
  });
}

for (const [sets, tiles, isOffered] of [
  [[], ALL_CONCEALED, true],
  [["concealed kong 2B"], LOOSE, false],
]) {
  test(`East’s first discard is ${isOffered ? "" : "not "}offered with ${sets[0] || "concealed tiles alone"}`, async () => {
    assert.equal((await offered("Bob", "Alice", sets, tiles)).includes("On East’s first discard"), isOffered);
  });
}

test("a kong is not robbed where every tile is held twice", async () => {
  const words = await offered("Bob", "Carol", ["exposed pung 2B"], LOOSE);
  assert.ok(words.length && !words.includes("Robbing a kong"), words.join());
});

test("a kong may be robbed where a tile is held once", async () => {
  const words = await offered(
    "Bob",
    "Carol",
    ["exposed pung 2B", "exposed pung 6C", "concealed pung 8D"],
    ["2C", "3C", "4C", "7D", "7D"],
  );
  assert.ok(words.includes("Robbing a kong"), words.join());
});

// With the rules at work.
const LAST_TILE = "Which was the last tile?";

async function bobWinsByTotals(one) {
  await one.mark("Bob");
  await one.choose("Dave", "nothing");
  await one.choose("Carol", "total");
  await one.figures("20");
  await one.everybody();
  await one.choose("Bob", "total");
  await one.figures("64");
  await one.everybody();
  await one.choose("Alice", "nothing");
  await one.everybody();
}

test("score and payments appear while the hand is entered", async () => {
  const one = await HandPage.scoring();
  await bobWinsByTotals(one);
  assert.equal(document.getElementById("score").dataset.state, "whole");
  assert.deepEqual(textsOf("#score .payments li").sort(), [
    "Alice pays → Bob for Mah-jong, East pays double: 2 × 64 128",
    "Alice pays → Carol difference in scores, East pays double: 2 × 20 40",
    "Carol pays → Bob for Mah-jong 64",
    "Dave pays → Bob for Mah-jong 64",
    "Dave pays → Carol difference in scores 20",
  ]);
  assert.match(textOfId("score"), /Bob is East next/);
});

test("nothing moves under a finger: a score that comes meanwhile is drawn once it is lifted", async () => {
  const one = await HandPage.scoring();
  await bobWinsByTotals(one);
  await one.choose("Carol", "total");
  one.press(one.button("4"));
  window.dispatchEvent(new Event("pointerdown"));
  await one.pause();
  assert.match(textOfId("score"), /Dave pays → Carol difference in scores 20/);
  document.body.click();
  await one.page.until(() => /Dave pays → Carol difference in scores 4/.test(textOfId("score")), "the score of 4");
  // The menu of a long press may keep to itself that the finger is lifted.
  one.press(one.button("4"));
  window.dispatchEvent(new Event("pointerdown"));
  window.dispatchEvent(new Event("contextmenu"));
  await one.pause();
  assert.match(textOfId("score"), /Dave pays → Carol difference in scores 44/);
  // A finger that is never lifted, as of a hand on the screen.
  one.press(one.button("Delete the last digit"));
  window.dispatchEvent(new Event("pointerdown"));
  await one.tablet.clock.pass(11_000);
  assert.match(textOfId("score"), /Dave pays → Carol difference in scores 4$/);
});

test("nothing moves under a finger either when the server has no score", async () => {
  const one = await HandPage.open();
  const before = textOfId("score");
  one.press(one.button("Bob"));
  window.dispatchEvent(new Event("pointerdown"));
  await one.pause();
  assert.equal(textOfId("score"), before);
  document.body.click();
  await one.page.until(() => textOfId("score") !== before, "no score is said");
});

test("Save does not wait for the score of a server that only fails", async () => {
  const one = await HandPage.open();
  const { server } = one;
  const answer = server.answer.bind(server);
  let asked = 0;
  server.answer = async (address, options) => {
    if (!address.endsWith("/hands/score/")) return answer(address, options);
    asked += 1;
    return new Response("Bad Gateway", { status: 502 });
  };
  await one.enterWin("Bob", 8);
  await one.pause();
  assert.match(textOfId("saved-state"), /^The score is not available just now\./);
  const before = asked;
  await one.tap("Save hand 1");
  assert.equal(server.recorded.length, 1);
  assert.equal(asked, before);
});

test("a typed total is asked about in amber and saved all the same", async () => {
  const one = await HandPage.scoring();
  await bobWinsByTotals(one);
  await one.choose("Carol", "total");
  await one.figures("33");
  const question = "British totals are even. Is 33 right?";
  assert.deepEqual(textsOf("#way-total .please-check"), [question]);
  await one.figures("0");
  assert.deepEqual(textsOf("#way-total .please-check"), []);
  await one.tap("Delete the last digit");
  await one.everybody();
  assert.deepEqual(textsOf("#score .please-check"), [question]);
  assert.deepEqual((await one.saved()).hands[3], { total: 33 });
});

test("a goulash has no chow and says how it is played", async () => {
  const usual = await HandPage.open();
  assert.ok(!isShown(document.getElementById("goulash")));
  const one = await HandPage.open(usual.tablet, "goulash");
  assert.ok(isShown(document.getElementById("goulash")));
  assert.match(textOfId("goulash"), /East with West and South with North/);
  await one.choose("Bob", "tiles");
  assert.deepEqual(
    ["pung", "chow"].map((kind) => isShown(document.querySelector(`#modes [data-kind="${kind}"]`))),
    [true, false],
  );
  assert.match(textOfId("tray-list"), /Tap a tile for each set: a pung, kong or pair at one tap\./);
});

test("Enter after a typed total goes to the next player", async () => {
  const one = await HandPage.open();
  await one.choose("Alice", "total");
  const field = await one.type("Total", "8");
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  one.whose("Bob, South");
  assert.deepEqual(one.body.hands[1], { total: 8 });
});

test("Undo knows its steps after another page was read", async () => {
  const first = await HandPage.open();
  await first.choose("Bob", "tiles");
  await first.face("7D");
  await first.face("9B");
  const one = await HandPage.open(first.tablet);
  await one.tap("Undo: Pung 9 Bamboo");
  assert.deepEqual(one.body.hands[2], { sets: ["exposed pung 7D"] });
  await one.tap("Undo: Pung 7 Circles");
  assert.deepEqual(one.body.hands, {});
});

// Claimed, a dragon leaves a concealed pung exposed, which is 4 points less; no other tile costs more.
test("the last tile that nobody chose counts as the lowest score and is marked", async () => {
  const one = await HandPage.scoring();
  await one.mark("Bob");
  await one.lay("exposed pung 7D", "exposed pung 9B", "concealed pung 2C", "concealed pung R", "pair E");
  await one.lastTileFrom("Alice");
  assert.ok(one.has(LAST_TILE));
  assert.match(textOfId("tray-score"), /At least/);
  await one.tap("Everyone else: nothing to score");
  assert.match(textOfId("score"), /This is the lowest score, until you choose the last tile\./);
  const { mahjong, beside } = await one.saved();
  assert.deepEqual([mahjong, beside], [{ by: "2", from: "1", tile: "R" }, { unsure: { 2: ["tile"] } }]);
});

test("Save waits for the rules that have not answered yet, and then saves", async () => {
  await beginRules();
  const tablet = new Tablet();
  tablet.hasRules = true;
  tablet.server.isAway = true;
  const one = await HandPage.open(tablet);
  await one.mark("Bob");
  const quickly = async (element) => one.press(element);
  one.tapOn = quickly;
  await one.lay(...SETS);
  await one.lastTileFrom("Alice");
  await one.tap("Everyone else: nothing to score");
  assert.equal(document.querySelector("[data-rules]").dataset.rules, "coming");
  await one.tap("Save hand 1");
  // What is tapped meanwhile would not be in it.
  const tapped = new MouseEvent("click", { bubbles: true, cancelable: true });
  document.querySelector("#entry button").dispatchEvent(tapped);
  assert.ok(tapped.defaultPrevented);
  await one.page.until(() => textOfId("problems").includes("Stay on this page until the Wi-Fi is back."), "it is kept");
  tablet.server.isAway = false;
  await one.page.until(
    () => one.server.recorded.length,
    () => textOfId("problems") || "the hand is recorded",
  );
  // Claimed, any of these tiles scores the same.
  const { mahjong, beside } = one.server.recorded[0].body;
  assert.deepEqual([mahjong.by, mahjong.from, beside], ["2", "1", { unsure: { 2: ["any tile"] } }]);
});

test("the last tile is not asked where it changes nothing", async () => {
  const one = await HandPage.scoring();
  await one.mark("Bob");
  await one.lay(...SETS);
  await one.lastTileFrom("The wall");
  assert.match(textOfId("tray-score"), /points/);
  assert.ok(!one.has(LAST_TILE));
  // What it must have been stays in sight.
  assert.equal(one.button("East Wind", one.group("Last tile")).getAttribute("aria-pressed"), "true");
  await one.tap("Everyone else: nothing to score");
  const body = await one.saved();
  assert.deepEqual([body.mahjong, "beside" in body], [{ by: "2", from: "wall", tile: "E" }, false]);
});

test("a last tile that nobody chose is open again once the hand changes", async () => {
  const one = await HandPage.open(new Tablet(), "change");
  await one.tap("Change tiles, Bob");
  await one.lastTileFrom("Dave");
  assert.deepEqual([one.body.mahjong, one.body.beside], [{ by: "2", from: "4" }, {}]);
});

async function goesMahjong(one, name, sets, tiles, source) {
  await one.mark(name);
  await one.lay(...sets);
  await one.mode("single");
  for (const tile of tiles) await one.face(tile);
  await one.lastTileFrom(source);
}

test("tiles as dealt that no longer can be are said and undone", async () => {
  const one = await HandPage.scoring();
  await goesMahjong(one, "Alice", [], LOOSE, "The wall");
  const dealt = async () => {
    await one.tap("Anything special?");
    await one.tapOn(document.querySelector(".way-dealt"));
  };
  await dealt();
  await one.tap("Done");
  await one.lay("exposed pung 2B");
  await one.chip("7D");
  assert.match(textOfId("tray-score"), /East has exposed sets/);
  await dealt();
  assert.doesNotMatch(textOfId("tray-score"), /East has exposed sets/);
});

test("a robbed tile is one that the hand has once", async () => {
  const one = await HandPage.scoring();
  await goesMahjong(
    one,
    "Bob",
    ["exposed pung 2B", "exposed pung 6C", "concealed pung 8D"],
    ["2C", "3C", "4C", "7D", "7D"],
    "Carol",
  );
  assert.equal(document.querySelectorAll(".chip").length, 7);
  await one.chip("8D");
  await one.tap("Anything special?");
  await one.tapOn(document.querySelector(".way-robbed_kong"));
  await one.tap("Done");
  // The pung that scores less once it was claimed is out of the question: the three of the chow score the same.
  assert.match(textOfId("questions"), /It makes no difference which tile came last\./);
  assert.deepEqual(one.body.mahjong, { by: "2", from: "3", robbed_kong: true });
  // 2 + 2 + 4 and 20 are 28, doubled for robbing the kong.
  assert.match(textOfId("tray-score"), /56/);
});

// Opens the list of special hands by name for a player who goes Mah-jong, and gives the names in it.
async function byName(one, name) {
  await one.mark(name);
  await one.tap("Other ways to enter");
  await one.tap("Special hand by name");
  return textsOf(".special-hand b");
}

test("the list of special hands leaves out what the seat cannot have", async () => {
  const easts = await byName(await HandPage.open(), "Alice");
  const souths = await byName(await HandPage.open(), "Bob");
  assert.deepEqual(
    easts.filter((one) => !souths.includes(one)),
    ["Heaven's Blessing"],
  );
  assert.deepEqual(
    souths.filter((one) => !easts.includes(one)),
    ["Earth's Blessing"],
  );
});

test("the name of a special hand says where its tile came from", async () => {
  const one = await HandPage.scoring();
  await byName(one, "Bob");
  for (const [name, said] of [
    ["Earth's Blessing", { from: "1", first_discard: true }],
    ["Gathering the Plum Blossom from the Roof", { from: "kong box" }],
    ["Plucking the Moon from the Bottom of the Sea", { from: "wall", last_tile: true }],
    ["Twofold Fortune", { from: "kong box", second_kong: true }],
    // Nothing that the name before it said is left.
    ["Knitting", { from: "kong box" }],
  ]) {
    const another = [...document.querySelectorAll("button")].find(
      (button) => isShown(button) && nameOf(button) === "Choose another special hand",
    );
    if (another) await one.tapOn(another);
    await one.tapOn(
      [...document.querySelectorAll(".special-hand")].find((hand) => textOf(hand.querySelector("b")) === name),
    );
    assert.deepEqual(one.body.mahjong, { by: "2", ...said });
    assert.match(textOfId("tray-score"), /00/);
  }
});

test("thirteen tiles that fish are suggested by name with their score", async () => {
  const one = await HandPage.scoring();
  await one.choose("Carol", "tiles");
  await one.lay(...["1C", "9C", "1B", "9D", "E", "R"].map((code) => `pair ${code}`));
  await one.mode("single");
  await one.face("P");
  assert.match(textOfId("tray-score"), /points/);
  await one.tap("Fishing for All Pair Honours: 200");
  assert.match(textOfId("tray-score"), /200/);
});

test("the table chooses between a typed figure and the tiles", async () => {
  const one = await HandPage.scoring();
  const sets = ["exposed pung 3B", "exposed pung W"];
  await one.choose("Carol", "tiles");
  // 2 + 4 points, doubled for the own wind.
  await one.lay(...sets);
  await one.tap("Other ways to enter");
  await one.tap("Type a total");
  await one.figures("40");
  const both = () => textOf(one.group("Which to use"));
  assert.match(both(), /The best reading is 12; announced 40\./);
  await one.tap("Use the tiles");
  assert.match(both(), /Announced 40; the tiles score 12\./);
  assert.deepEqual(one.body.hands[3], { sets });
  await one.tap("Use the total");
  assert.equal(document.querySelector("#way-total input").value, "40");
  assert.deepEqual([one.body.hands[3], one.body.beside[3].sets], [{ total: 40 }, sets]);
});

test("names that look like HTML stay names", async () => {
  const name = "<b>Bob</b><img src=x onerror=alert(1)>";
  const one = await HandPage.scoring("marked");
  await one.enterWin(name, 8);
  assert.equal(document.getElementById("score").dataset.state, "whole");
  assert.equal(document.querySelectorAll("#score img").length, 0);
  assert.equal(textsOf("#score .payments li")[0], `Alice pays → ${name} for Mah-jong, East pays double: 2 × 8 16`);
});

test("a correction that changes no score says so and is saved at once", async () => {
  const one = await HandPage.scoring("change");
  await one.tap("Change tiles, Bob");
  await one.lastTileFrom("Dave");
  await one.everybody();
  assert.match(textOfId("score"), /No score changes\./);
  await one.tapOn(document.getElementById("go-on"));
  await one.page.until(() => one.server.recorded.length, "the correction is recorded");
  const [{ kind, body }] = one.server.recorded;
  assert.deepEqual([kind, body.body.mahjong.from], ["correct", "4"]);
});

test("a correction in which nothing was changed records nothing", async () => {
  const one = await HandPage.scoring("change");
  await one.tapOn(document.getElementById("go-on"));
  // Said on the page of the hand, which is another.
  await one.page.until(() => one.page.left, "the hand is shown");
  assert.deepEqual(JSON.parse(one.tablet.sessionStorage.getItem("outbox-say")), ["Nothing was changed.", "info"]);
  assert.deepEqual(one.server.asked, []);
});

test("a hand left half entered is offered at the table, by its player and tiles", async () => {
  const one = await HandPage.open();
  await one.mark("Carol");
  await one.lay("exposed pung 2C", "exposed pung 3D");
  await one.tapOn(document.querySelector(".back"));
  await one.shows("#mahjong", "Go on with hand 1: Carol, 6 tiles");
  await one.tapOn(document.getElementById("mahjong"));
  await one.shows("#entry", /Exposed pung: 2 Characters/);
});
