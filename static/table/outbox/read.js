// The views of a table that are only read: a hand with its lines, and the last changes. The rules on this tablet draw a hand; what
// only the server knows of it, and who changed what, is asked for and shown once it is there.
import { fetchWithin, whenIdle } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { element, html, message } from "../../web/html.js";
import { register } from "../views.js";
import { pageOfHand, pageState, tableNow } from "./state.js";

const PATIENCE = 3000;
const KEY = /\/hands\/([0-9a-f-]{36})\/$/;

const handKey = ({ pathname }) => pathname.match(KEY)?.[1];

// What the server answers for a part of a page; null where it is not heard, or does not know this tablet.
async function askServer(address) {
  // The answer may stop in its middle.
  const text = (answer) => (answer.status === 200 ? answer.text() : null);
  return fetchWithin(PATIENCE, address, { headers: { "HX-Request": "true" } })
    .then(text)
    .catch(() => null);
}

async function handNow(key) {
  const now = await tableNow(null, false);
  return now && pageOfHand(now.state, now.waiting, key);
}

register("hand", {
  prepare: (url) => handNow(handKey(url)),
  async open({ number, html, ways }, url) {
    byId("one-hand").innerHTML = html;
    document.title = `Hand ${number}, ${document.title}`;
    const heading = /** @type {HTMLElement} */ (document.querySelector("#one-hand h1"));
    if (!url.hash) heading.focus({ preventScroll: true });
    else document.querySelector(url.hash)?.scrollIntoView();
    const place = byId("of-server");
    const answer = await askServer(url.pathname);
    if (!place.isConnected) return;
    if (answer !== null) place.outerHTML = answer;
    else putWays(place, ways);
  },
});

// The forms that change a hand without the server.
function putWays(place, ways) {
  place.insertAdjacentHTML("beforeend", ways);
  for (const form of place.querySelectorAll("form"))
    form.prepend(...[...byId("hand-fields").children].map((one) => one.cloneNode()));
}

// The changes as the server had them last.
let kept = { html: "", at: /** @type {Date | null} */ (null) };

async function keepChanges() {
  const { changes } = pageState().urls;
  const html = changes ? await askServer(changes) : null;
  if (html !== null) kept = { html, at: new Date() };
  return html !== null;
}

const timeOf = (date) => date.toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit" });

register("changes", {
  async prepare() {
    const isHeard = await keepChanges();
    const now = await tableNow(null, false);
    return now && { isHeard, waiting: now.waiting };
  },
  open({ isHeard, waiting }) {
    const place = byId("last-changes");
    place.innerHTML = kept.html;
    const unsent = waiting.map(
      ({ words }) =>
        html`<li><span class="row"><span>${words} </span><span class="badge">not sent yet</span></span></li>`,
    );
    if (unsent.length) place.prepend(element(html`<ol class="rows">${unsent.reverse()}</ol>`));
    if (!isHeard) place.prepend(message(untilWords(), "info"));
    document.querySelector("h1").focus({ preventScroll: true });
  },
});

const untilWords = () =>
  `There is no Wi-Fi just now. ${kept.at ? `These are the changes until ${timeOf(kept.at)}` : "Who changed what will appear when the Wi-Fi is back"}.`;

if (pageState()) whenIdle(keepChanges);
