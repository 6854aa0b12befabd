// Who agreed to a change, and whether later hands keep their seats, go with it, also where the tablet keeps the change
// first and sends it later.
document.addEventListener("click", (event) => {
  const press = event.target.closest("button[type=submit]");
  const form = press?.form;
  if (!form?.dataset.body) return;
  const { keep_seats: _, ...sent } = JSON.parse(form.dataset.body);
  if (press.name === "agreed") {
    sent.body.agreed = press.value;
    form.elements.body.value = JSON.stringify({ ...JSON.parse(form.elements.body.value), agreed: press.value });
  }
  const keeps = press.name === "keep_seats" ? press.value : form.querySelector("input[type=checkbox][name=keep_seats]")?.checked;
  if (keeps) sent.keep_seats = true;
  if (press.name === "keep_seats") say(form, press.value);
  form.dataset.body = JSON.stringify(sent);
});

// The form that is sent without a press does not know which button it was.
function say(form, value) {
  form.querySelector("input[type=hidden][name=keep_seats]")?.remove();
  const said = document.createElement("input");
  Object.assign(said, { type: "hidden", name: "keep_seats", value });
  form.append(said);
}
