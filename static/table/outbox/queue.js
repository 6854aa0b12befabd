// The queue: keeps what was done at the tables, sends it in order and one at a time, and says what became of it.
import { isHeard, wait } from "../../web/browser.js";
import { isGame, isStart, isUndoOrRedo, isUnstarted, kindOf, OwnOutcome } from "./commands.js";
import { ATTENTION, LOST, RECORDED, send, SIGN_IN } from "./send.js";
import { alone } from "./lock.js";
import {
  add,
  addOutcome,
  all,
  change,
  device,
  inMemory,
  keepTable,
  moveToSession,
  remove,
  tableAndCommands,
} from "./store.js";

const FLUSH_EVERY = 5000;
// How often the server is asked about what it keeps until someone decides.
const LOOK_EVERY = 20000;
const GLANCE_EVERY = 250;
const GLANCES = 40;
const NOT_UNDONE =
  "The change you wanted to undo was not saved as you expected. Check the table and undo it there if you need to.";
const NOT_TAKEN =
  "This could not be saved by the club, though it was sent several times. You have not lost it. Send it again later, show it as a code, or press “Do not send it”, so that later hands can be sent.";
// How often the server may fail at one command before the others are sent without it.
const MAX_TRIES = 5;
const A_DAY = 24 * 60 * 60 * 1000;

// Why the tablet cannot send: the server is away, or a table needs a sign-in (`signIn` has its session).
export const network = { isLost: false, signIn: new Set() };

const listeners = [];
const awaited = new Map();
const looked = new Map();
const channel = "BroadcastChannel" in window ? new BroadcastChannel("clubscore-outbox") : null;
let flushing = null;
let again = false;

// Calls the listener with the commands recorded just now, none if something else has changed, and whether this page sent them.
export const onChange = (listener) => listeners.push(listener);

function announce(recorded = [], isOwn = true) {
  listeners.forEach((listener) => listener(recorded, isOwn));
  if (isOwn) channel?.postMessage(recorded);
}

// What another page saves while this one sends is sent too.
channel?.addEventListener("message", (event) => {
  if (flushing) again = true;
  announce(event.data, false);
});

document.addEventListener("outbox:fault", () => announce([], false));

// Keeps a command on this tablet and returns it; sending it is another step.
export async function keep(command) {
  const kept = await add({ device: await device(), why: "", made_at: new Date().toISOString(), ...command });
  document.dispatchEvent(new CustomEvent("outbox:saved", { detail: kept }));
  announce();
  return kept;
}

// Sends what is kept; returns the outcome of this command, as far as it is known within the time a person waits.
export async function outcomeOf(kept, patience = 3000) {
  if (isGame(kept.session)) return { verdict: RECORDED, reply: null };
  const outcome = await Promise.race([waitForOutcome(kept), wait(patience)]);
  return outcome || { verdict: LOST, reply: null };
}

export const save = async (command, patience) => outcomeOf(await keep(command), patience);

function waitForOutcome(kept) {
  return new Promise((resolve) => {
    awaited.set(kept.key, resolve);
    flush().then(() => watchAnotherPage(kept, resolve));
  });
}

// Another page of this tablet may be the one that sends.
async function watchAnotherPage(kept, resolve) {
  for (let left = GLANCES; left && awaited.get(kept.key) === resolve; left -= 1) {
    const now = (await all()).find((one) => one.key === kept.key);
    if (!now) return resolve({ verdict: RECORDED, reply: null });
    if (now.state === "attention")
      return resolve({ verdict: ATTENTION, reply: { message: now.message, outcome: now.outcome }, isKept: now.isKept });
    if (network.isLost || network.signIn.has(kept.session))
      return resolve({ verdict: network.isLost ? LOST : SIGN_IN, reply: null });
    await wait(GLANCE_EVERY);
  }
  return null;
}

export function flush() {
  again = true;
  flushing ||= alone(sendAll)
    .catch(() => false)
    .then((isDone) => {
      flushing = null;
      // Another page is sending, or the disk did not answer: the timer tries again.
      if (!isDone) again = false;
      // Asked for at the end of the round.
      if (again) flush();
    });
  return flushing;
}

async function sendAll(renew) {
  network.signIn.clear();
  network.isLost = false;
  do {
    again = false;
    for (;;) {
      const items = await all();
      const item = items.find(
        (one) =>
          one.state === "waiting" && !network.signIn.has(one.session) && !isUnstarted(one) && !heldBackBy(one, items),
      );
      if (!item) break;
      await renew();
      if (!(await deliver(item, items, renew))) break;
    }
    if (!network.isLost) await lookAgain(renew);
  } while (again && !network.isLost);
  announce();
  return true;
}

// An entry that was not accepted holds back later commands until it is corrected. So does the start of a table.
export function heldBackBy(item, items) {
  const holds = (one) =>
    isStart(one) ? one.state !== "waiting" : one.state === "attention" && !one.isKept && kindOf(one).adds_entry;
  return items.find((one) => one.session === item.session && one.order < item.order && holds(one));
}

async function deliver(item, items, renew) {
  const sent = await send(item, renew);
  if (await failsTooOften(item, sent))
    Object.assign(sent, { verdict: ATTENTION, reply: { message: NOT_TAKEN, outcome: OwnOutcome.FAILED } });
  if (sent.verdict === RECORDED) await recorded(item, sent);
  if (sent.verdict === ATTENTION) await refused(item, sent, items);
  if (sent.verdict === SIGN_IN) network.signIn.add(item.session);
  if (sent.verdict === LOST) network.isLost = true;
  awaited.get(item.key)?.(sent);
  awaited.delete(item.key);
  return !network.isLost;
}

// The count of failures is kept with the command, as pages come and go.
async function failsTooOften({ order, failed = 0 }, { verdict, status }) {
  if (verdict !== LOST || status < 500 || !(await isHeard())) return false;
  const isTooOften = failed + 1 === MAX_TRIES;
  await change(order, { failed: isTooOften ? 0 : failed + 1 });
  return isTooOften;
}

async function recorded(item, { reply }) {
  const started = isStart(item) ? item.session : null;
  const session = started ? reply.state.session : item.session;
  if (started) await moveToSession(started, reply.state, new Date().toISOString());
  else if (reply.state) await keepTable(reply.state);
  const { key, order, kind, words } = item;
  await addOutcome({ key, session, order, kind, words, message: reply.message });
  await remove(order);
  looked.delete(key);
  announce([{ key, kind, session, started }]);
}

async function refused(item, { reply, isKept }, items) {
  if (reply.state) await keepTable(reply.state);
  await change(item.order, {
    state: "attention",
    message: reply.message,
    outcome: reply.outcome,
    isKept,
    ...(reply.agree ? { agree: reply.agree } : {}),
  });
  looked.set(item.key, performance.now());
  // The next undo or redo would change something else.
  const next =
    (isKept || kindOf(item).is_undo) && items.find((one) => one.session === item.session && one.order > item.order);
  if (next && isUndoOrRedo(next))
    await change(next.order, {
      state: "attention",
      message: NOT_UNDONE,
      outcome: OwnOutcome.NOT_UNDONE,
      isKept: false,
    });
  announce();
}

// Asks about the commands that the server keeps; they leave the queue once someone has decided.
async function lookAgain(renew) {
  const isRecent = ({ key }) => performance.now() - (looked.get(key) ?? -LOOK_EVERY) < LOOK_EVERY;
  for (const item of await all()) {
    if (item.state !== "attention" || !item.isKept || isRecent(item)) continue;
    looked.set(item.key, performance.now());
    await renew();
    const sent = await send(item, renew);
    if (sent.verdict === RECORDED) await recorded(item, sent);
    if (sent.verdict === LOST) return;
  }
}

async function update(item, values) {
  await change(item.order, values);
  announce();
}

// Sends a command again that needed attention; with other values if it was corrected.
export async function sendAgain(item, values = {}) {
  await update(item, { ...values, state: "waiting", message: "", outcome: "" });
  return flush();
}

// Sets a command aside: it stays in this tablet's list, and later commands are sent without it.
export async function park(item) {
  for (const one of await all()) {
    if (one.session === item.session && one.after === item.key) await change(one.order, { after: item.after });
  }
  await update(item, { state: "aside" });
  return flush();
}

// It can be restored for a day.
export const discard = (item) => update(item, { state: "thrown", thrown: Date.now() });

export const restore = (item) => update(item, { state: "aside" });

export async function dismiss({ order }) {
  await remove(order);
  announce();
}

// Forgets a command whose outcome is shown at once, on the page where it can be corrected.
export async function cancel(key) {
  const item = (await all()).find((one) => one.key === key);
  if (item) await dismiss(item);
}

async function forgetThrown() {
  const items = await all();
  // A start stays as long as any other command of its table.
  const isNeeded = (one) => isStart(one) && items.some((other) => other !== one && other.session === one.session);
  const old = items.filter(
    (one) => one.state === "thrown" && Math.abs(Date.now() - one.thrown) > A_DAY && !isNeeded(one),
  );
  await Promise.all(old.map((one) => remove(one.order)));
}

// Whether a command will count once it is sent: not what the server keeps, nor a refused change; an entry that is to be
// corrected keeps its place.
const willCount = (one) =>
  !isStart(one) && (one.state === "waiting" || (one.state === "attention" && !one.isKept && kindOf(one).adds_entry));

const isToBeSent = (one) => ["waiting", "attention"].includes(one.state);

// Returns the newest state of a table that is kept here, its commands, and those of all tables.
export async function heldOf(session) {
  const { kept, commands } = await tableAndCommands(session);
  const items = isGame(session)
    ? kept?.commands || []
    : commands.filter((one) => one.session === session && isToBeSent(one));
  return { state: kept?.state, items, commands };
}

// The commands that a state of the table does not include yet.
export function toBeAdded(items, { recent = [] }) {
  return items.filter((one) => willCount(one) && !recent.includes(one.key));
}

// Whether something would be lost with this page.
export const isHolding = () => inMemory().some((one) => one.state !== "thrown" && !one.isKept);

// Asks at once about what the server keeps: perhaps someone has decided.
export function lookNow() {
  looked.clear();
  return flush();
}

// Sends whenever the server may be back.
export function keepFlushing() {
  const seen = () => {
    if (!document.hidden) lookNow();
  };
  addEventListener("online", seen);
  addEventListener("pageshow", seen);
  document.addEventListener("visibilitychange", seen);
  setInterval(async () => {
    if ((await all()).some(isToBeSent)) flush();
  }, FLUSH_EVERY);
  forgetThrown();
  flush();
}
