// The sheet with what is not sent yet, as the rules on this tablet draw it: the same HTML that the server will send.
import { ofSession, onChange, toBeAdded } from "./outbox/queue.js";
import { sheetOf } from "./outbox/seats.js";
import { table } from "./outbox/store.js";

const NOT_SHOWN = "Some hands on this tablet are not sent yet, and are missing here. They will appear when the Wi-Fi is back.";
const sheet = document.getElementById("sheet");
const { session } = sheet.dataset;

async function draw() {
  const own = await table(Number(session) || session);
  const kept = own?.started ? await table(own.started) : own;
  const waiting = kept ? toBeAdded(await ofSession(kept.session), kept.state) : [];
  if (!waiting.length && !(kept?.state.version > Number(sheet.dataset.version))) return;
  const drawn = await sheetOf(kept.state, waiting);
  if (drawn) {
    sheet.innerHTML = drawn.html;
    document.getElementById("sheet-state").textContent = drawn.state;
  } else if (!sheet.querySelector(".provisional")) {
    sheet.insertAdjacentHTML("afterbegin", `<p class="message warning provisional">${NOT_SHOWN}</p>`);
  }
}

draw();
onChange(draw);
