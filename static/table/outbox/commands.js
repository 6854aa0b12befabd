// Commands as the tablet keeps them: their keys, kinds, tables and outcomes.
import { readJson } from "../../web/dom.js";

// What becomes of a command that was sent, as in clubscore/play/outcomes.py.
export const Outcome = Object.freeze({
  RECORDED: "recorded",
  AGAIN: "again",
  CONTESTED: "contested",
  INVALID: "invalid",
  REFUSED: "refused",
});

// Outcomes that only the tablet knows: an undo may undo something else by now, or the server failed too often.
export const OwnOutcome = Object.freeze({ NOT_UNDONE: "doubtful", FAILED: "failed" });

const KINDS = readJson("command-kinds") || {};

// The row of clubscore/play/command_kinds.py; empty if the page does not know the kind.
export const kindOf = ({ kind }) => KINDS[kind] || {};

export const isUndoOrRedo = (command) => Boolean(kindOf(command).is_undo || kindOf(command).is_redo);

// A table that was started on this tablet has a string as its session. Nothing else of it is sent before its start.
export const isStart = ({ kind }) => kind === "start";
export const isUnstarted = ({ session, kind }) => typeof session === "string" && !isStart({ kind });

// A game that no club has: what is done there stays with it on this tablet.
export const isGame = (session) => String(session).startsWith("game-");
// The same on every tablet that has a copy of it.
export const keyOfGame = ({ session, copy_of }) => copy_of || session;

// Fills the {slots} of a template.
export const filled = (template, slots) => template.replace(/\{(\w*)\}/g, (_, slot) => slots[slot] ?? "");
export const kindWords = (kind, slots) => filled(kindOf({ kind }).saved_as || "", slots);

// crypto.randomUUID is missing on plain http.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

// The table of a command, and where it is sent.
export const placeOf = ({ session, slug: club, table, urls }) => ({
  session,
  club,
  table,
  url: urls.commands,
  state_url: urls.state,
  pages: urls,
});

// A command as other tablets and the secretary's import read it, without what concerns this tablet alone.
export const messageOf = ({ key, kind, body, after, seats, why, made_at, words, named }) => ({
  key,
  kind,
  body,
  after,
  seats,
  why,
  made_at,
  words,
  named,
});

// The same once more under a key of its own, at its table.
export function asAnother(command) {
  const { session, club, table, url, state_url, pages, shown } = command;
  return { ...messageOf(command), key: newKey(), session, club, table, url, state_url, pages, shown };
}
