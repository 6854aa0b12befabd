// What the rules answered last about a game, which they alone draw: the same question has the same answer, so that its page
// need not wait for them when it is opened again.
import { readStored, writeStored } from "../../web/browser.js";
import { isGame } from "./commands.js";

const NAME = "last-answer";

/** What the rules are asked about a table with the commands that wait. Where it `isAway` from the club each hand of the list is changed in place; else each has its page. */
export function tableQuestion(table, state, waiting, isAway) {
  const { ledger, names, players, balances, open, urls } = state;
  const commands = waiting.map(({ key, kind, body, named }) => ({ key, kind, body, named: named || "" }));
  const look = { ...table.look, ...(!isAway && { hand_entry_page: "" }), change_page: urls.entry };
  return { ...table, look, ledger, names, players, balances, open, waiting: commands, ask: "table" };
}

/** What else the answer depends on stays the same while the table is played. */
export const aboutOf = ({ rules }, { session, version }, { waiting, look }) =>
  JSON.stringify([rules, session, version, waiting, look]);

export function lastAnswer(about) {
  const last = readStored(NAME);
  return last?.about === about ? Promise.resolve(last.answer) : null;
}

/** Keeps an answer in the place of any other; where there is no room the next page asks again. */
export function keepAnswer(about, session, answer) {
  if (isGame(session) && answer && readStored(NAME)?.about !== about) writeStored(NAME, { about, answer });
}

export const forgetAnswer = () => writeStored(NAME, null);
