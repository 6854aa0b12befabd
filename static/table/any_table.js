// The page of any table that this tablet knows while the club is not heard: one that was started here, or one that is in
// play at the club. What a page of the club has of its own, this one takes from what is kept of the club.
import { byId } from "../web/dom.js";
import { factsOf, keptOfClub, withHouse } from "./outbox/starting.js";
import { keepTable, storage, table } from "./outbox/store.js";
import { storageWords } from "./outbox/words.js";

const {
  scripts,
  kept: address,
  game: ofGames,
} = /** @type {HTMLElement} */ (document.querySelector("script[data-kept]")).dataset;
// A game is nobody’s but this tablet’s.
const isGame = ofGames !== undefined;
const session = isGame ? 0 : Number(location.pathname.split("/sessions/")[1].split("/")[0]);
const key = new URLSearchParams(location.search).get("new");

/** What the club has put into its views for any table, as this one has it. `kept` is JSON or HTML. */
function ofTable(kept, general, state) {
  const words = kept.replaceAll("{table}", state.table).replaceAll("{date}", state.date);
  return Object.entries(general).reduce(
    (text, [name, from]) => text.replace(new RegExp(`"${from}(?=["#])`, "g"), `"${state.urls[name]}`),
    words,
  );
}

/** A table that was started here: until the club has it, it has no pages at the club. */
async function startedHere({ start, files }) {
  const own = key && (await table(`${isGame ? "game" : "new"}-${key}`));
  if (!own || own.started) return { own, kept: null };
  const usual = start[own.rules.rules];
  // Without an answer, hand entry offers what the rules do.
  const ofGame = isGame && (await withHouse(usual, files, own.rules.rules, own.rules.house_rules));
  const { views_at: viewsAt, views, table: facts } = ofGame || usual;
  return { own, kept: { views: ofTable(views, viewsAt, own.state), table: factsOf(facts, own) } };
}

/** A table in play at the club, opened here for the first time. */
async function inPlay({ tables }) {
  const kept = tables[session];
  return { own: kept && (await keepTable(kept.state)), kept };
}

function put(id, data) {
  document.body.append(
    Object.assign(document.createElement("script"), {
      id,
      type: "application/json",
      textContent: JSON.stringify(data),
    }),
  );
}

// The pages beside a table lead back to this one: which it is stands after the “?”, which the page that was kept does not know.
function leadBackHere() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("footer a"))) {
    const to = new URL(link.href);
    for (const name of ["back", "next"])
      if (to.searchParams.has(name)) to.searchParams.set(name, location.pathname + location.search);
    link.href = to.href;
  }
}

async function start() {
  const ofClub = session || key ? await keptOfClub(address) : null;
  const { own, kept } = ofClub ? await (session ? inPlay(ofClub) : startedHere(ofClub)) : { own: null, kept: null };
  // The club has it by now.
  if (own?.started) return location.replace((await table(own.started)).state.urls.table);
  if (!kept) {
    byId("no-table").hidden = false;
    if (storage.fault) byId("no-table").querySelector(".empty").textContent = storageWords();
    return null;
  }
  document.documentElement.dataset.anyTable = "";
  leadBackHere();
  if (!session) document.documentElement.dataset.newTable = "";
  // Version 0, so that it is drawn from what is kept here.
  put("table-state", session ? kept.state : { ...own.state, version: 0, ledger: null });
  put("engine-data", { files: ofClub.files, preview_sheet: ofClub.preview_sheet, table: kept.table });
  byId("later-views").insertAdjacentHTML("beforebegin", kept.views);
  for (const src of scripts.split(" "))
    document.body.append(Object.assign(document.createElement("script"), { type: "module", src }));
  return null;
}

start();
