// Shares the hand being entered with the other tablets of the table, and offers what another has started.
import { byId, h } from "../../web/dom.js";
import { token } from "../outbox/send.js";
import { askAbove } from "./dom.js";
import { showOthers } from "./next.js";
import { noteServer } from "./scores.js";
import { change, dropLeftOver, keep, layDown, leftOver, onChange, sentBody, state, takeOwnKey } from "./state.js";

const SHARE_AFTER = 3000;
let lastShared = "";
let timer = null;
// The key that this tablet made for the hand, and the key and body of the draft that it continues.
let ownKey = "";
let continued = null;
const savedKeys = new Set();
let isSharing = false;

export function shareDrafts(data) {
  isSharing = data.mode === "new" && Boolean(data.urls.draft);
  continued = null;
  if (!isSharing) return;
  const [newest] = (data.begun || []).filter((one) => one.after === data.after);
  if (newest) offer(newest);
  offerLeftOver();
}

// The hand is left: others see it as it was.
export function stopSharing() {
  share();
  isSharing = false;
}

onChange((changed) => { if (changed && isSharing) shareSoon(); });
document.addEventListener("outbox:saved", (event) => {
  savedKeys.add(event.detail.key);
  continued = null;
});
addEventListener("pagehide", share);

function shareSoon() {
  if (continued) chooseKey();
  clearTimeout(timer);
  timer = setTimeout(share, SHARE_AFTER);
}

// An unchanged draft keeps its key, so that two tablets record it once; a different hand has its own.
function chooseKey() {
  const key = JSON.stringify(sentBody()) === continued.body ? continued.key : ownKey;
  if (key === state.key || savedKeys.has(state.key) || savedKeys.has(key)) return;
  state.key = key;
  keep();
}

async function share() {
  clearTimeout(timer);
  if (!isSharing) return;
  const { key, drawn, data } = state;
  const body = JSON.stringify(sentBody());
  const now = `${key} ${body} ${drawn}`;
  if (now === lastShared || savedKeys.has(key)) return;
  const sent = new URLSearchParams({ csrfmiddlewaretoken: token(), body, key, after: data.after || "", drawn: drawn ? "1" : "" });
  try {
    const answer = await fetch(data.urls.draft, { method: "POST", body: sent, redirect: "manual", keepalive: true });
    noteServer(true);
    if (answer.status !== 200) return;
    lastShared = now;
    const others = await answer.json();
    if (isSharing && key === state.key) showOtherTablets(key, others);
  } catch {
    noteServer(false);
    // Without the server the hand is kept on this tablet all the same.
  }
}

function showOtherTablets(key, { recorded, also, newer }) {
  if (recorded && key === state.key && !savedKeys.has(key)) {
    continued = null;
    takeOwnKey();
    // saved_since() of table/devices.py says the same of any other entry that was saved.
    return showOthers("This hand has been saved on another tablet. If you save it here too, someone will have to choose between the two.", "warning");
  }
  if (newer && !recorded) return showOthers([`${newer} `, h("a", { href: state.data.urls.back }, "The table")], "warning");
  // The offer to go on with it says the same.
  const isOffered = byId("problems").querySelector(".other-tablet");
  return showOthers(also.length && !isOffered ? `${capitalised(also[0])} has started this hand too.` : "");
}

const capitalised = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function offer(draft) {
  askAbove(`${capitalised(draft.whose)} has started this hand (${draft.ago}).`, [["Continue here", () => {
    ownKey = state.key;
    use(draft, `You are continuing the hand that ${draft.whose} started.`);
    continued = { key: draft.key, body: JSON.stringify(sentBody()) };
    chooseKey();
    byId("problems").replaceChildren();
  }], ["Start afresh", () => {}]]).classList.add("other-tablet");
}

function offerLeftOver() {
  const draft = leftOver();
  if (!draft) return;
  askAbove(`Hand ${state.data.hand_number - 1} also has a different version on this tablet that was not saved.`, [
    ["Enter it as this hand", () => {
      use(draft, "The unsaved hand is back.");
      dropLeftOver();
    }],
    ["Discard it", dropLeftOver],
  ]);
}

function use({ body, drawn }, words) {
  change(() => {
    layDown(body, drawn);
    return words;
  });
}
