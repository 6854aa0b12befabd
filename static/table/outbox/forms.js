// Forms of the table that are kept on the tablet first: <form data-outbox="leave">, whose fields are named as the keys of the
// body of that kind of command. A form that is not complete here is sent to the server as it is.
import { WINDS } from "../winds.js";
import { filled, isGame, kindOf, newKey, placeOf } from "./commands.js";
import { pageState, tableNow } from "./state.js";
import { handWords } from "./words.js";

const text = (form, name) => form.elements[name]?.value || "";

// Returns the fields of a form as the body of a command; `under` begins the names of the fields of a body within it.
function bodyOf(form, kind, under = "") {
  const data = new FormData(form);
  const body = {};
  for (const [key, value] of Object.entries(kindOf({ kind }).body || {})) {
    const name = under + key;
    const typed = String(data.get(name) ?? "");
    if (value === "ENTRIES") body[key] = data.getAll(name);
    else if (value === "ENTRY_BODY") body[key] = bodyOf(form, body.kind, `${name}-`);
    else if (value === "SEATS_BY_WIND") Object.assign(body, seatingOf(form, data, name));
    else if (typed) body[key] = ["PLAYER", "FIGURE"].includes(value) && /^\d+$/.test(typed) ? Number(typed) : typed;
  }
  return body;
}

// Who has no wind sits out.
function seatingOf(form, data, name) {
  const fields = WINDS.map((wind) => [wind, data.get(`${name}-${wind}`)]).filter(([, seat]) => seat);
  const winds = Object.fromEntries(fields);
  return { winds, out: JSON.parse(form.dataset.present).filter((seat) => !Object.values(winds).includes(seat)) };
}

// A previewed change has its body and words from the server. The page asks who agreed, and whether later hands keep their
// seats, by the button pressed or by a box.
function previewed(form, submitter) {
  const { keep_seats: _, ...body } = JSON.parse(form.dataset.body);
  if (submitter?.name === "agreed") body.body.agreed = submitter.value;
  const keepsSeats =
    submitter?.name === "keep_seats"
      ? submitter.value
      : form.querySelector("[type=checkbox][name=keep_seats]")?.checked;
  return keepsSeats ? { ...body, keep_seats: true } : body;
}

// The name of the player that a command adds. In a game everyone is known by name alone; the numbers are its own. Elsewhere
// only the server can add someone whom the club does not know yet.
function namedBy(form, body, { players }) {
  const { player } = form.elements;
  if (!player && isGame(pageState().session)) {
    body.player = Math.min(0, ...Object.values(players)) - 1;
    return text(form, "name");
  }
  return typeof body.player === "number" && !text(form, "name") ? player.selectedOptions[0].textContent.trim() : "";
}

function wordsOf(form, kind, body, place, named) {
  const row = kindOf({ kind });
  if (row.is_hand) return form.dataset.words || handWords(place.number, body, place.names, false);
  if (body.kind) return `${form.dataset.words}: ${wordsOf(form, body.kind, body.body, place, named)}`;
  if (form.dataset.words) return form.dataset.words;
  const step = (row.is_undo ? place.undoWords : place.redoWords) || "last change";
  const seat = (number) => place.names[number];
  const shown = {
    SEAT: seat,
    PLAYER: () => named,
    SEATS_BY_WIND: (winds) => WINDS.flatMap((wind) => (winds[wind] ? `${seat(winds[wind])} ${wind}` : [])).join(", "),
  };
  const slots = Object.entries(body).map(([key, said]) => [key, shown[row.body?.[key]]?.(said) ?? said]);
  return filled(row.saved_as || "", { step: step[0].toUpperCase() + step.slice(1), ...Object.fromEntries(slots) });
}

// Returns the command of a form, as it is kept; null if it is not complete here.
export function commandOf(form, place, state, submitter) {
  const kind = form.dataset.outbox;
  const row = kindOf({ kind });
  const body = form.dataset.body ? previewed(form, submitter) : bodyOf(form, kind);
  const named = row.body?.player && namedBy(form, body, place);
  const isMissing = ([key, value]) => ["SEAT", "PLAYER"].includes(value) && key in form.elements && !(key in body);
  if (named === "" || Object.entries(row.body || {}).some(isMissing)) return null;
  // An undo names what it takes back, so that it does not take back what someone else has entered since.
  if (row.is_undo && place.undoes !== undefined) body.of = place.undoes;
  const words = wordsOf(form, kind, body, place, named);
  return command(form, { kind, body, words, ...(named && { named }) }, place, state);
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
  for (const option of document.querySelectorAll("[name=player] > option")) {
    if (seated.has(option.value)) option.remove();
  }
  for (const form of document.querySelectorAll("[data-outbox=seating]:has(select)")) {
    form.dataset.present = JSON.stringify(present);
    for (const [wind, seat] of Object.entries(place.seats || {})) form.elements[`winds-${wind}`].value = seat;
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
