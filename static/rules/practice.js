// Right and wrong of the hands practised, kept on this device alone. Storage may be full or switched off: then nothing is kept.
const KEY = "practice";
const tally = document.getElementById("practice-tally");
const verdict = document.querySelector("#verdict[data-hand]");

function read() {
  let text;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return null;
  }
  try {
    const kept = JSON.parse(text);
    if (Number.isInteger(kept?.right) && Number.isInteger(kept?.wrong) && Array.isArray(kept?.seen)) return kept;
  } catch {
    // Not a tally: start again.
  }
  return { right: 0, wrong: 0, seen: [] };
}

function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The page explains all the same.
  }
}

// A hand counts once, as it was answered first.
function count(kept) {
  const hand = verdict?.dataset.hand;
  if (!hand || kept.seen.includes(hand)) return;
  kept[verdict.dataset.right === "yes" ? "right" : "wrong"] += 1;
  kept.seen = [...kept.seen, hand].slice(-200);
  write(kept);
}

function show(kept) {
  const counted = kept.right + kept.wrong;
  tally.hidden = counted === 0;
  if (!counted) return;
  tally.textContent = `On this tablet: ${kept.right} right of ${counted}. `;
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Start again";
  again.addEventListener("click", () => {
    const empty = { right: 0, wrong: 0, seen: [] };
    write(empty);
    show(empty);
  });
  tally.append(again);
}

const kept = read();
if (kept) {
  count(kept);
  show(kept);
}
// Focus the answer, so that it is in view and read out.
(document.getElementById("error-summary") ?? document.getElementById("verdict"))?.focus();
