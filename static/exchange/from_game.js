// Games that were played on this tablet without a club come to the page of imports one after the other, and each is looked at
// first. Who somebody is, is chosen once for all of them.
import { readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";

const FILE = "game-file";
// { field: choice }, of the club whose pages these are.
const CHOSEN = "game-who";

const field = /** @type {HTMLTextAreaElement | null} */ (byId("id_text"));
const club = field?.form.dataset.club;
const stored = readStored(FILE, "sessionStorage");
const games = stored ? [JSON.parse(stored)].flat() : [];

function takeNext() {
  const [game, ...left] = games;
  writeStored(FILE, left.length ? JSON.stringify(left) : null, "sessionStorage");
  // Nobody’s until now.
  field.value = JSON.stringify({ ...game, club }, null, 1);
  // Once the club has it, the page of all games keeps where else it is, and comes back for the next.
  const { games: before = [] } = readStored("game-brought", "sessionStorage") || {};
  writeStored("game-brought", { games: [...before, game.game], club, next: location.pathname }, "sessionStorage");
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

if (games.length && field && location.hash === "#game") takeNext();
else if (games.length && !field) location.replace(`${location.pathname}#game`);
else if (field) {
  fillIn();
  const words = games.length === 1 ? "1 more game follows" : `${games.length} more games follow`;
  if (games.length) byId("messages").append(`${words} this one.`);
}
