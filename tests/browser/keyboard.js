// Follows the focus through a page. `follow` returns how many controls Tab must reach, and looks after each press at what
// has the focus and how it shows; `faults` says what was wrong.
(() => {
  // The summary of a fold is seen while the fold is not within another that is closed.
  const folded = (element) => (element.closest("summary")?.parentElement.parentElement || element).closest("details:not([open])");
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden" && !element.closest("[hidden], [inert]") && !folded(element);
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

  const controls = [];
  const reached = new Set();
  const faults = new Set();

  // A press is over with its keyup: by then the focus is where it went.
  const look = () => {
    const element = document.activeElement;
    if (!element || element === document.body) return;
    reached.add(element).add(radioOf(element));
    for (const wrong of [ringed(element) ? "" : "shows no focus", covered(element)]) if (wrong) faults.add(`${name(element)} ${wrong}`);
  };

  window.keyboard = {
    follow() {
      const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")];
      controls.push(...all.filter((one) => seen(one) && !one.disabled && one.tabIndex >= 0));
      for (const one of all) if (one.tabIndex > 0) faults.add(`${name(one)} goes before its turn`);
      addEventListener("keyup", look, true);
      return controls.length;
    },
    faults() {
      removeEventListener("keyup", look, true);
      for (const one of controls) if (!reached.has(one) && !reached.has(radioOf(one) || one)) faults.add(`${name(one)} is not reached by Tab`);
      return [...faults];
    },
  };
})()
