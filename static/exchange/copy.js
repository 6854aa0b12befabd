// Copies the text of another element: <button data-copies="its id" hidden>. Without scripts the text can be selected by hand.
(() => {
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      // The newer way, navigator.clipboard, needs https.
      getSelection().selectAllChildren(document.getElementById(button.dataset.copies));
      if (document.execCommand("copy")) button.textContent = "Copied";
    });
  }
})();
