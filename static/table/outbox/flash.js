// Messages on a page: what has just happened, in the place where the server's messages are.
import { readStored, writeStored } from "../../web/browser.js";
import { byId, message } from "../../web/dom.js";
import { canShow, go } from "../views.js";
import { storage, takeOutcomes } from "./store.js";
import { outcomeWords } from "./words.js";

const AFTER = "outbox-say";

// `name` is what removeFlash() knows the message by.
export function flash(words, level = "success", isMore = false, name = "") {
  const place = byId("messages");
  if (!place) return;
  const shown = message(words, level, { "data-name": name });
  if (isMore) place.append(shown);
  else place.replaceChildren(shown);
}

export function removeFlash(name) {
  document.querySelectorAll(`#messages > [data-name="${name}"]`).forEach((shown) => shown.remove());
}

// On the table's page messages take one line, so that the table stays where it is; a press shows the rest.
export function foldMessages() {
  const place = byId("messages");
  if (place.classList.contains("is-folding")) return;
  const more = document.createElement("button");
  Object.assign(more, { type: "button", className: "messages-more" });
  const draw = () => {
    const [first, ...others] = place.querySelectorAll(".message");
    const isOpen = place.classList.contains("is-open");
    const isMore =
      Boolean(first) &&
      (isOpen || others.length > 0 || first.scrollWidth > first.clientWidth || first.scrollHeight > first.clientHeight);
    place.classList.toggle("has-more", isMore);
    more.textContent = isOpen ? "Read less" : "Read more";
    more.setAttribute("aria-expanded", String(isOpen));
    if (isMore && !more.isConnected) place.append(more);
    else if (!isMore) more.remove();
  };
  more.addEventListener("click", () => {
    place.classList.toggle("is-open");
    draw();
  });
  const observer = new MutationObserver((changes) => {
    if (changes.every(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes].every((one) => one === more)))
      return;
    place.classList.remove("is-open");
    draw();
  });
  observer.observe(place, { childList: true });
  addEventListener("resize", draw);
  place.classList.add("is-folding");
  draw();
}

// Goes to another page and shows a message there. What only this page knows of, that page could not say by itself.
export async function redirect(address, words, level) {
  const told = !words && storage.fault ? await takeOutcomes(() => true) : [];
  const said = told.length ? [outcomeWords(told).first, "success"] : words && [words, level];
  if (canShow(address)) {
    if (await go(address)) return said && flash(...said);
  }
  if (said) writeStored(AFTER, said, "sessionStorage");
  return location.assign(address);
}

export function flashAfterRedirect() {
  const kept = readStored(AFTER, "sessionStorage");
  writeStored(AFTER, null, "sessionStorage");
  if (kept) flash(...kept);
}

// Says what the server has recorded and nobody has read yet; `said` is what happened at the table.
export async function flashOutcomes(isWanted, said = []) {
  const outcomes = await takeOutcomes(isWanted);
  if (!outcomes.length) return;
  const { first, changes } = outcomeWords(outcomes);
  flash([first, ...said].join(" "));
  changes.forEach((words) => flash(words, "info", true));
}
