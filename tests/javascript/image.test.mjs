// The rules begun from the image that they have left: the same answers, and their sources whenever the image is not sound.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

register("./hooks.mjs", import.meta.url);

const STATIC = new URL("../../static/", import.meta.url);
const SOURCES = readFileSync(process.env.CLUBSCORE_RULES, "utf-8");
// Written by test_scripts.py: questions as a tablet sends them, with the server's own answers.
const ASKED = JSON.parse(readFileSync(process.env.CLUBSCORE_QUESTIONS, "utf-8"));
// Named by their content, as they are served.
const FOLDER = mkdtempSync(join(tmpdir(), "rules-"));
const [python, wasm] = ["micropython.mjs", "micropython.wasm"].map((name) => {
  const named = join(FOLDER, name.replace(".", ".0123456789ab."));
  copyFileSync(fileURLToPath(new URL(`vendor/micropython/${name}`, STATIC)), named);
  return named;
});
const FILES = { python: pathToFileURL(python).href, wasm, rules: "/static/rules.0123456789ab.json" };

// What a browser keeps from page to page.
class Browser {
  constructor() {
    this.kept = new Map();
    this.caches = {
      open: async () => ({
        match: async (address) => this.kept.get(address) && new Response(this.kept.get(address)),
        keys: async () => [...this.kept.keys()],
        delete: async (address) => this.kept.delete(address),
        put: async (address, answer) => this.kept.set(address, await answer.arrayBuffer()),
      }),
      delete: async () => this.kept.clear(),
    };
  }
}

let copies = 0;
// A page's worker, which the next one replaces.
async function beginWorker(browser, sources = SOURCES) {
  copies += 1;
  let hear;
  let reply;
  const worker = { sourcesRead: 0, waiting: [] };
  Object.assign(globalThis, {
    caches: browser.caches,
    self: {
      location: { pathname: "/static/worker.0123456789ab.js" },
      addEventListener: (_, listener) => {
        hear = listener;
      },
      postMessage: (data) => reply(data),
    },
    fetch: async () => {
      worker.sourcesRead += 1;
      return new Response(sources);
    },
    setTimeout: (work) => worker.waiting.push(work),
  });
  await import(`${new URL("table/engine/worker.js", STATIC)}?copy=${copies}`);
  worker.ask = async (question, files = FILES) => {
    const answered = new Promise((resolve) => {
      reply = resolve;
    });
    await hear({ data: { files, question } });
    const { answer, error, isToAskAgain } = await answered;
    return isToAskAgain ? "again" : error || answer;
  };
  worker.keep = () => Promise.all(worker.waiting.map((work) => work()));
  return worker;
}

async function afterFirstPage(sources = SOURCES) {
  const browser = new Browser();
  const first = await beginWorker(browser, sources);
  assert.equal(await first.ask(), "true");
  await first.keep();
  assert.equal(browser.kept.size, 1);
  return browser;
}

const [QUESTION, ANSWER] = ASKED[0];

test("every answer of rules begun from the image is the server's", async () => {
  const worker = await beginWorker(await afterFirstPage());
  for (const [question, answer] of ASKED) assert.equal(await worker.ask(question), answer, question);
  assert.equal(worker.sourcesRead, 0);
});

test("what JavaScript collects as garbage is not taken from rules begun from the image", async () => {
  setFlagsFromString("--expose-gc");
  const collect = async () => {
    for (let round = 0; round < 3; round += 1) {
      runInNewContext("gc")();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const worker = await beginWorker(await afterFirstPage());
  for (const [question, answer] of ASKED.slice(0, 9)) {
    await collect();
    assert.equal(await worker.ask(question), answer);
  }
});

test("an image says nothing of what was asked", async () => {
  const browser = new Browser();
  const first = await beginWorker(browser);
  const question = JSON.stringify(JSON.parse(QUESTION)).replace(/"ask", ?"\w+"/, '"ask", "Margaret Ellison"');
  await first.ask(question);
  await first.keep();
  const [image] = browser.kept.values();
  const whole = await new Response(
    new Blob([image]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
  assert.ok(Buffer.from(whole).includes("a Mah-jong"));
  assert.ok(!Buffer.from(whole).includes("Ellison"));
});

async function changed(change) {
  const browser = await afterFirstPage();
  const [[address, image]] = browser.kept;
  change(browser, address, image);
  return browser;
}

const cutShort = (browser, address, image) => browser.kept.set(address, image.slice(0, image.byteLength / 2));
const withFault = (browser, address, image) => {
  const other = new Uint8Array(image.slice(0));
  other[other.length >> 1] ^= 1;
  browser.kept.set(address, other.buffer);
};
const refused = (browser) => {
  browser.caches = {
    open: async () => {
      throw new DOMException("private", "SecurityError");
    },
    delete: async () => false,
  };
};
const absent = (browser) => {
  browser.caches = undefined;
};

for (const [what, change] of Object.entries({ cutShort, withFault, refused, absent }))
  test(`the rules begin from their sources where the image is not sound: ${what}`, async () => {
    const worker = await beginWorker(await changed(change));
    assert.equal(await worker.ask(QUESTION), ANSWER);
    assert.equal(worker.sourcesRead, 1);
    await worker.keep();
  });

test("other files have an image of their own, and the earlier one goes", async () => {
  const browser = await afterFirstPage();
  const [before] = browser.kept.keys();
  const worker = await beginWorker(browser);
  const rules = "/static/rules.ba9876543210.json";
  assert.equal(await worker.ask(QUESTION, { ...FILES, rules }), ANSWER);
  await worker.keep();
  assert.equal(worker.sourcesRead, 1);
  assert.equal(browser.kept.size, 1);
  assert.ok(!browser.kept.has(before));
});

test("files whose addresses say nothing of their content leave no image", async () => {
  const browser = new Browser();
  const worker = await beginWorker(browser);
  assert.equal(await worker.ask(QUESTION, { ...FILES, rules: "/static/rules.json" }), ANSWER);
  await worker.keep();
  assert.equal(browser.kept.size, 0);
});

test("a memory of another size is left alone", async () => {
  const browser = await afterFirstPage();
  const original = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...given) => {
    const made = await original(...given);
    made.instance.exports.memory.grow(1);
    return made;
  };
  const worker = await beginWorker(browser);
  assert.equal(await worker.ask(QUESTION), ANSWER);
  WebAssembly.instantiate = original;
  assert.equal(worker.sourcesRead, 1);
});

test("an image whose first answer fails is thrown away, and the question is for the next worker", async () => {
  const sources = JSON.parse(SOURCES);
  sources["clubscore/engine/answers.py"] = "def answer(question):\n    raise ValueError\n";
  const browser = await afterFirstPage(JSON.stringify(sources));
  const worker = await beginWorker(browser);
  assert.equal(await worker.ask(QUESTION), "again");
  assert.equal(browser.kept.size, 0);
  const next = await beginWorker(browser);
  assert.equal(await next.ask(QUESTION), ANSWER);
  assert.equal(next.sourcesRead, 1);
});

test("a question that the image could not answer is asked of the next worker", async () => {
  const workers = [];
  class Worker {
    constructor() {
      workers.push(this);
    }

    postMessage({ question }) {
      const again = workers.length === 1 && question !== undefined;
      queueMicrotask(() => this.onmessage({ data: again ? { isToAskAgain: true } : { answer: question || "true" } }));
    }

    terminate() {
      this.isStopped = true;
    }
  }
  const document = { querySelector: () => null, documentElement: { dataset: {} } };
  Object.assign(globalThis, { window: globalThis, document, Worker, setTimeout: () => 0 });
  const { ask } = await import(`${new URL("table/engine/engine.js", STATIC)}?copy=${copies}`);
  assert.equal(await ask({ worker: "/worker.js" }, 7), 7);
  assert.deepEqual(
    workers.map(({ isStopped }) => Boolean(isStopped)),
    [true, false],
  );
});
