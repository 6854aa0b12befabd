// The queue: keeps what was done at the tables, sends it in order and one at a time, and says what became of it.
import { isHeard } from "../../web/browser.js";
import { isStart, isStep, isUnstarted, kindOf, OwnOutcome } from "./commands.js";
import { ATTENTION, LOST, RECORDED, send, SIGN_IN } from "./send.js";
import { add, addOutcome, all, alone, change, device, keepTable, moveToSession, remove } from "./store.js";

const EVERY = 5000;
const LOOK_AGAIN = 20000;
const GLANCE = 250;
const DOUBTFUL = "The change you wanted to undo was not saved as you expected. Check the table and undo it there if you need to.";

const NOT_TAKEN = "This could not be saved by the club, though it was sent several times. You have not lost it. Send it again later, show it as a code, or set it aside so that later hands can be sent.";
// How often the server may fail at one command before the others go on without it.
const MOST_TRIES = 5;
const A_DAY = 24 * 60 * 60 * 1000;

// What keeps the tablet from sending: the server is not heard, or which tables ask for a sign-in.
export const network = { isLost: false, signIn: new Set(), isUsable: true };

const listeners = [];
const awaited = new Map();
const looked = new Map();
const channel = "BroadcastChannel" in window ? new BroadcastChannel("clubscore-outbox") : null;
let flushing = null;
let again = false;

// Called with what was recorded just now (empty: something else has changed).
export const onChange = (listener) => listeners.push(listener);

function announce(recorded = [], isOwn = true) {
  listeners.forEach((listener) => listener(recorded));
  if (isOwn) channel?.postMessage(recorded);
}

// What another page has saved while this one sends goes with it.
channel?.addEventListener("message", (event) => {
  if (flushing) again = true;
  announce(event.data, false);
});

// Puts a command on this tablet's disk, then sends it; gives what has become of it within the time a person waits.
// Fails where this tablet cannot keep anything.
export async function save(command, patience = 3000) {
  let kept = null;
  try {
    kept = await add({ device: await device(), why: "", made_at: new Date().toISOString(), ...command });
  } catch (error) {
    network.isUsable = false;
    announce();
    throw error;
  }
  document.dispatchEvent(new CustomEvent("outbox:saved", { detail: kept }));
  announce();
  const outcome = await Promise.race([waitForOutcome(kept), wait(patience)]);
  return outcome || { verdict: LOST, reply: null };
}

const wait = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

function waitForOutcome(kept) {
  return new Promise((resolve) => {
    awaited.set(kept.key, resolve);
    flush().then(() => watchAnotherPage(kept, resolve));
  });
}

// Another page of this tablet may be the one that sends.
async function watchAnotherPage(kept, resolve) {
  for (let left = 40; left && awaited.get(kept.key) === resolve; left -= 1) {
    const now = (await all()).find((one) => one.key === kept.key);
    if (!now) return resolve({ verdict: RECORDED, reply: null });
    if (now.state === "attention") return resolve({ verdict: ATTENTION, reply: { message: now.message, outcome: now.outcome }, isKept: now.isKept });
    if (network.isLost || network.signIn.has(kept.session)) return resolve({ verdict: network.isLost ? LOST : SIGN_IN, reply: null });
    await wait(GLANCE);
  }
  return null;
}

export function flush() {
  again = true;
  flushing ||= alone(sendAll).catch(() => false).then((isDone) => {
    flushing = null;
    // Another page is at it, or this tablet's disk did not answer: the clock asks again.
    if (!isDone) again = false;
    // Asked for at the last moment of the round.
    if (again && network.isUsable) flush();
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
      const item = items.find((one) => one.state === "waiting" && !network.signIn.has(one.session) && !isUnstarted(one) && !isHeldBack(one, items));
      if (!item) break;
      await renew();
      if (!(await deliver(item, items, renew))) break;
    }
    if (!network.isLost) await lookAgain(renew);
  } while (again && !network.isLost);
  announce();
  return true;
}

// A line that was not accepted holds back what was done after it: mended, all goes on in order. So does a start.
export function isHeldBack(item, items) {
  const holds = (one) => (isStart(one) ? one.state !== "waiting" : one.state === "attention" && !one.isKept && kindOf(one).adds_entry);
  return items.some((one) => one.session === item.session && one.order < item.order && holds(one));
}

async function deliver(item, items, renew) {
  const sent = await send(item, renew);
  if (await failsTooOften(item, sent)) Object.assign(sent, { verdict: ATTENTION, reply: { message: NOT_TAKEN, outcome: OwnOutcome.FAILED } });
  if (sent.verdict === RECORDED) await recorded(item, sent);
  if (sent.verdict === ATTENTION) await refused(item, sent, items);
  if (sent.verdict === SIGN_IN) network.signIn.add(item.session);
  if (sent.verdict === LOST) network.isLost = true;
  awaited.get(item.key)?.(sent);
  awaited.delete(item.key);
  return !network.isLost;
}

// How often the server failed at this command is counted with it, as pages come and go.
async function failsTooOften({ order, failed = 0 }, { verdict, status }) {
  if (verdict !== LOST || status < 500 || !(await isHeard())) return false;
  const isTooOften = failed + 1 === MOST_TRIES;
  await change(order, { failed: isTooOften ? 0 : failed + 1 });
  return isTooOften;
}

async function recorded(item, { reply }) {
  const started = isStart(item) ? item.session : null;
  const session = started ? reply.state.session : item.session;
  if (started) await moveToSession(started, reply.state, new Date().toISOString());
  else if (reply.state) await keepTable(reply.state);
  await addOutcome({ key: item.key, session, order: item.order, kind: item.kind, words: item.words, message: reply.message, changes: reply.changes || [] });
  await remove(item.order);
  looked.delete(item.key);
  announce([{ key: item.key, session, started, pages: reply.pages || [] }]);
}

async function refused(item, { reply, isKept }, items) {
  if (reply.state) await keepTable(reply.state);
  await change(item.order, { state: "attention", message: reply.message, outcome: reply.outcome, isKept, ...(reply.agree ? { agree: reply.agree } : {}) });
  looked.set(item.key, performance.now());
  // The next step back would undo something else.
  const next = (isKept || kindOf(item).is_undo) && items.find((one) => one.session === item.session && one.order > item.order);
  if (next && isStep(next)) await change(next.order, { state: "attention", message: DOUBTFUL, outcome: OwnOutcome.DOUBTFUL, isKept: false });
  announce();
}

// What the server keeps until someone chooses: asked for now and then, and gone from here once it is decided.
async function lookAgain(renew) {
  for (const item of await all()) {
    if (item.state !== "attention" || !item.isKept || performance.now() - (looked.get(item.key) ?? -LOOK_AGAIN) < LOOK_AGAIN) continue;
    looked.set(item.key, performance.now());
    await renew();
    const sent = await send(item, renew);
    if (sent.verdict === RECORDED) await recorded(item, sent);
    if (sent.verdict === LOST) return;
  }
}

// Sends a command again that needed attention, after the person has seen to it; with another body where it was mended.
export async function sendAgain(item, values = {}) {
  await change(item.order, { ...values, state: "waiting", message: "", outcome: "" });
  announce();
  return flush();
}

// Sets a command aside: it stays on this tablet, in its list, and what comes after it does without.
export async function park(item) {
  await change(item.order, { state: "aside" });
  for (const one of await all()) {
    if (one.session === item.session && one.after === item.key) await change(one.order, { after: item.after });
  }
  announce();
  return flush();
}

// For a day it is there to be brought back.
export async function discard(item) {
  await change(item.order, { state: "thrown", thrown: Date.now() });
  announce();
}

export async function restore(item) {
  await change(item.order, { state: "aside" });
  announce();
}

async function forgetThrown() {
  const items = await all();
  // A start stays as long as anything of its table.
  const isNeeded = (one) => isStart(one) && items.some((other) => other !== one && other.session === one.session);
  const old = items.filter((one) => one.state === "thrown" && Math.abs(Date.now() - one.thrown) > A_DAY && !isNeeded(one));
  await Promise.all(old.map((one) => remove(one.order)));
}

export async function dismiss(item) {
  await remove(item.order);
  announce();
}

// Forgets a command whose answer the person sees at once, on the page where it can be mended.
export async function cancel(key) {
  const item = (await all()).find((one) => one.key === key);
  if (item) await remove(item.order);
  announce();
}

// What stands at a table as soon as it has been sent. What the server keeps until someone chooses does not, nor does a
// change that was refused; a line that is to be mended takes its place all the same.
const isToStand = (one) => !isStart(one) && (one.state === "waiting" || (one.state === "attention" && !one.isKept && kindOf(one).adds_entry));

const isToBeSent = (one) => ["waiting", "attention"].includes(one.state);

export const ofSession = async (session) => (await all()).filter((one) => one.session === session && isToBeSent(one));

// What is still to be added to a state of the table; what the server had already when it sent this state is in it.
export function toBeAdded(items, { recent = [] }) {
  const there = new Set(recent);
  return items.filter((one) => isToStand(one) && !there.has(one.key));
}

export async function isUsable() {
  try {
    await all();
  } catch {
    network.isUsable = false;
  }
  return network.isUsable;
}

// Asks at once what became of what the server keeps: something has been decided, perhaps.
export function lookNow() {
  looked.clear();
  return flush();
}

// Flushes whenever there may be a way to the server again.
export function keepFlushing() {
  const seen = () => { if (!document.hidden) lookNow(); };
  addEventListener("online", seen);
  addEventListener("pageshow", seen);
  document.addEventListener("visibilitychange", seen);
  setInterval(async () => {
    if (network.isUsable && (await all()).some(isToBeSent)) flush();
  }, EVERY);
  forgetThrown();
  flush();
}
