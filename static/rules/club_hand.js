// The example of a club's own hand, laid tile by tile: each tap adds a code to the field, where it can be typed as well.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const field = document.getElementById("id_tiles");
  const drawn = document.getElementById("drawn");
  const picker = document.getElementById("picker");
  const names = new Map([...picker.querySelectorAll("[data-tile]")].map((face) => [face.dataset.tile, face.getAttribute("aria-label")]));
  const sprite = field.form.dataset.sprite;
  const codes = () => field.value.toUpperCase().split(/[\s,]+/).filter(Boolean);

  function picture(code) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "tile");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", names.get(code));
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${sprite}#t-${code}`);
    svg.append(use);
    return svg;
  }

  function draw() {
    drawn.replaceChildren(...codes().filter((code) => names.has(code)).map(picture));
  }

  function write(list) {
    field.value = list.join(" ");
    draw();
  }

  picker.hidden = false;
  picker.addEventListener("click", (event) => {
    const face = event.target.closest("[data-tile]");
    if (face) write([...codes(), face.dataset.tile]);
    if (event.target.id === "undo-tile") write(codes().slice(0, -1));
  });
  field.addEventListener("input", draw);
})();
