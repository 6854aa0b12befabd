// Who agreed to a change goes with it, also where the tablet keeps the change first and sends it later.
document.addEventListener("click", (event) => {
  const press = event.target.closest("button[name=agreed]");
  const form = press?.form;
  if (!form?.dataset.body) return;
  const agreed = press.value;
  const sent = JSON.parse(form.dataset.body);
  form.dataset.body = JSON.stringify({ ...sent, body: { ...sent.body, agreed } });
  form.elements.body.value = JSON.stringify({ ...JSON.parse(form.elements.body.value), agreed });
});
