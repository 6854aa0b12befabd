// The line of the table page that says who else scores here: asked for again now and then, while the page is seen.
(() => {
  const EVERY = 30000;

  async function ask() {
    const line = document.getElementById("others");
    if (!line?.dataset.address || document.hidden) return;
    try {
      const answer = await fetch(line.dataset.address, { credentials: "same-origin", redirect: "manual", cache: "no-store" });
      if (answer.status === 200) line.textContent = (await answer.json()).words;
    } catch {
      // Not heard: what is known stays.
    }
  }

  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
})();
