// A copy of all games on this tablet: one file, which a person can read too; and what changes when one is read back.
import { readStored, writeStored } from "../web/browser.js";
import { checksum } from "./outbox/code_format.js";
import { isGame, keyOfGame, newKey, placeOf } from "./outbox/commands.js";
import { urlsOf } from "./outbox/starting.js";

const WHAT = "Games of mah-jong, a copy made by Clubscore";
const VERSION = 1;
const JOINED = "league-joined";
const NOT_A_COPY = "Choose a file that “Keep a copy” has made. This is another file.";
const DAMAGED = "Choose another copy. This file is damaged, and nothing of it was read.";
const TOO_NEW = "Open this page with Wi-Fi, then choose the file again. It was made by a newer version.";

/** The games as a file has them, and the players who were joined under one name. */
export function copyOf(games, now = new Date()) {
  const kept = games.map(
    ({ session, opened, copy_of, clubs, body, state: { urls: _, ...state }, stands, rules, commands }) => ({
      day: state.date,
      players: Object.values(state.names),
      ...{ session, opened, copy_of, clubs, body, stands, rules, state, commands },
    }),
  );
  const made = now.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
  const joined = readStored(JOINED) || {};
  const copy = {
    what: WHAT,
    version: VERSION,
    made,
    sum: checksum(JSON.stringify([joined, kept])),
    joined,
    games: kept,
  };
  return JSON.stringify(copy, null, 1);
}

const isObject = (value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);

const isWhole = ({ session, opened, body, state, stands, rules, commands }) =>
  isGame(session) &&
  (stands === undefined || Array.isArray(stands?.players)) &&
  typeof opened === "string" &&
  [body, state, rules, state?.ledger, state?.names, rules?.settling].every(isObject) &&
  Array.isArray(commands) &&
  commands.every((command) => isObject(command) && typeof command.key === "string");

/** What a file holds: { games, joined }, or { fault } in a sentence. @param {string} text @returns {any} */
export function readCopy(text) {
  let copy = null;
  try {
    copy = JSON.parse(text);
  } catch {
    return { fault: text.includes(WHAT) ? DAMAGED : NOT_A_COPY };
  }
  if (copy?.what !== WHAT) return { fault: NOT_A_COPY };
  if (copy.version > VERSION) return { fault: TOO_NEW };
  const { games, joined } = copy;
  const isAsMade = isObject(joined) && Array.isArray(games) && copy.sum === checksum(JSON.stringify([joined, games]));
  return isAsMade && games.every(isWhole) ? { games, joined } : { fault: DAMAGED };
}

const keysOf = ({ commands }) => new Set(commands.map(({ key }) => key));
const clubsOf = (...games) => [...new Set(games.flatMap(({ clubs = [] }) => clubs))];
const hasAll = (one, other) => [...keysOf(other)].every((key) => keysOf(one).has(key));

/** A game as it is kept here, under this name. `start` is how one starts by its rules. */
function placed(game, session, start) {
  const key = session.replace("game-", "");
  const state = { ...game.state, ...start.state, session, urls: urlsOf(start.state.urls, key) };
  const { day: _, players: __, ...kept } = game;
  return {
    ...kept,
    session,
    state,
    rules: { ...game.rules, settling: { ...game.rules.settling, session: key } },
    commands: game.commands.map((command) => ({ ...command, ...placeOf(state) })),
  };
}

/**
 * What reading games back writes, how many are here already, and how many have rules that are not known here. Of one game the copy with more hands counts; where each has
 * hands that the other lacks, both are kept.
 */
export function merge(here, games, starts) {
  const writes = /** @type {any[]} */ ([]);
  let [known, strange] = [0, 0];
  for (const game of games) {
    const same = [...here, ...writes].filter((kept) => keyOfGame(kept) === keyOfGame(game));
    const behind = same.find((one) => hasAll(game, one));
    const start = starts[game.body.rules];
    if (same.some((one) => hasAll(one, game))) known += 1;
    else if (!start) strange += 1;
    else if (behind)
      writes.push({ ...placed(game, behind.session, start), copy_of: behind.copy_of, clubs: clubsOf(behind, game) });
    else if (same.length) writes.push({ ...placed(game, `game-${newKey()}`, start), copy_of: keyOfGame(game) });
    else writes.push(placed(game, game.session, start));
  }
  return { writes, known, strange };
}

/** What was joined under one name here stays so. */
export const joinAsIn = (joined) => writeStored(JOINED, { ...joined, ...(readStored(JOINED) || {}) });
