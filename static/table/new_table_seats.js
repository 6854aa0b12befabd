// On a page of a table that was started here without the network: its players in place of the one who stands for any.
import { tableNow } from "./outbox/state.js";

const ANYONE = "{seat}";
const standIns = [...document.querySelectorAll("option, label.choice")].filter((one) => one.textContent.trim() === ANYONE);

/** The same choice for a player. */
function choiceOf(standIn, seat, name) {
  const choice = /** @type {HTMLElement} */ (standIn.cloneNode(true));
  choice.lastChild.textContent = ` ${name}`;
  const input = choice.querySelector("input");
  if (input) choice.setAttribute("for", `${input.id}-${seat}`);
  if (input) input.id = `${input.id}-${seat}`;
  Object.assign(input || choice, { value: seat });
  return choice;
}

async function fill() {
  const { place, state } = await tableNow();
  const playing = Object.values(place.seats || {});
  const present = place.isKnown ? [...playing, ...place.out] : Object.keys(state.names);
  for (const standIn of standIns) {
    const seats = place.isKnown && standIn.closest("[data-outbox=penalty]") ? playing : present;
    standIn.replaceWith(...[...seats].sort((one, other) => one - other).map((seat) => choiceOf(standIn, seat, place.names[seat])));
  }
}

fill();
