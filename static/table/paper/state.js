// The sheet as it is typed: its lines, kept in this computer's storage at every key until the server has them.
// Who sits where the rules on this tablet say; no rule of the rotation stands here.

export const NOBODY = "D";
export const state = { data: null, deals: [], rows: [], every: false, keys: [], answers: new Map(), difference: "", message: "", isKept: true };

const blank = (key) => ({ key, totals: {}, winner: "", sheet: {}, open: false });
const any = (texts) => Object.values(texts).some((text) => text !== "");
export const isBlank = (row) => !row.winner && !any(row.totals) && !any(row.sheet);
let asked = "";
const nextKey = () => state.keys.shift() || "";

// Takes what the page brings, then the lines typed before, but for those the server has already. True: some came back.
export function begin(data) {
  const kept = read(data.storage);
  take(data, kept?.rows || []);
  state.every = Boolean(kept?.every);
  return { restored: state.rows.some((row) => !isBlank(row)), moved: Boolean(kept) && kept.number !== data.number };
}

// Goes on from where the table stands now; the lines that are recorded leave the page.
export function take(data, rows = state.rows) {
  state.data = data;
  state.deals = data.deals;
  state.keys = [...data.keys];
  const decided = new Set(data.decided);
  const left = rows.filter((row) => !isBlank(row) && !decided.has(row.key));
  state.rows = left.slice(0, data.keys.length);
  while (state.rows.length < data.keys.length) state.rows.push(blank(nextKey()));
  state.answers = new Map();
  keep();
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function keep() {
  const { data, rows, every } = state;
  try {
    if (rows.every(isBlank)) localStorage.removeItem(data.storage);
    else localStorage.setItem(data.storage, JSON.stringify({ rows: rows.filter((row) => !isBlank(row)), every, number: data.number }));
    state.isKept = true;
  } catch {
    state.isKept = false;
  }
}

export function forget() {
  try {
    localStorage.removeItem(state.data.storage);
  } catch {
    state.isKept = false;
  }
}

// The deal and the number of every line; without `winds` where the rules have not said yet who sits where.
export function deals() {
  let at = 0;
  let isKnown = true;
  return state.rows.map((row) => {
    const found = { ...(isKnown && state.deals[at]), number: state.data.number + at };
    if (isBlank(row)) return found;
    at += 1;
    isKnown &&= found.winner === row.winner;
    return found;
  });
}

// Asks the rules who sits where after all that is typed; true where they have answered something new. A winner typed as
// a wind becomes the player who sits there, and stays so when a line before it is changed.
export async function follow() {
  const { files, question } = state.data.engine;
  const typed = state.rows.filter((row) => !isBlank(row));
  const asking = { ...question, winners: typed.map((row) => row.winner) };
  const about = JSON.stringify(asking);
  if (asked === about) return false;
  asked = about;
  const client = await import(files.client).catch(() => null);
  const answer = await client?.ask(files, asking);
  if (!answer || asked !== about) return false;
  state.deals = answer.deals;
  for (const [at, row] of typed.entries()) row.winner = answer.deals[at]?.winner || row.winner;
  return true;
}

export function dealAfterAll() {
  const { rows } = state;
  const last = rows.findLastIndex((row) => !isBlank(row));
  return last + 1 < rows.length ? deals()[last + 1] : null;
}

export const nameOf = (seat) => state.data.seats.find(({ number }) => number === seat)?.name || "";
export const windOf = (deal, seat) => Object.keys(deal.winds || {}).find((wind) => deal.winds[wind] === seat) || "";
export const shownRows = () => Math.min(state.rows.findLastIndex((row) => !isBlank(row)) + 2, state.rows.length);
export const typedRows = () => state.rows.filter((row) => !isBlank(row)).length;
