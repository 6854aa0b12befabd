// Brings the games that a tablet put aside to the page of a club, and notes which of them the club has afterwards.
import { readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";

const FILE = "game-file";
// { games, club }: those that the club has once it has answered, for the page of all games.
const BROUGHT = "game-brought";

const field = /** @type {HTMLTextAreaElement | null} */ (byId("id_text"));
const note = (games, club) => writeStored(BROUGHT, { games: games.filter(Boolean), club }, "sessionStorage");

/** The games that the page shows and that nobody has left out. */
const shown = () =>
  [...field.form.querySelectorAll("[data-game]")]
    .filter((row) => !row.querySelector("[name=leave_out]:checked"))
    .map((row) => /** @type {HTMLElement} */ (row).dataset.game);

function bring(file) {
  const { club } = field.form.dataset;
  // Nobody’s until now.
  const games = [JSON.parse(file)].flat().map((game) => ({ ...game, club }));
  field.value = JSON.stringify(games);
  note(
    games.map(({ game }) => game),
    club,
  );
  writeStored(FILE, null, "sessionStorage");
  // The page that answers has the same address.
  history.replaceState(null, "", location.pathname + location.search);
  field.form.requestSubmit();
}

const file = readStored(FILE, "sessionStorage");
if (field && file && location.hash === "#game") bring(file);
else if (field?.form.querySelector("[data-game]")) {
  const keep = () => note(shown(), field.form.dataset.club);
  keep();
  field.form.addEventListener("submit", keep);
}
