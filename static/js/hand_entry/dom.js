// Small help with elements. Text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
let sprite = "";

export function useSprite(address) {
  sprite = address;
}

export const byId = (id) => document.getElementById(id);

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "onclick") element.addEventListener("click", value);
    else if (name === "oninput") element.addEventListener("input", value);
    else if (name === "onfocus") element.addEventListener("focus", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function button(words, onclick, props = {}) {
  return h("button", { type: "button", onclick, ...props }, words);
}

export function pressed(words, isPressed, onclick, props = {}) {
  return button(words, onclick, { "aria-pressed": String(Boolean(isPressed)), ...props });
}

export function tilePicture(code, size = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `tile ${size}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sprite}#t-${code}`);
  svg.append(use);
  return svg;
}

// Puts new children in place of the old and gives the focus back to the control that had it.
export function refill(element, ...children) {
  const active = document.activeElement;
  const key = element.contains(active) ? active.dataset.focus : null;
  const place = active?.selectionStart;
  element.replaceChildren(...children.flat().filter(Boolean));
  if (!key) return;
  const again = element.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
  if (again && place !== undefined && place !== null && again.setSelectionRange) again.setSelectionRange(place, place);
}
