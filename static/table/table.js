// The table page: looks for news while it is seen, keeps the screen on, and reads aloud who is East next.
import "./outbox/read.js";
import { keepScreenOn } from "../web/browser.js";
import { byId } from "../web/dom.js";
import { refreshBoard, takePage } from "./outbox/board.js";
import { flash, removeFlash } from "./outbox/flash.js";
import { drawAhead, drawNews } from "./outbox/ahead.js";
import { lookNow } from "./outbox/queue.js";
import { fetchLedger, fetchNews, turnTable } from "./outbox/state.js";

const LOOK_EVERY = 5000;
const OTHERS_EVERY = 30000;
const SIGNED_OUT =
  "This tablet is signed out. You have not lost anything. To see what is new, sign in or scan the QR code again.";

// With the rules on this tablet news are a state, from which they draw the table; else the server draws it.
const hasRules = () => "rules" in document.documentElement.dataset;

async function look() {
  if (document.hidden) return;
  const result = hasRules() ? await fetchNews() : await refreshBoard();
  // After what was said of a hand, which stays.
  if (result === "refused" && !document.querySelector("#messages [data-name=signed-out]"))
    flash(SIGNED_OUT, "error", true, "signed-out");
  if (!["kept", "drawn"].includes(result)) return;
  removeFlash("signed-out");
  if (result === "drawn") {
    await drawNews();
    lookNow();
  }
  await fetchLedger().catch(() => null);
}

// Shown as it stood here, the page is told what the server answers; null where that is no such page, as after a sign-out.
navigator.serviceWorker?.addEventListener("message", async ({ data }) => {
  if (data.page === null) location.reload();
  else if (data.page && (await takePage(data.page))) drawNews();
});

// Whether somebody else scores here: without the server that is not known.
async function lookForOthers() {
  const line = byId("others");
  if (!line?.dataset.address || document.hidden) return;
  const answer = await fetch(line.dataset.address, { redirect: "manual", cache: "no-store" }).catch(() => null);
  line.textContent = answer?.status === 200 ? (await answer.json()).words : "";
}

// A press may bring another button under the finger: the second press of a double press is ignored.
const QUICK = 600;
const NEAR = 24;
let last = { time: -QUICK, x: 0, y: 0 };

function ignoreDoublePress(event) {
  if (!event.detail) return;
  const press = { time: event.timeStamp, x: event.clientX, y: event.clientY };
  const isSame =
    press.time - last.time < QUICK && Math.abs(press.x - last.x) < NEAR && Math.abs(press.y - last.y) < NEAR;
  last = press;
  if (!isSame || !event.target.closest?.("#board")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// An English voice of this tablet itself, where it has one.
function voice() {
  const english = speechSynthesis.getVoices().filter((one) => one.lang.startsWith("en"));
  const offline = english.filter((one) => one.localService);
  return offline.find((one) => one.lang === "en-GB") || offline[0] || english[0] || null;
}

const textsOf = (selector) => [...document.querySelectorAll(`#board ${selector}`)].map((one) => one.textContent.trim());

function readAloud() {
  const words = [
    ...textsOf(".next-east"),
    ...textsOf(".sitter .seat-name").map((name) => `${name} sits out`),
    ...textsOf(".felt .goulash"),
  ];
  speechSynthesis.cancel();
  speechSynthesis.speak(
    Object.assign(new SpeechSynthesisUtterance(`${words.join(". ")}.`), { lang: "en-GB", voice: voice() }),
  );
}

addEventListener("click", ignoreDoublePress, true);
// The button is drawn again with the table, so the page itself says whether it is of use.
if ("speechSynthesis" in window) {
  document.documentElement.dataset.speaks = "";
  document.addEventListener("click", (event) => {
    if (event.target.closest("#read-aloud")) readAloud();
  });
}
document.addEventListener("click", (event) => {
  if (!event.target.closest("#turn-here")) return;
  turnTable();
  drawAhead();
});
setInterval(look, LOOK_EVERY);
setInterval(lookForOthers, OTHERS_EVERY);
document.addEventListener("visibilitychange", () => {
  look();
  lookForOthers();
  keepScreenOn();
});
keepScreenOn();
