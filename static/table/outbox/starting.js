// Starts a table on this tablet: from what is kept of its club, with a command for the club.
import { h } from "../../web/dom.js";
import { WIND_NAMES } from "../winds.js";
import { filled, kindOf, newKey, placeOf } from "./commands.js";
import { addGame, addStart, all, device, keptPages, tables } from "./store.js";

/** Where people sit, in the order of the form’s seats. */
export const PLACES = [...WIND_NAMES, "Sits out first"];

const [A_DAY, A_YEAR] = [86400000, 366];
const daysWords = (date) => new Date(`${date}T12:00`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** Today as a date field has it. */
export function todayWritten() {
  const today = new Date();
  return [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** How far a day is from today, as the server says it too. */
function distanceWords(days) {
  const far = Math.abs(days);
  const [number, unit] = far < A_YEAR ? [far, "day"] : [Math.round(far / 365.25), "year"];
  return `${number} ${unit}${number === 1 ? "" : "s"} ${days > 0 ? "ahead" : "ago"}`;
}

/** What is wrong with the date in a field, or ""; a date far from today is asked about, with a box under the field. */
export function dateProblem(input, sentences) {
  const { value, min, max, dataset } = input;
  const [year, first, last] = [value, min, max].map((date) => Number.parseInt(date, 10));
  if (!value) return sentences.no_date;
  if (year < 1000) return sentences.four_digits;
  if (year < first || year > last) return sentences.wrong_year;
  const days = Math.round((Date.parse(value) - Date.parse(todayWritten())) / A_DAY);
  const asked = input.parentElement.querySelector("[type=checkbox]");
  if (asked?.checked && asked.value === value) return "";
  asked?.closest("label").remove();
  if (-dataset.before <= days && days <= dataset.after) return "";
  const [name, day] = [`${input.name}_is_right`, daysWords(value)];
  const box = h("input", { type: "checkbox", name, value, id: `id_${name}` });
  input.after(h("label", { class: "choice", for: box.id }, box, ` ${filled(sentences.is_right, { day })}`));
  return filled(sentences.far, { distance: distanceWords(days), day });
}

const isMember = (player) => /^\d+$/.test(player);

/** Who is missing or sits down twice, or "". */
export function seatingProblem(players, sentences) {
  const places = players.map(({ place }) => place);
  const missing = PLACES.find((place, at) => !places.includes(place) && (at < 3 || (at === 3 && players.length > 3)));
  if (missing) return filled(sentences.no_player, { place: missing });
  const unnamed = players.find(({ player, name }) => !isMember(player) && !name);
  if (unnamed) return filled(sentences.no_name, unnamed);
  const people = players.map(({ player, name }) => (isMember(player) ? player : name.toLowerCase()));
  const twice = players.find((_, at) => people.indexOf(people[at]) < at);
  return twice ? filled(sentences.seated_twice, twice) : "";
}

/** What is wrong with the rules for so many players, or with what each begins with, or "". */
export function balanceProblem({ seatings, settles }, number, value, sentences) {
  if (!seatings[number]) return sentences.players;
  const dealt = settles && value("sticks") ? seatings[number].balances[value("sticks")] : null;
  const typed = value("starting_balance");
  if (typed && !/^\d{1,6}$/.test(typed)) return sentences.balance;
  if (dealt !== null && typed && Number(typed) !== dealt) return filled(sentences.sticks, { worth: dealt.toLocaleString("en-GB") });
  return "";
}

/** The first number from this one on that no open table started here has on that day. */
export async function freeTable(date, number) {
  const here = (await tables()).filter(({ state, started }) => !started && state.open && state.date === daysWords(date));
  const taken = new Set(here.map(({ state }) => state.table));
  let free = number;
  while (taken.has(free)) free += 1;
  return free;
}

/** Who sits at which table of that day, as far as this tablet knows: the numbers of players and of tables. */
export async function playersAtTables(date) {
  const finished = (await all()).filter((one) => kindOf(one).finishes).map(({ session }) => session);
  const inPlay = ({ state, started }) => !started && state.open && state.chairs && state.date === daysWords(date) && !finished.includes(state.session);
  const seated = new Map();
  for (const { state } of (await tables()).filter(inPlay)) {
    for (const seat of [...state.chairs.winds, ...state.chairs.out]) if (seat) seated.set(String(state.players[seat]), state.table);
  }
  return seated;
}

/** What is kept of a club, the newest where an earlier version keeps it too; null where it is neither kept nor fetched. */
export async function keptOfClub(address) {
  const answer = (await keptPages(address)).pop() || (await fetch(address).catch(() => null));
  return answer?.ok ? answer.json().catch(() => null) : null;
}

/** How a table starts by these rules, or by the club's usual ones; null where that is not known here. */
export async function readStart(address, rules = "") {
  const kept = await keptOfClub(address);
  const start = kept?.start[rules || kept.usual];
  return start ? { ...start, names: kept.names } : null;
}

/** The state of a table, as if the server had started it. */
function stateOf(start, session, body, players) {
  const { chairs, balances } = start.seatings[players.length];
  const balance = Number(body.starting_balance || balances[body.sticks || ""]);
  const bySeat = (make) => Object.fromEntries(players.map((one, at) => [String(at + 1), make(one, at)]));
  const name = ({ player, name: typed, place }) => start.names[player] || typed || place;
  const own = ([page, address]) => [page, ["commands", "state", "take_in"].includes(page) ? address : `${address}?new=${session}`];
  const isGame = !start.state.urls.commands;
  return {
    ...start.state,
    session: `${isGame ? "game" : "new"}-${session}`,
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

/** The address of what a game is played with: where it has house rules of its own, of these. */
export const keptOfGame = (address, { rules, house }) => (house ? `${address}?${new URLSearchParams({ rules, house })}` : address);

/** Keeps a game that no club has, and returns the address of its table. */
export async function keepGame(start, body, players) {
  const key = newKey();
  const own = { ...body, basis: start.basis, began: new Date().toISOString() };
  await addGame({ ...tableOf(start, key, own, players), body: own, commands: [] });
  return `${start.state.urls.table}?new=${key}`;
}

/** Keeps a table with the command that starts it, and returns its state. `body` are the form's fields, `players` in seat order. */
export async function keepStart(start, body, players) {
  const key = newKey();
  const table = tableOf(start, key, body, players);
  const { state, opened: made_at } = table;
  const words = `Table ${state.table}: ${Object.values(state.names).join(", ")}`;
  const command = { key, kind: "start", body: { ...body, basis: start.basis }, after: null, seats: {}, why: "", made_at, device: await device(), words };
  await addStart({ ...command, ...placeOf(state) }, table);
  return state;
}
