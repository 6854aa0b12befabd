// Small help with elements, for what the outbox draws. Text goes in as text, never as markup.

export function h(tag, props = {}, ...children) {
  const { onclick, ...rest } = props;
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(rest)) element.setAttribute(name, value);
  if (onclick) element.addEventListener("click", onclick);
  element.append(...children.filter(Boolean));
  return element;
}

export const button = (words, onclick, kind = "button-quiet") => h("button", { type: "button", class: kind, onclick }, words);
