// A game that was played on this tablet without a club comes to the page of imports, and is looked at first.
import { readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";

const field = /** @type {HTMLTextAreaElement} */ (byId("id_text"));
const { club } = field.form.dataset;
const file = location.hash === "#game" && readStored("game-file", "sessionStorage");
if (file) {
  writeStored("game-file", null, "sessionStorage");
  // Nobody’s until now.
  field.value = JSON.stringify({ ...JSON.parse(file), club }, null, 1);
  // Once the club has it, the page of all games keeps where else it is.
  writeStored("game-brought", { game: JSON.parse(file).game, club }, "sessionStorage");
  field.form.requestSubmit();
}
