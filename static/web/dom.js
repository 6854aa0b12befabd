// Finds elements, and the data that a page carries.

export const byId = (id) => document.getElementById(id);

// A site of files (`./run game-site`) may be under any path; its manifest is at the root.
const manifest = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=manifest]"));
export const root = manifest ? new URL(".", manifest.href).pathname : "/";
export const isSite = "site" in document.documentElement.dataset;

// Reads JSON in which the path of a site has a name of its own.
export const parsed = (text) => JSON.parse(text.replaceAll("/the-site/", root));

// Reads the JSON that the page carries in an element; null where there is no such element.
export const readJson = (id) => parsed(byId(id)?.textContent ?? "null");

// The same for a link or a button before and after its part of the page was fetched again.
export function controlKey(control) {
  return (
    control.id ||
    control.getAttribute("href") ||
    JSON.stringify([control.form?.getAttribute("action"), control.name, control.value])
  );
}
