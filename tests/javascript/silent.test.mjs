// The pages of a table in a browser whose storage never answers, and what is shown and said without the network.
import assert from "node:assert/strict";
import test from "node:test";

import { HandPage, textOf, textOfId, textsOf } from "./hand_page.mjs";
import { openPage, openWhole, pageOf, Server, Tablet } from "./page.mjs";

const NO_ANSWER = "This browser’s storage does not answer, so hands cannot be kept on this tablet.";
const SILENT = `${NO_ANSWER} Close Clubscore and open it again.`;
const LEAVE_OPEN = "Leave this page open: this tablet cannot keep hands.";
const WAITS = (number) => `${number} hand${number === 1 ? "" : "s"} to send. ${LEAVE_OPEN}`;

// Browsers whose storage is faulty, with what their pages say of it.
const FAULTS = {
  "never opens": [
    (tablet) => {
      tablet.indexedDB = { open: () => ({}) };
    },
    SILENT,
  ],
  "never gives a lock": [
    (tablet) => {
      tablet.locks = { request: () => new Promise(() => {}) };
    },
    "All saved",
  ],
};

function faulty(fault) {
  const tablet = new Tablet();
  FAULTS[fault][0](tablet);
  return tablet;
}

// The page of the table.
class AtTable extends HandPage {
  static async open(tablet) {
    const one = new AtTable();
    one.tablet = tablet;
    one.page = await openPage(tablet, "table", "table/outbox/page.js");
    return one;
  }

  saved(words) {
    return this.shows("#saved-words", words);
  }

  nobody() {
    return this.tapOn(document.getElementById("nobody"));
  }
}

for (const [fault, [, words]] of Object.entries(FAULTS)) {
  test(`where the storage ${fault}, each press is recorded once`, async () => {
    const one = await AtTable.open(faulty(fault));
    const { server } = one;
    await one.tablet.clock.pass(3500);
    await one.saved(words);
    await one.nobody();
    await one.page.until(() => server.recorded.length === 1, "the first is recorded");
    await one.saved(words);
    await one.nobody();
    await one.page.until(() => server.recorded.length === 2, "the second is recorded");
    const hand = await HandPage.open(one.tablet);
    await hand.enterWin("Bob", 8);
    await hand.tap("Save hand 1");
    await hand.page.until(() => server.recorded.length === 3, "the hand is recorded");
    assert.deepEqual(
      server.recorded.map(({ kind }) => kind),
      ["hand", "hand", "hand"],
    );
    assert.equal(new Set(server.asked.map(({ key }) => key)).size, server.asked.length);
  });
}

test("without the network the page keeps what is done, and asks to be left open", async () => {
  const one = await HandPage.open(faulty("never opens"));
  await one.tablet.clock.pass(3500);
  one.server.isAway = true;
  await one.enterWin("Bob", 8);
  await one.tap("Save hand 1");
  await one.shows("#messages", /Not sent yet.*this page keeps it, so leave the page open/);
  await one.shows("#saved-words", WAITS(1));
  await one.page.until(() => textOfId("mahjong") === "Enter hand 2", "the table, on this page too");
  await one.pause();
  await one.toEntry(2);
  await one.enterWin("Carol", 8);
  await one.tap("Save hand 2");
  await one.shows("#saved-words", WAITS(2));
  one.server.isAway = false;
  await one.shows("#messages", /2 hands were sent and recorded\./);
  assert.deepEqual(
    one.server.recorded.map(({ body }) => body.mahjong),
    [{ by: "2" }, { by: "3" }],
  );
  assert.equal(one.page.left, null);
});

test("the table page keeps what is done without the network", async () => {
  const one = await AtTable.open(faulty("never opens"));
  await one.tablet.clock.pass(3500);
  one.server.isAway = true;
  await one.nobody();
  await one.shows("#messages", /^Not sent yet: Hand 1: nobody went Mah-jong\./);
  await one.saved(WAITS(1));
  await one.follow("The sheet");
  await one.shows("#messages", /Stay on this page until the Wi-Fi is back\./);
  one.server.isAway = false;
  await one.saved(SILENT);
  assert.equal(one.server.recorded.length, 1);
});

test("what cannot be known is not called saved", async () => {
  const tablet = faulty("never opens");
  const one = new AtTable();
  one.tablet = tablet;
  one.page = await openWhole(tablet, "outbox");
  await one.shows("#saved-items", SILENT);
  await one.tap("Show as a code");
  await one.shows("#code-tables", SILENT);
});

test("a typed total is asked about without the network", async () => {
  const one = await HandPage.scoring();
  one.server.isAway = true;
  await one.choose("Bob", "total");
  await one.figures("4");
  assert.deepEqual(textsOf("#way-total .please-check"), []);
  await one.mark("Bob");
  const question = "A winner scores at least 20. Is 4 right?";
  assert.deepEqual(textsOf("#score .please-check"), [question]);
  await one.choose("Bob", "total");
  assert.deepEqual(textsOf("#way-total .please-check"), [question]);
  await one.tap("Delete the last digit");
  await one.figures("33");
  assert.deepEqual(textsOf("#way-total .please-check"), ["British totals are even. Is 33 right?"]);
});

test("a hand entered without the server and without rules is shown as it was entered", async () => {
  const one = await HandPage.open();
  one.server.isAway = true;
  await one.shows("#saved-words", "All saved");
  await one.enterWin("Bob", 8);
  await one.page.until(() => !("rules" in document.getElementById("entry").dataset), "the rules are given up");
  // Nobody has scored it; nobody says that nothing was entered, nor that it is saved.
  assert.equal(textOfId("score"), "The scoreScores and payments will appear when the Wi-Fi is back.");
  const cardOf = (name) => textsOf(".seat-card").find((text) => text.includes(name));
  assert.match(cardOf("Bob"), /A total of 8/);
  assert.match(cardOf("Alice"), /Nothing to score/);
  assert.doesNotMatch(textOf(document.getElementById("everybody")), /nothing yet/i);
  await one.shows("#saved-words", "Hand 1 is not saved yet");
  await one.tap("Save hand 1");
  await one.shows("#saved-words", "1 hand to send");
  await one.shows("#board", /Who sits where will appear when the Wi-Fi is back\./);
  assert.doesNotMatch(textOf(document.body), /One moment|enter the hand on a plain page/);
  one.server.isAway = false;
  await one.shows("#saved-words", "All saved");
  assert.equal(one.server.recorded.length, 1);
});

test("what is on its way is called waiting only after a moment", async () => {
  let goOn = null;
  class Slow extends Server {
    async answer(address, options) {
      if (options?.method === "POST")
        await new Promise((resolve) => {
          goOn = resolve;
        });
      return super.answer(address, options);
    }
  }
  const one = await AtTable.open(new Tablet(new Slow()));
  one.press(document.getElementById("nobody"));
  await one.saved("Saving …");
  assert.ok(document.getElementById("saved-look").disabled);
  await one.saved("1 hand to send");
  goOn();
  await one.saved("All saved");
  const hand = await HandPage.open(one.tablet);
  await hand.enterWin("Bob", 8);
  await hand.tap("Save hand 1");
  hand.button("Saving …");
  // A browser may keep the page whole for whoever leaves it and comes back.
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  hand.button("Save hand 1");
  goOn();
});

test("what the server answers to the page is what the page goes on from", async () => {
  const page = await openPage(new Tablet(), "table", "table/outbox/page.js");
  const [board, state] = await Promise.all(["board", "state"].map((one) => page.load(`table/outbox/${one}.js`)));
  const { version } = state.pageState();
  const later = pageOf("table").html.replace(`"version": ${version}`, `"version": ${version + 1}`);
  await page.within(board.takePage(later));
  assert.equal(state.pageState().version, version + 1);
});
