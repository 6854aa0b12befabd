// Copies the text of another element, or shares it where the browser can: <button data-copies="its id" data-shares hidden>.
(() => {
  for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-copies]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copies).textContent;
    if ("shares" in button.dataset && navigator.share) {
      navigator.share({ text }).catch(() => null);
      return;
    }
    // The newer way, navigator.clipboard, needs https.
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    if (document.execCommand("copy")) button.textContent = "Copied";
    area.remove();
  });
})();
