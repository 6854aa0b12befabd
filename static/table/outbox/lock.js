// One page at a time sends: by the browser's lock or, on plain http, by a row of our own.
import { readStored, writeStored } from "../../web/browser.js";
import { newKey } from "./commands.js";
import { resultOf, storage, within, write } from "./store.js";

// How long the browser may take for a lock, shorter than a person waits for what was saved.
const LOCK_STEPS = 2;
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
