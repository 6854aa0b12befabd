// Forms of the table that are kept on the tablet first: <form data-outbox="undo">. A form that cannot be read here is sent
// to the server as it is.
import { WINDS } from "../winds.js";
import { isGame, kindOf, newKey, placeOf, kindWords } from "./commands.js";
import { pageState, tableNow } from "./state.js";
import { handWords } from "./words.js";

const text = (form, name) => form.elements[name]?.value || "";
const option = (form, name) => form.elements[name]?.selectedOptions?.[0]?.textContent.trim() || "";
const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value || "";

// Each returns kind, body and words of the command, or null if the server has to look at the form.
const READERS = {
  // It names what it undoes, so that it does not undo what someone else has entered since.
  undo: (_form, { undoes, undoWords }) => ({
    kind: "undo",
    body: undoes === undefined ? {} : { of: undoes },
    words: stepWords("undo", undoWords),
  }),
  redo: (_form, { redoWords }) => ({ kind: "redo", body: {}, words: stepWords("redo", redoWords) }),
  nobody: (_form, place) => ({
    kind: "hand",
    body: { hands: {}, mahjong: null, penalties: [] },
    words: handWords(place.number, {}, place.names, false),
  }),
  choose: (form) => ({
    kind: "choose",
    body: {
      keep: text(form, "keep") || null,
      drop: [...form.querySelectorAll('[name="drop"]')].map((one) => one.value),
    },
  }),
  seating: (form, place) => seating(form, place, (body, words) => ({ kind: "seating", body, words })),
  "hand-seating": (form, place) =>
    seating(form, place, (body, words) => ({
      kind: "insert",
      body: { before: form.dataset.before, kind: "seating", body },
      words: `${form.dataset.words}: ${words}`,
    })),
  exchange,
  arrive,
  leave,
  "change-player": changePlayer,
};

function stepWords(kind, step) {
  const words = step || "last change";
  return kindWords(kind, { step: words[0].toUpperCase() + words.slice(1) });
}

function seating(form, place, made) {
  const fields = WINDS.map((wind) => [wind, text(form, `seating-${wind}`)]).filter(([, seat]) => seat);
  const winds = Object.fromEntries(fields);
  const present = JSON.parse(form.dataset.present);
  const out = present.filter((seat) => !Object.values(winds).includes(seat));
  const isWhole =
    winds.E && new Set(Object.values(winds)).size === fields.length && fields.length >= Math.min(present.length, 4);
  return isWhole
    ? made(
        { winds, out },
        `Seats corrected: ${fields.map(([wind, seat]) => `${place.names[seat]} ${wind}`).join(", ")}`,
      )
    : null;
}

function exchange(form, place) {
  const [a, b] = [text(form, "exchange-a"), text(form, "exchange-b")];
  if (!a || !b || a === b) return null;
  const entry = text(form, "entry");
  return {
    kind: "exchange",
    body: { a, b, ...(entry && { entry }) },
    words: kindWords("exchange", { pair: `${place.names[a]} and ${place.names[b]}` }),
  };
}

// Asks once about someone who still plays at another table, on this page, so that it works without the network.
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

// In a game everyone is known by name alone; the numbers are its own.
function arriveAtGame(named, { players }) {
  const player = Math.min(0, ...Object.values(players)) - 1;
  return named && { kind: "arrive", body: { player }, named, words: kindWords("arrive", { seat: named }) };
}

// Only the server can add someone whom the club does not know yet.
function arrive(form, place) {
  const player = text(form, "player");
  if (!player && isGame(pageState().session)) return arriveAtGame(text(form, "name"), place);
  if (!/^\d+$/.test(player) || text(form, "name")) return null;
  const named = option(form, "player");
  return { kind: "arrive", body: { player: Number(player) }, named, words: kindWords("arrive", { seat: named }) };
}

function leave(form, place) {
  const seat = chosen(form, "seat");
  return seat ? { kind: "leave", body: { seat }, words: kindWords("leave", { seat: place.names[seat] }) } : null;
}

function changePlayer(form) {
  const [seat, player] = [text(form, "player-seat"), text(form, "player-player")];
  if (!seat || !/^\d+$/.test(player)) return null;
  return {
    kind: "change_player",
    body: { seat, player: Number(player) },
    named: option(form, "player-player"),
    words: `It was ${option(form, "player-player")}, not ${option(form, "player-seat")}`,
  };
}

// A previewed change has its body and words from the server. The page asks who agreed, and whether later hands keep their
// seats, by the button pressed or by a box.
function previewed(form, submitter) {
  const { outbox: kind, body: json, words } = form.dataset;
  const { keep_seats: _, ...body } = JSON.parse(json);
  if (submitter?.name === "agreed") body.body.agreed = submitter.value;
  const keepsSeats =
    submitter?.name === "keep_seats"
      ? submitter.value
      : form.querySelector("[type=checkbox][name=keep_seats]")?.checked;
  return { kind, body: keepsSeats ? { ...body, keep_seats: true } : body, words };
}

// Returns the command of a form, as it is kept; null if the form cannot be read here.
export function commandOf(form, place, state, submitter) {
  const kind = form.dataset.outbox;
  const read = READERS[kind] || (() => ({ kind, body: {} }));
  const found = form.dataset.body ? previewed(form, submitter) : read(form, place);
  return found && command(form, found, place, state);
}

// Returns the command of a form whose change the server usually previews: to remove or restore an entry.
export function unseenCommandOf(form, place, state) {
  const { entry } = form.dataset;
  const kind = text(form, "kind");
  const version = Number(text(form, "version"));
  const body = { entry, ...(version && { version }) };
  return entry && kindOf({ kind }).changes_entry ? command(form, { kind, body }, place, state) : null;
}

function command(form, found, { after, seats }, state) {
  return {
    words: kindOf(found).saved_as,
    ...found,
    key: newKey(),
    ...placeOf(state),
    after,
    seats,
    why: text(form, "why"),
  };
}

// What the server's own forms carry, as the table stands now: a form that cannot be read here is sent with it.
export function renewForms({ after, seats }) {
  const fields = { key: newKey(), after: after ?? "", seats: JSON.stringify(seats) };
  for (const form of document.forms)
    for (const [name, value] of Object.entries(fields)) if (form.elements[name]) form.elements[name].value = value;
}

// The forms of a table that was started here without the network: one choice stands for any player in a page that is kept
// for all such tables.

const ANYONE = "{seat}";

// Puts the players of this table into its forms.
export async function fillPlayers() {
  let { place, state } = await tableNow();
  // The rules, which are still being loaded, say who sits where.
  if (await place.later) ({ place, state } = await tableNow());
  const names = place.names || state.names;
  const playing = Object.values(place.seats || {});
  const present = place.isKnown ? [...playing, ...place.out] : Object.keys(state.names);
  for (const choice of document.querySelectorAll("option, label.choice")) {
    if (choice.textContent.trim() !== ANYONE) continue;
    choice.replaceWith(
      ...[...present].sort((one, other) => one - other).map((seat) => choiceOf(choice, seat, names[seat])),
    );
  }
  // Players who sit here already do not arrive. Only the club can add someone new, and it has no table that was started here.
  const seated = new Set(Object.values(place.players || state.players).map(String));
  if (typeof state.session === "string") seated.add("new");
  for (const option of document.querySelectorAll("[name=player] > option, [name=player-player] > option")) {
    if (seated.has(option.value)) option.remove();
  }
  for (const form of document.querySelectorAll("[data-outbox=seating]:has(select)")) {
    form.dataset.present = JSON.stringify(present);
    for (const [wind, seat] of Object.entries(place.seats || {})) form.elements[`seating-${wind}`].value = seat;
  }
}

function choiceOf(anyone, seat, name) {
  const choice = anyone.cloneNode(true);
  choice.lastChild.textContent = ` ${name}`;
  const input = choice.querySelector("input");
  if (input) choice.setAttribute("for", `${input.id}-${seat}`);
  if (input) input.id = `${input.id}-${seat}`;
  Object.assign(input || choice, { value: seat });
  return choice;
}
