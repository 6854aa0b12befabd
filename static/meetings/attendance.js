// Who has come is tapped name after name, faster than a server answers: what is tapped while it answers goes with the next.
(() => {
  const AGAIN = 3000;
  // A name that was just tapped: the second press of a double press, when the answer has already turned the button round.
  const DOUBLE = 400;
  // Player by player the state to write, in the order of the taps.
  const tapped = new Map();
  let sending = null;
  let letThrough = null;
  let last = { player: "", at: -DOUBLE };

  const rest = () => new Promise((done) => setTimeout(done, AGAIN));

  // All with the state of the first, as one request has one state.
  function taken() {
    const [state] = tapped.values();
    const players = [...tapped].filter(([, one]) => one === state).map(([player]) => player);
    players.forEach((player) => tapped.delete(player));
    return { state, players };
  }

  async function send(action, token) {
    while (tapped.size) {
      const { state, players } = taken();
      const values = { csrfmiddlewaretoken: token, state, player: players };
      try {
        await htmx.ajax("POST", action, { target: "#meeting", swap: "outerHTML", values });
      } catch {
        players.forEach((player) => tapped.set(player, state));
        await rest();
      }
    }
    sending = null;
  }

  function tap(button, at) {
    const { action, elements } = button.form;
    const isSecond = button.value === last.player && at - last.at < DOUBLE;
    last = { player: button.value, at };
    if (isSecond) return;
    if (!tapped.delete(button.value)) tapped.set(button.value, elements.state.value);
    button.toggleAttribute("data-tapped");
    sending ??= send(action, elements.csrfmiddlewaretoken.value);
  }

  // What is pressed next finds everyone written: the same button, or the one that stands there in its place. While the
  // server is away it is not held back for ever.
  function go(way) {
    const same = [...document.querySelectorAll(way.tagName)].find((one) => keyOf(one) === keyOf(way));
    letThrough = way.isConnected ? way : same;
    letThrough?.click();
  }

  // Where a link leads, or what a button sends and where to.
  function keyOf(way) {
    return way.id || way.getAttribute("href") || JSON.stringify([way.form?.getAttribute("action"), way.name, way.value]);
  }

  // Whatever the answer brings above the names, the one tapped last stays under the finger; and what was tapped
  // since is still on its way.
  const nameOf = (player) => document.getElementById(`name-${player}`);
  const topOf = (player) => nameOf(player)?.getBoundingClientRect().top ?? 0;
  let before = 0;
  document.addEventListener("htmx:beforeSwap", () => { before = topOf(last.player); });
  document.addEventListener("htmx:afterSwap", () => {
    if (sending && nameOf(last.player)) scrollBy({ top: topOf(last.player) - before, behavior: "instant" });
    for (const player of tapped.keys()) nameOf(player)?.toggleAttribute("data-tapped", true);
  });

  document.addEventListener("click", (event) => {
    const way = event.target.closest?.("a[href], button");
    if (!way || way.disabled) return;
    const isName = way.matches(".name-buttons button");
    if (!isName && (!sending || way === letThrough)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isName) tap(way, event.timeStamp);
    else Promise.race([sending, rest()]).then(() => go(way));
  }, true);
})();
