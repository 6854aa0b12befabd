// Messages on a page: what has just happened, in the place where the server's messages stand.
import { takeTold } from "./store.js";
import { toldWords } from "./words.js";

const AFTER = "outbox-say";

export function say(words, level = "success", isMore = false) {
  const place = document.getElementById("messages");
  if (!place) return;
  const message = document.createElement("p");
  message.className = `message ${level}`;
  message.textContent = words;
  if (isMore) place.append(message);
  else place.replaceChildren(message);
}

// Takes back what is true no more.
export function unsay(words) {
  document.querySelectorAll("#messages > .message").forEach((message) => { if (message.textContent === words) message.remove(); });
}

// Goes to another page, with something to say there.
export function goTo(address, words, level) {
  try {
    if (words) sessionStorage.setItem(AFTER, JSON.stringify([words, level]));
  } catch {
    // The page that follows shows it in its list all the same.
  }
  location.assign(address);
}

export function sayAfter() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(AFTER));
    sessionStorage.removeItem(AFTER);
    if (kept) say(...kept);
  } catch {
    // Nothing was left to say.
  }
}

// Says what the server has recorded and nobody has read yet.
export async function sayTold(isWanted) {
  const told = await takeTold(isWanted);
  if (!told.length) return;
  const { first, changes } = toldWords(told);
  say(first);
  changes.forEach((words) => say(words, "info", true));
}
