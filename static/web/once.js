// The second press of a button is ignored: a form that was sent is not sent again from the same page.
(() => {
  const sent = new WeakSet();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    // What is kept on the tablet first looks after itself.
    if (form.dataset.outbox && document.documentElement.dataset.outbox) return;
    if (sent.has(form)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    sent.add(form);
    // An answer that never came must not lock the page: after a while the same press counts again, with the same key.
    setTimeout(() => sent.delete(form), 8000);
  }, true);
  addEventListener("pageshow", (event) => {
    // Without the server the page as it was is better than none.
    if (event.persisted) fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(() => location.reload(), () => null);
  });
})();
