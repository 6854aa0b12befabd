// @ts-check
/* Club admin: what is typed leaves the pages that have these words. */

const field = /** @type {HTMLInputElement} */ (document.getElementById("find"));
const nothing = /** @type {HTMLElement} */ (document.getElementById("found-nothing"));
const groups = [...document.querySelectorAll(".admin-columns > section")].map((group) => ({
  group: /** @type {HTMLElement} */ (group),
  rows: /** @type {HTMLElement[]} */ ([...group.querySelectorAll("li")]),
}));

function find() {
  // One or several: “cups” is looked for as “cup”.
  const words = field.value
    .toLowerCase()
    .replace(/['’]?s\b/g, "")
    .split(/\s+/)
    .filter(Boolean);
  let number = 0;
  for (const { group, rows } of groups) {
    for (const row of rows) {
      const text = `${group.querySelector("h2")?.textContent} ${row.textContent} ${row.dataset.words}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    const found = rows.filter((row) => !row.hidden).length;
    group.hidden = found === 0;
    number += found;
  }
  nothing.hidden = number > 0;
}

/** @type {HTMLElement} */ (field.closest(".admin-find")).hidden = false;
field.addEventListener("input", find);
