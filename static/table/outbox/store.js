// What this tablet keeps in IndexedDB: commands until the server has them, outcomes until someone has read them, the
// tables it has opened, and its name. A write is on the disk before it counts as saved. Pages are kept by the service worker.
import { readStored, writeStored } from "../../web/browser.js";
import { isStart, newKey, placeOf } from "./commands.js";

// The form of a kept command. A later version of these scripts must still send what an earlier one kept.
const FORMAT = 1;
const NAME = "clubscore";
const VERSION = 1;
const STORES = { commands: { keyPath: "order", autoIncrement: true }, told: { keyPath: "key" }, tables: { keyPath: "session" }, things: { keyPath: "name" } };

let opening = null;

function open() {
  opening ||= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [name, options] of Object.entries(STORES)) request.result.createObjectStore(name, options);
      request.transaction.objectStore("commands").createIndex("key", "key", { unique: true });
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // A page of a later version may want to change it.
      database.onversionchange = () => { database.close(); opening = null; };
      database.onclose = () => { opening = null; };
      resolve(database);
    };
  });
  opening.catch(() => { opening = null; });
  return opening;
}

async function begin(mode, names) {
  const options = mode === "readwrite" ? { durability: "strict" } : {};
  try {
    return (await open()).transaction(names, mode, options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    // The browser had closed the database.
    opening = null;
    return (await open()).transaction(names, mode, options);
  }
}

// Returns what `work` returns, once the transaction is complete. `work` may wait only for requests of the transaction.
async function perform(mode, names, work) {
  const transaction = await begin(mode, names);
  const completed = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
  const stores = [names].flat().map((name) => transaction.objectStore(name));
  const [result] = await Promise.all([work(...stores), completed]);
  return result;
}

const read = (names, work) => perform("readonly", names, work);
const write = (names, work) => perform("readwrite", names, work);

const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function put(commands, command) {
  const earlier = await resultOf(commands.index("key").get(command.key));
  const kept = { ...command, v: FORMAT, state: "waiting", message: "", ...(earlier && { order: earlier.order }) };
  return { ...kept, order: await resultOf(commands.put(kept)) };
}

// Keeps a command at the end of the queue; one with the same key takes its earlier place. A page may not have heard yet
// that the club has started its table.
export const add = (command) => write(["commands", "tables"], async (commands, tables) => {
  const kept = await resultOf(tables.get(command.session));
  const session = kept?.started && (await resultOf(tables.get(kept.started)));
  return put(commands, session ? { ...command, ...placeOf(session.state) } : command);
});

// Keeps a table that is started here, with the command that starts it at the club.
export const addStart = (command, table) => write(["commands", "tables"], (commands, tables) => {
  tables.put(table);
  return put(commands, command);
});

// The club has started this tablet's own table: all that was done there belongs to that session now.
export const moveToSession = (own, state, opened) => write(["commands", "tables"], async (commands, tables) => {
  for (const one of await resultOf(commands.getAll())) {
    if (one.session === own && !isStart(one)) commands.put({ ...one, ...placeOf(state) });
  }
  tables.put({ ...(await resultOf(tables.get(own))), session: own, started: state.session });
  tables.put({ session: state.session, state, opened });
});

export const all = () => read("commands", (commands) => resultOf(commands.getAll()));

export const remove = (order) => write("commands", (commands) => resultOf(commands.delete(order)));

export const change = (order, values) => write("commands", async (commands) => {
  const kept = await resultOf(commands.get(order));
  if (kept) commands.put({ ...kept, ...values });
});

export const addOutcome = (outcome) => write("told", (outcomes) => resultOf(outcomes.put(outcome)));

// Removes and returns the outcomes that nobody has read yet, of those wanted.
export const takeOutcomes = (isWanted) => write("told", async (outcomes) => {
  const mine = (await resultOf(outcomes.getAll())).filter(isWanted);
  for (const { key } of mine) outcomes.delete(key);
  return mine;
});

export const table = (session) => read("tables", (tables) => resultOf(tables.get(session)));

export const tables = () => read("tables", (store) => resultOf(store.getAll()));

// Keeps the newest known state of a table and returns the table. A page brings no ledger: that of the same version stays.
export const keepTable = (state, values = {}) => write("tables", async (store) => {
  const kept = await resultOf(store.get(state.session));
  const ledger = state.ledger || (kept?.state.version === state.version ? kept.state.ledger : null);
  const newest = kept?.state.version > state.version ? kept.state : { ...state, ledger };
  const table = { ...kept, ...values, session: state.session, state: newest };
  store.put(table);
  return table;
});

export const replaceTable = (state) => write("tables", async (store) => {
  store.put({ ...(await resultOf(store.get(state.session))), session: state.session, state });
});

// The name of this tablet, made once; letters and figures that look alike are left out.
export const device = () => write("things", async (things) => {
  const kept = await resultOf(things.get("device"));
  if (kept) return kept.value;
  const signs = "ACDEFHKMNPRTWXY347";
  const value = `tablet ${[...crypto.getRandomValues(new Uint8Array(3))].map((byte) => signs[byte % signs.length]).join("")}`;
  things.put({ name: "device", value });
  return value;
});

// One page at a time sends: by the browser's lock or, on plain http, by a row of our own.

const LOCK = "clubscore-outbox";
// Longer than one request to the server may take; the lock is taken again before each.
const LOCK_LIFE = 10000;

// Does the work if no other page is at it; `work` gets a function that renews the lock.
export async function alone(work) {
  if (navigator.locks) {
    return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? work(() => {}) : null));
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

const takeLock = (holder) => write("things", async (things) => {
  const lock = await resultOf(things.get("lock"));
  const now = Date.now();
  // A time in the future is of a clock put back since.
  const isFree = !lock || lock.holder === holder || now > lock.since + LOCK_LIFE || now < lock.since;
  if (isFree) things.put({ name: "lock", holder, since: now });
  return isFree;
});

const freeLock = (holder) => write("things", async (things) => {
  if ((await resultOf(things.get("lock")))?.holder === holder) things.delete("lock");
});

// Pages and files in the caches of the service worker.

// A worker that was stopped never answers.
const WORKER_LIMIT = 60000;

// Asks the service worker to keep pages and files, and waits for it.
export async function keepPages(wanted) {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(wanted, [port2]);
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    setTimeout(resolve, WORKER_LIMIT);
  });
}

// Returns each kept version of a page or file, oldest first.
export async function keptPages(address) {
  const names = "caches" in window ? await caches.keys() : [];
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).match(address, { ignoreVary: true })));
  return kept.filter(Boolean);
}
