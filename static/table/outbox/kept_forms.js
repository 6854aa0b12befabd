// Forms of a table: kept on the tablet first, where the rules take them; otherwise sent plainly, once there is a network.
import { isHeard } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { fragment, html } from "../../web/html.js";
import { canShow, go } from "../views.js";
import { drawAhead, isNewTable, pressedCommand } from "./ahead.js";
import { lookAtFirst, refreshOnce } from "./board.js";
import { isUndoOrRedo } from "./commands.js";
import { flash, flashOutcomes, redirect } from "./flash.js";
import { follow } from "./follow.js";
import { asksFirst, unseenCommandOf } from "./forms.js";
import { isWithoutWorker } from "./kept_pages.js";
import { isDoublePress, isUndoneTwice } from "./presses.js";
import { cancel, keep, outcomeOf, save } from "./queue.js";
import { ATTENTION, RECORDED, submitPlainly } from "./send.js";
import { hasRules, pageState, refreshLedger, refusalOf, tableNow } from "./state.js";
import { storage } from "./store.js";
import { keptWords } from "./words.js";

const NOT_HEARD =
  "There is no Wi-Fi just now, and this cannot be done without it. You have not lost anything. Try again in a moment.";
const INCOMPLETE = "Choose a player, or enter what is missing.";
// What is chosen may not fit.
const CHOICES = "select, [type=radio], [name=name]";
const CHANGED_LATER = "You’ll see what changed once it has been sent.";

async function sendPlainly(form, submitter) {
  // The server has no page to remove an entry that is not sent yet.
  const isUnsent = form.dataset.entry && !form.hasAttribute("action");
  if (isNewTable() || isUnsent || !(await isHeard())) return keepUnseen(form);
  if (submitter?.name)
    form.append(fragment(html`<input type="hidden" name=${submitter.name} value=${submitter.value}>`));
  return submitPlainly(form);
}

// Removes or restores an entry, once the rules on this tablet have shown what that changes; else the server's page shows it.
async function changeEntry(form, submitter) {
  await refreshLedger();
  const now = await tableNow();
  const command = now && unseenCommandOf(form, now.place, now.state);
  const looked = command && (await lookAtFirst(command, now));
  if (!looked?.isSeen) return sendPlainly(form, submitter);
  if (looked.refused) return flash(looked.refused.message, "error");
  if (!looked.isAgreed) return null;
  const { words, why } = looked;
  return keepAndShow({ ...command, words, why }, form, submitter, now.state);
}

// Keeps a command and shows the table as it is then; what the server says of it comes later. Without the rules on this
// tablet it is waited for.
async function keepAndShow(command, form, submitter, state) {
  const kept = await keep(command);
  const { now } = await drawAhead();
  if (isPlayed(kept, now) && (byId("board") || (await go(state.urls.table))))
    return follow(kept, now.place.said, () => showChange(state.open));
  const outcome = await outcomeOf(kept);
  return showOutcome(form, submitter, kept, outcome, state);
}

// The rules on this tablet have taken the command, or may take an undo or redo that they do not know.
const isPlayed = ({ key }, { place, waiting, state }) =>
  Boolean(place.html) &&
  waiting.some((one) => one.key === key) &&
  (Boolean(byId("board")) || canShow(state.urls.table));

// Without the rules and the server, such a change is kept unseen; all else has to wait for the server.
async function keepUnseen(form) {
  const now = await tableNow();
  const command = now && unseenCommandOf(form, now.place, now.state);
  if (!command) return flash(NOT_HEARD, "error");
  try {
    await save(command, 0);
    return flash(
      [`${keptWords().heading}: ${command.words}.`, CHANGED_LATER, keptWords().until].filter(Boolean).join(" "),
      "info",
    );
  } catch {
    return flash(NOT_HEARD, "error");
  }
}

async function keepForm(form, submitter) {
  const submit = submitter || form.querySelector("button[type=submit]");
  const words = [...submit.childNodes];
  submit.replaceChildren("Saving …");
  submit.setAttribute("data-saving", "");
  try {
    // What a step takes back is asked of the rules, once they are there, however the page was drawn.
    const now = await tableNow(null, !(hasRules() && isUndoOrRedo({ kind: form.dataset.outbox })));
    const command = pressedCommand(form, now.place, now.state, submitter);
    const why = command ? form.querySelector(CHOICES) && (await refusalOf(now, command)) : INCOMPLETE;
    if (why) return isNewTable() || !(await isHeard()) ? flash(why, "error") : await sendPlainly(form, submitter);
    return await keepAndShow(command, form, submitter, now.state);
  } catch {
    return await sendPlainly(form, submitter);
  } finally {
    // Unless the table was drawn meanwhile, which says what can be undone now.
    if (submit.hasAttribute("data-saving")) submit.replaceChildren(...words);
    submit.removeAttribute("data-saving");
  }
}

async function showOutcome(form, submitter, command, { verdict, reply, isKept }, state) {
  const onBoard = Boolean(byId("board"));
  if (verdict === ATTENTION && !isKept) {
    await cancel(command.key);
    return onBoard || isNewTable() ? flash(reply.message, "error") : sendPlainly(form, submitter);
  }
  if (verdict === ATTENTION || verdict === RECORDED) {
    const words = verdict === ATTENTION ? reply.message : "";
    if (!onBoard) return redirect(state.urls.table, words, "error");
    await refreshOnce();
    if (words) flash(words, "error");
    else {
      await showChange(state.open);
      await flashOutcomes((one) => one.key === command.key);
    }
    return window.scrollTo(0, 0);
  }
  const words =
    `${keptWords().heading}: ${command.words}. It will be sent when the Wi-Fi is back. ${keptWords().until}`.trim();
  if (!onBoard && !isWithoutWorker() && !storage.fault) return redirect(state.urls.table, words, "info");
  if (!onBoard) form.replaceChildren();
  return flash(words, "info");
}

async function showChange(wasOpen) {
  await drawAhead();
  if (!wasOpen || !byId("finished")) return;
  // Finish is pressed far down the page; the final order is at the top.
  window.scrollTo(0, 0);
  byId("finished").focus({ preventScroll: true });
}

export function wireForms() {
  document.documentElement.dataset.outbox = "on";
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!pageState() || form.method !== "post") return;
    event.preventDefault();
    if (form.dataset.entry) changeEntry(form, event.submitter);
    else if (!form.dataset.outbox) sendPlainly(form, event.submitter);
    else if (!asksFirst(form) && !isDoublePress(form) && !isUndoneTwice(form)) keepForm(form, event.submitter);
  });
}
