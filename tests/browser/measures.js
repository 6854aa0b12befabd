// Measures a page for a hand that is not steady and eyes that are not young; every answer is a list of what is wrong.
({ target, gap, face, text }) => {
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && !element.closest("[hidden], .visually-hidden, .skip-link") &&
      (!element.closest("details:not([open])") || element.closest("summary"));
  };
  const name = (element) => `${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") || element.textContent || element.name || element.id).trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  const wrong = [];
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter(seen);

  // A choice is pressed by its label; a link within a sentence has the size of its words.
  const area = (element) => (element.matches("input[type=radio], input[type=checkbox]") ? element.closest("label") || element : element);
  const inSentence = (element) => element.matches("a") && getComputedStyle(element).display.startsWith("inline") && getComputedStyle(element).display !== "inline-flex" &&
    [...element.parentElement.childNodes].some((node) => node !== element && node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  for (const element of controls.filter((one) => !one.matches("[tabindex='0']"))) {
    if (inSentence(element)) continue;
    const box = area(element).getBoundingClientRect();
    const needed = element.matches(".face") ? face : [target, target];
    if (box.width < needed[0] - 0.5 || box.height < needed[1] - 0.5) wrong.push(`${name(element)} is ${Math.round(box.width)}x${Math.round(box.height)}`);
  }

  const faces = controls.filter((one) => one.matches(".face"));
  for (const one of faces) {
    const a = one.getBoundingClientRect();
    for (const other of faces) {
      const b = other.getBoundingClientRect();
      const across = Math.max(b.left - a.right, a.left - b.right);
      const down = Math.max(b.top - a.bottom, a.top - b.bottom);
      if (other !== one && Math.max(across, down) < gap - 0.5) wrong.push(`${name(one)} is ${Math.max(across, down)} px from ${name(other)}`);
    }
  }

  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !seen(element) || element.closest("script, noscript, svg, option")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < text) wrong.push(`"${node.textContent.trim().slice(0, 30)}" is written in ${size} px`);
  }
  return wrong;
}
