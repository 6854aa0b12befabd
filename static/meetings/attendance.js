// Names are tapped faster than a server answers: what is tapped while it answers goes with the next request.
import { wait } from "../web/browser.js";
import { byId, controlKey } from "../web/dom.js";

const RETRY_AFTER = 3000;
// A second tap on the same name within this time is a double tap: the answer may have turned the button round by then.
const DOUBLE_TAP = 400;
// The state to write for each player, in the order of the taps.
const tapped = new Map();
let sending = null;
let allowed = null;
let last = { player: "", at: -DOUBLE_TAP };

// One request has one state: takes all players with the state of the first.
function takeNext() {
  const [state] = tapped.values();
  const players = [...tapped].filter(([, one]) => one === state).map(([player]) => player);
  players.forEach((player) => tapped.delete(player));
  return { state, players };
}

async function send(action, token) {
  while (tapped.size) {
    const { state, players } = takeNext();
    const values = { csrfmiddlewaretoken: token, state, player: players };
    try {
      await htmx.ajax("POST", action, { target: "#meeting", swap: "outerHTML", values });
    } catch {
      players.forEach((player) => tapped.set(player, state));
      await wait(RETRY_AFTER);
    }
  }
  sending = null;
}

function tap(button, at) {
  const { action, elements } = button.form;
  const isSecond = button.value === last.player && at - last.at < DOUBLE_TAP;
  last = { player: button.value, at };
  if (isSecond) return;
  if (!tapped.delete(button.value)) tapped.set(button.value, elements.state.value);
  button.toggleAttribute("data-tapped");
  sending ??= send(action, elements.csrfmiddlewaretoken.value);
}

// Presses a link or button again once all names are written, or the one that took its place.
function pressAgain(control) {
  const same = [...document.querySelectorAll(control.tagName)].find((one) => controlKey(one) === controlKey(control));
  allowed = control.isConnected ? control : same;
  allowed?.click();
}

// The name tapped last stays under the finger, whatever the answer brings above it; names tapped since stay marked.
const nameOf = (player) => byId(`name-${player}`);
const topOf = (player) => nameOf(player)?.getBoundingClientRect().top ?? 0;
let before = 0;
document.addEventListener("htmx:beforeSwap", () => {
  before = topOf(last.player);
});
document.addEventListener("htmx:afterSwap", () => {
  if (sending && nameOf(last.player)) scrollBy({ top: topOf(last.player) - before, behavior: "instant" });
  for (const player of tapped.keys()) nameOf(player)?.toggleAttribute("data-tapped", true);
});

document.addEventListener(
  "click",
  (event) => {
    const control = event.target.closest?.("a[href], button");
    if (!control || control.disabled) return;
    const isName = control.matches(".name-buttons button");
    if (!isName && (!sending || control === allowed)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isName) tap(control, event.timeStamp);
    // While the server is away it is not held back for ever.
    else Promise.race([sending, wait(RETRY_AFTER)]).then(() => pressAgain(control));
  },
  true,
);
