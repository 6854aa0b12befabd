// Says above the hand what another tablet has saved since, and offers the hand before as this tablet alone has it.
import { html } from "../../web/html.js";
import { askAbove } from "./dom.js";
import { showOthers } from "./next.js";
import { noteServer } from "./scores.js";
import { change, dropLeftOver, layDown, leftOver, onChange, state } from "./state.js";

const ASK_AFTER = 3000;
let timer = 0;
let isWatching = false;
const savedKeys = new Set();

export function watchOthers(data) {
  isWatching = data.mode === "new" && Boolean(data.urls.others);
  if (isWatching) offerLeftOver();
}

export const stopWatching = () => {
  isWatching = false;
};

document.addEventListener("outbox:saved", (event) => savedKeys.add(event.detail.key));
onChange((changed) => {
  if (!changed || !isWatching) return;
  clearTimeout(timer);
  timer = setTimeout(ask, ASK_AFTER);
});

async function ask() {
  const { key, data } = state;
  if (!isWatching || savedKeys.has(key)) return;
  const answer = await fetch(`${data.urls.others}?after=${data.after || ""}`, {
    redirect: "manual",
    cache: "no-store",
  }).catch(() => null);
  noteServer(answer?.status < 500);
  if (answer?.status !== 200) return;
  const { newer } = await answer.json();
  if (!newer || !isWatching || key !== state.key || savedKeys.has(key)) return;
  showOthers(html`${newer} <a href=${data.urls.back}>The table</a>`);
}

function offerLeftOver() {
  const draft = leftOver();
  if (!draft) return;
  askAbove(`Hand ${state.data.hand_number - 1} also has a different version on this tablet that was not saved.`, [
    [
      "Enter it as this hand",
      () => {
        change(() => {
          layDown(draft.body, draft.drawn);
          return "The unsaved hand is back.";
        });
        dropLeftOver();
      },
    ],
    ["Discard it", dropLeftOver],
  ]);
}
