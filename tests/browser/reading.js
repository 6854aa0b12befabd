// Holds the order in which a page is written against the order in which it is seen: what comes next stands below or to the
// right. The felt, and the places to choose round it, are read as people take their turns, and a control is one thing, however its words are laid out.
() => {
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} "${element.textContent.trim().replace(/\s+/g, " ").slice(0, 30)}"`;
  // Parts which stand for themselves, wherever there is room: what comes before or after them is understood without them.
  // The player's name is the heading of the whole hand: it is written first, and on a wide screen it stands over her tray.
  const FREE = ".board-right, .board-side, .messages, .others, .saved, .goes-mahjong, .questions, .bonus-place, .payments .why, .whose-hand";
  const placed = (element) => {
    if (element.matches(FREE)) return false;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && style.float === "none" && !["absolute", "fixed", "sticky"].includes(style.position) && style.display !== "contents";
  };
  const children = (element) => [...element.children].flatMap((one) => (getComputedStyle(one).display === "contents" ? children(one) : placed(one) ? [one] : []));
  const wrong = [];
  for (const parent of document.querySelectorAll("body, body *:not(svg, svg *, script, option, .felt, .places, button, button *, a, a *)")) {
    const row = children(parent);
    row.slice(1).forEach((next, at) => {
      const a = row[at].getBoundingClientRect();
      const b = next.getBoundingClientRect();
      const together = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const above = b.bottom <= a.top + 1 && b.left < a.right - 1;
      const before = together > Math.min(a.height, b.height) / 2 && b.right <= a.left + 1;
      if (above || before) wrong.push(`${name(next)} is written after ${name(row[at])} and stands ${above ? "above" : "before"} it`);
    });
  }
  return [...new Set(wrong)];
}
