// HTML made by scripts, with lit-html: text goes in as text, never as markup.
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";

export { html, nothing, render };

/** What a template draws, made anew. */
export function fragment(template) {
  const drawn = document.createDocumentFragment();
  render(template, drawn);
  return drawn;
}

/** @returns {any} the only element of a template */
export const element = (template) => fragment(template).firstElementChild;

export const button = (words, onclick, kind = nothing, label = nothing) =>
  html`<button type="button" class=${kind} aria-label=${label} @click=${onclick}>${words}</button>`;
export const quietButton = (words, onclick) => button(words, onclick, "button-quiet");
export const mainButton = (words, onclick) => button(words, onclick, "button-main");

/** A message on a page; `name` is what it is found by. */
export const message = (words, level = "", name = "") =>
  element(html`<p class=${`message ${level}`.trim()} data-name=${name || nothing}>${words}</p>`);

export const errorSummary = (problems) =>
  element(
    html`<div class="error-summary" id="error-summary" role="alert" tabindex="-1"><h2>There is a problem</h2><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`,
  );
