// Pages of Clubscore without a browser: the HTML that the server has sent, in jsdom, and the scripts as they are. IndexedDB,
// the network and the clock are the test's own. One page is open at a time; what they keep is there for the next.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { webcrypto } from "node:crypto";
import { fileURLToPath } from "node:url";

register("./hooks.mjs", import.meta.url);
const { JSDOM, VirtualConsole } = createRequire(new URL("../../tools/javascript/", import.meta.url))("jsdom");
const { IDBFactory } = createRequire(new URL("../../tools/javascript/", import.meta.url))("fake-indexeddb");

const STATIC = new URL("../../static/", import.meta.url);
const ORIGIN = "http://clubscore.test";
// Written by test_scripts.py: the address and the HTML of each page, by its name.
const PAGES = JSON.parse(readFileSync(process.env.CLUBSCORE_PAGES, "utf-8"));
// Written there too: what the tablet's worker runs.
const RULES = process.env.CLUBSCORE_RULES;
export const pageOf = (name) => PAGES[name];
const LIMIT = 120_000;
const STEP = 50;

const realImmediate = setImmediate;
const quiet = async () => {
  for (let left = 12; left; left -= 1)
    await new Promise((resolve) => {
      realImmediate(resolve);
    });
};

const RealDate = Date;

// The date of a tablet, which its clock moves on, and a test may put back.
const dateOf = (tablet) =>
  class extends RealDate {
    static now() {
      return tablet.today + tablet.clock.now;
    }

    constructor(...given) {
      super(...(given.length ? given : [tablet.today + tablet.clock.now]));
    }
  };

// Begins a file of rules in MicroPython, as the worker does, and returns what answers: text to text.
export async function begin(file) {
  const { loadMicroPython } = await import(new URL("vendor/micropython/micropython.mjs", STATIC));
  const begun = await loadMicroPython({
    url: fileURLToPath(new URL("vendor/micropython/micropython.wasm", STATIC)),
    heapsize: 32 * 1024 * 1024,
  });
  const sources = JSON.parse(readFileSync(file, "utf-8"));
  for (const [path, source] of Object.entries(sources)) {
    begun.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    begun.FS.writeFile(path, source);
  }
  const entry = Object.keys(sources).at(-1).slice(0, -".py".length).replaceAll("/", ".");
  begun.runPython(
    `from clubscore.engine.shim import asked\nfrom ${entry} import answer\ndef ask(text):\n    return asked(answer, text)\n`,
  );
  return begun.globals.get("ask");
}

let machine = null;

// Begins the rules, or another file, for every tablet that `hasRules`: they keep nothing between two questions, and a process
// can run one of them only.
export async function beginRules(file = RULES) {
  machine ||= await begin(file);
}

// What the rules are asked while they are busy, they answer afterwards.
export const rules = {
  held: null,
  beBusy() {
    this.held = [];
  },
  goOn() {
    this.held.forEach(queueMicrotask);
    this.held = null;
  },
};

class RulesWorker {
  postMessage({ question }) {
    const answer = () => this.onmessage({ data: { answer: question === undefined ? "true" : machine(question) } });
    if (rules.held) rules.held.push(answer);
    else queueMicrotask(answer);
  }

  terminate() {}
}

// Time passes only when a test says so.
class Clock {
  constructor() {
    this.now = 0;
    this.timers = new Map();
    this.last = 0;
  }

  start(work, after = 0, args = [], every = 0) {
    this.last += 1;
    this.timers.set(this.last, { at: this.now + Math.max(after, 1), work: () => work(...args), every });
    return this.last;
  }

  async pass(time) {
    const until = this.now + time;
    await quiet();
    for (;;) {
      const [next] = [...this.timers]
        .filter(([, { at }]) => at <= until)
        .sort(([a, one], [b, other]) => one.at - other.at || a - b);
      if (!next) break;
      const [id, timer] = next;
      this.now = timer.at;
      if (timer.every) timer.at += timer.every;
      else this.timers.delete(id);
      timer.work();
      await quiet();
    }
    this.now = until;
  }
}

// A server that records each key once; `answers` are those to the next commands, as { status, reply }, and at those that
// `fails` says it fails.
export class Server {
  constructor() {
    this.isAway = false;
    this.asked = [];
    this.recorded = [];
    this.answers = [];
    this.fails = () => false;
    this.requests = [];
    // Its clock, which it tells with each answer; 0 where it does not.
    this.time = 0;
  }

  get keys() {
    return this.recorded.map(({ key }) => key);
  }

  async answer(address, { method = "GET", body = null } = {}) {
    this.requests.push({ address, method, body });
    if (this.isAway) throw new TypeError("Failed to fetch");
    const json = (status, reply) =>
      new Response(JSON.stringify(reply), { status, headers: { "Content-Type": "application/json" } });
    if (address === "/healthz")
      return new Response(null, {
        status: 200,
        headers: this.time ? { Date: new RealDate(this.time).toUTCString() } : {},
      });
    const parts = /\/(views\/|kept\.json)$/.test(address) && answerOf(address);
    if (parts) return parts;
    if (method !== "POST" || !address.endsWith("/commands/")) return new Response("", { status: 404 });
    const command = JSON.parse(body);
    this.asked.push(command);
    if (this.fails(command)) return new Response("Server Error", { status: 500 });
    const prepared = this.answers.shift();
    if (prepared)
      return prepared.reply
        ? json(prepared.status, prepared.reply)
        : new Response("Server Error", { status: prepared.status });
    if (this.keys.includes(command.key)) return json(200, { outcome: "again", message: "It is recorded." });
    this.recorded.push(command);
    return json(201, { outcome: "recorded", message: `${command.kind} is recorded.` });
  }
}

const answerOf = (address) => {
  const found = Object.values(PAGES).find((page) => page.address === address);
  return found && new Response(found.html, { status: 200 });
};

class Stored {
  constructor() {
    this.kept = new Map();
  }

  getItem(name) {
    return this.kept.get(name) ?? null;
  }

  setItem(name, value) {
    this.kept.set(name, String(value));
  }

  removeItem(name) {
    this.kept.delete(name);
  }
}

// What a server answers when it takes nothing.
export const refusal = (status, outcome, message = "") => ({ status, reply: { status, outcome, message } });

// What stays from page to page.
export class Tablet {
  constructor(server = new Server()) {
    this.server = server;
    this.clock = new Clock();
    this.localStorage = new Stored();
    this.sessionStorage = new Stored();
    this.indexedDB = new IDBFactory();
    this.locks = undefined;
    this.hasRules = false;
    this.isReady = false;
    // False in Safari outside the Home Screen; no other browser says.
    this.standalone = undefined;
    this.today = Date.UTC(2026, 10, 12, 15);
  }
}

let copies = 0;
function give(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

// What the scripts take from a window as it is.
const OF_WINDOW = [
  "AbortController",
  "CustomEvent",
  "Document",
  "DOMParser",
  "Element",
  "Event",
  "FormData",
  "HTMLFormElement",
  "HTMLHeadElement",
  "HTMLInputElement",
  "HTMLOptionElement",
  "HTMLTemplateElement",
  "HTMLTextAreaElement",
  "KeyboardEvent",
  "MouseEvent",
  "MutationObserver",
  "Node",
];

const partsOf = ({ href, origin, pathname, search, hash }) => ({ href, origin, pathname, search, hash });

class Page {
  constructor(tablet, name, search = "") {
    copies += 1;
    this.copy = copies;
    this.tablet = tablet;
    this.left = null;
    // Scripts on their way from the disk, for which no time passes.
    this.loading = [];
    const { address: path, html } = PAGES[name];
    const address = path + search;
    // What a browser does and jsdom does not, such as scrolling, is said on its console.
    this.dom = new JSDOM(html, { url: ORIGIN + address, virtualConsole: new VirtualConsole() });
    this.dom.window.Element.prototype.scrollIntoView = () => {};
    this.dom.window.HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true;
    };
    this.openUp(new URL(ORIGIN + address));
  }

  openUp(address) {
    const { window } = this.dom;
    const { clock, server } = this.tablet;
    // The page before has gone, with its timers.
    clock.timers.clear();
    for (const name of OF_WINDOW) give(name, window[name]);
    give("window", globalThis);
    give("document", window.document);
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent", "getComputedStyle"])
      give(name, window[name].bind(window));
    give("location", {
      ...partsOf(address),
      assign: (to) => {
        this.left = to;
      },
      replace: (to) => {
        this.left = to;
      },
      reload: () => {
        this.left = address.pathname;
      },
    });
    give("history", {
      replaceState() {},
      pushState: (_state, _title, to) =>
        Object.assign(globalThis.location, partsOf(new URL(to, globalThis.location.href))),
    });
    give("navigator", { onLine: true, locks: this.tablet.locks, standalone: this.tablet.standalone });
    give("isSecureContext", false);
    give("Worker", this.tablet.hasRules ? RulesWorker : undefined);
    give("CSS", { escape: String });
    delete globalThis.BroadcastChannel;
    // What a worker has kept of the pages for everybody and of the club.
    const kept = { match: async (to) => answerOf(to) };
    if (this.tablet.isReady)
      give("caches", { keys: async () => ["pages-1"], open: async () => kept, match: kept.match });
    else delete globalThis.caches;
    give("crypto", webcrypto);
    give("scrollTo", () => {});
    give("matchMedia", () => ({ matches: false }));
    give("indexedDB", this.tablet.indexedDB);
    give("localStorage", this.tablet.localStorage);
    give("sessionStorage", this.tablet.sessionStorage);
    give("fetch", (to, options) => server.answer(String(to), options));
    give("Date", dateOf(this.tablet));
    give("performance", { now: () => clock.now });
    give("setTimeout", (work, after, ...args) => clock.start(work, after, args));
    give("setInterval", (work, every, ...args) => clock.start(work, every, args, every));
    give("clearTimeout", (id) => clock.timers.delete(id));
    give("clearInterval", (id) => clock.timers.delete(id));
    give("requestAnimationFrame", (work) => clock.start(() => work(clock.now), 16));
    give("requestIdleCallback", (work) => clock.start(work, 1));
  }

  load(script) {
    return import(`${new URL(script, STATIC)}?copy=${this.copy}`);
  }

  // Runs the modules of the page, and those that they put into it, as a browser does; other scripts are left out.
  async run() {
    const { document, MutationObserver } = this.dom.window;
    const runOne = async (script) => {
      if (script.type === "module") await this.load(script.getAttribute("src").replace("/static/", ""));
      script.dispatchEvent(new this.dom.window.Event("load"));
    };
    const begin = (script) => this.loading.push(runOne(script));
    const isScript = (one) => one.localName === "script" && one.getAttribute("src");
    new MutationObserver((changes) =>
      changes
        .flatMap(({ addedNodes }) => [...addedNodes])
        .filter(isScript)
        .forEach(begin),
    ).observe(document, { childList: true, subtree: true });
    for (const script of document.querySelectorAll("script[type=module][src]")) await runOne(script);
  }

  // Lets time pass until something is so.
  async until(isSo, what = String(isSo)) {
    const { clock } = this.tablet;
    for (const end = clock.now + LIMIT; !(await isSo()); await clock.pass(STEP)) {
      assert.ok(clock.now < end, `Not so in the end: ${typeof what === "function" ? what() : what}`);
      while (this.loading.length) await this.loading.pop();
    }
  }

  // What waits for an answer gets the time for it.
  async within(asked) {
    let found = null;
    asked.then(
      (value) => {
        found = { value };
      },
      (error) => {
        found = { error };
      },
    );
    await this.until(() => found);
    if (found.error) throw found.error;
    return found.value;
  }
}

// Opens a page with all its scripts, at its address or with a search of its own.
export async function openWhole(tablet, name, search) {
  const page = new Page(tablet, name, search);
  await page.run();
  await quiet();
  return page;
}

export async function openPage(tablet, name, ...scripts) {
  const page = new Page(tablet, name);
  for (const script of scripts) await page.load(script);
  await quiet();
  return page;
}
