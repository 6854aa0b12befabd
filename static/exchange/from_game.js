// A game that was played on this tablet without a club comes to the page of imports, and is looked at first.
import { readStored, writeStored } from "../web/browser.js";
import { byId } from "../web/dom.js";

const file = location.hash === "#game" && readStored("game-file", "sessionStorage");
if (file) {
  writeStored("game-file", null, "sessionStorage");
  const field = /** @type {HTMLTextAreaElement} */ (byId("id_text"));
  // Nobody’s until now.
  field.value = JSON.stringify({ ...JSON.parse(file), club: field.form.dataset.club }, null, 1);
  field.form.requestSubmit();
}
