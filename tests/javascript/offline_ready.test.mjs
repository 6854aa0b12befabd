// How a tablet gets ready for a hall without Wi-Fi on its club's page, and what it says of it.
import assert from "node:assert/strict";
import test from "node:test";

import { textOfId } from "./hand_page.mjs";
import { openPage, Server, Tablet } from "./page.mjs";

const READY = /^Ready without Wi-Fi, today at (\d\d:\d\d)$/;
// What the page says before it has looked.
const LOOKING = "Checking what is on this tablet …";
const NO_TABLES = "Not all tables are on this tablet yet.";
const NOT_READY = "Not ready without Wi-Fi yet.";
const NEEDS_WIFI = "This tablet needs Wi-Fi for the scores.";
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const NEEDS = /\/needs\.json$/;
const KEPT = "/c/bramley/sessions/0/kept.json";

// A club with tables in play, by their numbers; each has been changed so many times. It has a clock of its own.
class Club extends Server {
  constructor() {
    super();
    this.version = "one";
    this.tables = { 1: 1 };
    this.ahead = 0;
    this.asked = [];
    this.isSignedOut = false;
    this.isBroken = () => false;
  }

  async answer(address, options) {
    this.asked.push(address);
    if (this.isAway) throw new TypeError("Failed to fetch");
    if (this.isBroken(address)) return new Response("", { status: 500 });
    if (this.isSignedOut) return new Response("", { status: 403 });
    const headers = { Date: new Date(Date.now() + this.ahead).toUTCString() };
    const json = (data) => new Response(JSON.stringify(data), { headers });
    const ledgers = Object.entries(this.tables).map(([session, version]) => [
      session,
      { state: { session: Number(session), version } },
    ]);
    if (NEEDS.test(address))
      return json({
        version: this.version,
        pages: ["/c/bramley/", "/worth/"],
        files: { worker: "/static/worker.js", wasm: `/static/${this.version}.wasm` },
        tables: this.tables,
        kept: KEPT,
      });
    if (address === KEPT) return json({ tables: Object.fromEntries(ledgers) });
    if (/^\/(c|worth|static)\//.test(address)) return new Response("a page", { headers });
    return super.answer(address, options);
  }
}

// What the browser keeps, by the names of its caches.
class Caches {
  constructor() {
    this.kept = new Map();
  }

  async keys() {
    return [...this.kept.keys()];
  }

  async open(name) {
    if (!this.kept.has(name)) this.kept.set(name, new Map());
    const pages = this.kept.get(name);
    return {
      match: async (address) => pages.get(address)?.clone(),
      put: async (address, answer) => {
        pages.set(address, answer);
      },
    };
  }

  async match(address, { cacheName = null } = {}) {
    const found = [...this.kept]
      .filter(([name]) => !cacheName || name === cacheName)
      .map(([, pages]) => pages.get(address))
      .find(Boolean);
    return found?.clone();
  }
}

// The browser's worker: of an earlier version until the new one, asked for, is there.
class Workers {
  constructor(tablet) {
    Object.assign(this, { tablet, version: "one", isInstalling: false, changed: () => {} });
    this.ready = Promise.resolve({ active: { postMessage: (wanted, [port]) => this.hear(wanted, port) } });
  }

  addEventListener(_name, listener) {
    this.changed = listener;
  }

  async register() {
    return {
      update: async () => {
        this.isInstalling = true;
      },
    };
  }

  install() {
    Object.assign(this, { version: this.tablet.server.version, isInstalling: false });
    this.changed();
  }

  async hear({ keep = [], files = [] }, port) {
    const { server, caches } = this.tablet;
    const get = async (name, addresses) => {
      for (const address of addresses) {
        const answer = await server.answer(address).catch(() => null);
        if (answer?.ok) await (await caches.open(name)).put(address, answer);
      }
    };
    await get(`pages-${this.version}`, keep);
    await get(`files-${this.version}`, files);
    port.postMessage(this.version);
  }
}

class Channel {
  constructor() {
    this.port1 = {};
    this.port2 = { postMessage: (data) => queueMicrotask(() => this.port1.onmessage({ data })) };
  }
}

// An old browser, which does not know what the rules are compiled to.
class CannotRun {
  postMessage() {
    queueMicrotask(() => this.onmessage({ data: { error: "CompileError" } }));
  }

  terminate() {}
}

function aTablet() {
  const tablet = new Tablet(new Club());
  tablet.hasRules = true;
  tablet.caches = new Caches();
  tablet.workers = new Workers(tablet);
  return tablet;
}

async function openClub(tablet) {
  const page = await openPage(tablet, "club");
  globalThis.isSecureContext = true;
  globalThis.caches = tablet.caches;
  globalThis.MessageChannel = Channel;
  Object.assign(globalThis.navigator, { serviceWorker: tablet.workers });
  if (tablet.isOld) globalThis.Worker = CannotRun;
  Object.defineProperty(document, "hidden", { value: false });
  // The page is of this minute.
  document.getElementById("offline-ready").dataset.drawn = new Date(Date.now() + tablet.server.ahead).toISOString();
  await page.load("table/offline_ready.js");
  const state = () => textOfId("offline-state");
  const says = (words) =>
    page.until(
      () => (words instanceof RegExp ? words.test(state()) : state() === words),
      () => `${state()}, not ${words}`,
    );
  return { page, state, says, doing: () => textOfId("offline-doing"), time: () => state().match(READY)[1] };
}

// The words of the line at each step of a time.
async function saidDuring(tablet, time, state) {
  const said = new Set();
  for (let left = time; left > 0; left -= 500) {
    said.add(state());
    await tablet.clock.pass(500);
  }
  return [...said.add(state())];
}

test("a fresh tablet gets ready, and stays so without the Wi-Fi", async () => {
  const tablet = aTablet();
  const { says, time } = await openClub(tablet);
  await says(NO_TABLES);
  await says(READY);
  // The clock of this test stands at 15:00.
  assert.equal(time(), "15:00");
  tablet.server.isAway = true;
  const again = await openClub(tablet);
  await again.says(READY);
  assert.deepEqual(await saidDuring(tablet, MINUTE, again.state), ["Ready without Wi-Fi, today at 15:00"]);
  assert.match(textOfId("messages"), /There is no Wi-Fi just now/);
  tablet.server.isAway = false;
  await tablet.clock.pass(6 * SECOND);
  assert.doesNotMatch(textOfId("messages"), /no Wi-Fi/);
});

test("a table that another tablet starts is fetched, while the page is open and when it is opened", async () => {
  const tablet = aTablet();
  const first = await openClub(tablet);
  await first.says(READY);
  tablet.server.tables = { 1: 1, 2: 1 };
  await tablet.clock.pass(40 * SECOND);
  await first.says(READY);
  assert.deepEqual(Object.keys((await (await tablet.caches.match(KEPT)).json()).tables), ["1", "2"]);
  tablet.server.tables = { 1: 1, 2: 1, 3: 1 };
  tablet.server.isBroken = (address) => address === KEPT;
  const second = await openClub(tablet);
  const said = await saidDuring(tablet, 20 * SECOND, second.state);
  assert.deepEqual(
    said.filter((words) => words !== LOOKING),
    [NO_TABLES],
  );
  assert.equal(second.doing(), "It tries again by itself.");
  tablet.server.isBroken = () => false;
  await second.says(READY);
});

test("what fails is tried again after 5, 20 and 60 seconds", async () => {
  const tablet = aTablet();
  const times = [];
  tablet.server.isBroken = (address) => address === "/worth/" && times.push(tablet.clock.now);
  const { says } = await openClub(tablet);
  await says(NOT_READY);
  await tablet.clock.pass(3 * MINUTE);
  const apart = times.slice(1).map((time, at) => Math.round((time - times[at]) / SECOND));
  assert.deepEqual(apart, [5, 20, 60, 60]);
});

test("a tablet whose Wi-Fi goes in the middle is ready soon after it is back", async () => {
  const tablet = aTablet();
  const { server } = tablet;
  const { answer } = server;
  // After three answers nothing more comes.
  server.answer = function few(address, options) {
    if (this.asked.length >= 3) this.isAway = true;
    return answer.call(this, address, options);
  };
  const { says, state, doing } = await openClub(tablet);
  await tablet.clock.pass(2 * MINUTE);
  assert.equal(state(), NO_TABLES);
  assert.equal(doing(), "Waiting for the Wi-Fi.");
  server.answer = answer;
  server.isAway = false;
  const back = tablet.clock.now;
  await says(READY);
  assert.ok(tablet.clock.now - back <= 10 * SECOND);
});

test("after an upgrade of the server the tablet is ready once it has all of the new version", async () => {
  const tablet = aTablet();
  const first = await openClub(tablet);
  await first.says(READY);
  tablet.today += HOUR;
  tablet.server.version = "two";
  const { says, state, doing, time } = await openClub(tablet);
  assert.deepEqual(
    (await saidDuring(tablet, 30 * SECOND, state)).filter((words) => words !== LOOKING),
    [NO_TABLES],
  );
  assert.equal(doing(), "Fetching the new version …");
  assert.ok(tablet.workers.isInstalling);
  // Nothing of the new version comes into the hands of the old worker.
  assert.equal(tablet.caches.kept.get("pages-one").size, 4);
  tablet.workers.install();
  const changed = tablet.clock.now;
  await says(READY);
  assert.ok(tablet.clock.now - changed <= 10 * SECOND);
  assert.equal(time(), "16:00");
});

for (const hours of [-30, -3, 3, 30]) {
  test(`a tablet whose clock is ${hours} hours from the server's is ready, once, at the server's time`, async () => {
    const tablet = aTablet();
    tablet.server.ahead = hours * HOUR;
    const { says, time } = await openClub(tablet);
    await says(READY);
    assert.equal(Number(time().slice(0, 2)), (15 + hours + 48) % 24);
    const pages = () => tablet.server.asked.filter((address) => !NEEDS.test(address)).length;
    const fetched = pages();
    await tablet.clock.pass(10 * MINUTE);
    assert.equal(pages(), fetched);
    assert.match(textOfId("messages"), new RegExp(`are ${Math.abs(hours)} hours apart`));
  });
}

test("pages grow old by the server's time, and tables that were played on are fetched again", async () => {
  const tablet = aTablet();
  const { says, time } = await openClub(tablet);
  await says(READY);
  tablet.server.tables = { 1: 2 };
  await tablet.clock.pass(MINUTE);
  assert.equal(time(), "15:00");
  await tablet.clock.pass(5 * MINUTE);
  assert.ok(time() > "15:00");
  const before = tablet.server.asked.filter((address) => address === "/worth/").length;
  await tablet.clock.pass(7 * HOUR);
  assert.equal(tablet.server.asked.filter((address) => address === "/worth/").length, before + 1);
});

test("a browser that cannot run the rules is never called ready", async () => {
  const tablet = aTablet();
  tablet.isOld = true;
  const { says, state } = await openClub(tablet);
  await says(NEEDS_WIFI);
  assert.deepEqual(await saidDuring(tablet, 2 * MINUTE, state), [NEEDS_WIFI]);
  assert.match(textOfId("offline-kept"), /too old to work out scores by itself/);
  assert.ok(!document.getElementById("offline-state").classList.contains("is-there"));
});

test("a tablet that is signed out is told to sign in", async () => {
  const tablet = aTablet();
  tablet.server.isSignedOut = true;
  const { says, doing } = await openClub(tablet);
  await says(NOT_READY);
  await tablet.clock.pass(5 * SECOND);
  assert.equal(doing(), "Sign in to fetch the rest.");
  tablet.server.isSignedOut = false;
  await says(READY);
});

for (const [is, isAway, isOld, words] of [
  ["can run the rules", false, false, ""],
  [
    "cannot run them",
    false,
    true,
    "This browser is too old to work out the scores of a game. Score it on a newer tablet or phone.",
  ],
  ["does not have them, without the Wi-Fi", true, true, ""],
]) {
  test(`before a game, of a browser that ${is}, it is ${words ? "" : "not "}said that it is too old`, async () => {
    const tablet = aTablet();
    tablet.server.isAway = isAway;
    const page = await openPage(tablet, "games");
    if (isOld) globalThis.Worker = CannotRun;
    await page.load("table/can_score.js");
    await tablet.clock.pass(40 * SECOND);
    assert.equal(textOfId("messages"), words);
  });
}
