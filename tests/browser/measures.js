// Measures a page for a hand that is not steady and eyes that are not young; every answer is a list of what is wrong.
({ target, gap, faceGap, face, set, text, body }) => {
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && !element.closest("[hidden], .visually-hidden, .skip-link") &&
      !(element.closest("summary")?.parentElement.parentElement || element).closest("details:not([open])");
  };
  const name = (element) => `${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") || element.textContent || element.name || element.id).trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  const wrong = [];
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter(seen);

  // A choice is pressed by its label; a link within a sentence has the size of its words.
  const area = (element) => (element.matches("input[type=radio], input[type=checkbox]") ? element.closest("label") || element : element);
  const inSentence = (element) => element.matches("a") && getComputedStyle(element).display.startsWith("inline") && getComputedStyle(element).display !== "inline-flex" &&
    [...element.parentElement.childNodes].some((node) => node !== element && node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  // With nothing to open, the button of what is saved is a line of text.
  const targets = controls.filter((one) => !one.matches("[tabindex='0'], .saved > button:disabled") && !inSentence(one));
  for (const element of targets) {
    const box = area(element).getBoundingClientRect();
    const needed = element.matches(".face") ? face : element.matches(".tray-set") ? set : [target, target];
    if (box.width < needed[0] - 0.5 || box.height < needed[1] - 0.5) wrong.push(`${name(element)} is ${Math.round(box.width)}x${Math.round(box.height)}`);
  }

  // The whole rows of a list are targets one under the other, with a line between them: nothing is missed between two.
  const apart = targets.filter((one) => !one.closest(".rows"));
  const bar = (element) => (element === document.body || !element ? null : ["sticky", "fixed"].includes(getComputedStyle(element).position) ? element : bar(element.parentElement));
  // Each is measured once, not once for every pair.
  const boxes = apart.map((one) => ({ one, area: area(one), bar: bar(one), box: area(one).getBoundingClientRect(), isFace: one.matches(".face") }));
  boxes.forEach((first, at) => {
    const a = first.box;
    for (const second of boxes.slice(at + 1)) {
      const b = second.box;
      const distance = Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
      const needed = first.isFace && second.isFace ? faceGap : gap;
      if (distance >= needed - 0.5 || first.bar !== second.bar) continue;
      if (first.area.contains(second.one) || second.area.contains(first.one)) continue;
      wrong.push(`${name(first.one)} is ${Math.round(distance * 10) / 10} px from ${name(second.one)}`);
    }
  });

  // What is only added to the text has a class of its own, and may be smaller.
  const running = "main :is(p, li, dd, td, label, legend):not([class])";
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !seen(element) || element.closest("script, noscript, svg, option")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    const needed = element.matches(running) && !element.closest(".hint, .small-print") ? body : text;
    if (size < needed - 0.01) wrong.push(`"${node.textContent.trim().slice(0, 30)}" (${element.tagName.toLowerCase()}.${element.className}) is written in ${size} px`);
  }
  return wrong;
}
