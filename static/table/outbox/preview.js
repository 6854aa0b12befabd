// What a change of an older entry would do, as the rules on this tablet draw it.
import { button, h } from "./dom.js";
import { previewOf, previewSheet } from "./seats.js";

// Whether to go on with a change: at once where nobody here can say what it does, else when someone has looked at it.
// `refused` is what the rules do not allow; `keepsSeats`: later hands keep the seats they were played in.
export async function lookAtFirst(command, { state, waiting }) {
  const preview = await previewOf(state, waiting, command);
  if (!preview) return { isAgreed: true, isSeen: false };
  if (preview.refused) return { isAgreed: false, isSeen: true, refused: { message: preview.refused, seat: preview.seat } };
  const answer = await answerTo(preview);
  return { isAgreed: answer !== null, isSeen: true, words: preview.words, keepsSeats: Boolean(answer) };
}

function answerTo({ heading, summary, html, has_buttons: asks, button: words }) {
  const dialog = h("dialog", { class: "code-dialog", "aria-labelledby": "preview-heading" },
    h("link", { rel: "stylesheet", href: previewSheet() }), h("h2", { id: "preview-heading" }, heading), h("p", { class: "lead" }, summary));
  dialog.insertAdjacentHTML("beforeend", html);
  document.body.append(dialog);
  return new Promise((resolve) => {
    const answer = (chosen) => () => { dialog.remove(); resolve(chosen); };
    for (const press of dialog.querySelectorAll("[name=keep_seats]")) press.addEventListener("click", answer(press.value));
    dialog.append(h("div", { class: "actions actions-end" }, button("Back", answer(null)), asks ? null : button(words, answer(""), "button-main")));
    dialog.addEventListener("cancel", answer(null));
    dialog.showModal();
  });
}
