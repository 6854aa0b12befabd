// Shows how much of a large file was sent, and that it is being read. Sends a cell that stands under several questions
// once, as it was changed.
(() => {
  // A smaller form is sent before a bar could be seen.
  const LARGE = 100_000;

  function sizeOf(data) {
    let size = 0;
    for (const value of data.values()) size += typeof value === "string" ? value.length : value.size;
    return size;
  }

  /** Put the answer in the place of this page, as the browser does when it sends a form. */
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
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !("progress" in form.dataset) || event.defaultPrevented) return;
    const line = form.querySelector(".reading");
    if (!(line instanceof HTMLElement)) return;
    line.hidden = false;
    const data = new FormData(form);
    if (sizeOf(data) < LARGE) return;
    event.preventDefault();
    const button = event.submitter;
    if (button instanceof HTMLButtonElement && button.name) data.append(button.name, button.value);
    send(data, line);
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
