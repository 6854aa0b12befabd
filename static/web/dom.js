// Finds elements, and the data that a page carries.

export const byId = (id) => document.getElementById(id);

// Reads the JSON that the page carries in an element; null where there is no such element.
export const readJson = (id) => JSON.parse(byId(id)?.textContent ?? "null");

// The same for a link or a button before and after its part of the page was fetched again.
export function controlKey(control) {
  return (
    control.id ||
    control.getAttribute("href") ||
    JSON.stringify([control.form?.getAttribute("action"), control.name, control.value])
  );
}
