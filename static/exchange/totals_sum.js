// @ts-check
// Says how far the points of a table are from a sum of 0 while they are entered; the server checks the same sum.
(() => {
  /** @param {string} text @returns {number | null} */
  function points(text) {
    const plain = text.replace(/[\p{Pd}−]/gu, "-").replace(/[\s,£+\p{Cf}]/gu, "");
    const bracketed = /^\((\d+)\)$/.exec(plain);
    const figure = bracketed ? `-${bracketed[1]}` : plain.replace(/^(\d+)-$/, "-$1");
    return /^-?\d+$/.test(figure) ? Number(figure) : null;
  }

  /** @param {HTMLElement} line @param {HTMLFormElement} form */
  function show(line, form) {
    const fields = [...(line.closest("[data-sum]") ?? form).querySelectorAll("input[name^='net_']")];
    const entered = fields.map((field) => (field instanceof HTMLInputElement ? points(field.value) : null));
    const known = entered.filter((one) => one !== null);
    const still = -known.reduce((sum, one) => sum + one, 0);
    const recording = form.elements.namedItem("recording");
    line.hidden = known.length === 0 || (recording instanceof HTMLSelectElement && recording.value !== "settle");
    const amount = `${still > 0 ? "+" : still < 0 ? "−" : ""}${Math.abs(still).toLocaleString("en-GB")}`;
    line.textContent = still ? `${line.dataset.open} ${amount}` : (line.dataset.even ?? "");
  }

  for (const line of document.querySelectorAll(".still")) {
    const form = line.closest("form");
    if (!(line instanceof HTMLElement) || !(form instanceof HTMLFormElement)) continue;
    form.addEventListener("input", () => show(line, form));
    form.addEventListener("change", () => show(line, form));
    show(line, form);
  }
})();
