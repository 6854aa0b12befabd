// Follows the focus through a page. `list` numbers the controls a Tab must reach; `look` says which has the focus, and
// what is wrong with how it shows.
(() => {
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden" && !element.closest("[hidden], [inert]") &&
      (!element.closest("details:not([open])") || element.closest("summary"));
  };
  const name = (element) => `${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") || element.textContent || element.name || element.id).trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  const shown = (element) => element.closest("label.choice") || element;

  // Of radios with one name, Tab reaches the chosen one, or the first.
  const radioOf = (element) => (element.type === "radio" ? `radio ${element.name}` : null);

  const part = (element) => {
    const boxes = [...shown(element).getClientRects()].filter((box) => box.width > 0);
    const box = boxes.find((one) => one.bottom > 0 && one.top < innerHeight) || boxes[0];
    const top = Math.max(box.top, 0);
    const bottom = Math.min(box.bottom, innerHeight);
    const left = Math.max(box.left, 0);
    const right = Math.min(box.right, innerWidth);
    return bottom > top && right > left ? [(left + right) / 2, (top + bottom) / 2] : null;
  };

  // Within a date the browser itself rings the part that has the focus.
  const ringed = (element) => element.type === "date" || [element, shown(element), element.parentElement].some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });

  const covered = (element) => {
    const place = part(element);
    if (!place) return "is out of sight";
    const hit = document.elementFromPoint(...place);
    const own = shown(element);
    return hit && (own.contains(hit) || hit.contains(own)) ? "" : `is covered by ${hit ? name(hit) : "nothing"}`;
  };

  window.keyboard = {
    list() {
      const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")];
      this.controls = all.filter((one) => seen(one) && !one.disabled && one.tabIndex >= 0);
      const groups = new Set(this.controls.map(radioOf).filter(Boolean));
      return { controls: this.controls.length, positive: all.filter((one) => one.tabIndex > 0).map(name), groups: groups.size };
    },
    look() {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const place = this.controls.indexOf(element);
      const wrong = [ringed(element) ? "" : "shows no focus", covered(element)].filter(Boolean);
      return { place, radio: radioOf(element), wrong: wrong.map((one) => `${name(element)} ${one}`) };
    },
    missed(reached, radios) {
      return this.controls.filter((one, place) => !reached.includes(place) && !radios.includes(radioOf(one))).map((one) => `${name(one)} is not reached by Tab`);
    },
  };
})()
