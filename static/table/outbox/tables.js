// The tables opened on this tablet, on the page that is there also when the server is not heard.
import { h } from "./dom.js";
import { tables } from "./store.js";

const MOST = 12;

async function drawTables() {
  // It also stands in for a page that this tablet has not kept.
  const notKept = document.getElementById("not-kept");
  notKept.hidden = location.pathname === notKept.dataset.address;
  const opened = (await tables()).filter((one) => one.opened && !one.started).sort((one, other) => other.opened.localeCompare(one.opened));
  if (!opened.length) return;
  document.getElementById("opened-tables").replaceChildren(h("ul", { class: "rows" }, ...opened.slice(0, MOST).map(row)));
}

function row({ state }) {
  const aside = h("span", { class: "row-aside" }, `${state.date}${state.open ? "" : ", finished"}`);
  return h("li", {}, h("a", { href: state.urls.table }, `${state.club}, table ${state.table} `, aside));
}

// Nothing where this tablet cannot keep anything.
drawTables().catch(() => null);
