// Every page of a table, and the page of unsent hands: forms that are kept on the tablet first, the line that says what is
// saved, and the board or sheet while the server is not heard.
import "../../web/once.js";
import { whenIdle } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { go, takeViews } from "../views.js";
import { drawAhead, drawKept, isOurs, showRecorded } from "./ahead.js";
import { drawSheet, nameTablets } from "./board.js";
import { flashAfterRedirect, flashOutcomes } from "./flash.js";
import { install } from "./install.js";
import { wireForms } from "./kept_forms.js";
import { fetchLater, getReady, getViewsLater } from "./later_views.js";
import { wireLinks } from "./links.js";
import { drawOpenedTables, wireList } from "./list.js";
import { keepFlushing, onChange } from "./queue.js";
import { fetchLedger, isSetBack, pageState } from "./state.js";

const LOAD_AFTER = 2000;

async function start() {
  if (byId("later-views")) takeViews(pageState().urls);
  if ("anyTable" in document.documentElement.dataset) await go(pageState().urls.table, true);
  if (byId("later-views")) getViewsLater();
  if (byId("later")) {
    if (document.readyState === "complete") whenIdle(fetchLater);
    else addEventListener("load", () => whenIdle(fetchLater));
  }
  wireList();
  wireForms();
  wireLinks();
  flashAfterRedirect();
  drawOpenedTables();
  await drawAhead();
  // Each view has a line and a list of its own.
  document.addEventListener("view:shown", drawKept);
  onChange(showRecorded);
  onChange(() => byId("sheet") && drawSheet());
  if (byId("sheet")) drawSheet();
  nameTablets();
  if (byId("board") || byId("outbox-page")) await flashOutcomes(isOurs);
  keepFlushing();
  install(pageState());
  if (pageState() && !byId("entry")) {
    // The ledger is small and changes with every hand; the rules are neither.
    fetchLedger().catch(() => null);
    setTimeout(getReady, LOAD_AFTER);
  }
  if (pageState() && (await isSetBack())) location.reload();
}

start();
