// "Print this page": a button for what the browser's menu does, shown where there is a printer's dialogue to open.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
