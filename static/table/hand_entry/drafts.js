// Shares the hand being entered with the other tablets of the table, and offers what another has begun.
import { button, byId, h } from "../../web/dom.js";
import { renewToken } from "../outbox/send.js";
import { showOthers } from "./next.js";
import { change, dropLeftOver, keep, layDown, leftOver, onChange, sentBody, state, takeOwnKey } from "./state.js";

const AFTER_A_CHANGE = 3000;
let sent = "";
let timer = null;
let own = "";
let taken = null;
const saved = new Set();

export function shareDrafts(data) {
  if (data.mode !== "new" || !data.urls.draft) return;
  offer((data.begun || []).filter((one) => one.after === data.after));
  offerLeftOver();
  onChange((changed) => { if (changed) later(); });
  document.addEventListener("outbox:saved", (event) => {
    saved.add(event.detail.key);
    taken = null;
  });
  addEventListener("pagehide", share);
}

function later() {
  if (taken) followTaken();
  clearTimeout(timer);
  timer = setTimeout(share, AFTER_A_CHANGE);
}

// The same hand keeps the key it was begun with, so that two tablets record it once; another hand has its own.
function followTaken() {
  const key = JSON.stringify(sentBody()) === taken.body ? taken.key : own;
  if (key === state.key || saved.has(state.key) || saved.has(key)) return;
  state.key = key;
  keep();
}

async function share() {
  clearTimeout(timer);
  const body = JSON.stringify(sentBody());
  const now = `${state.key} ${body} ${state.drawn}`;
  if (now === sent || saved.has(state.key) || byId("saved-panel")) return;
  renewToken(byId("live"));
  const form = new FormData(byId("live"));
  for (const [name, value] of Object.entries({ body, key: state.key, after: state.data.after || "", drawn: state.drawn ? "1" : "" })) form.set(name, value);
  const key = state.key;
  try {
    const answer = await fetch(state.data.urls.draft, { method: "POST", body: new URLSearchParams(/** @type {any} */ (form)), credentials: "same-origin", redirect: "manual", keepalive: true });
    if (answer.status !== 200) return;
    sent = now;
    heard(key, await answer.json());
  } catch {
    // Not heard: the hand is kept on this tablet all the same.
  }
}

function heard(key, { recorded, also, newer }) {
  if (recorded && key === state.key && !saved.has(key)) {
    taken = null;
    takeOwnKey();
    // The server says of any other line that was saved, in saved_since() of table/devices.py.
    return showOthers("This hand has been saved on another tablet. If you save it here too, someone will have to choose between the two.", "warning");
  }
  if (newer && !recorded) return showOthers([`${newer} `, h("a", { href: state.data.urls.back }, "The table")], "warning");
  return showOthers(also.length ? `${capital(also[0])} has started this hand too.` : "");
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function offer(begun) {
  for (const one of begun) {
    const message = h("p", { class: "message restored", role: "status" }, `${capital(one.whose)} has started this hand (${one.ago}). `);
    message.append(button("Continue here", () => { take(one); byId("problems").replaceChildren(); }), button("Leave it", () => message.remove()));
    byId("problems").append(message);
  }
}

function offerLeftOver() {
  const draft = leftOver();
  if (!draft) return;
  const message = h("p", { class: "message restored", role: "status" }, `Hand ${state.data.hand_number - 1} also has a different version on this tablet that was not saved. `);
  const answer = (words, work) => button(words, () => { work(); dropLeftOver(); message.remove(); });
  message.append(answer("Enter it as this hand", () => use(draft, "The unsaved hand is back.")), answer("Discard it", () => {}));
  byId("problems").append(message);
}

function use({ body, drawn }, words) {
  change(() => {
    layDown(body, drawn);
    return words;
  });
}

function take(one) {
  own = state.key;
  use(one, `You are continuing the hand that ${one.whose} started.`);
  taken = { key: one.key, body: JSON.stringify(sentBody()) };
  followTaken();
}
