// What a browser may refuse or never finish: storage, requests, the screen.
import { isSite } from "./dom.js";

// Reads JSON from localStorage or sessionStorage; null where there is none, or storage is switched off.
export function readStored(name, area = "localStorage") {
  try {
    return JSON.parse(window[area].getItem(name));
  } catch {
    return null;
  }
}

// Writes JSON, or removes it where the value is null; returns whether it could.
export function writeStored(name, value, area = "localStorage") {
  try {
    if (value === null) window[area].removeItem(name);
    else window[area].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// Fetches an address; fails after `limit` milliseconds, also while the body is read.
export function fetchWithin(limit, address, options = {}) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), limit);
  return fetch(address, { cache: "no-store", redirect: "manual", signal: controller.signal, ...options });
}

// Returns whether the server answers within a short time, and notes how far its clock is from this tablet's.
export async function isHeard() {
  // Files have no clock, and nothing to say.
  if (isSite) return false;
  const answer = await fetchWithin(3000, "/healthz", { method: "HEAD" }).catch(() => null);
  const server = answer?.status === 200 && Date.parse(answer.headers.get("Date"));
  if (server) writeStored("server-clock", { server, tablet: Date.now() });
  return answer?.status === 200;
}

// Keeps the screen on while the page is seen; the browser may refuse, with a low battery for example.
export async function keepScreenOn() {
  if (!document.hidden) await navigator.wakeLock?.request("screen").catch(() => null);
}

/** Resolves with the value, if one is given, after that many milliseconds. @returns {Promise<any>} */
export const wait = (time, value) => new Promise((resolve) => setTimeout(resolve, time, value));

// A browser that is never idle does the work all the same; milliseconds.
const IDLE_WITHIN = 3000;

export const whenIdle = (work) =>
  window.requestIdleCallback ? requestIdleCallback(work, { timeout: IDLE_WITHIN }) : setTimeout(work, 1000);
