// The memory of the rules as they have just begun, kept by the browser, so that they begin from their sources once a version.
// It is taken before any question is asked: nothing in it is anybody's.
const CACHE = "started-rules";
const PAGE = 4096;
const WORDS_OF_PAGE = PAGE / 4;
// An address that changes with the content of its file. The league is begun too seldom to be kept.
const HAS_DIGEST = /\.[0-9a-f]{12}\.\w+$/;
const LEAGUE = /\/league\.[0-9a-f]{12}\.json$/;

// What JavaScript has dropped MicroPython would free by its number, whenever the browser collects its garbage. In a memory
// that was put back the number is another's, and the page crashes: so the few things that are handed out are never freed.
globalThis.FinalizationRegistry = /** @type {any} */ (
  class {
    register() {}
  }
);

/** @type {WebAssembly.Memory | null} */
let newest = null;

// MicroPython does not hand its memory out; its instance does.
for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const made = await original.apply(WebAssembly, given);
    const found = Object.values((made.instance || made).exports).find((part) => part instanceof WebAssembly.Memory);
    newest = /** @type {WebAssembly.Memory | undefined} */ (found) || null;
    return made;
  };
}

export const newestMemory = () => newest;

/** Where the image of these files is kept; null where their addresses say nothing of their content, as in development. @param {string[]} files */
export function imageAddress(files) {
  return files.every((file) => HAS_DIGEST.test(file) && !LEAGUE.test(file))
    ? `${files[0]}?${files.slice(1).join("&")}`
    : null;
}

/** The pages that are not empty: how many there are in all and here, their numbers, their content. @param {WebAssembly.Memory} memory */
export function imageOf(memory) {
  const words = new Uint32Array(memory.buffer);
  const numbers = [];
  for (let start = 0; start < words.length; start += WORDS_OF_PAGE) {
    let at = start;
    while (at < start + WORDS_OF_PAGE && words[at] === 0) at += 1;
    if (at < start + WORDS_OF_PAGE) numbers.push(start / WORDS_OF_PAGE);
  }
  const head = 2 + numbers.length;
  const image = new Uint32Array(head + numbers.length * WORDS_OF_PAGE);
  image.set([words.length / WORDS_OF_PAGE, numbers.length, ...numbers]);
  numbers.forEach((number, place) => {
    const start = number * WORDS_OF_PAGE;
    image.set(words.subarray(start, start + WORDS_OF_PAGE), head + place * WORDS_OF_PAGE);
  });
  return image;
}

/** Makes the memory of a new instance what it was; false, and nothing done, where it cannot. @param {WebAssembly.Memory | null} memory @param {Uint32Array} image */
export function putBack(memory, image) {
  const [pages, count] = image;
  const head = 2 + count;
  if (image.length !== head + count * WORDS_OF_PAGE || memory?.buffer.byteLength !== pages * PAGE) return false;
  const words = new Uint32Array(memory.buffer);
  words.fill(0);
  for (let place = 0; place < count; place += 1) {
    const start = head + place * WORDS_OF_PAGE;
    words.set(image.subarray(start, start + WORDS_OF_PAGE), image[2 + place] * WORDS_OF_PAGE);
  }
  return true;
}

// Of the browser's answers here only an image counts: without one, whyever, the rules begin from their sources.

/** @param {string | null} address @returns {Promise<Uint32Array | null>} */
export async function keptImage(address) {
  try {
    const kept = address && (await (await caches.open(CACHE)).match(address));
    if (!kept) return null;
    // Compressed, it has a checksum of its own.
    const whole = kept.body.pipeThrough(new DecompressionStream("gzip"));
    return new Uint32Array(await new Response(whole).arrayBuffer());
  } catch {
    return null;
  }
}

/** Keeps an image in the place of those of other versions. @param {string} address @param {Uint32Array<ArrayBuffer>} image */
export async function keepImage(address, image) {
  try {
    const compressed = new Blob([image]).stream().pipeThrough(new CompressionStream("gzip"));
    const cache = await caches.open(CACHE);
    for (const other of await cache.keys()) await cache.delete(other);
    await cache.put(address, new Response(compressed));
  } catch {
    await forgetImages();
  }
}

export async function forgetImages() {
  try {
    await caches.delete(CACHE);
  } catch {}
}
