// Says on the table what became of a command that is shown there already.
import { html } from "../../web/html.js";
import { refreshOnce } from "./board.js";
import { flash, flashDone, flashOutcomes } from "./flash.js";
import { asAnother, kindOf, Outcome } from "./commands.js";
import { cancel, keep, outcomeOf } from "./queue.js";
import { ATTENTION, RECORDED } from "./send.js";
import { isCorrectable, keptWords } from "./words.js";

// Keys of commands whose outcome someone waits for: it is shown by itself.
const awaited = new Set();

export const isAwaited = ({ key }) => awaited.has(key);

/**
 * Waits for the outcome of a kept command, and says it; `show` draws the table again. `said` is what happened at the table.
 * @param {any} kept @param {string} [said] @param {() => Promise<any>} [show] @param {boolean} [isFirst] not sent again under a key of its own
 */
export async function follow(kept, said = "", show = async () => {}, isFirst = true) {
  awaited.add(kept.key);
  if (said) flashDone(said);
  // Where that stands; what was pressed may be far down the page.
  window.scrollTo(0, 0);
  const outcome = await outcomeOf(kept);
  await refreshOnce();
  await show();
  await sayOutcome(kept, outcome, said, show, isFirst);
  awaited.delete(kept.key);
}

async function sayOutcome(kept, { verdict, reply, isKept }, said, show, isFirst) {
  if (verdict === RECORDED) return flashOutcomes((one) => one.key === kept.key);
  // The line in the bar says that it is not sent yet, and what to do.
  if (verdict !== ATTENTION) return said || flash(`${keptWords().heading}: ${kept.words}.`, "info");
  if (isKept) return flash(reply.message, "error");
  if (reply.outcome === Outcome.REFUSED && kindOf(kept).is_hand && isFirst) {
    // Another tab has sent a hand under this key: this one is another version.
    await cancel(kept.key);
    return follow(await keep(asAnother(kept)), "", show, false);
  }
  const item = { ...kept, outcome: reply.outcome };
  if (!isCorrectable(item)) {
    await cancel(kept.key);
    return flash(reply.message, "error");
  }
  return flash(
    [
      `${reply.message} `,
      html`<a class="button-quiet" href="${kept.pages.entry}#again-${kept.key}">Correct this hand</a>`,
    ],
    "error",
  );
}
