// Practice. Right and wrong are counted on this device alone; where the server is not heard, the rules on this tablet deal
// the hands and check the counts. Storage may be full or switched off: then nothing is kept.
const KEY = "practice";
const WAIT = "One moment, please. This tablet is working it out.";
const HERE = "Without Wi-Fi, this tablet deals the hands and checks your answers.";
const NOT_HERE = "There is no Wi-Fi just now, and this tablet cannot deal hands by itself. Try again when the Wi-Fi is back.";
// Nobody else can answer: milliseconds.
const PATIENCE = 60000;
const A_HAND = /^[1-9]\d{0,5}$/;

const byId = (id) => document.getElementById(id);
const place = byId("practice");
// Only the page that is kept for a hall without Wi-Fi has it.
const known = JSON.parse(byId("practice-data")?.textContent ?? "null");
const { title } = document;
let isHere = false;

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
  const { hand, right } = byId("verdict")?.dataset ?? {};
  if (!hand || kept.seen.includes(hand)) return;
  kept[right === "yes" ? "right" : "wrong"] += 1;
  kept.seen = [...kept.seen, hand].slice(-200);
  write(kept);
}

function show(kept) {
  const tally = byId("practice-tally");
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

function tally() {
  const kept = read();
  if (!kept) return;
  count(kept);
  show(kept);
}

// Focus the answer, so that it is in view and read out.
const answer = () => byId("error-summary") ?? byId("verdict");

const anyHand = () => 1 + Math.floor(Math.random() * known.most);

function tell(words) {
  const message = document.createElement("p");
  message.className = "message info";
  message.textContent = words;
  byId("messages").replaceChildren(message);
}

// Draw the hand of the address as the server would.
async function drawHere() {
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  if (!A_HAND.test(asked.hand)) {
    asked.hand = String(anyHand());
    history.replaceState(null, "", `?${new URLSearchParams(asked)}`);
  }
  const practice = new URL(known.look.practice, location.href).href;
  const look = { ...known.look, practice, page: location.pathname + location.search };
  const { ask } = await import(known.files.client).catch(() => ({ ask: () => null }));
  const question = { ask: "practice", asked, usual: known.usual, another: anyHand(), look };
  const drawn = await ask(known.files, question, PATIENCE);
  isHere = Boolean(drawn);
  place.innerHTML = drawn?.html ?? "";
  place.hidden = false;
  tell(drawn ? HERE : NOT_HERE);
  if (!drawn) return;
  document.title = `${drawn.is_wrong ? "Error: " : ""}${title}`;
  tally();
  if (!answer()) window.scrollTo(0, 0);
  (answer() ?? byId("main")).focus();
}

function go(event, query) {
  event.preventDefault();
  history.pushState(null, "", query);
  drawHere();
}

place.addEventListener("submit", (event) => {
  if (!isHere) return;
  const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button?.name) fields.append(button.name, button.value);
  go(event, `?${new URLSearchParams(/** @type {any} */ (fields))}`);
});
place.addEventListener("click", (event) => {
  const query = /** @type {Element} */ (event.target).closest("a")?.getAttribute("href");
  if (isHere && query?.startsWith("?")) go(event, query);
});
window.addEventListener("popstate", () => isHere && drawHere());

if (known && location.search) {
  // It was kept with another hand than the one asked for.
  place.hidden = true;
  tell(WAIT);
  drawHere();
} else {
  const shared = /** @type {HTMLAnchorElement} */ (place.querySelector(".practice-choices .hint a"));
  if (known) history.replaceState(null, "", new URL(shared.href).search);
  tally();
  answer()?.focus();
}
