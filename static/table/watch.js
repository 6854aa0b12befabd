// A watching page asks for news while it is seen: every three seconds, more seldom while the server is away.
(() => {
  const EVERY = 3000;
  const LONGEST = 30000;
  const PATIENCE = 8000;
  const A_BIG_SCREEN = "(min-width: 1000px)";
  const status = document.getElementById("watch-status");
  const quiet = status.textContent;
  let timer = 0;
  let pause = EVERY;
  let asking = false;
  let over = false;
  let reached = new Date();
  let lost = false;

  const board = () => document.querySelector("[data-rev]");
  const timeOf = (moment) => moment.toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit", hour12: true });

  function setStatus(words, isLost = false) {
    if (status.textContent !== words) status.textContent = words;
    status.classList.toggle("is-lost", isLost);
  }

  // What each table on the page has to tell, by the hand it is about.
  function newsOf() {
    /** @type {NodeListOf<HTMLElement>} */
    const parts = document.querySelectorAll("[data-news]");
    const news = [...parts].filter((one) => one.dataset.news);
    return new Map(news.map((one) => [one.dataset.newsKey, one.dataset.news]));
  }

  // The same link, or the same button of the same form.
  const nameOf = (one) => one.id || one.getAttribute("href") || `${one.form?.getAttribute("action")} ${one.name} ${one.value}`;

  function show(fragment) {
    const holder = document.createElement("template");
    holder.innerHTML = fragment;
    const changed = holder.content.querySelector("[data-rev]");
    const shown = board();
    // A button that is being pressed stays until it is let go; the next answer brings the news.
    if (!changed || shown.querySelector(":active")) return;
    const known = newsOf();
    const focused = shown.contains(document.activeElement) ? document.activeElement : null;
    shown.replaceWith(changed);
    // What has changed with it, elsewhere on the page.
    for (const part of holder.content.querySelectorAll("[data-also]")) document.getElementById(part.id)?.replaceWith(part);
    if (focused) [...changed.querySelectorAll(focused.tagName)].find((one) => nameOf(one) === nameOf(focused))?.focus({ preventScroll: true });
    setStatus([...newsOf()].filter(([key]) => !known.has(key)).map(([, news]) => news).join(" ") || quiet);
  }

  // The address was replaced, or a sign-in has run out: nothing is shown any more, and nothing asked.
  function end() {
    over = true;
    for (const part of document.querySelectorAll("[data-rev], [data-also]")) part.replaceChildren();
    setStatus(status.dataset.over || "This link has stopped working. Ask for the new code, or reload the page.", true);
  }

  async function ask() {
    const stop = new AbortController();
    const limit = setTimeout(() => stop.abort(), PATIENCE);
    try {
      const rev = encodeURIComponent(board().dataset.rev);
      /** @type {RequestInit} */
      const options = { cache: "no-store", credentials: "same-origin", redirect: "manual", signal: stop.signal };
      const answer = await fetch(`${board().dataset.follow || location.pathname}?rev=${rev}`, options);
      if (answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status)) return end();
      if (answer.status !== 200 && answer.status !== 204) throw new Error(String(answer.status));
      const fragment = answer.status === 200 ? await answer.text() : "";
      reached = new Date();
      pause = EVERY;
      if (lost) setStatus(quiet);
      lost = false;
      if (fragment) show(fragment);
    } catch {
      lost = true;
      pause = Math.min(pause * 2, LONGEST);
      setStatus(`No connection since ${timeOf(reached)}. Trying again.`, true);
    } finally {
      clearTimeout(limit);
    }
  }

  async function look() {
    clearTimeout(timer);
    if (document.hidden || asking || over) return;
    asking = true;
    await ask();
    asking = false;
    if (!document.hidden && !over) timer = setTimeout(look, pause);
  }

  async function stayAwake() {
    if (!("wakeLock" in navigator) || document.hidden || !matchMedia(A_BIG_SCREEN).matches) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // Refused, with a low battery for example: the page follows all the same.
    }
  }

  document.addEventListener("visibilitychange", () => { look(); stayAwake(); });
  addEventListener("online", look);
  addEventListener("pageshow", (event) => { if (event.persisted) look(); });
  timer = setTimeout(look, EVERY);
  stayAwake();
})();
