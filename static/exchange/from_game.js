// Games that were played on this tablet without a club come to the page of imports one after the other, and each is looked at
// first. Who somebody is, is chosen once for all of them. What the club is known to have of several is not brought again.
import { readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";
import { table } from "../table/outbox/store.js";

const FILE = "game-file";
// { field: choice }, of the club whose pages these are.
const CHOSEN = "game-who";
// { games, taking, club, next }: those that the club has, the one that it looks at, and where the next goes.
const BROUGHT = "game-brought";

const field = /** @type {HTMLTextAreaElement | null} */ (byId("id_text"));
const club = field?.form.dataset.club;
const stored = readStored(FILE, "sessionStorage");
const games = stored ? [JSON.parse(stored)].flat() : [];

const isKnown = async ({ game }) => game && (await table(game))?.clubs?.includes(club);

async function takeNext() {
  let [game, ...left] = games;
  while (left.length && (await isKnown(game))) [game, ...left] = left;
  writeStored(FILE, left.length ? JSON.stringify(left) : null, "sessionStorage");
  // Nobody’s until now.
  field.value = JSON.stringify({ ...game, club }, null, 1);
  // Once the club has it, the page of all games keeps where else it is, and comes back for the next.
  const brought = readStored(BROUGHT, "sessionStorage");
  const before = brought?.club === club ? brought.games : [];
  writeStored(BROUGHT, { games: before, taking: game.game, club, next: location.pathname }, "sessionStorage");
  // The page that answers has the same address.
  history.replaceState(null, "", location.pathname + location.search);
  field.form.requestSubmit();
}

function fillIn() {
  const chosen = readStored(CHOSEN, "sessionStorage")?.[club] || {};
  const selects = /** @type {HTMLSelectElement[]} */ ([...field.form.querySelectorAll("select")]);
  for (const select of selects)
    if ([...select.options].some(({ value }) => value && value === chosen[select.name]))
      select.value = chosen[select.name];
  field.form.addEventListener("submit", () => {
    const now = Object.fromEntries(selects.map(({ name, value }) => [name, value]));
    writeStored(CHOSEN, { [club]: { ...chosen, ...now } }, "sessionStorage");
  });
}

/** The one before is with the club. */
function takeAnother() {
  const brought = readStored(BROUGHT, "sessionStorage");
  if (brought) writeStored(BROUGHT, { ...brought, games: [...brought.games, brought.taking] }, "sessionStorage");
  location.replace(`${location.pathname}#game`);
}

function sayMore() {
  const words = games.length === 1 ? "1 more game follows" : `${games.length} more games follow`;
  byId("messages").append(`${words} this one.`);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button-quiet" });
  button.textContent = "Leave this one out";
  button.addEventListener("click", () => {
    field.form.querySelector(".taken-in")?.remove();
    takeNext();
  });
  field.form.querySelector(".actions").prepend(button);
}

if (games.length && field && location.hash === "#game") takeNext();
else if (games.length && !field) takeAnother();
else if (field) {
  fillIn();
  if (games.length) sayMore();
}
