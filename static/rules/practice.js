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
    // What stands there is no tally: one is begun anew.
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
  again.textContent = "Count anew";
  again.addEventListener("click", () => {
    const anew = { right: 0, wrong: 0, seen: [] };
    write(anew);
    show(anew);
  });
  tally.append(again);
}

const kept = read();
if (kept) {
  count(kept);
  show(kept);
}
// What is said of an answer comes into sight, on a phone too, and is read out.
(document.getElementById("error-summary") ?? document.getElementById("verdict"))?.focus();
