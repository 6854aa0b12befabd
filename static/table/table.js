// The table page looks for news while it is seen, and keeps the screen awake during play where the browser can.
import "./at_table.js";
import { refreshBoard } from "./outbox/board.js";
import { drawAhead } from "./outbox/page.js";
import { lookNow } from "./outbox/queue.js";
import { fetchLedger } from "./outbox/state.js";
import { foldMessages, flash, removeFlash } from "./outbox/flash.js";

const EVERY = 5000;
const SIGNED_OUT = "This tablet is signed out. You have not lost anything. To see what is new, sign in or scan the QR code again.";

async function look() {
  const become = await refreshBoard();
  if (become === "refused") flash(SIGNED_OUT, "error", false, "signed-out");
  if (["kept", "drawn"].includes(become)) removeFlash("signed-out");
  if (become === "drawn") {
    await drawAhead();
    lookNow();
  }
  if (["kept", "drawn"].includes(become)) await fetchLedger().catch(() => null);
}

// What a press changes may bring another button under the same finger: the presses of one double press are one.
const QUICK = 600;
const NEAR = 24;
let last = { time: -QUICK, x: 0, y: 0 };

function ignoreDoublePress(event) {
  if (!event.detail) return;
  const press = { time: event.timeStamp, x: event.clientX, y: event.clientY };
  const isSame = press.time - last.time < QUICK && Math.abs(press.x - last.x) < NEAR && Math.abs(press.y - last.y) < NEAR;
  last = press;
  if (!isSame || !event.target.closest?.("#board")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

async function stayAwake() {
  if (!("wakeLock" in navigator) || document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // Refused, with a low battery for example: play goes on all the same.
  }
}

foldMessages();
addEventListener("click", ignoreDoublePress, true);
setInterval(look, EVERY);
document.addEventListener("visibilitychange", () => { look(); stayAwake(); });
stayAwake();
