// Messages on a page: what has just happened, in the place where the server's messages stand.
import { takeOutcomes } from "./store.js";
import { outcomeWords } from "./words.js";

const AFTER = "outbox-say";

// `name` is what removeFlash() knows the message by.
export function flash(words, level = "success", isMore = false, name = "") {
  const place = document.getElementById("messages");
  if (!place) return;
  const message = document.createElement("p");
  message.className = `message ${level}`;
  message.textContent = words;
  message.dataset.name = name;
  if (isMore) place.append(message);
  else place.replaceChildren(message);
}

// Takes back what is true no more.
export function removeFlash(name) {
  document.querySelectorAll("#messages > .message").forEach((message) => { if (message.dataset.name === name) message.remove(); });
}

// On the table's page: one line, so that the table stays where it is, and the rest at a press.
export function foldMessages() {
  const place = document.getElementById("messages");
  const more = document.createElement("button");
  Object.assign(more, { type: "button", className: "messages-more" });
  const look = () => {
    const [first, ...others] = place.querySelectorAll(".message");
    const isOpen = place.classList.contains("is-open");
    const isMore = Boolean(first) && (isOpen || others.length > 0 || first.scrollWidth > first.clientWidth || first.scrollHeight > first.clientHeight);
    place.classList.toggle("has-more", isMore);
    more.textContent = isOpen ? "Show less" : "Show all";
    more.setAttribute("aria-expanded", String(isOpen));
    if (isMore && !more.isConnected) place.append(more);
    else if (!isMore) more.remove();
  };
  more.addEventListener("click", () => {
    place.classList.toggle("is-open");
    look();
  });
  const watch = new MutationObserver((changes) => {
    if (changes.every(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes].every((one) => one === more))) return;
    place.classList.remove("is-open");
    look();
  });
  watch.observe(place, { childList: true });
  addEventListener("resize", look);
  place.classList.add("is-folding");
  look();
}

// Goes to another page, with something to say there.
export function redirect(address, words, level) {
  try {
    if (words) sessionStorage.setItem(AFTER, JSON.stringify([words, level]));
  } catch {
    // The page that follows shows it in its list all the same.
  }
  location.assign(address);
}

export function flashAfterRedirect() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(AFTER));
    sessionStorage.removeItem(AFTER);
    if (kept) flash(...kept);
  } catch {
    // Nothing was left to say.
  }
}

// Says what the server has recorded and nobody has read yet.
export async function flashOutcomes(isWanted) {
  const outcomes = await takeOutcomes(isWanted);
  if (!outcomes.length) return;
  const { first, changes } = outcomeWords(outcomes);
  flash(first);
  changes.forEach((words) => flash(words, "info", true));
}
