// Who has come is tapped name after name, faster than a server answers: what is tapped meanwhile goes with the next.
(() => {
  const AGAIN = 3000;
  // Player by player the state to write, in the order of the taps.
  const tapped = new Map();
  let sending = null;
  let letThrough = null;

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

  function tap(button) {
    const { action, elements } = button.form;
    if (!tapped.delete(button.value)) tapped.set(button.value, elements.state.value);
    button.toggleAttribute("data-tapped");
    sending ??= send(action, elements.csrfmiddlewaretoken.value);
  }

  // What is pressed next finds everybody written: the same button, or the one that stands there in its place. While the
  // server is away it is not held back for ever.
  function go(way) {
    const same = [...document.querySelectorAll(way.tagName)].find((one) => one.textContent === way.textContent);
    letThrough = way.isConnected ? way : same;
    letThrough?.click();
  }

  document.addEventListener("click", (event) => {
    const way = event.target.closest?.("a[href], button");
    if (!way || way.disabled) return;
    const isName = way.matches(".name-buttons button");
    if (!isName && (!sending || way === letThrough)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isName) tap(way);
    else Promise.race([sending, rest()]).then(() => go(way));
  }, true);
})();
