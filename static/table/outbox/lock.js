// One page at a time sends: by the browser's lock, or by a row of our own where the site is plain http.
import { newKey } from "./keys.js";
import { freeLock, takeLock } from "./store.js";

const NAME = "clubscore-outbox";
// Longer than one asking of the server may take; it is taken again before each.
const LIFE = 10000;

// Pages that follow each other in one tab are one holder: the one before is gone.
function holder() {
  try {
    const kept = sessionStorage.getItem(NAME) || newKey();
    sessionStorage.setItem(NAME, kept);
    return kept;
  } catch {
    return newKey();
  }
}

// Does the work alone; where another page is at it, nothing.
export async function alone(work) {
  if (navigator.locks) {
    return navigator.locks.request(NAME, { ifAvailable: true }, (lock) => (lock ? work(() => {}) : null));
  }
  const me = holder();
  if (!(await takeLock(me, LIFE))) return null;
  try {
    return await work(() => takeLock(me, LIFE));
  } finally {
    await freeLock(me);
  }
}
