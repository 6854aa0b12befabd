// Shows how much of a large file was sent, and that it is being read. A cell that is asked about in several questions is sent
// once, as it was changed.
(() => {
  // A smaller form is sent before a bar could be seen.
  const LARGE = 100_000;

  const sizeOf = (data) =>
    [...data.values()].reduce((sum, value) => sum + (typeof value === "string" ? value.length : value.size), 0);

  /** Shows the answer in place of this page, as the browser does when it sends a form. */
  function show(request) {
    history.pushState(null, "", request.responseURL);
    document.open();
    document.write(request.responseText);
    document.close();
  }

  function send(data, line) {
    const words = line.firstChild;
    const bar = line.querySelector("progress");
    const reading = words.textContent;
    const request = new XMLHttpRequest();
    request.open("POST", location.href);
    request.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable) return;
      bar.max = event.total;
      bar.value = event.loaded;
      words.textContent = `Sending the file: ${Math.floor((100 * event.loaded) / event.total)}% `;
    });
    request.upload.addEventListener("load", () => {
      bar.removeAttribute("value");
      words.textContent = reading;
    });
    request.addEventListener("load", () => show(request));
    request.addEventListener("error", () => {
      bar.hidden = true;
      words.textContent = "The file could not be sent. Check the Wi-Fi and press the button again.";
    });
    request.send(data);
  }

  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!("progress" in form.dataset) || event.defaultPrevented) return;
    const line = form.querySelector(".reading");
    if (!line) return;
    line.hidden = false;
    const data = new FormData(form);
    if (sizeOf(data) < LARGE) return;
    event.preventDefault();
    const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (submitter?.name) data.append(submitter.name, submitter.value);
    send(data, line);
  });

  document.addEventListener("formdata", (event) => {
    const fields = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("input[data-was]")]);
    const isChanged = (field) => field.value !== field.dataset.was;
    for (const { name } of fields.filter((field) => !isChanged(field))) event.formData.delete(name);
    for (const { name, value } of fields.filter(isChanged)) event.formData.set(name, value);
  });
})();
