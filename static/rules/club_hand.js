// The example of a club's own hand: each tap adds a tile's code to the field, where it can be typed as well.
import { byId } from "../web/dom.js";
import { html, render } from "../web/html.js";

const field = byId("id_tiles");
const picker = byId("picker");
const names = new Map(
  [...picker.querySelectorAll("[data-tile]")].map((face) => [face.dataset.tile, face.getAttribute("aria-label")]),
);
const codes = () =>
  field.value
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);

const picture = (code) =>
  html`<svg class="tile" role="img" aria-label=${names.get(code)}><use href="${field.form.dataset.sprite}#t-${code}"></use></svg>`;

const draw = () =>
  render(
    codes()
      .filter((code) => names.has(code))
      .map(picture),
    byId("drawn"),
  );

function write(list) {
  field.value = list.join(" ");
  draw();
}

picker.hidden = false;
picker.addEventListener("click", (event) => {
  const face = event.target.closest("[data-tile]");
  if (face) write([...codes(), face.dataset.tile]);
  if (event.target.matches("#undo-tile")) write(codes().slice(0, -1));
});
field.addEventListener("input", draw);
