// Practice. Right and wrong answers are counted on this device alone. Without the server, the rules on this tablet deal the
// hands and check the answers.
import { readStored, writeStored } from "../web/browser.js";
import { byId, isSite, readJson } from "../web/dom.js";
import { button, fragment, message } from "../web/html.js";
import { ask } from "../table/engine/engine.js";

const TALLY = "practice";
const WAIT = "One moment, please. This tablet is working it out.";
const HERE = "Without Wi-Fi, this tablet deals the hands and checks your answers.";
const NOT_HERE =
  "There is no Wi-Fi just now, and this tablet cannot deal hands by itself. Try again when the Wi-Fi is back.";
// Nobody else can answer: milliseconds.
const PATIENCE = 60000;
const SEEN = 200;
const HAND_NUMBER = /^[1-9]\d{0,5}$/;

const place = byId("practice");
// Only on the page that is kept for a hall without Wi-Fi.
const known = readJson("practice-data");
const { title } = document;
let isHere = false;

function readTally() {
  const kept = readStored(TALLY);
  const isTally = Number.isInteger(kept?.right) && Number.isInteger(kept?.wrong) && Array.isArray(kept?.seen);
  return isTally ? kept : { right: 0, wrong: 0, seen: [] };
}

// Counts the answer that the page shows. A hand counts once, as it was answered first.
function count() {
  const tally = readTally();
  const { hand, right } = byId("verdict")?.dataset ?? {};
  if (hand && !tally.seen.includes(hand)) {
    tally[right === "yes" ? "right" : "wrong"] += 1;
    tally.seen = [...tally.seen, hand].slice(-SEEN);
  }
  // Without storage there is nothing to count, and the page explains all the same.
  if (writeStored(TALLY, tally)) show(tally);
}

function show({ right, wrong }) {
  const counted = right + wrong;
  byId("practice-tally").hidden = counted === 0;
  byId("practice-tally").replaceChildren(
    `On this tablet: ${right} right of ${counted}. `,
    fragment(
      button("Start again", () => {
        writeStored(TALLY, null);
        show(readTally());
      }),
    ),
  );
}

// The focus moves to the answer, so that it is in view and read out.
const answer = () => byId("error-summary") ?? byId("verdict");

const anyHand = () => 1 + Math.floor(Math.random() * known.most);

const say = (words) => byId("messages").replaceChildren(message(words, "info"));

// Draws the hand of the address as the server would.
async function drawHere() {
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  if (!HAND_NUMBER.test(asked.hand)) {
    asked.hand = String(anyHand());
    history.replaceState(null, "", `?${new URLSearchParams(asked)}`);
  }
  const practice = new URL(known.look.practice, location.href).href;
  const look = { ...known.look, practice, page: location.pathname + location.search };
  const drawn = await ask(
    known.files,
    { ask: "practice", asked, usual: known.usual, another: anyHand(), look },
    PATIENCE,
  );
  isHere = Boolean(drawn);
  place.innerHTML = drawn?.html ?? "";
  place.hidden = false;
  if (isSite && drawn) byId("messages").replaceChildren();
  else say(drawn ? HERE : NOT_HERE);
  if (!drawn) return;
  document.title = `${drawn.is_wrong ? "Error: " : ""}${title}`;
  count();
  if (!answer()) window.scrollTo(0, 0);
  (answer() ?? byId("main")).focus();
}

function go(event, query) {
  event.preventDefault();
  history.pushState(null, "", query);
  drawHere();
}

place.addEventListener("submit", (event) => {
  if (!isHere) return;
  const fields = new FormData(event.target);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  go(event, `?${new URLSearchParams(/** @type {any} */ (fields))}`);
});
place.addEventListener("click", (event) => {
  const query = event.target.closest("a")?.getAttribute("href");
  if (isHere && query?.startsWith("?")) go(event, query);
});
window.addEventListener("popstate", () => isHere && drawHere());

if (known && (location.search || isSite)) {
  // The page was kept with another hand than the one asked for.
  place.hidden = true;
  say(WAIT);
  drawHere();
} else {
  const shared = /** @type {HTMLAnchorElement} */ (place.querySelector(".practice-choices .hint a"));
  if (known) history.replaceState(null, "", new URL(shared.href).search);
  count();
  answer()?.focus();
}
