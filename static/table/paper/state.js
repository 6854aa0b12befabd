// The sheet as it is typed: its rows, stored in this browser at every key until the server has them. The rules on this
// tablet say who sits where.
import { readStored, writeStored } from "../../web/browser.js";
import { ask } from "../engine/engine.js";

export const NOBODY = "D";
export const state = {
  data: null,
  deals: [],
  rows: [],
  every: false,
  keys: [],
  answers: new Map(),
  difference: "",
  message: "",
  isKept: true,
};

const blank = (key) => ({ key, totals: {}, winner: "", sheet: {}, open: false });
const any = (texts) => Object.values(texts).some((text) => text !== "");
export const isBlank = (row) => !row.winner && !any(row.totals) && !any(row.sheet);
let asked = "";

// Begins with what the page brings and the rows typed before, without those that the server has already.
export function begin(data) {
  const kept = readStored(data.storage);
  take(data, kept?.rows || []);
  state.every = Boolean(kept?.every);
  return { restored: state.rows.some((row) => !isBlank(row)), moved: Boolean(kept) && kept.number !== data.number };
}

// Goes on from where the table stands now; the recorded rows leave the page.
export function take(data, rows = state.rows) {
  state.data = data;
  state.deals = data.deals;
  state.keys = [...data.keys];
  const decided = new Set(data.decided);
  const left = rows.filter((row) => !isBlank(row) && !decided.has(row.key));
  state.rows = left.slice(0, data.keys.length);
  while (state.rows.length < data.keys.length) state.rows.push(blank(state.keys.shift() || ""));
  state.answers = new Map();
  keep();
}

export function keep() {
  const { data, rows, every } = state;
  const typed = rows.filter((row) => !isBlank(row));
  state.isKept = writeStored(data.storage, typed.length ? { rows: typed, every, number: data.number } : null);
}

export function forget() {
  state.isKept = writeStored(state.data.storage, null);
}

// The deal and the number of every row; without `winds` until the rules have said who sits where.
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

// Asks the rules who sits where after all that is typed; returns whether their answer is new. A winner typed as a wind
// becomes the player who sits there, and stays that player when a row before it is changed.
export async function follow() {
  const { files, question } = state.data.engine;
  const typed = state.rows.filter((row) => !isBlank(row));
  const asking = { ...question, winners: typed.map((row) => row.winner) };
  const about = JSON.stringify(asking);
  if (asked === about) return false;
  asked = about;
  const answer = await ask(files, asking);
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
