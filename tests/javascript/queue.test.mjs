// What is done at the tables: kept on the tablet, sent once and in order, refused, tried again.
import assert from "node:assert/strict";
import test from "node:test";

import { openPage, refusal, Server, Tablet } from "./page.mjs";

const FIVE_SECONDS = 5000;
const TWENTY_SECONDS = 20_000;
const A_DAY = 24 * 60 * 60 * 1000;
const NOBODY = { hands: {}, mahjong: null, penalties: [] };

// A page of a table with the queue at work, as every page of a table has it.
async function atWork(tablet, name = "table") {
  const page = await openPage(tablet, name);
  const [queue, store, commands, state] = await Promise.all(
    ["queue", "store", "commands", "state"].map((one) => page.load(`table/outbox/${one}.js`)),
  );
  queue.keepFlushing();
  const place = commands.placeOf(state.pageState());
  const command = (kind, words, body = NOBODY) => ({
    key: commands.newKey(),
    kind,
    body,
    words,
    ...place,
    after: null,
    seats: {},
  });
  const kept = () => page.within(store.all());
  return {
    page,
    queue,
    kept,
    command,
    hand: (number) => command("hand", `Hand ${number}`),
    save: (one) => page.within(queue.save(one)),
    allSent: () => page.until(async () => (await kept()).length === 0),
    states: async () => (await kept()).map(({ words, state: one }) => `${words}: ${one}`),
    outcomes: () => page.within(store.takeOutcomes(() => true)),
  };
}

const keysOf = (commands) => commands.map(({ key }) => key);

test("a hand is kept before it is sent, and leaves the tablet once it is recorded", async () => {
  const tablet = new Tablet();
  const { server } = tablet;
  const { hand, save, allSent, outcomes } = await atWork(tablet);
  const saved = [];
  document.addEventListener("outbox:saved", ({ detail }) => saved.push([detail.key, server.asked.length]));
  const first = hand(1);
  assert.equal((await save(first)).verdict, "recorded");
  assert.deepEqual(saved, [[first.key, 0]]);
  assert.deepEqual(server.keys, [first.key]);
  await allSent();
  assert.deepEqual(
    (await outcomes()).map(({ message }) => message),
    ["hand is recorded."],
  );
  assert.deepEqual(await outcomes(), []);
});

test("without the server hands wait, and are sent in their order, each once", async () => {
  const tablet = new Tablet();
  const { hand, save, states, allSent } = await atWork(tablet);
  tablet.server.isAway = true;
  const hands = [1, 2, 3].map(hand);
  for (const one of hands) assert.equal((await save(one)).verdict, "lost");
  assert.deepEqual(await states(), ["Hand 1: waiting", "Hand 2: waiting", "Hand 3: waiting"]);
  tablet.server.isAway = false;
  await allSent();
  assert.deepEqual(tablet.server.keys, keysOf(hands));
  assert.equal(tablet.server.asked.length, 3);
});

test("they wait for the next page too", async () => {
  const tablet = new Tablet();
  tablet.server.isAway = true;
  const { hand, save } = await atWork(tablet);
  const first = hand(1);
  await save(first);
  const next = await atWork(tablet, "hand");
  assert.deepEqual(await next.states(), ["Hand 1: waiting"]);
  tablet.server.isAway = false;
  await next.allSent();
  assert.deepEqual(tablet.server.keys, [first.key]);
});

test("an answer that is lost records nothing twice", async () => {
  class Losing extends Server {
    async answer(address, options) {
      const answer = await super.answer(address, options);
      if (this.asked.length === 1 && options?.method === "POST") throw new TypeError("Failed to fetch");
      return answer;
    }
  }
  const tablet = new Tablet(new Losing());
  const { hand, save, allSent } = await atWork(tablet);
  const first = hand(1);
  assert.equal((await save(first)).verdict, "lost");
  await allSent();
  assert.deepEqual(keysOf(tablet.server.asked), [first.key, first.key]);
  assert.deepEqual(tablet.server.keys, [first.key]);
});

test("a clock that is put back changes no order", async () => {
  const tablet = new Tablet();
  const { hand, save, states, allSent } = await atWork(tablet);
  tablet.server.isAway = true;
  const hands = [1, 2, 3].map(hand);
  for (const one of hands) {
    await save(one);
    tablet.today -= A_DAY;
  }
  const kept = (await states()).join();
  assert.equal(kept, "Hand 1: waiting,Hand 2: waiting,Hand 3: waiting");
  tablet.server.isAway = false;
  await allSent();
  assert.deepEqual(tablet.server.keys, keysOf(hands));
});

test("the same key takes its earlier place", async () => {
  const tablet = new Tablet();
  tablet.server.isAway = true;
  const { hand, save, kept, allSent } = await atWork(tablet);
  const [first, second] = [hand(1), hand(2)];
  await save(first);
  await save(second);
  await save({ ...first, words: "Hand 1, corrected" });
  assert.deepEqual(
    (await kept()).map(({ words }) => words),
    ["Hand 1, corrected", "Hand 2"],
  );
  tablet.server.isAway = false;
  await allSent();
  assert.deepEqual(tablet.server.keys, [first.key, second.key]);
});

test("a hand that the rules refuse holds back what follows, until it is corrected", async () => {
  const tablet = new Tablet();
  const { queue, hand, save, kept, states, allSent } = await atWork(tablet);
  tablet.server.isAway = true;
  const [first, second] = [hand(1), hand(2)];
  await save(first);
  await save(second);
  tablet.server.answers.push(refusal(422, "invalid", "One chow is allowed."));
  tablet.server.isAway = false;
  const refused = async () => (await states())[0] === "Hand 1: attention";
  await tablet.clock.pass(FIVE_SECONDS);
  assert.ok(await refused());
  await tablet.clock.pass(FIVE_SECONDS);
  assert.deepEqual(await states(), ["Hand 1: attention", "Hand 2: waiting"]);
  assert.deepEqual(tablet.server.keys, []);
  const [item] = await kept();
  assert.equal(item.message, "One chow is allowed.");
  queue.sendAgain(item, { body: NOBODY });
  await allSent();
  assert.deepEqual(tablet.server.keys, [first.key, second.key]);
});

test("a hand that is set aside holds nothing back; discarded, it can be restored and sent", async () => {
  const tablet = new Tablet();
  const { page, queue, hand, save, kept, states, allSent } = await atWork(tablet);
  tablet.server.answers.push(refusal(422, "invalid"));
  const [first, second] = [hand(1), hand(2)];
  assert.equal((await save(first)).verdict, "attention");
  const item = async () => (await kept()).find(({ key }) => key === first.key);
  await page.within(queue.park(await item()));
  assert.equal((await save({ ...second, after: first.key })).verdict, "recorded");
  assert.deepEqual(await states(), ["Hand 1: aside"]);
  await page.within(queue.discard(await item()));
  assert.deepEqual(await states(), ["Hand 1: thrown"]);
  await page.within(queue.restore(await item()));
  await page.within(queue.sendAgain(await item()));
  await allSent();
  assert.deepEqual(tablet.server.keys, [second.key, first.key]);
});

test("what was discarded is forgotten after a day", async () => {
  const tablet = new Tablet();
  tablet.server.answers.push(refusal(422, "invalid"));
  const { page, queue, hand, save, kept } = await atWork(tablet);
  await save(hand(1));
  await page.within(queue.discard((await kept())[0]));
  tablet.today += A_DAY - 10_000;
  const soon = await atWork(tablet);
  assert.deepEqual(await soon.states(), ["Hand 1: thrown"]);
  tablet.today += 20_000;
  await (await atWork(tablet)).allSent();
  assert.deepEqual(tablet.server.keys, []);
});

test("an undo behind one that the server keeps for the secretary is not sent: it would undo something else", async () => {
  const tablet = new Tablet();
  const { page, hand, command, save, kept, states } = await atWork(tablet);
  tablet.server.isAway = true;
  await save(hand(1));
  await save(command("undo", "Undo", {}));
  tablet.server.answers.push(refusal(409, "late", "The table has finished."));
  tablet.server.isAway = false;
  await page.until(async () => (await states()).join() === "Hand 1: attention,Undo: attention");
  const [late, undo] = await kept();
  assert.deepEqual([late.isKept, undo.isKept, undo.outcome], [true, false, "doubtful"]);
  assert.match(undo.message, /^The change you wanted to undo was not saved as you expected\./);
});

test("the server is asked about what it keeps, until someone has decided", async () => {
  const tablet = new Tablet();
  const kept409 = refusal(409, "contested", "Two versions of one hand.");
  tablet.server.answers.push(kept409, kept409);
  const { hand, save, states, allSent } = await atWork(tablet);
  const outcome = await save(hand(1));
  assert.deepEqual([outcome.verdict, outcome.isKept], ["attention", true]);
  await tablet.clock.pass(TWENTY_SECONDS + FIVE_SECONDS);
  assert.deepEqual(await states(), ["Hand 1: attention"]);
  assert.equal(tablet.server.asked.length, 2);
  await allSent();
  assert.equal(tablet.server.asked.length, 3);
});

test("signed out, a table’s hands wait and the others are sent", async () => {
  const tablet = new Tablet();
  tablet.server.isAway = true;
  const there = await atWork(tablet, "other table");
  const away = there.hand(1);
  await there.save(away);
  const { queue, hand, save, states } = await atWork(tablet);
  tablet.server.isAway = false;
  tablet.server.answers.push({ status: 401 });
  const here = hand(2);
  assert.equal((await save(here)).verdict, "recorded");
  assert.deepEqual(await states(), ["Hand 1: waiting"]);
  assert.deepEqual([...queue.network.signIn], [away.session]);
  assert.deepEqual(tablet.server.keys, [here.key]);
});

test("a page in the way, such as a café’s, is no answer", async () => {
  const tablet = new Tablet();
  tablet.server.answers.push({ status: 200 });
  const { hand, save, states, allSent } = await atWork(tablet);
  const first = hand(1);
  assert.equal((await save(first)).verdict, "lost");
  assert.deepEqual(await states(), ["Hand 1: waiting"]);
  await allSent();
  assert.deepEqual(tablet.server.keys, [first.key]);
});

test("one command at which the server always fails does not stop the other tables", async () => {
  const tablet = new Tablet();
  const { server } = tablet;
  const one = await atWork(tablet);
  const first = one.hand(1);
  server.fails = ({ key }) => key === first.key;
  await one.save(first);
  let other = await atWork(tablet, "other table");
  const second = other.hand(2);
  await other.save(second);
  // Each page that is opened knows how often the ones before it have tried.
  for (const times of [2, 3, 4]) {
    await other.page.until(async () => (await other.kept())[0].failed >= times);
    other = await atWork(tablet, "other table");
  }
  await other.page.load("table/outbox/page.js");
  const said = (words) => other.page.until(() => document.getElementById("saved-words").textContent === words, words);
  await said("Table 1 waits for an answer from you");
  assert.equal(server.asked.filter(({ key }) => key === first.key).length, 5);
  assert.deepEqual(server.keys, [second.key]);
  server.fails = () => false;
  [...document.querySelectorAll("#saved-items button")].find(({ textContent }) => textContent === "Send again").click();
  await said("All saved");
  assert.deepEqual(server.keys, [second.key, first.key]);
});

test("what was sent is counted, and a new table is no change", async () => {
  const { page } = await atWork(new Tablet());
  const { outcomeWords, statusWords } = await page.load("table/outbox/words.js");
  const network = { signIn: new Set(), isLost: false };
  const sent = [
    ["start", "Table 3: Ann, Bob"],
    ["hand", "Hand 1"],
    ["arrive", "Dave arrives"],
    ["correct", "Correction of hand 1"],
  ].map(([kind, words], order) => ({ kind, words, order, message: `${words}.`, state: "waiting" }));
  assert.equal(outcomeWords(sent), "1 new table, 1 hand and 2 changes were sent and recorded.");
  assert.equal(outcomeWords(sent.slice(1, 2)), "Hand 1.");
  assert.equal(statusWords(sent.slice(0, 2), network), "1 new table and 1 hand to send");
});

test("of a tablet that is signed out, Sign in is the button to press", async () => {
  const tablet = new Tablet();
  tablet.server.answers.push({ status: 401 });
  const { page, hand, save } = await atWork(tablet);
  await page.load("table/outbox/page.js");
  await save(hand(1));
  await page.until(() => document.querySelector("#saved-items a"), "a link to sign in");
  const green = [...document.querySelectorAll("#saved-list .button-main")].map(({ textContent }) => textContent);
  assert.deepEqual(green, ["Sign in"]);
});
