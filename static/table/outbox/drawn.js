// The board as it was drawn last: a table that the tablet draws by itself shows it until the rules have begun.
import { byId } from "../../web/dom.js";
import { keepThing, thing } from "./store.js";

const DRAWN = "drawn";

/** Keeps the board that is shown, in the place of any other. */
export async function keepDrawn(session) {
  const board = byId("board");
  if (!board) return;
  const { className: body } = document.body;
  const { className: page } = byId("main");
  await keepThing(DRAWN, { session, header: byId("header").innerHTML, board: board.outerHTML, page, body });
}

/** Shows the kept board if it is that of this table. Its links lead on; the rest is not at work before it is drawn anew. */
export async function showDrawn(session) {
  const drawn = await thing(DRAWN).catch(() => null);
  if (drawn?.session !== session) return;
  byId("header").innerHTML = drawn.header;
  byId("main").className = drawn.page;
  document.body.className = drawn.body;
  byId("main").insertAdjacentHTML("beforeend", drawn.board);
  const board = byId("board");
  // No script takes it for the board.
  board.removeAttribute("id");
  board.setAttribute("data-as-it-was", "");
  for (const part of board.querySelectorAll("form, button, summary")) part.toggleAttribute("inert", true);
}

export function removeDrawn() {
  document.querySelector("[data-as-it-was]")?.remove();
}
