// The rules of the game in a worker: MicroPython runs what clubscore/engine/build.py made of them. Questions and answers are
// text. Only this script may start WebAssembly.
const HEAP = 8 * 1024 * 1024;
// Garbage is collected after the answer, not while someone waits for it. The last module of a file answers.
const beginAt = (entry) => `
import gc
from clubscore.engine.shim import asked
from ${entry} import answer

gc.disable()

def ask(text):
    return asked(answer, text)
`;

/** @type {Promise<{ ask: (text: string) => string, collect: () => void }> | undefined} */
let begun;

/** @param {{ python: string, wasm: string, rules: string }} files */
async function begin({ python, wasm, rules }) {
  const { loadMicroPython } = await import(python);
  const [machine, sources] = await Promise.all([
    loadMicroPython({ url: wasm, heapsize: HEAP }),
    fetch(rules).then((answer) => answer.json()),
  ]);
  for (const [path, source] of Object.entries(sources)) {
    machine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    machine.FS.writeFile(path, source);
  }
  machine.runPython(beginAt(Object.keys(sources).at(-1).slice(0, -".py".length).replaceAll("/", ".")));
  return { ask: machine.globals.get("ask"), collect: machine.globals.get("gc").collect };
}

self.addEventListener("message", async ({ data }) => {
  try {
    begun ||= begin(data.files);
    const { ask, collect } = await begun;
    self.postMessage({ answer: data.question === undefined ? "true" : ask(data.question) });
    collect();
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
});
