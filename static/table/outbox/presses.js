// Presses that count once: of a form's button twice within a moment, and of Undo.
import { flash } from "./flash.js";

const DOUBLE_PRESS = 700;
// A second undo so soon may be meant for the button that stood there before.
const UNDO_AGAIN = 2000;
const pressed = new Map();

export function isDoublePress(form) {
  const now = performance.now();
  const isDouble = now - (pressed.get(form.dataset.outbox) ?? -DOUBLE_PRESS) < DOUBLE_PRESS;
  pressed.set(form.dataset.outbox, now);
  return isDouble;
}

export function isUndoneTwice(form) {
  if (form.dataset.outbox !== "undo") return false;
  const now = performance.now();
  const isSoon = now - (pressed.get("undone") ?? -UNDO_AGAIN) < UNDO_AGAIN;
  // The next press counts.
  pressed.set("undone", isSoon ? -UNDO_AGAIN : now);
  if (isSoon) flash("One step is taken back. Press Undo again to take back another.", "info");
  return isSoon;
}
