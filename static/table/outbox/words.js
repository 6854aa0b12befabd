// What is kept on this tablet, in words for people.
import { isStart, kindOf, Outcome } from "./commands.js";
import { isTiles, size } from "../hand_entry/rules.js";
import { storage } from "./store.js";

export const SCORES_LATER = "Scores and payments will appear when the Wi-Fi is back.";
const SCORES_SOON = "Scores and payments will appear in a moment.";
export const NOTHING_TO_SEND = "Nothing to send. Everything is saved.";

const STORAGE = {
  refused: "This tablet cannot save hands without Wi-Fi. Save each hand only when you have Wi-Fi.",
  silent:
    "This browser’s storage does not answer, so hands cannot be kept on this tablet. Close Clubscore and open it again.",
  blocked:
    "This browser’s storage does not answer, so hands cannot be kept on this tablet. Close Clubscore in every tab and window, and open it again.",
};

// Why nothing is kept beyond this page, and what to do; empty where all is well.
export const storageWords = () => STORAGE[storage.fault] || "";

// Where a command is until the server has it.
export const keptWords = () =>
  storage.fault
    ? {
        heading: "Not sent yet",
        where: "this page keeps it, so leave the page open",
        until: "Leave this page open until then.",
      }
    : { heading: "Saved on this tablet", where: "it is saved on this tablet", until: "" };

const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

// `translate` puts a template into the words of the table, where they are known.
export function handWords(number, body, names, voids, translate = String.raw) {
  const winners = [body.mahjong || []].flat().map((one) => names[one.by] || "someone");
  if (winners.length)
    return winners.length === 1
      ? translate`Hand ${number}: ${winners[0]} goes Mah-jong`
      : translate`Hand ${number}: ${listed(winners)} go Mah-jong`;
  const isVoid = voids && (body.penalties || []).some((one) => one.kind === "false mahjong");
  return isVoid ? `Hand ${number}: void, to be played again` : translate`Hand ${number}: nobody went Mah-jong`;
}

/** Says of whom a hand is half entered, and how far; empty where nothing is. */
export function unfinishedWords(body, names) {
  const [win] = [body?.mahjong || []].flat();
  const [seat] = [win?.by, ...Object.keys(body?.hands || {})].filter((one) => names[one]);
  const mine = body?.hands?.[seat];
  const tiles = mine && isTiles(mine) ? size(mine) : 0;
  return [names[seat], tiles && `${tiles} ${tiles === 1 ? "tile" : "tiles"}`].filter(Boolean).join(", ");
}

// What was done, counted: "1 new table, 2 hands and 1 change".
function counted(items) {
  const starts = items.filter(isStart).length;
  const hands = items.filter((one) => kindOf(one).is_hand).length;
  const changes = items.length - starts - hands;
  return listed(
    [
      starts && plural(starts, "new table"),
      hands && plural(hands, "hand"),
      changes && plural(changes, "change"),
    ].filter(Boolean),
  );
}

export const sentWords = (sent) => (sent.length ? `${counted(sent)} sent` : "");

// Which tables ask something; `table` is the number of each, where it is known.
function askingWords(asking) {
  const [{ table }] = asking;
  const tables = new Set(asking.map(({ session }) => session)).size;
  return tables > 1
    ? `${tables} tables wait for an answer from you`
    : `${table ? `Table ${table}` : "A table"} waits for an answer from you`;
}

// The one line in the bar: what asks something, then what is to be sent.
export function statusWords(items, network, otherwise = "All saved") {
  const [asking, waiting, aside] = ["attention", "waiting", "aside"].map((state) =>
    items.filter((item) => item.state === state),
  );
  const isSignedOut = waiting.some(({ session }) => network.signIn.has(session));
  const said = [
    asking.length && askingWords(asking),
    waiting.length && `${counted(waiting)} to send${isSignedOut ? ": sign in again" : ""}`,
    aside.length && `${aside.length} not to be sent`,
  ]
    .filter(Boolean)
    .join("; ");
  if (!storage.fault) return said || otherwise;
  return said ? `${said}. Leave this page open: this tablet cannot keep hands.` : storageWords();
}

// A hand that the rules refuse can be corrected; it is not sent before that.
export const isCorrectable = (item) =>
  item.outcome === Outcome.INVALID && kindOf(item).is_hand && Object.keys(item.body.hands).length > 0;

// What happened to a command, whether it is lost, and what to do now; `holder` is an earlier one that holds it back.
export function stateWords(item, network, holder = null) {
  if (item.state === "attention") return attentionWords(item);
  if (item.state === "thrown") return "Discarded. You can restore it within a day.";
  if (item.state === "aside") return "Not to be sent. It is kept on this tablet.";
  if (network.signIn.has(item.session))
    return `${keptWords().heading}. This tablet is signed out. Sign in, or scan the QR code again, and it will be sent.`;
  if (holder && isStart(holder))
    return `${keptWords().heading}. ${holder.words.split(":")[0]} is not with the club yet. ${holder.message}`;
  if (holder) return `${keptWords().heading}. It will be sent after the one saved before it, which needs attention.`;
  return `${keptWords().heading}.${network.isLost ? "" : " Sending now."}`;
}

function attentionWords(item) {
  if (isCorrectable(item))
    return `${item.message} Correct this hand, and it will be sent. Until then ${keptWords().where}.`;
  if (isStart(item)) return `${item.message} Its hands are saved on this tablet, and will be sent once it has started.`;
  return item.message || "This needs attention.";
}

export const noWifi = () =>
  `There is no Wi-Fi just now. You have not lost anything: ${storage.fault ? keptWords().where : "all this is saved on this tablet"}. Go on playing. It will be sent when the Wi-Fi is back.`;

// What has been recorded since someone last looked: one outcome in full, several counted.
export const outcomeWords = (outcomes) =>
  outcomes.length === 1 ? outcomes[0].message : `${counted(outcomes)} were sent and recorded.`;

// What a tablet says that does not have the rules, or not yet: `later` is there while they are on their way.
export function withoutRules({ isOpen, isKnown, later }) {
  if (later) return [isKnown ? SCORES_SOON : "Who sits where, and the scores, will appear in a moment."];
  if (!isOpen) return [`${kindOf({ kind: "finish" }).saved_as}.`, SCORES_LATER];
  return isKnown
    ? [SCORES_LATER]
    : [
        "Who sits where will appear when the Wi-Fi is back. Until then, enter each hand under the player’s name. If someone else is sitting out, press “We sat differently” first.",
        SCORES_LATER,
      ];
}
