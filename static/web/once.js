// Ignores the second press of a button: a form that was sent is not sent again from the same page.
(() => {
  const sent = new WeakSet();
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      // A form that is kept on the tablet first does so itself.
      if (form.dataset.outbox && document.documentElement.dataset.outbox) return;
      if (sent.has(form)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      sent.add(form);
      // If no answer comes, the same press counts again after a while, with the same key.
      setTimeout(() => sent.delete(form), 8000);
    },
    true,
  );
  addEventListener("pageshow", (event) => {
    // Without the server, the page as it was is better than none.
    if (event.persisted)
      fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
        () => location.reload(),
        () => null,
      );
  });
})();
