// Messages on a page: what has just happened, in the place where the server's messages are.
import { readStored, writeStored } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { html, message } from "../../web/html.js";
import { canShow, go } from "../views.js";
import { storage, takeOutcomes } from "./store.js";
import { outcomeWords } from "./words.js";

const AFTER = "outbox-say";

// `name` is what removeFlash() knows the message by.
export function flash(words, level = "success", isMore = false, name = "") {
  const place = byId("messages");
  if (!place) return null;
  const shown = message(words, level, name);
  if (isMore) place.append(shown);
  else place.replaceChildren(shown);
  return shown;
}

export function removeFlash(name) {
  document.querySelectorAll(`#messages > [data-name="${name}"]`).forEach((shown) => shown.remove());
}

let done = { words: "", shown: null };

/** What was done at the table, in one line, with the button that takes it back. */
export function flashDone(words) {
  // The club says what the tablet has said already; a hand that is entered meanwhile does not move under the finger.
  if (done.words === words && (done.shown?.isConnected || !byId("board"))) return;
  const undo = byId("undo") && html`<button type="submit" form="undo-form">Undo</button>`;
  done = { words, shown: flash([html`<span>${words}</span>`, undo]) };
}

// Goes to another page and shows a message there. What only this page knows of, that page could not say by itself.
export async function redirect(address, words, level) {
  const told = !words && storage.fault ? await takeOutcomes(() => true) : [];
  const said = told.length ? [outcomeWords(told), "success"] : words && [words, level];
  if (canShow(address)) {
    if (await go(address)) {
      window.scrollTo(0, 0);
      return said && flash(...said);
    }
  }
  if (said) writeStored(AFTER, said, "sessionStorage");
  return location.assign(address);
}

export function flashAfterRedirect() {
  const kept = readStored(AFTER, "sessionStorage");
  writeStored(AFTER, null, "sessionStorage");
  if (kept) flash(...kept);
}

// Says what the server has recorded and nobody has read yet.
export async function flashOutcomes(isWanted) {
  const outcomes = await takeOutcomes(isWanted);
  if (outcomes.length) flashDone(outcomeWords(outcomes));
}
