// An escape where no Wi-Fi ever comes: what waits on this tablet as QR codes and as text, to be imported at the desk.
import { partsOf } from "./as_code/format.js";
import { clubOf, pagesOf } from "./outbox/addresses.js";
import { button, h } from "./outbox/dom.js";
import { all } from "./outbox/store.js";
import { NOTHING_TO_SEND } from "./outbox/words.js";
// Comes along, as no page waits for it either.
import "./read_aloud.js";

const SVG = "http://www.w3.org/2000/svg";
const QUIET = 4;
const byId = (id) => document.getElementById(id);

// The commands of one table as the desk reads them: in order, without what is this tablet's own affair.
function messageOf(items) {
  return {
    club: clubOf(items[0]),
    session: items[0].session,
    device: items[0].device,
    commands: items.map(({ key, kind, body, after, seats, why, made_at, words, named }) => ({ key, kind, body, after, seats, why, made_at, words, named })),
  };
}

function drawn(text, label) {
  const code = window.qrcode(0, "L");
  code.addData(text, "Byte");
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
  }
  const svg = document.createElementNS(SVG, "svg");
  const square = size + 2 * QUIET;
  svg.setAttribute("viewBox", `0 0 ${square} ${square}`);
  const dark = document.createElementNS(SVG, "path");
  dark.setAttribute("d", path);
  svg.append(dark);
  const frame = h("div", { class: "qr", role: "img", "aria-label": label });
  frame.append(svg);
  return frame;
}

function codes(parts, address) {
  let at = 0;
  const place = h("div", { class: "code-place" });
  const status = h("p", { class: "code-number", role: "status" });
  const turn = (by) => { at = (at + by + parts.length) % parts.length; draw(); };
  const draw = () => {
    const words = parts.length > 1 ? `Code ${at + 1} of ${parts.length}` : "One code";
    place.replaceChildren(drawn(`${address}#${parts[at]}`, words));
    status.textContent = words;
  };
  draw();
  const turning = parts.length > 1 ? h("div", { class: "actions" }, button("Previous code", () => turn(-1)), button("Next code", () => turn(1), "button-main")) : null;
  return h("div", { class: "codes" }, place, status, turning);
}

async function copy(area, status) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    status.textContent = "Copied.";
  } catch {
    // Plain http in a hall has no clipboard of this kind.
    status.textContent = document.execCommand("copy") ? "Copied." : "Copy the selected text yourself.";
  }
}

function saveFile(text, session) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = h("a", { href: address, download: `clubscore-table-${session}.txt` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

function textOf(parts, session, isOpen) {
  const text = parts.join("\n");
  const area = h("textarea", { readonly: "", rows: "4", id: `code-text-${session}`, spellcheck: "false" });
  area.value = text;
  const status = h("p", { class: "hint", role: "status" });
  const share = navigator.share ? button("Share text", () => navigator.share({ title: "Clubscore", text }).catch(() => null)) : null;
  return h("details", { class: "code-text", ...(isOpen ? { open: "" } : {}) }, h("summary", {}, "Show as text"),
    h("label", { for: area.id }, "Text for a message or a file"), area, status,
    h("div", { class: "actions" }, button("Copy text", () => copy(area, status)), share, button("Save as a file", () => saveFile(text, session))));
}

async function section(items) {
  const message = messageOf(items);
  const parts = await partsOf(message);
  const number = items.length === 1 ? "1 entry not sent yet" : `${items.length} entries not sent yet`;
  // Without what draws codes the text does the same.
  const drawing = window.qrcode ? codes(parts, new URL(pagesOf(items[0]).take_in, location.href).href) : h("p", { class: "message warning" }, "This tablet cannot show the code just now. Send the text instead.");
  return h("section", { class: "code-table", "data-session": String(message.session) },
    h("p", {}, `This table has ${number}.`), drawing, textOf(parts, message.session, !window.qrcode));
}

function dialog() {
  const box = h("dialog", { class: "code-dialog", id: "code-dialog", "aria-labelledby": "code-title" },
    h("h2", { id: "code-title" }, "Show unsent hands as a code"),
    h("p", {}, "Scan this with a phone that is signed in to Clubscore and online. Or send the text. Each hand is saved only once, even if this tablet sends it later too."),
    h("p", {}, "Is there no Wi-Fi at all? A tablet that was made ready for this table can scan it, and go on with the table."),
    h("div", { id: "code-tables" }),
    h("div", { class: "actions actions-end" }, button("Close", () => box.close(), "button-main")));
  document.body.append(box);
  return box;
}

async function show() {
  const kept = (await all()).filter((one) => one.state === "waiting" || (one.state === "attention" && !one.isKept));
  // What was put aside goes last: refused there, it would hold back what comes after it.
  const items = [...kept, ...(await all()).filter((one) => one.state === "aside")];
  const bySession = grouped(items);
  const box = byId("code-dialog") || dialog();
  const sections = await Promise.all([...bySession.values()].map(section));
  byId("code-tables").replaceChildren(...(sections.length ? sections : [h("p", { class: "empty" }, NOTHING_TO_SEND)]));
  byId("saved-list")?.close();
  if (!box.open) box.showModal();
}

function grouped(items) {
  const found = new Map();
  for (const one of items) found.set(one.session, [...(found.get(one.session) || []), one]);
  return found;
}

function start() {
  const open = button("Show as a code", show);
  byId("as-code-place")?.append(open);
  byId("saved-close")?.before(open);
}

start();
