// How the table of this page stands, as far as this tablet knows: what the page carries, what was heard later, and what
// was done here since.
import { ofSession, toBeAdded } from "./queue.js";
import { nextPlace } from "./seats.js";
import { askState } from "./send.js";
import { keepTable, replaceTable, table } from "./store.js";

let noted = -1;

// What the page was drawn from; a page without a table has none.
export function pageState() {
  const data = document.getElementById("table-state");
  return data ? JSON.parse(data.textContent) : null;
}

async function newest(drawn) {
  if (noted === drawn.version) return (await table(drawn.session)).state;
  const { state } = await keepTable(drawn, { opened: new Date().toISOString() });
  noted = drawn.version;
  return state;
}

// The newest state this tablet has heard, and the next hand after everything that waits here; `keys` are those of all
// that is kept here. `before`: as it stands before a command of the queue. `isDrawn`: the page shows that state.
export async function tableNow(before = null, isDrawn = true) {
  const drawn = pageState();
  if (!drawn) return null;
  try {
    const state = await newest(drawn);
    const items = await ofSession(drawn.session);
    const waiting = toBeAdded(items, state).filter((one) => !before || one.order < before.order);
    const isNewer = state.version > drawn.version;
    return { state, waiting, keys: items.map((one) => one.key), place: await nextPlace(state, waiting, isDrawn && !isNewer), isNewer };
  } catch {
    return { state: drawn, waiting: [], keys: [], place: await nextPlace(drawn, []), isNewer: false };
  }
}

// The ledger, with which the rules play the table on without the server, is not in the page.
export async function fetchLedger() {
  const drawn = pageState();
  const state = drawn && (await newest(drawn));
  const reply = state && !state.ledger ? await askState(state.urls.state) : null;
  if (reply) await keepTable(reply);
}

// A page older than what was heard was kept by the tablet, or the server was restored from a copy.
export async function isSetBack() {
  const { state, isNewer } = await tableNow();
  const reply = isNewer ? await askState(state.urls.state) : null;
  if (!reply || reply.version >= state.version) return false;
  await replaceTable(reply);
  return true;
}
