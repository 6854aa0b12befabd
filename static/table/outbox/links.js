// Links on a page of a table: another view, a hand opened in place, or another page, which may lose what is not kept.
import { isHeard } from "../../web/browser.js";
import { canShow, go, viewsAreHere, willShow } from "../views.js";
import { drawHands } from "./board.js";
import { flash } from "./flash.js";
import { isWithoutWorker } from "./kept_pages.js";
import { isHolding } from "./queue.js";
import { server } from "./send.js";
import { pageState, tableNow } from "./state.js";
import { readEarly } from "./store.js";

const STAY = "Stay on this page until the Wi-Fi is back. It alone keeps what is not sent yet, as this tablet cannot.";
const NO_OTHER_PAGE =
  "Other pages cannot be opened without Wi-Fi. Your saved hands are on this tablet: keep this page open until the Wi-Fi is back.";

// Without the server a hand of the list is opened in place, where it can be changed all the same.
async function openHere(link) {
  if ((await isHeard()) || !(await openRow(link.pathname.split("/").at(-2)))) location.assign(link.href);
}

export async function openRow(key) {
  const { place } = await tableNow(null, false);
  const { html } = (await place.later) || place;
  if (html) drawHands(html.hands);
  const row = document.querySelector(`#hands :is(summary[data-key="${key}"], form[data-entry="${key}"])`);
  if (!row) return false;
  row.closest("details").open = true;
  row.focus();
  return true;
}

// A page that cannot be left without losing something is not left; where the browser asks first, it asks.
// Without a service worker a page that cannot be fetched would be the browser's own error page.
async function openPage(address) {
  if (isHolding()) return flash(STAY, "warning");
  if (isWithoutWorker() && !window.isSecureContext && !(await isHeard())) return flash(NO_OTHER_PAGE, "error");
  return location.assign(address);
}

export function wireLinks() {
  // The browser’s database answers late: what the press will ask is asked while the finger is down.
  addEventListener("pointerdown", ({ target }) => {
    if (pageState() && target.closest?.("a, [type=submit], #go-on")) readEarly(pageState().session);
  });
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    const isHere = link?.hash && link.pathname === location.pathname;
    const isPlain =
      link &&
      !event.defaultPrevented &&
      event.button === 0 &&
      !link.target &&
      link.origin === location.origin &&
      !isHere;
    if (isPlain && !event.ctrlKey && !event.metaKey && !event.shiftKey && (canShow(link.href) || willShow(link.href))) {
      event.preventDefault();
      if (!canShow(link.href)) await viewsAreHere;
      return (await go(link.href)) || openPage(link.href);
    }
    if (isPlain && !isHolding() && link.matches("#hands li > a") && (server.isAway || !navigator.onLine)) {
      event.preventDefault();
      return openHere(link);
    }
    if (!isPlain || (!isHolding() && (link.hasAttribute("download") || !isWithoutWorker() || window.isSecureContext)))
      return;
    event.preventDefault();
    return openPage(link.href);
  });
  addEventListener("beforeunload", (event) => {
    if (isHolding()) event.preventDefault();
  });
}
