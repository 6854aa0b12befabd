// The table page looks for news while it is seen, and keeps the screen awake during play where the browser can.
import { refreshBoard } from "./outbox/board.js";
import { drawAhead } from "./outbox/page.js";
import { lookNow } from "./outbox/queue.js";
import { say } from "./outbox/told.js";

const EVERY = 5000;
const SIGNED_OUT = "This tablet is signed out. Sign in again to see what is new; what is saved here is kept.";

async function look() {
  const become = await refreshBoard();
  if (become === "refused") say(SIGNED_OUT, "error");
  if (become !== "drawn") return;
  await drawAhead();
  lookNow();
}

async function stayAwake() {
  if (!("wakeLock" in navigator) || document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // Refused, with a low battery for instance: play goes on all the same.
  }
}

setInterval(look, EVERY);
document.addEventListener("visibilitychange", () => { look(); stayAwake(); });
stayAwake();
