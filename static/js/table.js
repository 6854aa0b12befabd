// The table page looks for news while it is seen, and keeps the screen awake during play where the browser can.
(() => {
  const EVERY = 5000;

  function look() {
    const board = document.getElementById("board");
    const busy = !board || document.hidden || board.querySelector("details[open]") || board.querySelector(".htmx-request");
    if (busy || !window.htmx) return;
    const address = `${location.pathname}?version=${encodeURIComponent(board.dataset.version)}`;
    window.htmx.ajax("GET", address, { source: board, target: board, swap: "outerHTML" });
  }

  async function stayAwake() {
    if (!("wakeLock" in navigator) || document.hidden) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // Refused, with a low battery for instance: play goes on all the same.
    }
  }

  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", () => { look(); stayAwake(); });
  stayAwake();
})();
