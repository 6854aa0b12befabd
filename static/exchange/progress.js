// Shows that a file is being read, and sends a cell that stands under several questions once, as it was changed.
(() => {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !("progress" in form.dataset) || event.defaultPrevented) return;
    const line = form.querySelector(".reading");
    if (line instanceof HTMLElement) line.hidden = false;
  });
  // Only what was changed is sent.
  document.addEventListener("formdata", (event) => {
    for (const field of document.querySelectorAll("input[data-was]")) {
      if (field instanceof HTMLInputElement && field.value === field.dataset.was) event.formData.delete(field.name);
    }
    for (const field of document.querySelectorAll("input[data-was]")) {
      if (field instanceof HTMLInputElement && field.value !== field.dataset.was) event.formData.set(field.name, field.value);
    }
  });
})();
