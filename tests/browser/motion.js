// Says what moves for longer than so many seconds.
(seconds) => {
  const wrong = [];
  for (const element of document.querySelectorAll("*")) {
    for (const pseudo of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, pseudo);
      const times = `${style.transitionDuration}, ${style.animationName === "none" ? "0s" : style.animationDuration}`;
      const longest = Math.max(...times.split(",").map(parseFloat));
      if (longest > seconds) wrong.push(`${element.tagName.toLowerCase()}.${element.className}${pseudo || ""} moves for ${longest} s`);
    }
    if (seconds === 0 && getComputedStyle(element).scrollBehavior === "smooth") wrong.push(`${element.tagName.toLowerCase()} scrolls smoothly`);
  }
  return [...new Set(wrong)];
}
