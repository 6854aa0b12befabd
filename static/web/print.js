// "Print this page": a button for what the browser's menu does.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// The foot of each printed page says what it is, and when it was printed.
const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
const printed = `printed ${day}`.replaceAll(" ", "\u00a0");
document.documentElement.style.setProperty(
  "--print-foot",
  JSON.stringify(`${document.title.replace(" – Clubscore", "")}, ${printed}`),
);
