// Keeps a hand on this tablet before it is sent, and shows what has become of it.
import { isHeard } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { canShow, go } from "../views.js";
import { lookAtFirst } from "../outbox/board.js";
import { kindWords, newKey, Outcome, placeOf } from "../outbox/commands.js";
import { redirect } from "../outbox/flash.js";
import { follow } from "../outbox/follow.js";
import { flush, heldBackBy, keep, network, onChange, outcomeOf } from "../outbox/queue.js";
import { ATTENTION, RECORDED } from "../outbox/send.js";
import { fetchLedger, foresee, playedHand, refreshLedger, tableNow } from "../outbox/state.js";
import { all, storage } from "../outbox/store.js";
import { handWords } from "../outbox/words.js";
import { translate } from "./dom.js";
import { settleLastTiles } from "./last_tile.js";
import { drawHead, nextHandData, olderHandData, savedWords, sayNoScore, showOthers } from "./next.js";
import { scoresHere, shownTotals } from "./scores.js";
import { believedSeats, isKeptAlike, isSameHand, sentBody, state, takeOwnKey } from "./state.js";

const AGAIN = /^#again-(.+)$/;
const OLDER = /^#(change|insert)-(.+)$/;
const NOT_FOUND = "Choose the hand again. This tablet could not find it.";
const IN_ANOTHER_TAB =
  "This hand has been saved in another tab. Save it here too, and someone will have to choose between the two.";
const STAY = "Stay on this page until the Wi-Fi is back.";
const ownKeys = new Set();
let page = null;
let table = null;
let correcting = null;

// Where the next hand is played, as it was known when this one was opened.
export const tablePlace = () => table?.place;

// Returns the hand's data as they are now: after what waits here, or for the hand that is to be corrected. `isView`: they
// came with an earlier hand. Null for an older hand that is not found.
export async function prepare(data, hash, isView = false) {
  page = data;
  const key = hash.match(AGAIN)?.[1];
  correcting = (key && (await all()).find((one) => one.key === key)) || null;
  table = await tableNow(correcting);
  // The rules still being loaded say who sits where.
  if (await table?.place.later) table = await tableNow(correcting);
  if (!table) return data;
  page = { ...data, known_keys: [...data.known_keys, ...table.state.recent, ...table.keys] };
  const [, mode, entry] = hash.match(OLDER) || [];
  if (mode) return olderHand(mode, entry);
  if (!isView && !table.waiting.length && !table.isNewer && !correcting) return page;
  const now = nextHandData(page, table);
  return correcting
    ? { ...now, body: correcting.body, key: correcting.key, after: correcting.after, error: null }
    : now;
}

// An older hand, sent or not, is changed, or another is put before it.
async function olderHand(mode, entry) {
  if (!table.state.ledger) {
    await fetchLedger().catch(() => null);
    table = await tableNow();
  }
  const { state: stands, waiting } = table;
  const played = await playedHand(stands, waiting, entry);
  if (!played) redirect(stands.urls.table, NOT_FOUND, "error");
  return played ? olderHandData(page, table, mode, entry, played) : null;
}

// Corrects what the server drew, once the page is shown.
export function catchUp(data) {
  if (data === page) return;
  drawHead(data, table);
  if (!scoresHere()) sayNoScore();
}

// The command that the rules refused, and that is corrected on this page.
export const itemToCorrect = () => correcting;

function command({ keepsSeats = false, why = "" } = {}) {
  const { state: stands, place } = table;
  const { mode, hand_number: number } = state.data;
  const shared = {
    key: state.key,
    ...placeOf(stands),
    after: state.data.after || null,
    seats: believedSeats(),
    shown: shownTotals(),
    why,
  };
  const body = sentBody();
  const { entry } = state.data;
  if (mode === "change")
    return {
      ...shared,
      kind: "correct",
      body: { ...entry, body, ...(keepsSeats ? { keep_seats: true } : {}) },
      words: kindWords("correct", { "": number }),
    };
  if (mode === "insert")
    return {
      ...shared,
      kind: "insert",
      body: { before: entry.entry, kind: "hand", body },
      words: kindWords("insert", { "": number }),
    };
  return {
    ...shared,
    kind: "hand",
    body,
    words: handWords(number, body, place.names, stands.false_mahjong_voids, translate),
  };
}

/** Has the rules work out ahead how the table stands after this hand, with the last tiles that are saved with it. */
export function foreseeHand() {
  const entered = state.body;
  state.body = JSON.parse(JSON.stringify(entered));
  settleLastTiles();
  if (table && state.data.mode === "new") foresee(table, command());
  state.body = entered;
}

// Whether the server can show what a change of an older hand does.
export async function canBePreviewed() {
  if (state.data.is_made_here || !(await isHeard())) return false;
  await flush();
  return true;
}

// The rules on this tablet show it, with what others have saved meanwhile.
export async function lookHere() {
  await refreshLedger();
  table = await tableNow();
  return lookAtFirst(command(), table);
}

// Returns "recorded" (the hand is being left), "plainly" (this tablet cannot keep the hand), or what is wrong with it.
export async function keepHand(looked) {
  if (!table) return "plainly";
  // Another tab or tablet may have sent it, or a version of it.
  const isThis = ({ key }) => key === state.key;
  const {
    state: { recent, ledger },
    commands,
  } = await tableNow();
  const unsent = ownKeys.has(state.key) ? null : commands.find(isThis);
  if (!correcting && (unsent || recent.includes(state.key))) {
    const [, , sent] = ledger?.entries.find(([key]) => isThis({ key })) || [];
    if (isSameHand(unsent?.body || sent, sentBody())) return leave();
    takeOwnKey();
    return { message: IN_ANOTHER_TAB, isKept: true };
  }
  return keepAndLeave(command(looked));
}

// Keeps a penalty that belongs to no hand. Returns what keepHand does.
export async function keepPenalty(body) {
  if (!table) return "plainly";
  const {
    state: stands,
    place: { after, names, seats },
  } = table;
  const slots = {
    by: names[body.by],
    amount: body.amount.toLocaleString("en-GB"),
    to: body.to ? ` to ${names[body.to]}` : "",
  };
  return keepAndLeave({
    key: newKey(),
    ...placeOf(stands),
    after,
    seats,
    kind: "fine",
    body,
    words: kindWords("fine", slots),
    why: "",
  });
}

async function keepAndLeave(made) {
  ownKeys.add(made.key);
  const kept = await keep(made).catch(() => null);
  if (!kept) return "plainly";
  // The rules on this tablet have taken it: the table is shown as it is now, and says later what the club says.
  const now = canShow(table.state.urls.table) ? await tableNow() : null;
  if (now?.place.html && now.waiting.some((one) => one.key === kept.key)) {
    await go(table.state.urls.table, false, false, now);
    follow(kept, now.place.said);
    return "recorded";
  }
  const outcome = await outcomeOf(kept);
  const { verdict, reply, isKept } = outcome;
  if (verdict === RECORDED) return leave();
  if (verdict === ATTENTION && reply.outcome === Outcome.REFUSED) {
    takeOwnKey();
    return { message: IN_ANOTHER_TAB, key: kept.key };
  }
  if (verdict === ATTENTION)
    return reply.outcome === Outcome.CONTESTED ? leave(reply.message) : { ...reply, isKept, key: kept.key };
  return leaveUnsent(kept);
}

async function leave(words, level = "error") {
  await redirect(table.state.urls.table, words, level);
  return "recorded";
}

async function leaveUnsent(kept) {
  const {
    waiting,
    place,
    state: { urls },
  } = await tableNow();
  // The club has it already, as its answer about the table says; what became of the hand itself was lost on the way.
  if (!waiting.some((one) => one.key === kept.key)) return leave(`${kept.words}.`, "success");
  const words = savedWords(kept, network, heldBackBy(kept, waiting), place.html);
  const isSafe = canShow(urls.table) || (!storage.fault && (navigator.serviceWorker?.controller || (await isHeard())));
  return isSafe
    ? leave(words, storage.fault ? "warning" : "info")
    : { message: `${words} ${STAY}`, isKept: true, key: kept.key };
}

addEventListener("hashchange", () => {
  if (byId("entry") && (AGAIN.test(location.hash) || OLDER.test(location.hash))) location.reload();
});
onChange(watchOtherTabs);

// Two tabs share a half-entered hand: once one has saved it, the other has another version.
async function watchOtherTabs(recorded) {
  const { key } = state;
  if (!byId("entry") || ownKeys.has(key) || correcting) return;
  const isSaved = recorded.some((one) => one.key === key) || (await all()).some((one) => one.key === key);
  if (!isSaved || ownKeys.has(key) || key !== state.key) return;
  if (!isKeptAlike()) takeOwnKey();
  showOthers(IN_ANOTHER_TAB);
}
