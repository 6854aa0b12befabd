// The table as it is after what this tablet keeps: drawn over what the server sent, and again when that is recorded.
import { byId } from "../../web/dom.js";
import { drawBoard, labelEnter, refreshOnce, undrawBoard } from "./board.js";
import { isGame, newKey } from "./commands.js";
import { flashOutcomes } from "./flash.js";
import { isAwaited } from "./follow.js";
import { commandOf } from "./forms.js";
import { keepPages, keepSoon } from "./kept_pages.js";
import { drawList, drawStatus } from "./list.js";
import { foresee, pageState, RETRY_AFTER, setPageState, tableNow } from "./state.js";
import { all, noteGame, storage, table } from "./store.js";

const FORESEEN_AFTER = 600;
let looks = 0;
let foreseeing = 0;
let nobody = /** @type {any} */ (null);
// Of the page that is kept for when it is loaded again.
let keptVersion = -1;

// The club has no pages of a table that was started here.
export const isNewTable = () => "newTable" in document.documentElement.dataset;

export async function drawAhead() {
  looks += 1;
  const look = looks;
  const [items, now] = await Promise.all([drawKept(), tableNow()]);
  // A slower look would draw what has been sent since.
  if (look === looks) {
    draw(now);
    now?.place.later?.then((answer) => (answer ? drawAhead() : setTimeout(drawAhead, RETRY_AFTER)));
  }
  return { items, now };
}

// The line in the bar, and the list behind it: a game sends nothing.
export async function drawKept() {
  const items = await all();
  const shown = isGame(pageState()?.session) ? [] : items;
  drawStatus(shown);
  drawList(shown);
  return items;
}

export function draw(now) {
  const isAhead = Boolean(now && (now.waiting.length || now.isNewer));
  drawSeatings(now, isAhead);
  if (isAhead) drawBoard(now);
  else undrawBoard();
  if (now) labelEnter(now);
  clearTimeout(foreseeing);
  foreseeing = setTimeout(foreseeNobody, FORESEEN_AFTER, now);
  if (now?.place.balances && isGame(now.state.session))
    noteGame(now.state.session, { stands: standing(now.place) }).catch(() => null);
  if (now?.isNewer && now.state.version !== keptVersion && !isNewTable()) {
    keptVersion = now.state.version;
    keepSoon(now.state.urls.table);
  }
}

// The press on “Nobody” is answered before it is made, once the board has stood for a moment.
function foreseeNobody(now) {
  const form = byId("nobody")?.closest("form");
  if (!form || !now?.place.isOpen) return;
  nobody = { ...commandOf(form, now.place, now.state), key: nobody?.key || newKey() };
  foresee(now, nobody);
}

/** The command of a form that was just pressed: that on “Nobody” is made as it was foreseen. */
export function pressedCommand(form, place, state, submitter) {
  const command = commandOf(form, place, state, submitter);
  if (!form.querySelector("#nobody") || !nobody) return command;
  const { key } = nobody;
  nobody = null;
  return { ...command, key };
}

/** How a game stands, for the list of games and their league: names with their balances, tallies, hands, whether it goes on. */
const standing = ({ names, balances, tallies, number, isOpen }) => ({
  players: Object.entries(balances).map(([seat, points]) => [names[seat], points]),
  tallies,
  hands: number - 1,
  isOpen,
});

// The seatings to choose from: those that the server drew are for the hand that it knew of.
export function drawSeatings(now, isAhead) {
  const place = byId("likely-seatings");
  if (!place) return;
  place.toggleAttribute("hidden", isAhead && !now.place.html);
  if (now?.place.html) place.innerHTML = now.place.html.seatings;
}

// Shows what was recorded as the server has it, and says so once nothing more of this table waits.
export async function showRecorded(recorded) {
  await followStart(recorded);
  const session = pageState()?.session;
  const others = recorded.filter((one) => !isAwaited(one));
  if (others.some((one) => one.session === session)) await refreshOnce();
  const { items } = await drawAhead();
  // What this page alone knows, no other can say later.
  const isListening = byId("board") || byId("outbox-page") || storage.fault;
  const isQuiet = !items.some((one) => one.state === "waiting" && (!session || one.session === session));
  if (isListening && isQuiet && others.length) await flashOutcomes((one) => isOurs(one) && !isAwaited(one));
}

export const isOurs = (one) => !pageState() || pageState().session === one.session;

// Once the club has the table that was started here, the page goes on as that of its session. The table's own page follows
// when it is kept on this tablet: the network may go again.
async function followStart(recorded) {
  const start = recorded.find(({ started }) => started && started === pageState()?.session);
  if (!start) return;
  const { state } = await table(start.session);
  setPageState({ ...state, version: 0, ledger: null });
  if (byId("board")) goToTable(state.urls.table).catch(() => null);
}

export async function goToTable(address) {
  await keepPages({ keep: [address], refetch: [address] });
  if (await caches.match(address)) location.replace(address);
}

/** Draws what was heard of the table meanwhile. */
export async function drawNews() {
  await refreshOnce();
  await drawAhead();
}
