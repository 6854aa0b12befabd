// Pages and files in the caches of the service worker.
import { whenIdle } from "../../web/browser.js";

// A worker that was stopped never answers.
const WORKER_LIMIT = 60000;

export const isWithoutWorker = () => !navigator.serviceWorker?.controller;

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

const SOON = 4000;
let keeping = 0;

// Keeps a page anew in a while, for when it is loaded again; of several changes, after the last.
export function keepSoon(address) {
  clearTimeout(keeping);
  const renew = () => keepPages({ keep: [address], refetch: [address] });
  if (!isWithoutWorker()) keeping = setTimeout(() => whenIdle(renew), SOON);
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
