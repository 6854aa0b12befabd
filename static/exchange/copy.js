// Copies the text of another element: <button data-copies="its id" hidden>. Without scripts the text can be marked by hand.
(() => {
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      // Marked and then copied: the newer way is closed to a site without https.
      getSelection().selectAllChildren(document.getElementById(button.dataset.copies));
      if (document.execCommand("copy")) button.textContent = "Copied";
    });
  }
})();
