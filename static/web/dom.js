// Finds and makes elements. Text goes in as text, never as markup.

export const byId = (id) => document.getElementById(id);

// Reads the JSON that the page carries in an element; null where there is no such element.
export const readJson = (id) => JSON.parse(byId(id)?.textContent ?? "null");

// Makes an element; attributes and children that are null, undefined or false are left out.
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (words, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, words);
export const quietButton = (words, onclick) => button(words, onclick, { class: "button-quiet" });
export const mainButton = (words, onclick) => button(words, onclick, { class: "button-main" });

export const message = (words, level = "", props = {}) => h("p", { class: `message ${level}`.trim(), ...props }, words);

export const errorSummary = (problems) =>
  h(
    "div",
    { class: "error-summary", id: "error-summary", role: "alert", tabindex: "-1" },
    h("h2", {}, "There is a problem"),
    h(
      "ul",
      {},
      problems.map((problem) => h("li", {}, problem)),
    ),
  );

export function svg(tag, props, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// The same for a link or a button before and after its part of the page was fetched again.
export function controlKey(control) {
  return (
    control.id ||
    control.getAttribute("href") ||
    JSON.stringify([control.form?.getAttribute("action"), control.name, control.value])
  );
}
