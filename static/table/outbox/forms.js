// Forms of the table that are kept on the tablet first: <form data-outbox="undo">. Where a form cannot be read here, or
// this tablet cannot keep anything, the plain form is sent as it stands.
import { placeOf } from "./addresses.js";
import { newKey } from "./keys.js";
import { filled, kindOf } from "./kinds.js";
import { handWords } from "./words.js";

const WINDS = ["E", "S", "W", "N"];
const wordsOf = (kind, slots) => filled(kindOf({ kind }).saved_as || "", slots);

const text = (form, name) => form.elements[name]?.value || "";
const option = (form, name) => form.elements[name]?.selectedOptions?.[0]?.textContent.trim() || "";
const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value || "";

// Each gives kind, body and words of the command, or nothing where the server has to look at the form.
const READERS = {
  // What it is to take back: nobody else's, entered since.
  undo: (_form, { undoes }) => ({ kind: "undo", body: undoes === undefined ? {} : { of: undoes } }),
  nobody: (_form, place) => ({ kind: "hand", body: { hands: {}, mahjong: null, penalties: [] }, words: handWords(place.number, {}, place.names, false) }),
  choose: (form) => ({ kind: "choose", body: { keep: text(form, "keep") || null, drop: [...form.querySelectorAll('[name="drop"]')].map((one) => one.value) } }),
  seating: (form, place) => seating(form, place, (body, words) => ({ kind: "seating", body, words })),
  "hand-seating": (form, place) => seating(form, place, (body, words) => ({ kind: "insert", body: { before: form.dataset.before, kind: "seating", body }, words: `${form.dataset.words}: ${words}` })),
  exchange,
  arrive,
  leave,
  "change-player": changePlayer,
  penalty,
};

function seating(form, place, made) {
  const fields = WINDS.map((wind) => [wind, text(form, `seating-${wind}`)]).filter(([, seat]) => seat);
  const winds = Object.fromEntries(fields);
  const present = JSON.parse(form.dataset.present);
  const out = present.filter((seat) => !Object.values(winds).includes(seat));
  const isWhole = winds.E && new Set(Object.values(winds)).size === fields.length && fields.length >= Math.min(present.length, 4);
  return isWhole ? made({ winds, out }, `Seats corrected: ${fields.map(([wind, seat]) => `${place.names[seat]} ${wind}`).join(", ")}`) : null;
}

function exchange(form, place) {
  const [a, b] = [text(form, "exchange-a"), text(form, "exchange-b")];
  if (!a || !b || a === b) return null;
  const entry = text(form, "entry");
  return { kind: "exchange", body: { a, b, ...(entry ? { entry } : {}) }, words: wordsOf("exchange", { pair: `${place.names[a]} and ${place.names[b]}` }) };
}

// Someone who still plays at another table is asked about once, on this page, so that it works without the network.
export function asksFirst(form) {
  const question = form.elements.player?.selectedOptions?.[0]?.dataset.question;
  const asked = form.querySelector("#plays-twice");
  if (!question || !asked) return false;
  const player = form.elements.player.value;
  if (asked.dataset.player === player && form.elements.plays_twice.checked) return false;
  asked.dataset.player = player;
  asked.querySelector("p").textContent = question;
  form.elements.plays_twice.checked = false;
  asked.hidden = false;
  form.elements.plays_twice.focus();
  return true;
}

// Someone whom the club does not know yet has to be written down by the server.
function arrive(form) {
  const player = text(form, "player");
  if (!/^\d+$/.test(player) || text(form, "name")) return null;
  const named = option(form, "player");
  return { kind: "arrive", body: { player: Number(player) }, named, words: wordsOf("arrive", { seat: named }) };
}

function leave(form, place) {
  const seat = chosen(form, "seat");
  return seat ? { kind: "leave", body: { seat }, words: wordsOf("leave", { seat: place.names[seat] }) } : null;
}

function changePlayer(form) {
  const [seat, player] = [text(form, "player-seat"), text(form, "player-player")];
  if (!seat || !/^\d+$/.test(player)) return null;
  return { kind: "change_player", body: { seat, player: Number(player) }, named: option(form, "player-player"), words: `It was ${option(form, "player-player")}, not ${option(form, "player-seat")}` };
}

function penalty(form, place) {
  const foul = JSON.parse(document.getElementById("fouls").textContent)[chosen(form, "kind")];
  const by = chosen(form, "by");
  if (!foul || !by) return null;
  return foul.is_fine ? fine(form, place, foul, by) : falseMahjong(place, foul, by);
}

function fine(form, place, foul, by) {
  const amount = Number(text(form, "amount"));
  const asked = text(form, "to");
  const to = foul.to === "nobody" || asked === "nobody" ? null : asked || null;
  if (!Number.isInteger(amount) || amount < 1 || amount > 1000000 || to === by || (foul.to === "one" && !to)) return null;
  const why = text(form, "why") || foul.why;
  return { kind: "fine", body: { by, to, amount, why }, words: wordsOf("fine", { by: place.names[by], amount: amount.toLocaleString("en-GB"), to: to ? ` to ${place.names[to]}` : "" }) };
}

function falseMahjong(place, foul, by) {
  const seated = Object.values(place.seats);
  if (!seated.includes(by)) return null;
  const hands = Object.fromEntries(seated.map((seat) => [seat, {}]));
  return { kind: "hand", body: { hands, mahjong: null, penalties: [{ kind: foul.kind, by }] }, words: `Hand ${place.number}: False Mah-jong by ${place.names[by]}, to be played again` };
}

// Body and words as the server wrote them into the form, for what was looked at on a page of its own.
function written(form) {
  return form.dataset.body ? { kind: form.dataset.outbox, body: JSON.parse(form.dataset.body), words: form.dataset.words } : null;
}

// The command that a form of a table stands for, as it is kept.
export function commandOf(form, place, state) {
  const kind = form.dataset.outbox;
  const reader = READERS[kind];
  const read = written(form) || (reader ? reader(form, place) : { kind, body: {} });
  return read ? made(form, read, place, state) : null;
}

// What is looked at first while the server is heard, and kept without a look otherwise: a line taken out or put back.
export function unseenCommandOf(form, place, state) {
  const { entry } = form.dataset;
  const kind = text(form, "kind");
  const version = Number(text(form, "version"));
  const body = { entry, ...(version ? { version } : {}) };
  return entry && kindOf({ kind }).changes_entry ? made(form, { kind, body }, place, state) : null;
}

function made(form, read, place, state) {
  return {
    words: kindOf(read).saved_as,
    ...read,
    key: newKey(),
    ...placeOf(state),
    after: place.after,
    seats: place.seats,
    why: text(form, "why"),
  };
}
