// Keeps a site of files: what a game needs from the first visit, the other pages once they were opened. A release is one
// list of files, which is in this script; a page says of which release it is, and files have their digest in their name.
const RELEASE = {{ release|safe }};
const ROOT = new URL("./", self.location).pathname;
// Another site may be beside this one, under another path.
const NAME = `site ${ROOT} `;
const CACHE = NAME + RELEASE.version;
const RELEASES_KEPT = 3;
const FEW = 6;
const TABLE = "game/table/";
const GAME_VIEW = /^game\/(entry|seating|arrive|leave|sheet)\/$/;

const isPage = (path) => RELEASE.pages.includes(path);
const isFile = (path) => RELEASE.files.includes(path);
const below = (address) => new URL(address, self.location).pathname.slice(ROOT.length);

/** Fetches past all caches, and keeps; a page of another release, which a host may still give, is refused. */
async function keep(path) {
  const cache = await caches.open(CACHE);
  const kept = isFile(path) ? await caches.match(ROOT + path) : await cache.match(ROOT + path);
  const answer = kept || (await fetch(`${ROOT}${path}${isPage(path) ? `?release=${RELEASE.version}` : ""}`, { cache: "reload" }));
  if (!answer.ok || answer.redirected) throw new Error(path);
  if (!kept && isPage(path) && !(await answer.clone().text()).includes(`data-release="${RELEASE.version}"`)) throw new Error(path);
  await cache.put(ROOT + path, answer.clone());
  return answer;
}

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([...RELEASE.first.map(keep), keepPacked()]).then(() => self.skipWaiting()));
});

/** What a game needs later: a few files by themselves, many as one. */
async function keepPacked() {
  const kept = await Promise.all(RELEASE.packed.map((path) => caches.match(ROOT + path)));
  if (kept.filter((one) => !one).length > FEW && "DecompressionStream" in self) await unpack().catch(() => null);
  await Promise.all(RELEASE.packed.map(keep));
}

/** One file holds the others: a line of JSON with their names, types and lengths, then their bytes. */
async function unpack() {
  const answer = await fetch(ROOT + RELEASE.pack, { cache: "reload" });
  const stream = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const cache = await caches.open(CACHE);
  let begin = bytes.indexOf(10) + 1;
  for (const [name, type, length] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, begin)))) {
    const content = bytes.slice(begin, begin + length);
    begin += length;
    // Without a time to live a page would fetch the tiles anew for each tile that it draws.
    const headers = { "Content-Type": type, "Cache-Control": "max-age=315360000, immutable" };
    await cache.put(`${ROOT}static/${name}`, new Response(content, { headers }));
  }
}

// The caches are in the order they were made in. Pages that are open go on with the files of their release.
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const earlier = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== CACHE);
    await Promise.all(earlier.slice(0, Math.max(0, earlier.length - RELEASES_KEPT + 1)).map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  const { keep: pages = [], files = [] } = event.data;
  const wanted = [...pages, ...files].map(below).filter((path) => isPage(path) || isFile(path));
  event.waitUntil(Promise.all(wanted.map((path) => keep(path).catch(() => null))).then(() => event.ports[0]?.postMessage(RELEASE.version)));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(ROOT)) return;
  const path = pathname.slice(ROOT.length).replace(/index\.html$/, "");
  event.respondWith(request.mode === "navigate" ? page(path, request) : file(path, request));
});

async function page(path, request) {
  const wanted = path.replace(GAME_VIEW, TABLE);
  if (isPage(wanted)) {
    const kept = await keep(wanted).catch(() => null);
    if (kept) return kept;
  }
  return fetch(request).catch(() => Response.redirect(`${ROOT}game/`));
}

async function file(path, request) {
  const kept = await caches.match(ROOT + path);
  if (kept) return kept;
  return isFile(path) ? keep(path) : fetch(request);
}
