// "Print this page": a button for what the browser's menu does, shown where there is a printer's dialogue to open.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// A sheet that has come loose from the first still says what it is and of which day.
const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
const printed = `printed on ${day}`.replaceAll(" ", "\u00a0");
document.documentElement.style.setProperty("--print-foot", JSON.stringify(`${document.title.replace(" – Clubscore", "")}, ${printed}`));
