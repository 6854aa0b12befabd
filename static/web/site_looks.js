// On a site of files: the display settings and the buttons that change them, which a server would draw. Read before the page is
// painted, also by browsers that are too old for the rest, so all of it is ES5.
(() => {
  var on = [];

  try {
    on = JSON.parse(localStorage.getItem("looks")) || [];
  } catch (_error) {
    // A browser that keeps nothing shows the page as it is.
  }

  function show() {
    ["large", "contrast", "far", "calm", "left"].forEach((key) => {
      document.documentElement.classList.toggle("is-".concat(key), on.indexOf(key) >= 0);
    });
    [].forEach.call(document.querySelectorAll("button[name=turn]"), (button) => {
      var isOn = on.indexOf(button.value) >= 0;
      button.setAttribute("aria-checked", isOn);
      button.querySelector(".look-state").textContent = isOn ? "on" : "off";
    });
  }

  function turn(event) {
    var button = event.target.closest ? event.target.closest("button[name=turn]") : null;
    if (!button) return;
    event.preventDefault();
    on = on.indexOf(button.value) >= 0 ? on.filter((key) => key !== button.value) : on.concat(button.value);
    try {
      localStorage.setItem("looks", JSON.stringify(on));
    } catch (_error) {
      // It stays so on this page.
    }
    show();
  }

  show();
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", turn);
})();
