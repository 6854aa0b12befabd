// Where the club asks for it another player agrees to the hand before it is left. Every answer but "Something is wrong"
// saves the hand; that one leads back to it as it was.
import { byId, h } from "./dom.js";
import { state } from "./state.js";

const DOUBLE_PRESS = 600;
let proceed = null;
let opened = 0;
let putBack = null;

// Saves at once where the club does not ask, else when someone has answered.
export function askFirst(save) {
  const step = byId("agree");
  if (!step) return save();
  if (!proceed) step.addEventListener("click", answer);
  proceed = save;
  state.agreed = null;
  return open(step);
}

function open(step) {
  const { parentElement, nextSibling } = byId("score");
  putBack = () => parentElement.insertBefore(byId("score"), nextSibling);
  byId("agree-score").append(byId("score"));
  drawNames(step.querySelector(".agree-names"));
  byId("problems").replaceChildren();
  turn(step, true);
  window.scrollTo(0, 0);
  byId("agree-title").focus({ preventScroll: true });
  opened = performance.now();
}

// Who plays this hand apart from the person who holds the tablet; the next hand has other players.
function drawNames(place) {
  const others = state.data.seats.filter((one) => one.number !== place.dataset.holds);
  place.replaceChildren(...others.map((one) => h("button", { class: "button-main", type: "submit", name: "agreed", value: one.number }, `${one.name} agrees`)));
}

function turn(step, isOpen) {
  step.hidden = !isOpen;
  document.body.classList.toggle("is-agreeing", isOpen);
}

// The second press of a double press on Save agrees to nothing.
function answer(event) {
  const pressed = event.target.closest("button");
  if (!pressed || event.timeStamp - opened < DOUBLE_PRESS) return;
  putBack();
  turn(byId("agree"), false);
  byId("go-on").focus({ preventScroll: true });
  if (pressed.name !== "agreed") return;
  state.agreed = pressed.value;
  proceed();
}
