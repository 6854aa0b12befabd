// Elements of the hand-entry page: what is drawn again writes only what differs.
import { button, byId, message, svg } from "../../web/dom.js";

let sprite = "";
let ourWords = null;
let theirWords = new Map();

export function useSprite(address) {
  sprite = address;
}

// Takes pairs of our words and the table's, such as “pung” and “peng”.
export function useWords(pairs) {
  theirWords = new Map(pairs);
  const longestFirst = [...theirWords.keys()].sort((one, other) => other.length - one.length);
  ourWords = pairs.length ? new RegExp(`(^|[^\\w(])(${longestFirst.join("|")})(?!\\w)`, "g") : null;
}

export const translateText = (text) => (ourWords ? text.replace(ourWords, (_, before, word) => before + theirWords.get(word)) : text);

// Puts a template into the table's words; its slots, such as a name, are left as they were typed.
export const translate = (parts, ...slots) => String.raw({ raw: parts.map(translateText) }, ...slots);

export function pressed(words, isPressed, onclick, props = {}) {
  return button(words, onclick, { "aria-pressed": String(Boolean(isPressed)), ...props });
}

export const tilePicture = (code, size = "") => svg("svg", { class: `tile ${size}`.trim(), "aria-hidden": "true" }, svg("use", { href: `${sprite}#t-${code}` }));

// Anything written makes the browser lay out the page again, so only what differs is.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setHidden(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// A child for refill that is made only if the one in its place says something else, on any player's page.
export const unlessSaid = (says, make) => ({ says, make });

function keepEqual(element, wanted) {
  const old = [...element.children];
  const isKept = (was, child) => (child.make ? was.says === child.says : element.drawnFor === context && was.isEqualNode(child));
  wanted.forEach((child, at) => {
    if (old[at] && isKept(old[at], child)) return;
    const made = child.make ? Object.assign(child.make(), { says: child.says }) : child;
    if (old[at]) old[at].replaceWith(made);
    else element.append(made);
  });
  for (const left of old.slice(wanted.length)) left.remove();
}

// The player and the copy of the hand that the drawn controls act on: with another, all are drawn again.
let context = "";

export function drawFor(wanted) {
  context = wanted;
}

// Replaces the children that differ, and gives the focus back to the control that had it.
export function refill(element, ...children) {
  const active = document.activeElement;
  const key = element.contains(active) ? active.dataset.focus : null;
  const place = active?.selectionStart;
  keepEqual(element, children.flat().filter(Boolean));
  element.drawnFor = context;
  if (!key || element.contains(active)) return;
  const again = element.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
  if (again && place !== undefined && place !== null && again.setSelectionRange) again.setSelectionRange(place, place);
}

// Asks something above the hand; `answers` are the words of each button and what it does. Any of them ends the question.
export function askAbove(words, answers, level = "") {
  const question = message([`${words} `, ...answers.map(([label, work]) => button(label, () => {
    work();
    question.remove();
  }))], `${level} restored`.trim(), { role: "status" });
  byId("problems").append(question);
}
