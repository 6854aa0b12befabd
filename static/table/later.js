// What a page needs only some day is fetched when it has come to rest: nobody waits for it, and it is here before it is needed.
const wanted = document.getElementById("later")?.dataset;

function add(tag, properties) {
  return new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), properties);
    // What could not be fetched is done without.
    for (const outcome of ["load", "error"]) element.addEventListener(outcome, resolve);
    document.head.append(element);
  });
}

async function fetchAll() {
  await add("script", { src: wanted.script });
  await add("script", { type: "module", src: wanted.module });
}

const whenIdle = window.requestIdleCallback || ((then) => setTimeout(then, 1000));
if (wanted && document.readyState === "complete") whenIdle(fetchAll);
else if (wanted) addEventListener("load", () => whenIdle(fetchAll));
