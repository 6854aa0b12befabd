// What is drawn on the hand-entry page, by lit-html: a control that is still there keeps its element, and so the focus.
import { byId } from "../../web/dom.js";
import { button, element, html, nothing, render } from "../../web/html.js";

export { button };

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

export const translateText = (text) =>
  ourWords ? text.replace(ourWords, (_, before, word) => before + theirWords.get(word)) : text;

// Puts a template into the table's words; its slots, such as a name, are left as they were typed.
export const translate = (parts, ...slots) => String.raw({ raw: parts.map(translateText) }, ...slots);

export const pressed = (words, isPressed, onclick, kind = nothing, label = nothing) =>
  html`<button type="button" class=${kind} aria-label=${label} aria-pressed=${Boolean(isPressed)} @click=${onclick}>${words}</button>`;

export const tilePicture = (code, size = "") =>
  html`<svg class="tile ${size}" aria-hidden="true"><use href="${sprite}#t-${code}"></use></svg>`;

// Draws what acts for a player. The next player's is drawn anew, so that a finger still down acts for neither.
export function drawFor(player, place, content) {
  if (place.drawnFor !== player) render(nothing, place);
  place.drawnFor = player;
  render(content, place);
}

// Asks something above the hand; `answers` are the words of each button and what it does. Any of them ends the question.
export function askAbove(words, answers, level = "") {
  const end = (work) => () => {
    work();
    question.remove();
  };
  const question = element(
    html`<p class=${`message ${level} restored`} role="status">${words} ${answers.map(([label, work]) => button(label, end(work)))}</p>`,
  );
  byId("problems").append(question);
  return question;
}

export const question = (words, ...controls) =>
  html`<fieldset class="question" aria-label=${words}><span class="question-words" aria-hidden="true">${words}</span><div class="question-answers">${controls.map((control) => control || nothing)}</div></fieldset>`;
