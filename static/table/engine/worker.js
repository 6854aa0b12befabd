// The rules of the game in a worker: MicroPython runs what clubscore/engine/build.py made of them, from their sources or from
// the image that these have left. Questions and answers are text. Only this script may start WebAssembly.
import { forgetImages, imageAddress, imageOf, keepImage, keptImage, newestMemory, putBack } from "./image.js";

const HEAP = 8 * 1024 * 1024;
// Garbage is collected after the answer, not while someone waits for it. The last module of a file answers. Scripts are served
// without indentation: so none here.
const beginAt = (entry) => `
import gc
from clubscore.engine.shim import asked
from ${entry} import answer

gc.disable()

def ask(text): return asked(answer, text)
`;

// How long after the start the image is kept, as the first questions come before it; milliseconds.
const KEEP_AFTER = 1000;

/** @typedef {{ python: string, wasm: string, rules: string }} Files */

/** @type {Promise<{ ask: (text: string) => string, collect: () => void, isFromImage: boolean }> | undefined} */
let begun;
let hasAnswered = false;

/** @param {Files} files */
async function begin({ python, wasm, rules }) {
  const address = imageAddress([rules, wasm, python, self.location.pathname]);
  const fetchSources = () => fetch(rules).then((answer) => answer.json());
  const kept = keptImage(address);
  const early = kept.then((image) => (image ? null : fetchSources()));
  // A failure is heard below, once MicroPython is there.
  early.catch(() => null);
  const { loadMicroPython } = await import(python);
  const [machine, image, found] = await Promise.all([loadMicroPython({ url: wasm, heapsize: HEAP }), kept, early]);
  const memory = newestMemory();
  const isFromImage = Boolean(image) && putBack(memory, image);
  if (!isFromImage) {
    const sources = found || (await fetchSources());
    for (const [path, source] of Object.entries(sources)) {
      machine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      machine.FS.writeFile(path, source);
    }
    machine.runPython(beginAt(Object.keys(sources).at(-1).slice(0, -".py".length).replaceAll("/", ".")));
    // Before anything of it is handed out here, as an image has nothing of what this side keeps.
    const taken = memory && address && imageOf(memory);
    if (taken) setTimeout(() => keepImage(address, taken), KEEP_AFTER);
  }
  return { ask: machine.globals.get("ask"), collect: machine.globals.get("gc").collect, isFromImage };
}

self.addEventListener("message", async ({ data: { files, question } }) => {
  try {
    begun ||= begin(files);
    const { ask, collect, isFromImage } = await begun;
    try {
      self.postMessage({ answer: question === undefined ? "true" : ask(question) });
      hasAnswered ||= question !== undefined;
    } catch (error) {
      if (!isFromImage || hasAnswered) throw error;
      // The image may be at fault: the next worker begins from the sources.
      await forgetImages();
      return self.postMessage({ isToAskAgain: true });
    }
    return collect();
  } catch (error) {
    return self.postMessage({ error: String(error) });
  }
});
