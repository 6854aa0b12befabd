// Whether a tablet can do without the Wi-Fi in its club's hall: what should be here, what is, and what is being fetched. What
// should be here the server says; the times are the server's too, as the clock of a tablet may be wrong.
import { fetchWithin, wait, whenIdle } from "../web/browser.js";
import { root } from "../web/dom.js";
import { canStart } from "./engine/engine.js";
import { keepPages, keptBy, keptPages } from "./outbox/kept_pages.js";
import { keepTable, storage, table, tables as tablesHere } from "./outbox/store.js";

const HEARD_WITHIN = 10000;
// How long after the page is there nothing is fetched yet; the server that has not answered by then is slow.
const BEGIN_AFTER = 1500;
// When it is tried again: after what failed, without the network, and to hear of new tables; milliseconds.
const AGAIN_AFTER = [5000, 20000, 60000];
const AWAY_EVERY = 5000;
const NEWS_EVERY = 30000;
const FETCHED_WITHIN = 60000;
// How old pages may become, and tables that were played on since.
const PAGES_FRESH = 6 * 60 * 60 * 1000;
const TABLES_FRESH = 5 * 60 * 1000;
// How many pages are fetched at once.
const AT_ONCE = 3;

// What is being done.
export const Doing = Object.freeze({
  NOTHING: "nothing",
  FETCHING: "fetching",
  UPDATING: "updating",
  TRYING_AGAIN: "trying again",
  AWAY: "away",
  SIGNED_OUT: "signed out",
});

/**
 * `needs` is what should be here, null where nobody has said so yet. `isWhole`: all of it is here, since `since`; `isReady`:
 * and the rules run in this browser. `lacksTables`: among what is missing is a table in play. `now` is the server's time.
 * @typedef {{ needs: any, now: Date | null, doing: string, missing: string[], stale: string[], lacksTables: boolean, since: Date | null, isWhole: boolean, isReady: boolean }} Readiness
 */

const dateOf = (answer) => new Date(answer.headers.get("Date"));

// Those of the rules, and those that its pages load.
const filesOf = ({ files, static: others = [] }) => [...Object.values(files), ...others];

/** What should be here, as the server said last. */
async function neededBefore(address, doing) {
  const kept = (await keptPages(address)).pop();
  return { needs: kept ? await kept.json() : null, now: null, doing };
}

/** What should be here, as the server says or, without it, as it said last. */
async function needed(address) {
  try {
    const answer = await fetchWithin(HEARD_WITHIN, address);
    if (answer.type === "opaqueredirect" || [401, 403, 404].includes(answer.status))
      return neededBefore(address, Doing.SIGNED_OUT);
    const needs = await answer.clone().json();
    await (await caches.open(`pages-${needs.version}`)).put(address, answer.clone());
    return { needs, now: dateOf(answer), doing: Doing.NOTHING };
  } catch {
    return neededBefore(address, Doing.AWAY);
  }
}

/** What of it is here. Pages count that the worker of the server's version keeps: with it their files are here. @returns {Promise<Readiness>} */
async function compare({ needs, now, doing }) {
  // Tells whether the storage answers.
  await tablesHere();
  if (!needs)
    return {
      needs,
      now,
      doing,
      missing: [],
      stale: [],
      lacksTables: false,
      since: null,
      isWhole: false,
      isReady: false,
    };
  const addresses = [...needs.pages, needs.kept];
  const pages = await Promise.all(addresses.map((address) => keptBy(needs.version, address)));
  const files = await Promise.all(filesOf(needs).map((file) => caches.match(file, { ignoreVary: true })));
  const kept = pages.at(-1);
  const tables = kept ? (await kept.json()).tables : {};
  const inPlay = Object.entries(needs.tables);
  const lacksTables = inPlay.some(([session]) => !(session in tables));
  const age = (answer) => (now ? now.getTime() - dateOf(answer).getTime() : 0);
  const isBehind =
    Boolean(kept) &&
    age(kept) > TABLES_FRESH &&
    inPlay.some(([session, version]) => tables[session]?.state.version !== version);
  const missing = [
    ...addresses.filter((address, at) => !pages[at] || (lacksTables && address === needs.kept)),
    ...filesOf(needs).filter((_, at) => !files[at]),
  ];
  const stale = addresses.filter(
    (address, at) => pages[at] && (age(pages[at]) > PAGES_FRESH || (isBehind && address === needs.kept)),
  );
  const isWhole = !missing.length && !storage.fault;
  return {
    needs,
    now,
    doing,
    missing,
    stale,
    lacksTables,
    since: kept ? dateOf(kept) : null,
    isWhole,
    isReady: isWhole && (await canStart(needs.files)),
  };
}

// Tables in play are listed after those opened here today: a date sorts before all its times.
async function keepTables({ version, kept: address }, now) {
  const { tables } = await (await keptBy(version, address)).json();
  const today = now.toISOString().slice(0, 10);
  for (const { state } of Object.values(tables)) {
    const opened = (await table(state.session))?.opened || "";
    await keepTable(state, { opened: opened > today ? opened : today });
  }
}

/** Fetches these by the worker of the server's version; where an earlier one is still at work, asks for the new one. */
async function fetchAll({ needs, now }, wanted, isOver) {
  const registration = await navigator.serviceWorker.register(`${root}sw.js`, { updateViaCache: "none" });
  if ((await keepPages({})) !== needs.version) {
    await registration.update();
    return Doing.UPDATING;
  }
  const files = filesOf(needs).filter((file) => wanted.includes(file));
  const left = wanted.filter((address) => !files.includes(address) && address !== needs.kept);
  async function fetchSome() {
    for (let address = left.shift(); address && !isOver(); address = left.shift())
      await keepPages({ keep: [address], refetch: [address] });
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
  // The tables last: their time is that of all.
  if (wanted.includes(needs.kept)) await keepPages({ keep: [needs.kept], refetch: [needs.kept], files });
  else if (files.length) await keepPages({ files });
  if (wanted.includes(needs.kept) && !isOver()) await keepTables(needs, now);
  return Doing.TRYING_AGAIN;
}

/**
 * Makes the tablet ready, and keeps it so while the page is open; `show` draws each state. Returns what fetches all again.
 * @param {string} address of what is needed @param {(state: Readiness) => void} show
 */
export function keepReady(address, show) {
  let round = 0;
  let isShown = false;
  let failures = 0;
  let timer = 0;
  let interrupt = () => {};
  const idle = new Promise((resolve) => {
    setTimeout(() => whenIdle(resolve), BEGIN_AFTER);
  });

  // A newer round takes the place of one that waits for an answer.
  async function run(isAll = false) {
    clearTimeout(timer);
    interrupt();
    round += 1;
    const mine = round;
    const isOver = () => mine !== round;
    const interrupted = new Promise((resolve) => {
      interrupt = () => resolve(null);
    });
    let state = await compare(await needed(address));
    if (isOver()) return;
    isShown = true;
    show(state);
    const wanted =
      isAll && state.needs
        ? [...state.needs.pages, state.needs.kept, ...filesOf(state.needs)]
        : [...state.missing, ...state.stale];
    if (state.doing === Doing.NOTHING && wanted.length && !storage.fault) {
      show({ ...state, doing: Doing.FETCHING });
      await idle;
      if (isOver()) return;
      const late = wait(FETCHED_WITHIN, Doing.TRYING_AGAIN);
      const doing = await Promise.race([
        fetchAll(state, wanted, isOver).catch(() => Doing.TRYING_AGAIN),
        interrupted,
        late,
      ]);
      if (isOver()) return;
      state = await compare(state);
      if (!state.isWhole) state.doing = doing;
      show(state);
    }
    failures = state.isWhole ? 0 : failures + 1;
    timer = setTimeout(look, nextAfter(state));
  }

  function nextAfter({ doing, isWhole }) {
    if (doing === Doing.AWAY) return AWAY_EVERY;
    return isWhole ? NEWS_EVERY : AGAIN_AFTER[Math.min(failures, AGAIN_AFTER.length) - 1];
  }

  // A page that nobody sees waits until it is seen.
  const look = () => {
    if (!document.hidden) run();
  };
  addEventListener("online", () => run());
  document.addEventListener("visibilitychange", look);
  navigator.serviceWorker.addEventListener("controllerchange", () => run());
  run();
  setTimeout(async () => {
    const before = await compare(await neededBefore(address, Doing.NOTHING));
    if (!isShown) show(before);
  }, BEGIN_AFTER);
  return () => run(true);
}
