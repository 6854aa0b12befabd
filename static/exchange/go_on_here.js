// Goes on with a table on this tablet where no Wi-Fi comes: what another tablet's code holds joins this one's queue under
// the same keys, so that it counts once whichever of the two sends it.
import { placeOf } from "../table/outbox/addresses.js";
import { readCode } from "../table/as_code/read.js";
import { button, h } from "../table/outbox/dom.js";
import { redirect } from "../table/outbox/flash.js";
import { isHeard } from "../table/outbox/send.js";
import { isStart } from "../table/outbox/kinds.js";
import { playersOf, readKept, tableOf } from "../table/outbox/starting.js";
import { add, addStart, all, table } from "../table/outbox/store.js";

const UNREADABLE = "Scan all parts of the code again. This one has a part missing or a mistake in it.";
const NOT_READY = "Choose a tablet that was made ready for this table. This one was not, so it cannot go on without Wi-Fi. The other tablet still has its hands.";
const OTHER_TABLE = "Scan the code again, and open the page that it leads to. This is the page of another table.";
const BEHIND = "Choose a tablet that has the hands before these. This one has not heard of them. The other tablet still has its hands.";
const HERE_ALREADY = "All of this is on this tablet already.";
const DONE = "The hands of the other tablet are here now. Go on here, and put the other tablet away.";
const OTHER_RULES = "Let the other tablet go on. The club’s rules have changed since it started this table.";
const OTHER_CODE = "Scan the code again. This is not the code of a table that was started without Wi-Fi.";
const HEARD_WITHIN = 3000;
// The page for a table that the club does not have yet: it comes here whole, with the command that starts it.
const forNewTable = location.pathname.match(/^\/c\/([^/]+)\/sessions\/0\//);
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("id_text")?.closest("form") || null);
const place = document.getElementById("go-on");

async function codeText() {
  const { text, file } = /** @type {any} */ (form.elements);
  return file.files[0] ? file.files[0].text() : text.value;
}

const show = (...parts) => {
  place.replaceChildren(...parts);
  place.hidden = false;
};
const refuse = (words) => show(h("p", { class: "message error" }, words));

async function look() {
  let code = null;
  try {
    code = await readCode(await codeText());
  } catch {
    return refuse(UNREADABLE);
  }
  if (forNewTable) return lookAtNew(code);
  const kept = await table(Number(code.session) || 0);
  if (!kept?.state.ledger) return refuse(NOT_READY);
  const { state } = kept;
  if (state.urls.take_in !== location.pathname || state.slug !== code.club) return refuse(OTHER_TABLE);
  const known = new Set([...state.recent, ...state.ledger.entries.map(([key]) => key), ...(await all()).map((one) => one.key)]);
  const missing = code.commands.filter((one) => !known.has(one.key));
  if (!missing.length) return refuse(HERE_ALREADY);
  if (missing[0].after && !known.has(missing[0].after)) return refuse(BEHIND);
  return offer(state, missing, code.device);
}

async function lookAtNew({ club, session, device, commands }) {
  if (club !== forNewTable[1] || !String(session).startsWith("new-")) return refuse(OTHER_CODE);
  const own = (await table(session)) || (await newTable(commands[0]));
  if (!own || own.refused) return refuse(own?.refused || NOT_READY);
  const { state } = own.started ? await table(own.started) : own;
  const known = new Set([...state.recent, ...state.ledger.entries.map(([key]) => key), ...(await all()).map((one) => one.key)]);
  const missing = commands.filter((one) => !known.has(one.key) && !(own.started && isStart(one)));
  return missing.length ? offer(state, missing, device, own) : refuse(HERE_ALREADY);
}

// The table that a command starts, as the other tablet made it.
async function newTable(start) {
  const kept = isStart(start) ? await readKept(`${forNewTable[0]}table/`, start.body.rules) : null;
  if (kept && kept.basis !== start.body.basis) return { refused: OTHER_RULES };
  return kept && tableOf(kept, start.key, start.body, playersOf((name) => start.body[name]?.trim() || ""));
}

function offer(state, commands, device, own = null) {
  const words = commands.map((one) => h("li", {}, h("b", {}, one.words)));
  show(h("p", {}, `${forNewTable ? "" : "There is no Wi-Fi just now. "}This tablet can go on with these:`), h("ol", { class: "taken" }, ...words),
    h("div", { class: "actions actions-end" }, button("Go on here", () => goOn(state, commands, device, own), "button-main")));
}

async function goOn(state, commands, device, own) {
  for (const { key, kind, body, after, seats, why, made_at, words, named } of commands) {
    const command = { key, kind, body, after, seats, why, made_at, words, named, device, ...placeOf(state) };
    await (isStart(command) ? addStart(command, own) : add(command));
  }
  redirect(state.urls.table, DONE, "info");
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!forNewTable && (await isHeard(HEARD_WITHIN))) HTMLFormElement.prototype.submit.call(form);
  else await look();
});
