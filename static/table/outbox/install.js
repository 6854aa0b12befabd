// The service worker, which keeps the pages of the tables opened here, and the offer to put Clubscore on the Home Screen:
// made only while nothing waits, as an app on the Home Screen may have a store of its own.
import { readStored, writeStored } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { onChange } from "./queue.js";
import { rulesFiles, tableNow } from "./state.js";
import { all, storage } from "./store.js";

const LATER = 1500;
// An older hand can be changed without the server if its pages were kept: those of the last hands are.
const LAST_HANDS = 3;
const KEPT_FOR = "pages-kept-";
// Safari makes no offer, but says whether it was started from the Home Screen.
const isByHand = navigator.standalone === false;
let offer = null;
let isAsked = false;

async function register(state) {
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    if (!state) return;
    active.postMessage({ keep: [location.pathname, ...pagesKept(state), ...lastHands()], refetch: [location.pathname], files: rulesFiles() });
    await keepSeatsAgain();
  } catch {
    // Without it a reload needs the server; all else is the same.
  }
}

const pagesKept = (state) => Object.entries(state.urls).filter(([name]) => !["commands", "state"].includes(name)).map(([, address]) => address);

function lastHands() {
  const links = [...document.querySelectorAll(".history a[data-change]")].slice(0, LAST_HANDS);
  return links.flatMap((link) => [link.pathname, link.dataset.change]);
}

// The pages of a hand that was changed are out of date.
function keepAgain(recorded) {
  const pages = recorded.flatMap((one) => one.pages || []);
  if (pages.length) navigator.serviceWorker.controller?.postMessage({ keep: pages, refetch: pages });
}

// These pages name the players: they are out of date when others sit at the table.
async function keepSeatsAgain() {
  const { controller } = navigator.serviceWorker;
  const now = await tableNow();
  if (!controller || !now) return;
  const { session, names, chairs } = now.state;
  const here = JSON.stringify([names, [...chairs.winds, ...chairs.out].sort()]);
  if (readStored(`${KEPT_FOR}${session}`) === here) return;
  const pages = pagesKept(now.state);
  controller.postMessage({ keep: pages, refetch: pages });
  writeStored(`${KEPT_FOR}${session}`, here);
}

async function drawOffer() {
  const place = byId("install");
  if (!place) return;
  byId("install-now").hidden = !offer;
  byId("install-by-hand").hidden = Boolean(offer);
  place.hidden = !(offer || isByHand) || Boolean(storage.fault) || (await all()).some((one) => one.state !== "thrown");
}

// A browser may delete what a seldom used site has kept, unless it is asked not to.
async function askToKeep() {
  if (isAsked || !(await all()).length) return;
  isAsked = true;
  await navigator.storage?.persist?.();
}

function wireOffer() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    drawOffer();
  });
  addEventListener("appinstalled", () => { offer = null; drawOffer(); });
  byId("install-now")?.addEventListener("click", async () => {
    await offer?.prompt();
    offer = null;
    drawOffer();
  });
  onChange(drawOffer);
  onChange(askToKeep);
  drawOffer();
}

export function install(state) {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  wireOffer();
  onChange(keepAgain);
  onChange((recorded) => { if (recorded.length) keepSeatsAgain().catch(() => null); });
  setTimeout(() => register(state), LATER);
}
