// The house rules of a game: chosen in the form, read by the rules on this tablet, and brought to the page of games.
import { byId, readJson } from "../web/dom.js";
import { ask } from "./engine/engine.js";
import { refuse, showProblems } from "./outbox/starting.js";

const NOT_NOW = "This tablet could not read these rules. Try again in a moment.";

const { files, rules, games } = readJson("house-data");
const form = /** @type {HTMLFormElement} */ (byId("game-house"));

/** Shows house rules as they were chosen before. */
function fill(house) {
  for (const [key, value] of Object.entries(house)) {
    const field = /** @type {any} */ (form.elements.namedItem(key));
    const none = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(`${key}_none`));
    if (none) none.checked = value === null;
    if (field && "value" in field)
      field.value =
        field.type === "text" && (value === null || value === "standard")
          ? ""
          : typeof value === "string"
            ? value
            : JSON.stringify(value);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const typed = Object.fromEntries(new FormData(form));
  const answer = await ask(files, { ask: "house_rules", rules, typed });
  if (!answer) return refuse(NOT_NOW);
  if (showProblems(form, answer)) return null;
  const { house_rules: chosen, words } = answer;
  const house = words.length ? { house: JSON.stringify(chosen), words: words.join(" ") } : {};
  return location.assign(`${games}#${new URLSearchParams({ rules, ...house })}`);
});

const chosen = new URLSearchParams(location.hash.slice(1)).get("house");
if (chosen) fill(JSON.parse(chosen));
