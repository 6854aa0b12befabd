// The page of a table that was started here without the network, once the club has it.
import { pageState } from "./state.js";
import { table } from "./store.js";
import { keepByWorker } from "./worker.js";

// The page goes on as that of the session. The table's own page follows once it is kept here: the network may go again.
export async function followStart(recorded) {
  const start = recorded.find(({ started }) => started && started === pageState()?.session);
  if (!start) return;
  const { state } = await table(start.session);
  document.getElementById("table-state").textContent = JSON.stringify({ ...state, version: 0, ledger: null });
  if (document.getElementById("board")) goToTable(state.urls.table).catch(() => null);
}

async function goToTable(address) {
  await keepByWorker({ keep: [address], anew: [address] });
  if (await caches.match(address)) location.replace(address);
}
