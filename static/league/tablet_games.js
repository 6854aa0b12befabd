// The games kept on a tablet as results for a league table: which count, and who is who.
import { readStored, writeStored } from "../web/browser.js";

// Who has been joined: { key of a spelling: key of the player }.
const JOINED = "league-joined";

/** What a spelling is found by: capitals and blanks do not make another player. */
const keyOf = (name) => name.trim().replace(/\s+/g, " ").toLocaleLowerCase("en-GB");

const joined = () => readStored(JOINED) || {};
const playerOf = (name) => joined()[keyOf(name)] ?? keyOf(name);

/** Joins two players in all games, or says why they are two. @returns {string} */
export function join(games, spelling, player) {
  const both = games.find(({ players }) => [spelling, player].every((key) => players.some((one) => one.key === key)));
  if (both) return `They played in the same game on ${both.state.date}, so they are two people.`;
  const moved = Object.entries(joined()).map(([key, into]) => [key, into === spelling ? player : into]);
  const isKept = writeStored(JOINED, { ...Object.fromEntries(moved), [spelling]: player });
  return isKept ? "" : "This tablet cannot keep that. Free some space on it, then try again.";
}

export function part(spelling) {
  const { [spelling]: _, ...others } = joined();
  writeStored(JOINED, others);
}

/** The spellings that were joined to others: [spelling, name of the player]. */
export const joinedNames = (names) => Object.entries(joined()).map(([key, into]) => [key, names[into] ?? into]);

/** Why a game does not count in any table; "" where it does. */
function reasonOf({ stands }) {
  if (!stands?.hands) return "no hands were played";
  if (stands.isOpen) return "it is not finished";
  return stands.tallies ? "" : "open it once, so that it counts";
}

/** A game with its day, its rules and its players: { key, name, hands, won, gained, lost, net, best }. */
function read(game, rules) {
  const { body, stands } = game;
  const recording = game.rules.house_rules?.recording ?? rules[body.rules]?.[1];
  const players = (stands?.tallies || []).map(([hands, won, gained, lost, best], at) => {
    const [name] = stands.players[at];
    return { key: playerOf(name), name, hands, won, gained, lost, net: gained + lost, best };
  });
  return { ...game, date: body.date, recording, players, reason: reasonOf(game) };
}

/** All games, the earliest first. */
export const readGames = (tables, rules) =>
  tables
    .filter(({ session, body }) => String(session).startsWith("game-") && body)
    .sort((one, other) => one.opened.localeCompare(other.opened))
    .map((game) => read(game, rules));

/** The name of each player, as it was written last; a spelling that was joined to it is only written where it is alone. */
export function namesOf(games) {
  const written = games.flatMap(({ players }) => players.map(({ key, name }) => [key, name]));
  return Object.fromEntries([...written, ...written.filter(([key, name]) => key === keyOf(name))]);
}

/** Whether a game belongs to the table that was chosen; `rules` is "", or rules and recording with a blank between. */
export function isChosen({ date, body, recording }, { rules, from, to }) {
  if ((from && date < from) || (to && date > to)) return false;
  return rules ? rules === `${body.rules} ${recording}` : recording === "settle";
}

/** What the rules are asked; see clubscore/engine/league_answers.py. */
export function questionOf(games, names, { method, minimum }) {
  const results = games.flatMap((game) =>
    game.players.map(({ key, hands, won, gained, lost, net, best }) => [
      game.session,
      game.date,
      0,
      key,
      hands,
      won,
      gained,
      lost,
      net,
      best,
    ]),
  );
  const settings = { method, minimum_sessions: minimum, best_n: 1, of_games: true };
  return { ask: "rank", results, people: Object.entries(names), before: null, settings };
}
