// The tables opened on this tablet, on the page that is there also when the server is not heard.
import { tables } from "./store.js";

const MOST = 12;
const ITSELF = "/outbox/";

export async function drawTables() {
  const place = document.getElementById("opened-tables");
  if (!place) return;
  // It also stands in for a page that this tablet has not kept.
  document.getElementById("not-kept").hidden = location.pathname === ITSELF;
  const opened = (await tables()).filter((one) => one.opened).sort((one, other) => other.opened.localeCompare(one.opened));
  if (!opened.length) return;
  const list = document.createElement("ul");
  list.className = "rows";
  list.append(...opened.slice(0, MOST).map(({ state }) => row(state)));
  place.replaceChildren(list);
}

function row(state) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const aside = document.createElement("span");
  link.href = state.urls.table;
  aside.className = "row-aside";
  aside.textContent = `${state.date}${state.open ? "" : ", finished"}`;
  link.append(`${state.club}, table ${state.table} `, aside);
  item.append(link);
  return item;
}
