// Starts a table on this tablet: from what is kept of its club, with a command for the club.
import { readStored, writeStored } from "../../web/browser.js";
import { byId, parsed } from "../../web/dom.js";
import { element, fragment, html } from "../../web/html.js";
import { dayWords } from "../day.js";
import { ask } from "../engine/engine.js";
import { flash } from "./flash.js";
import { isGame, kindOf, newKey, placeOf } from "./commands.js";
import { keptPages } from "./kept_pages.js";
import { aboutOf, keepAnswer, tableQuestion } from "./last_answer.js";
import { addGames, addStart, all, device, tables } from "./store.js";

// What hand entry offers by the house rules of the game played last.
const OFFERED = "game-offered";

/**
 * Asks the rules how a table starts with the fields of a form: its problems, what is asked about the day, who sits down and
 * how they begin. Null where the rules do not answer.
 * @returns {Promise<any>}
 */
export const askStart = ({ files, meetings, table }, fields, today, seated = {}, names = {}) =>
  ask(files, { ask: "start", fields, today, meetings, seated, names, house_rules: table.house_rules });

const box = (name, value, words) =>
  element(
    html`<label class="choice" for="id_${name}"><input type="checkbox" name=${name} value=${value} id="id_${name}"> ${words}</label>`,
  );

/** Says at the head of a page why nothing can start. */
export function refuse(words) {
  flash(words, "error");
  byId("messages").scrollIntoView();
}

/** Shows what is wrong or asked, each beside its field with the first in sight; returns whether there is anything. */
export function showProblems(form, { problems, is_right: isRight, meetings }) {
  const { date, date_is_right: right, meeting, plays_twice: twice } = form.elements;
  form.querySelectorAll(".field-error").forEach((shown) => shown.remove());
  if (right && right.value !== date.value) right.closest("label").remove();
  const asked = new Set(problems.map(([name]) => name));
  if (asked.has("date") && isRight) date.after(box("date_is_right", date.value, isRight));
  if (asked.has("plays_twice") && !twice)
    form.querySelector(".places").after(box("plays_twice", "on", "Start this table too"));
  if (asked.has("meeting")) {
    meeting.replaceChildren(
      fragment([["", "— choose —"], ...meetings].map(([value, name]) => html`<option value=${value}>${name}</option>`)),
    );
    byId("which-meeting").hidden = false;
  }
  if (problems.length) refuse(problems[0][1]);
  for (const [name, sentence] of [...problems].reverse()) {
    const named = form.elements[name];
    const field = named?.tagName ? named : named?.[0];
    if (!field) continue;
    if (field.closest("details")) field.closest("details").open = true;
    (field.closest("label") || field).before(element(html`<p class="field-error">${sentence}</p>`));
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  }
  return problems.length > 0;
}

/** The first number from this one on that no open table started here has on that day. */
export async function freeTable(date, number) {
  const here = (await tables()).filter(({ state, started }) => !started && state.open && state.date === dayWords(date));
  const taken = new Set(here.map(({ state }) => state.table));
  let free = number;
  while (taken.has(free)) free += 1;
  return free;
}

/** Who sits at which table of that day, as far as this tablet knows: the numbers of players and of tables. */
export async function playersAtTables(date) {
  const finished = (await all()).filter((one) => kindOf(one).finishes).map(({ session }) => session);
  const inPlay = ({ state, started }) =>
    !started && state.open && state.chairs && state.date === dayWords(date) && !finished.includes(state.session);
  const seated = new Map();
  for (const { state } of (await tables()).filter(inPlay)) {
    for (const seat of [...state.chairs.winds, ...state.chairs.out])
      if (seat) seated.set(String(state.players[seat]), state.table);
  }
  return seated;
}

/** What is kept of a club, the newest where an earlier version keeps it too; null where it is neither kept nor fetched. */
export async function keptOfClub(address) {
  const answer = (await keptPages(address)).pop() || (await fetch(address).catch(() => null));
  return answer?.ok ? answer.text().then(parsed, () => null) : null;
}

const ENTRY = /(<script id="entry-data" type="application\/json">)(.*?)(<\/script>)/;

/** The same start with house rules of a game: what hand entry offers then, the rules on this tablet say; null without an answer. */
export async function withHouse(start, files, rules, houseRules) {
  if (!Object.keys(houseRules).length) return start;
  const asked = JSON.stringify([files.rules, rules, houseRules]);
  const before = readStored(OFFERED);
  const offered =
    before?.asked === asked ? before.offered : await ask(files, { ask: "offered", rules, house_rules: houseRules });
  if (!offered) return null;
  writeStored(OFFERED, { asked, offered });
  const views = start.views.replace(ENTRY, (_, begins, data, ends) => {
    const entry = JSON.stringify({ ...JSON.parse(data), ...offered });
    return begins + entry.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`) + ends;
  });
  return { ...start, views, table: { ...start.table, house_rules: houseRules } };
}

/** How a table starts by these rules, or by the club's usual ones; null where that is not known here. `house` is JSON. */
export async function readStart(address, { rules = "", house = "" } = {}) {
  const kept = await keptOfClub(address);
  const key = rules || kept?.usual;
  const usual = kept?.start[key];
  const start = usual && (await withHouse(usual, kept.files, key, JSON.parse(house || "{}")));
  return start ? { ...start, names: kept.names, files: kept.files, meetings: kept.meetings || [] } : null;
}

/** The addresses of one table, of those of any. */
export const urlsOf = (urls, key) =>
  Object.fromEntries(
    Object.entries(urls).map(([page, address]) => [
      page,
      ["commands", "state", "take_in"].includes(page) ? address : `${address}?new=${key}`,
    ]),
  );

/** The state of a table, as if the server had started it. `people` are [place, player, name] in the order of the seats. */
function stateOf(start, session, body, { people, beginning }) {
  const balance = beginning.starting_balance;
  const bySeat = (make) => Object.fromEntries(people.map((person, at) => [String(at + 1), make(person, at)]));
  const isGame = !start.state.urls.commands;
  return {
    ...start.state,
    session: `${isGame ? "game" : "new"}-${session}`,
    version: 1,
    open: true,
    table: Number(body.table),
    date: dayWords(body.date),
    recent: [],
    last: null,
    number: 1,
    names: bySeat(([place, player, name]) => start.names[player] || name || place),
    // New players have no number yet.
    players: bySeat(([, player], at) => (start.names[player] ? Number(player) : -at - 1)),
    balances: bySeat(() => balance),
    chairs: beginning.chairs,
    undo: [null],
    waiting: [],
    urls: urlsOf(start.state.urls, session),
    ledger: { starting_balance: balance, start: people.map((_, at) => at + 1), entries: [], changes: [], undone: [] },
  };
}

/** A table as it is kept here. `key` and `body` are those of the command that starts it, `asked` what the rules answered. */
export function tableOf(start, key, body, asked) {
  const state = stateOf(start, key, body, asked);
  const { rules, club_hands, words, settling: usual } = start.table;
  const { house_rules, sticks } = asked.beginning;
  const settling = {
    ...usual,
    session: key,
    table: state.table,
    practice: Boolean(body.practice),
    sticks,
    rate: body.practice ? null : usual.rate,
  };
  return {
    session: state.session,
    state,
    opened: new Date().toISOString(),
    rules: { rules, house_rules, club_hands, words, settling },
  };
}

/** What the rules need of a table that was started here. `facts` are those of any table by its rules. */
export const factsOf = (facts, { session, state, rules }) => ({
  ...facts,
  ...rules,
  look: {
    ...facts.look,
    sheet_page: state.urls.sheet,
    hand_entry_page: state.urls.entry,
    is_alone: isGame(session),
    turn: readStored(`turn-${session}`) || 0,
  },
});

/** Keeps a game that no club has, drawn by the rules that are at work already; returns the address of its table. */
export async function keepGame(start, body, asked) {
  const key = newKey();
  const own = { ...body, basis: start.basis, began: new Date().toISOString() };
  const game = tableOf(start, key, own, asked);
  await addGames([{ ...game, body: own, commands: [] }]);
  const question = tableQuestion(factsOf(start.table, game), game.state, [], true);
  keepAnswer(aboutOf(start.files, game.state, question), game.session, await ask(start.files, question));
  return `${start.state.urls.table}?new=${key}`;
}

/** Keeps a table with the command that starts it, and returns its state. `body` are the form's fields. */
export async function keepStart(start, body, asked) {
  const key = newKey();
  const table = tableOf(start, key, body, asked);
  const { state, opened: made_at } = table;
  const words = `Table ${state.table}: ${Object.values(state.names).join(", ")}`;
  const command = {
    key,
    kind: "start",
    body: { ...body, basis: start.basis },
    after: null,
    seats: {},
    why: "",
    made_at,
    device: await device(),
    words,
  };
  await addStart({ ...command, ...placeOf(state) }, table);
  return state;
}
