// When a copy of the games is due.
import { readStored, writeStored } from "../web/browser.js";

const COPIED = "games-copied";
const FEW = 5;

/** Safari in a tab, where what a page keeps is removed after seven days without a visit; only Safari on an iPad or iPhone says so. */
export const isTab = /** @type {any} */ (navigator).standalone === false;

export const noteCopied = () => writeStored(COPIED, new Date().toISOString());

export const isFinished = ({ stands }) => Boolean(stands && !stands.isOpen);

/** @param {{ opened: string }[]} finished */
export function isCopyDue(finished) {
  const copied = readStored(COPIED) || "";
  const since = finished.filter(({ opened }) => opened > copied).length;
  return isTab ? since > 0 : since > FEW;
}
