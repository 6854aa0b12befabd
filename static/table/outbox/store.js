// What this tablet keeps of its tables, in the database of its browser; in the memory of the page where that fails.
import { wait } from "../../web/browser.js";
import { isGame, isStart, placeOf } from "./commands.js";
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
const NO_ANSWER = new Error("No answer");
// How long a finger may be down, in milliseconds.
const PRESS = 500;

// Why this page alone keeps what is done on it: "refused" where the browser keeps nothing, "silent" where it never answers,
// "blocked" where another tab is in its way; "" where all is well.
export const storage = { fault: "" };
const memory = Object.fromEntries(Object.entries(STORES).map(([name, options]) => [name, memoryStore(options)]));

let opening = null;
let isBlocked = false;
let inTurn = /** @type {Promise<any>} */ (Promise.resolve());
// What was read of a table while a finger was down, until anything is written.
let early = /** @type {{ session: number | string, until: number, found: Promise<any[]> } | null} */ (null);

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
export async function within(steps, answer) {
  const first = answer.then((value) => ({ value }));
  for (let left = steps; left && !storage.fault; left -= 1) {
    const found = await Promise.race([first, wait(STEP)]);
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
export function write(names, work) {
  early = null;
  return perform("readwrite", names, work);
}

export const resultOf = (request) =>
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

// Keeps games that are started or read here; fails where this page alone would have them.
export async function addGames(games) {
  await write("tables", (tables) => {
    for (const game of games) tables.put(game);
  });
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

const readTable = (session) =>
  read(["tables", "commands"], (tables, commands) =>
    Promise.all([resultOf(tables.get(session)), resultOf(commands.getAll())]),
  );

/** Reads a table while a finger is down, for what is asked once, soon after it is lifted. */
export function readEarly(session) {
  early = { session, until: performance.now() + PRESS, found: readTable(session) };
}

// Returns a table as it is kept here, and all commands, as they were at one moment.
export async function tableAndCommands(session) {
  const isEarly = early?.session === session && performance.now() < early.until;
  const found = isEarly ? early.found : readTable(session);
  early = null;
  const [kept, commands] = await found;
  remember(kept);
  memory.commands.fill(commands);
  return { kept, commands };
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
