// A game as the file of a meeting, which a club imports: once only, by its key.
import { ask } from "./engine/engine.js";
import { keyOfGame } from "./outbox/commands.js";
import { tableQuestion } from "./outbox/last_answer.js";
import { factsOf } from "./outbox/starting.js";

// Letters that the name of a meeting may have.
const LONGEST_NAME = 80;

/** The file of a game with the table that the rules have made of it. */
export function meetingOf(game, table) {
  const { body } = game;
  const time = new Date(body.began).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const name = `Played elsewhere, ${time}: ${table.players.join(", ")}`.slice(0, LONGEST_NAME);
  return {
    club: "A game at home",
    game: keyOfGame(game),
    date: body.date,
    meeting: { name },
    members: [],
    tables: [table],
  };
}

/** The file of any game that is kept here, of which no page is open; null where the rules do not answer. `kept` is what games are played with. */
export async function fileOf(game, { start, files }) {
  const facts = start[game.rules.rules];
  if (!facts) return null;
  const question = tableQuestion(factsOf(facts.table, game), game.state, game.commands, true);
  const answer = await ask(files, { ...question, ask: "game" });
  return answer?.known ? meetingOf(game, answer.table) : null;
}
