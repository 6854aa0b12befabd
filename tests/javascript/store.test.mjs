// Storage and locks that never answer: three seconds, once a page, and nothing is lost.
import assert from "node:assert/strict";
import test from "node:test";

import { openPage, Tablet } from "./page.mjs";

const THREE_SECONDS = 3000;
const SILENT =
  "This browser’s storage does not answer, so hands cannot be kept on this tablet. Close Clubscore and open it again.";
const BLOCKED =
  "This browser’s storage does not answer, so hands cannot be kept on this tablet. Close Clubscore in every tab and window, and open it again.";

async function pageOf(tablet) {
  const page = await openPage(tablet, "table");
  const [queue, store, lock, commands, words, state] = await Promise.all(
    ["queue", "store", "lock", "commands", "words", "state"].map((one) => page.load(`table/outbox/${one}.js`)),
  );
  const place = commands.placeOf(state.pageState());
  const hand = (number) => ({
    key: commands.newKey(),
    kind: "hand",
    body: {},
    words: `Hand ${number}`,
    ...place,
    after: null,
    seats: {},
  });
  return {
    page,
    queue,
    store,
    lock,
    words,
    hand,
    all: () => page.within(store.all()),
    save: (one) => page.within(queue.save(one)),
  };
}

// Begins something, and gives its answer once there is one: { value } or { error }.
function begun(asked) {
  const found = {};
  asked.then(
    (value) => Object.assign(found, { value }),
    (error) => Object.assign(found, { error }),
  );
  return found;
}

// A database that is there until the test says otherwise.
function fallingSilent(tablet) {
  const { open } = tablet.indexedDB;
  const silence = { is: false, asked: 0 };
  const request = () => ({});
  const dead = { get: request, getAll: request, put: request, delete: request, index: () => dead };
  tablet.indexedDB.open = (...wanted) => {
    const opening = open.apply(tablet.indexedDB, wanted);
    opening.addEventListener("success", () => {
      const { transaction } = opening.result;
      opening.result.transaction = function begin(...about) {
        if (!silence.is) return transaction.apply(this, about);
        silence.asked += 1;
        return { objectStore: () => dead };
      };
    });
    return opening;
  };
  return silence;
}

test("a database that never opens is waited for three seconds, once", async () => {
  const tablet = new Tablet();
  let asked = 0;
  tablet.indexedDB = {
    open: () => {
      asked += 1;
      return {};
    },
  };
  const { page, store, words, hand, save } = await pageOf(tablet);
  const [first, second] = [begun(store.all()), begun(store.device())];
  await tablet.clock.pass(THREE_SECONDS - 1);
  assert.deepEqual([first, second, store.storage.fault], [{}, {}, ""]);
  await tablet.clock.pass(1);
  assert.deepEqual(first.value, []);
  assert.match(second.value, /^tablet [A-Z0-9]{3}$/);
  assert.equal(words.storageWords(), SILENT);
  // From now on nothing waits any more, and the tablet keeps its name.
  const before = tablet.clock.now;
  const one = hand(1);
  assert.equal((await save(one)).verdict, "recorded");
  assert.ok(tablet.clock.now - before < 1000);
  assert.equal(asked, 1);
  assert.deepEqual(tablet.server.keys, [one.key]);
  assert.equal(tablet.server.asked[0].device, second.value);
  await page.until(async () => (await store.all()).length === 0);
});

test("a transaction that never ends is waited for three seconds; what waits is not forgotten", async () => {
  const tablet = new Tablet();
  const silence = fallingSilent(tablet);
  const { queue, store, hand, all, save, page } = await pageOf(tablet);
  tablet.server.isAway = true;
  const [first, second] = [hand(1), hand(2)];
  await save(first);
  await all();
  silence.is = true;
  const saved = begun(queue.save(second, 0));
  await tablet.clock.pass(THREE_SECONDS - 1);
  assert.equal(store.storage.fault, "");
  await tablet.clock.pass(100);
  assert.equal(store.storage.fault, "silent");
  assert.equal(saved.value.verdict, "lost");
  assert.deepEqual(
    (await all()).map(({ words }) => words),
    ["Hand 1", "Hand 2"],
  );
  assert.ok(queue.isHolding());
  tablet.server.isAway = false;
  await page.within(queue.flush());
  assert.deepEqual(tablet.server.keys, [first.key, second.key]);
  assert.ok(!queue.isHolding());
  // The next page finds what the database had kept, and sends it again; it counts once.
  silence.is = false;
  const next = await pageOf(tablet);
  assert.deepEqual(
    (await next.all()).map(({ words }) => words),
    ["Hand 1"],
  );
  await next.page.within(next.queue.flush());
  assert.deepEqual(await next.all(), []);
  assert.deepEqual(tablet.server.keys, [first.key, second.key]);
});

test("a tablet that was asleep has not waited", async () => {
  const tablet = new Tablet();
  const late = {};
  tablet.indexedDB = { open: () => late };
  const { store } = await pageOf(tablet);
  begun(store.all());
  await tablet.clock.pass(100);
  // Asleep for an hour: all that was due comes at once, and then the page goes on.
  const waiting = [...tablet.clock.timers.values()];
  for (const timer of waiting) timer.at = tablet.clock.now + 3_600_000;
  await tablet.clock.pass(3_600_000);
  assert.equal(store.storage.fault, "");
});

test("another tab in the way is to be closed", async () => {
  const tablet = new Tablet();
  const request = { onblocked: null };
  tablet.indexedDB = { open: () => request };
  const { store, words } = await pageOf(tablet);
  begun(store.all());
  await tablet.clock.pass(100);
  request.onblocked();
  await tablet.clock.pass(THREE_SECONDS);
  assert.equal(words.storageWords(), BLOCKED);
});

test("a database that fails once is opened again", async () => {
  const tablet = new Tablet();
  const { open } = tablet.indexedDB;
  let opened = 0;
  tablet.indexedDB.open = (...wanted) => {
    opened += 1;
    const opening = open.apply(tablet.indexedDB, wanted);
    if (opened === 1) opening.addEventListener("success", () => opening.result.close());
    return opening;
  };
  const { store, hand, save } = await pageOf(tablet);
  assert.equal((await save(hand(1))).verdict, "recorded");
  assert.deepEqual([opened, store.storage.fault], [2, ""]);
});

for (const [what, indexedDB] of Object.entries({
  "is switched off": undefined,
  throws: {
    open: () => {
      throw new DOMException("denied", "SecurityError");
    },
  },
})) {
  test(`a database that ${what} keeps nothing, and every hand is sent at once`, async () => {
    const tablet = new Tablet();
    tablet.indexedDB = indexedDB;
    const { words, hand, save } = await pageOf(tablet);
    const one = hand(1);
    assert.equal((await save(one)).verdict, "recorded");
    assert.equal(tablet.clock.now < 1000, true);
    assert.deepEqual(tablet.server.keys, [one.key]);
    assert.equal(
      words.storageWords(),
      "This tablet cannot save hands without Wi-Fi. Save each hand only when you have Wi-Fi.",
    );
  });
}

test("no table is started that the next page would not find", async () => {
  const tablet = new Tablet();
  tablet.indexedDB = undefined;
  const { page, store, hand } = await pageOf(tablet);
  await assert.rejects(page.within(store.addStart({ ...hand(1), kind: "start" }, { session: "new-1", state: {} })));
});

test("a lock that never comes is not waited for as long as a person waits", async () => {
  const tablet = new Tablet();
  tablet.locks = { request: () => new Promise(() => {}) };
  const { store, hand, save } = await pageOf(tablet);
  const one = hand(1);
  assert.equal((await save(one)).verdict, "recorded");
  assert.ok(tablet.clock.now < THREE_SECONDS);
  assert.equal(store.storage.fault, "");
  const before = tablet.clock.now;
  assert.equal((await save(hand(2))).verdict, "recorded");
  assert.ok(tablet.clock.now - before < 1000);
});

test("a lock that comes too late is given back", async () => {
  const tablet = new Tablet();
  let give = null;
  tablet.locks = {
    request: (_name, _options, take) =>
      new Promise(() => {
        give = () => take({});
      }),
  };
  const { hand, save } = await pageOf(tablet);
  await save(hand(1));
  const isFree = begun(give());
  await tablet.clock.pass(100);
  assert.ok("value" in isFree);
});

test("while another page has the lock, this one keeps what is saved and leaves the sending to it", async () => {
  const tablet = new Tablet();
  tablet.locks = { request: async (_name, _options, take) => take(null) };
  const { hand, save, all } = await pageOf(tablet);
  assert.equal((await save(hand(1))).verdict, "lost");
  assert.equal((await all()).length, 1);
  assert.deepEqual(tablet.server.asked, []);
});

test("a page that waits for another one does not ask for the lock without end", async () => {
  const tablet = new Tablet();
  let asked = 0;
  let isFree = false;
  tablet.locks = {
    request: async (_name, _options, take) => {
      asked += 1;
      return take(isFree ? {} : null);
    },
  };
  const { queue, hand, save, all, page } = await pageOf(tablet);
  queue.keepFlushing();
  await save(hand(1));
  await tablet.clock.pass(20_000);
  // One for the page that opened, one for the press, and one each five seconds.
  assert.ok(asked < 5 + tablet.clock.now / 5000, `asked ${asked} times`);
  isFree = true;
  await page.until(async () => (await all()).length === 0);
});

test("on plain http a row stands in for the lock; one of a page long gone, or of a later time, holds nothing up", async () => {
  const tablet = new Tablet();
  const { lock, page } = await pageOf(tablet);
  let isHeld = false;
  let times = 0;
  // A page that dies with its lock.
  begun(
    lock.alone(() => {
      isHeld = true;
      return new Promise(() => {});
    }),
  );
  await page.until(() => isHeld);
  tablet.sessionStorage.removeItem("clubscore-outbox");
  const tryAgain = () =>
    page.within(
      lock.alone(() => {
        times += 1;
      }),
    );
  tablet.today += 9000;
  await tryAgain();
  assert.equal(times, 0);
  tablet.today -= 3_600_000;
  await tryAgain();
  assert.equal(times, 1);
  begun(lock.alone(() => new Promise(() => {})));
  await tablet.clock.pass(100);
  tablet.sessionStorage.removeItem("clubscore-outbox");
  tablet.today += 10_001;
  await tryAgain();
  assert.equal(times, 2);
});
