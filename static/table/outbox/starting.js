// What it takes to start a table on this tablet: what the server has put for it into a kept page, and the command.
import { placeOf } from "./addresses.js";
import { newKey } from "./keys.js";
import { addStart, device, tables } from "./store.js";

/** Where people sit, in the order of the form’s seats. */
export const PLACES = ["East", "South", "West", "North", "Sits out first"];

const daysWords = (date) => new Date(`${date}T12:00`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** Today as a date field has it. */
export function todayWritten() {
  const today = new Date();
  return [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The first number from this one on that no open table started here has on that day. */
export async function freeTable(date, number) {
  const here = (await tables()).filter(({ state, started }) => !started && state.open && state.date === daysWords(date));
  const taken = new Set(here.map(({ state }) => state.table));
  let free = number;
  while (taken.has(free)) free += 1;
  return free;
}

/** The page that is kept for a new table; the newest, where one of an earlier version is kept too. */
async function keptPage(address) {
  const names = "caches" in window ? await caches.keys() : [];
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).match(address, { ignoreVary: true })));
  return kept.filter(Boolean).pop();
}

/** What the server has put for this into that page; null where there is none, nor a network to ask for it. */
async function readPage(address) {
  const answer = (await keptPage(address)) || (await fetch(address).catch(() => null));
  const page = answer ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  const [start, engine] = ["new-table-data", "engine-data"].map((id) => JSON.parse(page?.getElementById(id)?.textContent || "null"));
  return start && { ...start, table: engine.table };
}

/** The same for a table by these rules: those of the page itself, where it has no other page for them. */
export async function readKept(address, rules = "") {
  const usual = await readPage(address);
  const other = usual?.pages?.[rules];
  return other ? readPage(other) : usual;
}

/** The table as the server would say it stands, had it started it. */
function stateOf(start, session, body, players) {
  const { chairs, balances } = start.seatings[players.length];
  const balance = Number(body.starting_balance || balances[body.sticks || ""]);
  const bySeat = (make) => Object.fromEntries(players.map((one, at) => [String(at + 1), make(one, at)]));
  const name = ({ player, name: typed, place }) => start.names[player] || typed || place;
  const own = ([page, address]) => [page, ["commands", "state", "take_in"].includes(page) ? address : `${address}?new=${session}`];
  return {
    ...start.state,
    session: `new-${session}`,
    version: 1,
    open: true,
    table: Number(body.table),
    date: daysWords(body.date),
    recent: [],
    last: null,
    number: 1,
    names: bySeat(name),
    // New players have no number yet.
    players: bySeat(({ player }, at) => (start.names[player] ? Number(player) : -at - 1)),
    balances: bySeat(() => balance),
    chairs,
    undo: [null],
    waiting: [],
    urls: Object.fromEntries(Object.entries(start.state.urls).map(own)),
    ledger: { starting_balance: balance, start: players.map((_, at) => at + 1), entries: [], changes: [], undone: [] },
  };
}

/** Who sits down, in seat order: { place, player, name }; `value` gives a field of the form. */
export function playersOf(value) {
  const rows = PLACES.map((place, at) => ({ place, player: value(`player_${at + 1}`), name: value(`name_${at + 1}`) }));
  return rows.filter(({ player, name }) => player || name);
}

/** A table as it is kept here. `key` and `body` are those of the command that starts it, `players` are in seat order. */
export function tableOf(start, key, body, players) {
  const state = stateOf(start, key, body, players);
  const { rules, house_rules: house, club_hands, words, settling: usual } = start.table;
  const settling = { ...usual, session: key, table: state.table, practice: Boolean(body.practice), sticks: start.settles ? body.sticks : "", rate: body.practice ? null : usual.rate };
  const house_rules = start.settles && body.round_payments ? { ...house, round_payments_to: 10 } : house;
  return { session: state.session, state, opened: new Date().toISOString(), rules: { rules, house_rules, club_hands, words, settling } };
}

/** Keeps a table with the command that starts it; gives how it stands. `body` are the form's fields, `players` in seat order. */
export async function keepStart(start, body, players) {
  const key = newKey();
  const table = tableOf(start, key, body, players);
  const { state } = table;
  const command = { key, kind: "start", body: { ...body, basis: start.basis }, after: null, seats: {}, why: "", made_at: table.opened, device: await device(), words: `Table ${state.table}: ${Object.values(state.names).join(", ")}` };
  await addStart({ ...command, ...placeOf(state) }, table);
  return state;
}
