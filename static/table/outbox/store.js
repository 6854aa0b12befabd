// What this tablet keeps in IndexedDB: commands until the server has them, outcomes until someone has read them, the
// tables it has opened, and its name. A write is on the disk before it counts as saved. Pages are kept by the service worker.
import { readStored, writeStored } from "../../web/browser.js";
import { isGame, isStart, newKey, placeOf } from "./commands.js";
import { memoryStore } from "./memory.js";

// The form of a kept command. A later version of these scripts must still send what an earlier one kept.
const FORMAT = 1;
const NAME = "clubscore";
const VERSION = 1;
const STORES = {
  commands: { keyPath: "order", autoIncrement: true },
  told: { keyPath: "key" },
  tables: { keyPath: "session" },
  things: { keyPath: "name" },
};

// How long the browser may take for a transaction, with opening the database before it; and for a lock, shorter than a
// person waits for what was saved.
const STEP = 500;
const STEPS = 6;
const LOCK_STEPS = 2;
const NO_ANSWER = new Error("No answer");

// Why this page alone keeps what is done on it: "refused" where the browser keeps nothing, "silent" where it never answers,
// "blocked" where another tab is in its way; "" where all is well.
export const storage = { fault: "" };
const memory = Object.fromEntries(Object.entries(STORES).map(([name, options]) => [name, memoryStore(options)]));

let opening = null;
let isBlocked = false;
let inTurn = /** @type {Promise<any>} */ (Promise.resolve());

function open() {
  opening ||= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [name, options] of Object.entries(STORES)) request.result.createObjectStore(name, options);
      request.transaction.objectStore("commands").createIndex("key", "key", { unique: true });
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => {
      isBlocked = true;
    };
    request.onsuccess = () => {
      const database = request.result;
      // A page of a later version may want to change it.
      database.onversionchange = () => {
        database.close();
        opening = null;
      };
      database.onclose = () => {
        opening = null;
      };
      resolve(database);
    };
  });
  return opening;
}

// Fails without an answer. The time is counted in steps, as a page that was asleep has not waited.
async function within(steps, answer) {
  const first = answer.then((value) => ({ value }));
  for (let left = steps; left && !storage.fault; left -= 1) {
    const found = await Promise.race([
      first,
      new Promise((resolve) => {
        setTimeout(resolve, STEP, null);
      }),
    ]);
    if (found) return found.value;
  }
  first.catch(() => null);
  throw NO_ANSWER;
}

function giveUp(fault) {
  if (storage.fault) return;
  storage.fault = fault;
  document.dispatchEvent(new CustomEvent("outbox:fault"));
}

// Returns what `work` returns, once the transaction is complete. `work` may wait only for requests of the transaction.
// Where the database fails, it works on the memory of this page instead, from then on.
async function perform(mode, names, work) {
  const wanted = [names].flat();
  for (const isLast of [false, true]) {
    if (storage.fault) break;
    try {
      return await within(STEPS, transact(mode, wanted, work));
    } catch (error) {
      // Unless it never answered, the browser may have closed the database: once more, on a new connection.
      opening = null;
      if (error === NO_ANSWER) giveUp(isBlocked ? "blocked" : "silent");
      else if (isLast) giveUp("refused");
    }
  }
  const worked = inTurn.then(() => work(...wanted.map((name) => memory[name])));
  inTurn = worked.catch(() => null);
  return worked;
}

async function transact(mode, names, work) {
  const database = await open();
  if (storage.fault) throw NO_ANSWER;
  const transaction = database.transaction(names, mode, mode === "readwrite" ? { durability: "strict" } : {});
  const completed = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
  const [result] = await Promise.all([work(...names.map((name) => transaction.objectStore(name))), completed]);
  return result;
}

const read = (names, work) => perform("readonly", names, work);
const write = (names, work) => perform("readwrite", names, work);

const resultOf = (request) =>
  request.readyState === "done"
    ? request.result
    : new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });

// What this page has seen of a table, it still knows where the database fails later.
const remember = (table) => table && memory.tables.put(table);

async function put(commands, command) {
  const earlier = await resultOf(commands.index("key").get(command.key));
  const kept = { ...command, v: FORMAT, state: "waiting", message: "", ...(earlier && { order: earlier.order }) };
  return { ...kept, order: await resultOf(commands.put(kept)) };
}

// Keeps a command at the end of the queue; one with the same key takes its earlier place. A page may not have heard yet
// that the club has started its table.
export const add = (command) =>
  write(["commands", "tables"], async (commands, tables) => {
    const kept = await resultOf(tables.get(command.session));
    if (isGame(command.session)) return putInGame(tables, kept, command);
    const session = kept?.started && (await resultOf(tables.get(kept.started)));
    return put(commands, session ? { ...command, ...placeOf(session.state) } : command);
  });

// What is done in a game is kept with it.
function putInGame(tables, game, command) {
  const others = game.commands.filter(({ key }) => key !== command.key);
  const kept = { ...command, v: FORMAT, state: "waiting", message: "", order: (others.at(-1)?.order || 0) + 1 };
  tables.put({ ...game, commands: [...others, kept] });
  return kept;
}

// Keeps a game that is started here; fails where this page alone would have it.
export async function addGame(game) {
  await write("tables", (tables) => resultOf(tables.put(game)));
  if (storage.fault) throw new Error("Nothing is kept beyond this page");
}

export const removeGame = (session) => write("tables", (tables) => resultOf(tables.delete(session)));

// Keeps what the list of games says of one: how it stands, and which clubs have it too.
export const noteGame = (session, values) =>
  write("tables", async (tables) => {
    const game = await resultOf(tables.get(session));
    if (game && Object.entries(values).some(([name, value]) => JSON.stringify(game[name]) !== JSON.stringify(value)))
      tables.put({ ...game, ...values });
  });

// Keeps a table that is started here, with the command that starts it at the club. Its pages have to find both: fails
// where this page alone would have them.
export async function addStart(command, table) {
  const kept = await write(["commands", "tables"], (commands, tables) => {
    tables.put(table);
    return put(commands, command);
  });
  if (storage.fault) throw new Error("Nothing is kept beyond this page");
  return kept;
}

// The club has started this tablet's own table: all that was done there belongs to that session now.
export const moveToSession = (own, state, opened) =>
  write(["commands", "tables"], async (commands, tables) => {
    for (const one of await resultOf(commands.getAll())) {
      if (one.session === own && !isStart(one)) commands.put({ ...one, ...placeOf(state) });
    }
    tables.put({ ...(await resultOf(tables.get(own))), session: own, started: state.session });
    tables.put({ session: state.session, state, opened });
  });

// The commands that this page alone keeps.
export const inMemory = () => (storage.fault ? memory.commands.getAll().result : []);

export async function all() {
  const kept = await read("commands", (commands) => resultOf(commands.getAll()));
  memory.commands.fill(kept);
  return kept;
}

export const remove = (order) => write("commands", (commands) => resultOf(commands.delete(order)));

export const change = (order, values) =>
  write("commands", async (commands) => {
    const kept = await resultOf(commands.get(order));
    if (kept) commands.put({ ...kept, ...values });
  });

export const addOutcome = (outcome) => write("told", (outcomes) => resultOf(outcomes.put(outcome)));

// Removes and returns the outcomes that nobody has read yet, of those wanted.
export const takeOutcomes = (isWanted) =>
  write("told", async (outcomes) => {
    const mine = (await resultOf(outcomes.getAll())).filter(isWanted);
    for (const { key } of mine) outcomes.delete(key);
    return mine;
  });

export async function table(session) {
  const kept = await read("tables", (tables) => resultOf(tables.get(session)));
  remember(kept);
  return kept;
}

export const tables = () => read("tables", (store) => resultOf(store.getAll()));

// Keeps the newest known state of a table and returns the table. A page brings no ledger: that of the same version stays.
export async function keepTable(state, values = {}) {
  const newest = await write("tables", async (store) => {
    const kept = await resultOf(store.get(state.session));
    const ledger = state.ledger || (kept?.state.version === state.version ? kept.state.ledger : null);
    const table = {
      ...kept,
      ...values,
      session: state.session,
      state: kept?.state.version > state.version ? kept.state : { ...state, ledger },
    };
    store.put(table);
    return table;
  });
  remember(newest);
  return newest;
}

export const replaceTable = (state) =>
  write("tables", async (store) => {
    store.put({ ...(await resultOf(store.get(state.session))), session: state.session, state });
  });

export const thing = (name) => read("things", async (things) => (await resultOf(things.get(name)))?.value);

export const keepThing = (name, value) => write("things", async (things) => void things.put({ name, value }));

let ownName = "";

// The name of this tablet, made once; letters and figures that look alike are left out.
export async function device() {
  ownName ||= await write("things", async (things) => {
    const kept = await resultOf(things.get("device"));
    if (kept) return kept.value;
    const signs = "ACDEFHKMNPRTWXY347";
    const value = `tablet ${[...crypto.getRandomValues(new Uint8Array(3))].map((byte) => signs[byte % signs.length]).join("")}`;
    things.put({ name: "device", value });
    return value;
  });
  return ownName;
}

// One page at a time sends: by the browser's lock or, on plain http, by a row of our own.

const LOCK = "clubscore-outbox";
// Longer than one request to the server may take; the lock is taken again before each.
const LOCK_LIFE = 10000;

let isLockSilent = false;

// The browser's lock as { lock, free }, with no `lock` where another page has it; null where the browser gives none.
async function browserLock() {
  if (!navigator.locks || isLockSilent) return null;
  const asked = new Promise((resolve, reject) => {
    navigator.locks
      .request(LOCK, { ifAvailable: true }, (lock) => new Promise((free) => resolve({ lock, free })))
      .catch(reject);
  });
  try {
    return await within(LOCK_STEPS, asked);
  } catch {
    isLockSilent = true;
    // One that comes too late must not stay taken.
    asked.then(
      ({ free }) => free(),
      () => null,
    );
    return null;
  }
}

// Does the work if no other page is at it; `work` gets a function that renews the lock.
export async function alone(work) {
  // What this page alone keeps, no other page can send.
  if (storage.fault) return work(() => {});
  const browsers = await browserLock();
  if (browsers) {
    try {
      return browsers.lock ? await work(() => {}) : null;
    } finally {
      browsers.free();
    }
  }
  // Pages that follow each other in one tab are one holder: the one before has gone.
  const holder = readStored(LOCK, "sessionStorage") || newKey();
  writeStored(LOCK, holder, "sessionStorage");
  if (!(await takeLock(holder))) return null;
  try {
    return await work(() => takeLock(holder));
  } finally {
    await freeLock(holder);
  }
}

const takeLock = (holder) =>
  write("things", async (things) => {
    const lock = await resultOf(things.get("lock"));
    const now = Date.now();
    // A time in the future is of a clock put back since.
    const isFree = !lock || lock.holder === holder || now > lock.since + LOCK_LIFE || now < lock.since;
    if (isFree) things.put({ name: "lock", holder, since: now });
    return isFree;
  });

const freeLock = (holder) =>
  write("things", async (things) => {
    if ((await resultOf(things.get("lock")))?.holder === holder) things.delete("lock");
  });

// Pages and files in the caches of the service worker.

// A worker that was stopped never answers.
const WORKER_LIMIT = 60000;

// Asks the service worker to keep pages and files, and waits for it; returns the worker's version, null without an answer.
export async function keepPages(wanted) {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(wanted, [port2]);
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, WORKER_LIMIT, null);
  });
}

// Returns the page as this version of the worker keeps it.
export const keptBy = (version, address) =>
  caches.match(address, { cacheName: `pages-${version}`, ignoreVary: true }).catch(() => undefined);

// Returns each kept version of a page or file, oldest first.
export async function keptPages(address) {
  const names = "caches" in window ? await caches.keys() : [];
  const kept = await Promise.all(
    names.map(async (name) => (await caches.open(name)).match(address, { ignoreVary: true })),
  );
  return kept.filter(Boolean);
}
