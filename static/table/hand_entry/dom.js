// Small help with elements. Text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
let sprite = "";
let ours = null;
let theirs = new Map();

export function useSprite(address) {
  sprite = address;
}

// The table's words in place of ours: pairs of both, as the server says them.
export function useWords(pairs) {
  theirs = new Map(pairs);
  const longestFirst = [...theirs.keys()].sort((one, other) => other.length - one.length);
  ours = pairs.length ? new RegExp(`(^|[^\\w(])(${longestFirst.join("|")})(?!\\w)`, "g") : null;
}

export const translateText = (text) => (ours ? text.replace(ours, (_, before, word) => before + theirs.get(word)) : text);

// Puts a template into the table's words; what stands in its slots, such as a name, is left as it was typed.
export const translate = (parts, ...slots) => String.raw({ raw: parts.map(translateText) }, ...slots);

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

// Writes only what differs, for anything written makes the browser lay out the page again.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setHidden(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Does what may wait only when the change under the finger has been painted.
export function afterPaint(work) {
  requestAnimationFrame(() => setTimeout(work));
}

// A child for refill that is made only where the one in its place says something else, whosever page it is on.
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

// What the drawn controls act on: with another player or another copy of the hand, all are drawn again.
let context = "";

export function drawFor(wanted) {
  context = wanted;
}

// Puts new children in place of those that differ, and gives the focus back to the control that had it.
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
