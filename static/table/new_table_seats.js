// On a page of a table that was started here without the network: puts its players in place of the one that stands for all.
import { tableNow } from "./outbox/state.js";

const ANYONE = "{seat}";
const standIns = [...document.querySelectorAll("option, label.choice")].filter((one) => one.textContent.trim() === ANYONE);

function choiceOf(standIn, seat, name) {
  const choice = /** @type {HTMLElement} */ (standIn.cloneNode(true));
  choice.lastChild.textContent = ` ${name}`;
  const input = choice.querySelector("input");
  if (input) choice.setAttribute("for", `${input.id}-${seat}`);
  if (input) input.id = `${input.id}-${seat}`;
  Object.assign(input || choice, { value: seat });
  return choice;
}

/** Removes the choices of players who sit here already, and of a new player, whom only the club can add. */
function dropPlayers(players) {
  const seated = new Set([...Object.values(players).map(String), "new"]);
  for (const option of document.querySelectorAll("[name=player] > option, [name=player-player] > option")) {
    if (seated.has(/** @type {HTMLOptionElement} */ (option).value)) option.remove();
  }
}

function fillSeating(seats, present) {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-outbox=seating]"))) {
    form.dataset.present = JSON.stringify(present);
    for (const [wind, seat] of Object.entries(seats)) /** @type {HTMLSelectElement} */ (form.elements[`seating-${wind}`]).value = seat;
  }
}

async function fill() {
  let { place, state } = await tableNow();
  // The rules still being loaded say who sits where.
  if (await place.later) ({ place, state } = await tableNow());
  const playing = Object.values(place.seats || {});
  const present = place.isKnown ? [...playing, ...place.out] : Object.keys(state.names);
  for (const standIn of standIns) {
    const seats = place.isKnown && standIn.closest("[data-outbox=penalty]") ? playing : present;
    standIn.replaceWith(...[...seats].sort((one, other) => one - other).map((seat) => choiceOf(standIn, seat, (place.names || state.names)[seat])));
  }
  dropPlayers(place.players || state.players);
  fillSeating(place.seats || {}, present);
}

fill();
