// What this tablet keeps in IndexedDB: commands until the server has them, answers until someone has read them, the
// tables it has opened, and a few things of its own. Everything is written through to the disk before it is "saved".
import { placeOf } from "./addresses.js";
import { newDeviceName } from "./keys.js";
import { isStart } from "./kinds.js";

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

async function perform(mode, names, work) {
  const options = mode === "readwrite" ? { durability: "strict" } : {};
  let transaction = null;
  try {
    transaction = (await open()).transaction(names, mode, options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    // The browser had closed it under us.
    opening = null;
    transaction = (await open()).transaction(names, mode, options);
  }
  return new Promise((resolve, reject) => {
    let found;
    transaction.oncomplete = () => resolve(found);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
    const [store, ...others] = [names].flat().map((name) => transaction.objectStore(name));
    work(store, (value) => { found = value; }, ...others);
  });
}

const read = (names, work) => perform("readonly", names, work);
const write = (names, work) => perform("readwrite", names, work);
const then = (request, next) => { request.onsuccess = () => next(request.result); };

function put(store, command, give) {
  then(store.index("key").get(command.key), (earlier) => {
    const kept = { ...command, v: FORMAT, state: "waiting", message: "", ...(earlier ? { order: earlier.order } : {}) };
    then(store.put(kept), (order) => give({ ...kept, order }));
  });
}

// Keeps a command at the end of the queue; one with the same key takes its earlier place. A page may not have heard yet
// that the club has started its table.
export function add(command) {
  return write(["commands", "tables"], (store, give, tables) => {
    then(tables.get(command.session), (kept) => {
      if (!kept?.started) put(store, command, give);
      else then(tables.get(kept.started), ({ state }) => put(store, { ...command, ...placeOf(state) }, give));
    });
  });
}

// Keeps a table that is started here, with the command that starts it at the club.
export function addStart(command, table) {
  return write(["commands", "tables"], (store, give, tables) => {
    tables.put(table);
    put(store, command, give);
  });
}

// The club has started this tablet's own table: what was done there since is that session's, all of it in one step.
export function moveToSession(own, state, opened) {
  return write(["commands", "tables"], (store, _give, tables) => {
    then(store.getAll(), (all) => {
      for (const one of all) if (one.session === own && !isStart(one)) store.put({ ...one, ...placeOf(state) });
    });
    then(tables.get(own), (kept) => tables.put({ ...kept, session: own, started: state.session }));
    tables.put({ session: state.session, state, opened });
  });
}

export const all = () => read("commands", (store, give) => then(store.getAll(), give));

export const remove = (order) => write("commands", (store) => store.delete(order));

export function change(order, values) {
  return write("commands", (store) => {
    then(store.get(order), (kept) => { if (kept) store.put({ ...kept, ...values }); });
  });
}

export const addOutcome = (answer) => write("told", (store) => store.put(answer));

// Takes the answers that nobody has read yet: those that are wanted.
export function takeOutcomes(isWanted) {
  return write("told", (store, give) => {
    then(store.getAll(), (all) => {
      const mine = all.filter(isWanted);
      mine.forEach((one) => store.delete(one.key));
      give(mine);
    });
  });
}

export const table = (session) => read("tables", (store, give) => then(store.get(session), give));

export const tables = () => read("tables", (store, give) => then(store.getAll(), give));

// Keeps the newest that is known of a table; a page brings no ledger, and the one of the same version stays.
export function keepTable(state, values = {}) {
  return write("tables", (store, give) => {
    then(store.get(state.session), (kept) => {
      const newest = kept && kept.state.version > state.version ? kept.state : { ...state, ledger: state.ledger || (kept?.state.version === state.version ? kept.state.ledger : null) };
      const table = { ...kept, ...values, session: state.session, state: newest };
      store.put(table);
      give(table);
    });
  });
}

export function replaceTable(state) {
  return write("tables", (store) => {
    then(store.get(state.session), (kept) => store.put({ ...kept, session: state.session, state }));
  });
}

// One row stands for the lock where the browser has none. A time in the future is of a clock put back since.
export function takeLock(holder, life) {
  return write("things", (store, give) => {
    then(store.get("lock"), (lock) => {
      const now = Date.now();
      const isFree = !lock || lock.holder === holder || now > lock.since + life || now < lock.since;
      if (isFree) store.put({ name: "lock", holder, since: now });
      give(isFree);
    });
  });
}

export function freeLock(holder) {
  return write("things", (store) => {
    then(store.get("lock"), (lock) => { if (lock?.holder === holder) store.delete("lock"); });
  });
}

// The name of this tablet, made once.
export function device() {
  return write("things", (store, give) => {
    then(store.get("device"), (kept) => {
      const thing = kept || { name: "device", value: newDeviceName() };
      if (!kept) store.put(thing);
      give(thing.value);
    });
  });
}
