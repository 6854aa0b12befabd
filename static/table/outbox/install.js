// The service worker, which keeps the pages of the tables opened here, and the offer to put Clubscore on the Home Screen:
// made only while nothing waits, as an app on the Home Screen may have a store of its own.
import { byId, root } from "../../web/dom.js";
import { onChange } from "./queue.js";
import { rulesFiles } from "./state.js";
import { all, storage } from "./store.js";

const LATER = 1500;
// Safari makes no offer, but says whether it was started from the Home Screen.
const isByHand = navigator.standalone === false;
let offer = null;
let isAsked = false;

async function register(state) {
  try {
    await navigator.serviceWorker.register(`${root}sw.js`, { updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    if (!state) return;
    const { table, sheet, take_in: takeIn } = state.urls;
    // Before the page that needs them.
    const { address: views } = byId("later-views")?.dataset || {};
    active.postMessage({
      keep: [...(views ? [views] : []), location.pathname, table, sheet, takeIn],
      refetch: [location.pathname],
      files: rulesFiles(),
    });
  } catch {
    // Without it a reload needs the server; all else is the same.
  }
}

async function drawOffer() {
  const warning = byId("seven-days");
  if (warning) warning.hidden = !isByHand || !(await all()).length;
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
  addEventListener("appinstalled", () => {
    offer = null;
    drawOffer();
  });
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
  setTimeout(() => register(state), LATER);
}
