// Keeps the pages of the tables opened on this tablet, and the files they need, for when there is no network; those of a
// whole club where a press on the club's page asks for it.
// It changes nothing that is sent. Pages stay together with the files of their version: an older page still has its own.
const SHELL = {{ shell|safe }};
const FILES = `files-${SHELL.version}`;
const PAGES = `pages-${SHELL.version}`;
const OTHERWISE = "/outbox/";
// The same on every tablet, and kept from the start: what waits to be sent, and what to do without the Wi-Fi.
const EVERYBODYS = [OTHERWISE, "{% url 'wifi' %}"];
const VERSIONS_KEPT = 3;
const FEW = 6;
const PATIENCE = 3000;
const AGAIN_AFTER = 10000;
const SIGN_OUT = /^\/(sign-out|account\/sign-out-everywhere)\/$/;
const TABLE_PAGE = /^\/c\/[^/]+\/sessions\/\d+\/((table|rules|take-in|draw)\/)?$/;
// What a tablet keeps of a club, and the page of any table, which draws from it.
const KEPT_OF_CLUB = /^\/c\/[^/]+\/sessions\/0\/kept\.json$/;
const ANY_TABLE = /^(\/c\/[^/]+\/sessions\/)\d+\/(table\/)?$/;
const ANY_CODE = /^(\/c\/[^/]+\/sessions\/)\d+\/take-in\/$/;
// The page of a table fetches its views too, and shows the one that is asked for.
const VIEW = /^(\/c\/[^/]+\/sessions\/\d+\/)(seating|arrive|leave|hands\/(new|[0-9a-f-]{36}(\/(change|insert))?))\/$/;
const VIEWS = /^\/c\/[^/]+\/sessions\/\d+\/views\/$/;
const TABLE = /^(\/c\/[^/]+\/sessions\/\d+\/)table\/$/;

// Games that no club has: one page, what it draws from, that of house rules too, the list of them, the way from another tablet, and their league.
const GAME_VIEW = /^\/game\/(table|entry|seating|arrive|leave|sheet)\/$/;
const GAMES = ["{% url 'games' %}", "{% url 'game-table' %}", "{% url 'kept-of-games' %}", "{% url 'game-take-in' %}", "{% url 'tablet-league' %}", "{% url 'game-copies' %}"];
const OF_HOUSE_RULES = /^\/game\/house-rules\/[a-z0-9_]+\/$/;

// Kept at a press alone.
const CLUB_PAGE = /^\/c\/[^/]+\/(rules\/(by\/[^/]+\/)?|sessions\/start\/)?$/;
const FOR_ANY_HAND = ["{% url 'worth' %}", "{% url 'practice' %}"];
const CLUB = /^\/c\/[^/]+\/$/;
const FRONT = "/";

const keepable = (answer) => answer.status === 200 && answer.type === "basic" && !answer.redirected;
const isPage = (path) => EVERYBODYS.includes(path) || GAMES.includes(path) || OF_HOUSE_RULES.test(path) || TABLE_PAGE.test(path) || KEPT_OF_CLUB.test(path) || VIEWS.test(path) || isForAPress(path);
const isForAPress = (path) => CLUB_PAGE.test(path) || FOR_ANY_HAND.includes(path);

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await keepShell(await caches.open(FILES));
    await (await caches.open(PAGES)).addAll(EVERYBODYS.map((path) => new Request(path, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

// What an earlier version has kept is not fetched again; of what is missing, a few files by themselves, many as one.
async function keepShell(cache) {
  const missing = [];
  for (const path of [...SHELL.files, ...SHELL.packed]) {
    const kept = await caches.match(path, { ignoreVary: true });
    if (kept) await cache.put(path, kept);
    else missing.push(path);
  }
  const isMany = missing.filter((path) => SHELL.packed.includes(path)).length > FEW;
  if (isMany) await unpack(cache);
  await cache.addAll(missing.filter((path) => !isMany || SHELL.files.includes(path)));
}

// One file holds the others: a line of JSON with their names, types and lengths, then their bytes.
async function unpack(cache) {
  const answer = await fetch(SHELL.pack[0]);
  if (!keepable(answer)) throw new TypeError("The files are not there.");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let begin = bytes.indexOf(10) + 1;
  const index = JSON.parse(new TextDecoder().decode(bytes.subarray(0, begin)));
  // What is kept here stays for good: nothing of a file that was cut short.
  if (index.reduce((end, [, , length]) => end + length, begin) !== bytes.length) throw new TypeError("A part is missing.");
  for (const [name, type, length] of index) {
    const text = bytes.slice(begin, begin + length);
    begin += length;
    // As the server sends it: without a time to live a page would fetch the tiles anew for each tile that it draws.
    const headers = { "Content-Type": type, "Cache-Control": "max-age=315360000, immutable" };
    await cache.put(SHELL.static + name, new Response(text, { headers }));
  }
}

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    await forgetOldVersions();
    await self.clients.claim();
  })());
});

// The caches stand in the order they were made in.
async function forgetOldVersions() {
  const names = (await caches.keys()).filter((name) => name.startsWith("files-") && name !== FILES);
  for (const name of names.slice(0, Math.max(0, names.length - VERSIONS_KEPT + 1))) {
    await caches.delete(name);
    await caches.delete(name.replace("files-", "pages-"));
  }
}

self.addEventListener("message", (event) => {
  const { keep = [], refetch, files = [], atOnce } = event.data;
  event.waitUntil(keepPages(keep, refetch, atOnce).then(() => keepFiles(files)).then(() => event.ports[0]?.postMessage(SHELL.version)));
});

// What is kept of the pages goes with the one who was signed in, once signing out has let them go; what waits to be sent
// stays.
async function signOut(request, event) {
  const answer = await fetch(request);
  if (answer.ok || answer.type === "opaqueredirect") event.waitUntil(forgetAll());
  return answer;
}

let timesForgotten = 0;

async function forgetPages(isMeant = () => true) {
  timesForgotten += 1;
  for (const name of await caches.keys()) {
    if (!name.startsWith("pages-")) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const { pathname } = new URL(request.url);
      if (![...EVERYBODYS, ...GAMES].includes(pathname) && isMeant(pathname)) await cache.delete(request);
    }
  }
}

const forgetAll = () => Promise.all([forgetPages(), forgetTables()]);

// Of the tables in the database of outbox/store.js, those with hands to send stay, and games that no club has.
async function forgetTables() {
  const opening = indexedDB.open("clubscore");
  // There is none yet.
  opening.onupgradeneeded = () => opening.transaction.abort();
  const database = await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(null);
  });
  if (!database) return;
  const transaction = database.transaction(["commands", "tables"], "readwrite");
  const ended = new Promise((resolve) => { transaction.oncomplete = transaction.onabort = resolve; });
  const tables = transaction.objectStore("tables");
  transaction.objectStore("commands").getAll().onsuccess = ({ target: { result: commands } }) => {
    const unsent = new Set(commands.map(({ session }) => session));
    tables.getAll().onsuccess = ({ target: { result: kept } }) => {
      for (const { session, started } of kept) if (unsent.has(session)) unsent.add(started);
      for (const { session } of kept) if (!unsent.has(session) && !String(session).startsWith("game-")) tables.delete(session);
    };
  };
  await ended;
  database.close();
}

// What was asked for before pages were forgotten, and answered after, is not kept either.
async function keepPage(path, answer, times) {
  const cache = await caches.open(PAGES);
  await cache.put(path, answer);
  if (times !== timesForgotten) await cache.delete(path);
}

// A sign-in may have ended elsewhere, or a table's code been replaced: the answer to the page says so. A
// café's network that answers for it says nothing of the kind.
async function forgetAsAsked(answer, path) {
  const kept = answer.headers.get("Kept-Pages");
  if (kept === "all") await forgetAll();
  // Where the table itself is not for this tablet, nothing of it is.
  const table = path.match(TABLE)?.[1];
  if (kept === "this") await forgetPages((page) => page === path || (table && page.startsWith(table)));
}

// The pages a table may need next, fetched once a version, or again when they have changed or are opened. Without the
// network nothing more is asked for.
async function keepPages(paths, refetch = [], atOnce = 1) {
  const cache = await caches.open(PAGES);
  const left = paths.filter(isPage);
  async function keepSome() {
    for (let path = left.shift(); path; path = left.shift()) {
      if (!refetch.includes(path) && (await cache.match(path, { ignoreVary: true }))) continue;
      try {
        const times = timesForgotten;
        // Nobody is at the table for that.
        const answer = await fetch(path, { redirect: "manual", headers: { Purpose: "prefetch" } });
        if (keepable(answer)) await keepPage(path, answer, times);
      } catch {
        left.length = 0;
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, keepSome));
}

async function keepFiles(paths) {
  if (SHELL.files.length) await Promise.all(paths.map((path) => file(path).catch(() => null)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== self.location.origin) return;
  if (request.method === "POST" && SIGN_OUT.test(address.pathname)) event.respondWith(signOut(request, event));
  if (request.method !== "GET") return;
  if (SHELL.files.length && address.pathname.startsWith(SHELL.static)) event.respondWith(file(request));
  else if (VIEWS.test(address.pathname)) event.respondWith(views(request, address, event));
  else if (request.mode === "navigate") event.respondWith(page(request, address, event));
});

async function file(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (keepable(answer)) await (await caches.open(FILES)).put(request, answer.clone());
  return answer;
}

async function views(request, { pathname }, event) {
  const times = timesForgotten;
  const answer = await fetch(request);
  if (keepable(answer)) event.waitUntil(keepPage(pathname, answer.clone(), times));
  return answer;
}

// The network first; after three seconds, without it, or where a proxy answers for a server that is away, the page as it
// was last seen here.
async function page(request, address, event) {
  const times = timesForgotten;
  const fetched = fetch(request).then(async (answer) => {
    if (keepable(answer) && !address.search && (await isToKeep(address))) {
      event.waitUntil(keepPage(address.pathname, answer.clone(), times));
    }
    event.waitUntil(forgetAsAsked(answer, address.pathname));
    return answer;
  });
  fetched.catch(() => null);
  const stood = event.resultingClientId && isLoadedAgain(request, address) && (await keptBy(PAGES, address));
  if (stood) {
    event.waitUntil(tellWhatIs(fetched, stood.clone(), address.pathname, event.resultingClientId));
    return stood;
  }
  const soon = await Promise.race([fetched.catch(() => null), new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  if (soon && soon.status < 500) return soon;
  return (await keptPage(address)) || soon || fetched.catch(async () => (await keptClub(address)) || keptPage(new URL(OTHERWISE, self.location)));
}

// A table that is loaded again shows at once what stood there, and is told what the server answers, where the browser says
// which page that is. Asked for once more soon after, as by the page itself, it is the server's.
const lastShown = new Map();

function isLoadedAgain({ cache }, { pathname, search }) {
  if (search || !TABLE.test(pathname) || !["no-cache", "force-cache"].includes(cache)) return false;
  const isSoon = Date.now() - (lastShown.get(pathname) || 0) < AGAIN_AFTER;
  lastShown.set(pathname, Date.now());
  return !isSoon;
}

const keptBy = async (name, { pathname }) => (await caches.open(name)).match(pathname, { ignoreVary: true });

// The files of its version that a page names.
const filesOf = (page) => String(page.match(/(src|href)="[^"]+\.[0-9a-f]{12}\.\w+"/g));

async function tellWhatIs(fetched, stood, path, id) {
  const answer = await fetched.catch(() => null);
  // Without the network the page goes on with what it has.
  if (!answer || answer.status >= 500) return;
  const text = keepable(answer) ? await answer.text() : "";
  // What a newer version draws is not for the scripts of the older.
  const page = filesOf(text) === filesOf(await stood.text()) ? text : null;
  // The page asks again at once, however late the answer was.
  if (!page) lastShown.set(path, Date.now());
  (await clients.get(id))?.postMessage({ page });
}

const isToKeep = async (address) => isPage(address.pathname) && (!isForAPress(address.pathname) || Boolean(await keptPage(address)));

// The front page leads on to the club's.
async function keptClub({ pathname }) {
  if (pathname !== FRONT) return null;
  const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  const club = kept.flat().map(({ url }) => new URL(url).pathname).find((path) => CLUB.test(path));
  return club ? Response.redirect(club) : null;
}

// What is asked of a club's page makes another page of it; where it leads back to does not.
const isOther = ({ searchParams }) => [...searchParams.keys()].some((name) => name !== "back");

async function keptPage(address) {
  const path = address.pathname.replace(VIEW, "$1table/").replace(GAME_VIEW, GAMES[1]);
  return (await keptAt(path, address)) || keptAt(path.replace(ANY_TABLE, "$10/table/").replace(ANY_CODE, "$10/take-in/"), address);
}

async function keptAt(path, address) {
  if (!isPage(path) || (CLUB_PAGE.test(address.pathname) && isOther(address))) return null;
  const names = (await caches.keys()).filter((name) => name.startsWith("pages-") && name !== PAGES);
  for (const name of [PAGES, ...names.reverse()]) {
    const kept = await (await caches.open(name)).match(path, { ignoreVary: true });
    if (kept) return kept;
  }
  return null;
}
