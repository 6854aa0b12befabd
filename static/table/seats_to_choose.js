// @ts-check
// A person sits once: who has a seat is not offered for another.
(() => {
  const seats = /** @type {HTMLSelectElement[]} */ ([...document.querySelectorAll('select[name^="player_"]')]);

  function offer() {
    for (const seat of seats) {
      const taken = seats.filter((other) => other !== seat && Number(other.value)).map((other) => other.value);
      for (const option of seat.options) option.hidden = option.disabled = taken.includes(option.value);
    }
  }

  document.addEventListener("change", offer);
  addEventListener("pageshow", offer);
})();
