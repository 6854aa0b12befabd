// A way out where no Wi-Fi ever comes: unsent hands as QR codes and as text, for a phone that is online or another tablet.
import { byId } from "../web/dom.js";
import { quietButton as button, element, fragment, html, mainButton, message, nothing, render } from "../web/html.js";
import { partsOf } from "./outbox/code_format.js";
import { isGame, messageOf, placeOf } from "./outbox/commands.js";
import { pageState, tableNow } from "./outbox/state.js";
import { all, device as ownDevice, table } from "./outbox/store.js";
import { NOTHING_TO_SEND, storageWords } from "./outbox/words.js";

// The white margin around a code, in modules.
const QUIET = 4;

function drawCode(text, label) {
  const code = window.qrcode(0, "L");
  code.addData(text, "Byte");
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1)
      if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
  }
  const square = size + 2 * QUIET;
  return html`<div class="qr" role="img" aria-label=${label}><svg viewBox="0 0 ${square} ${square}"><path d=${path}></path></svg></div>`;
}

function drawCodes(parts, address) {
  const place = element(html`<div class="codes"></div>`);
  const show = (at) => {
    const words = parts.length > 1 ? `Code ${at + 1} of ${parts.length}` : "One code";
    const next = () => show((at + 1) % parts.length);
    render(
      html`<div class="code-place">${drawCode(`${address}#${parts[at]}`, words)}</div>
        <div class="actions code-turn"><p class="code-number" role="status">${words}</p>${parts.length > 1 ? mainButton("Next code", next) : nothing}</div>`,
      place,
    );
  };
  show(0);
  return place;
}

async function copy(area, status) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    status.textContent = "Copied.";
  } catch {
    // On plain http there is no such clipboard.
    status.textContent = document.execCommand("copy") ? "Copied." : "Copy the selected text yourself.";
  }
}

function saveFile(text, session) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href, download: `clubscore-table-${session}.txt` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

function drawText(parts, session, isOpen) {
  const text = parts.join("\n");
  const share = () => navigator.share({ title: "Clubscore", text }).catch(() => null);
  const copyShown = ({ target }) =>
    copy(target.closest("details").querySelector("textarea"), target.closest("details").querySelector("[role=status]"));
  return html`<details class="code-text" ?open=${isOpen}><summary>Show as text</summary>
    <label for="code-text-${session}">Text for a message or a file</label>
    <textarea readonly rows="4" id="code-text-${session}" spellcheck="false" .value=${text}></textarea>
    <p class="hint" role="status"></p>
    <div class="actions">${button("Copy text", copyShown)}${"share" in navigator ? button("Share text", share) : nothing}
    ${button("Save as a file", () => saveFile(text, session))}</div></details>`;
}

async function drawTable(items) {
  const [first] = items;
  const session = first.session;
  const device = first.device || (await ownDevice());
  const parts = await partsOf({ club: first.club, session, device, commands: items.map(messageOf) });
  const number = items.length === 1 ? "1 entry not sent yet" : `${items.length} entries not sent yet`;
  const words = isGame(session) ? first.words : `This table has ${number}.`;
  // If the library that draws codes could not be fetched, the text does the same.
  const codes = window.qrcode
    ? drawCodes(parts, new URL(first.pages.take_in, location.href).href)
    : message("This tablet cannot show the code just now. Send the text instead.", "warning");
  return html`<section class="code-table" data-session=${session}><p>${words}</p>${codes}${drawText(parts, session, !window.qrcode)}</section>`;
}

const UNSENT = [
  "Show unsent hands as a code",
  "Scan this with a phone that is signed in to Clubscore and online. Or send the text. Each hand is saved only once, even if this tablet sends it later too.",
  "Is there no Wi-Fi at all? A tablet that was made ready for this table can scan it, and go on with the table.",
];
const GAME = [
  "Go on with this game on another tablet",
  "Scan this with the camera of the other tablet, and open the page that it finds. Or send the text.",
  "Go on there from then on. The game stays on this tablet as it is now.",
];

/** @param {string[]} words its title, and what it says before and after the code */
function makeDialog(words) {
  const [title, what, after] = words;
  const dialog = element(
    html`<dialog class="code-dialog" id="code-dialog" aria-labelledby="code-title"><h2 id="code-title" tabindex="-1" autofocus>${title}</h2>
      <p>${what}</p><div id="code-tables"></div><p>${after}</p>
      <div class="actions actions-end">${button("Close", () => dialog.close())}</div></dialog>`,
  );
  document.body.append(dialog);
  return dialog;
}

/** A game that no club has, as the commands that make it anew. */
async function ofGame(session) {
  const { state, opened, body, commands } = await table(session);
  const { place } = await tableNow();
  const words = `Game of ${state.date}: ${Object.values(place.names || state.names).join(", ")}`;
  const start = {
    key: session.replace("game-", ""),
    kind: "start",
    body,
    after: null,
    seats: {},
    why: "",
    made_at: opened,
    words,
  };
  return [start, ...commands].map((one) => ({ ...one, ...placeOf(state) }));
}

async function unsentByTable() {
  const kept = await all();
  const unsent = kept.filter((one) => one.state === "waiting" || (one.state === "attention" && !one.isKept));
  // What was set aside goes last: refused there, it would hold back what comes after it.
  const bySession = new Map();
  for (const one of [...unsent, ...kept.filter((other) => other.state === "aside")])
    bySession.set(one.session, [...(bySession.get(one.session) || []), one]);
  return [...bySession.values()];
}

async function show() {
  const session = pageState()?.session;
  const dialog = byId("code-dialog") || makeDialog(isGame(session) ? GAME : UNSENT);
  const items = isGame(session) ? [await ofGame(session)] : await unsentByTable();
  const tables = await Promise.all(items.map(drawTable));
  const empty = html`<p class="empty">${storageWords() || NOTHING_TO_SEND}</p>`;
  byId("code-tables").replaceChildren(fragment(tables.length ? tables : empty));
  byId("saved-list")?.close();
  if (!dialog.open) dialog.showModal();
}

byId("as-code-place")?.append(fragment(button("Show as a code", show)));
// Each view has a list of its own; its button is seen from now on.
document.documentElement.dataset.codes = "";
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-as-code]")) show();
});
