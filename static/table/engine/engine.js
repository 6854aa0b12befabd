// Asks the rules on this tablet. No answer (null) is always possible: an old browser, a worker that died or is too slow.
import { readStored, writeStored } from "../../web/browser.js";

const PATIENCE = 8000;
// How long the rules may take to be fetched and begun.
const LOAD_LIMIT = 30000;

export const canRun = Boolean(window.Worker && window.WebAssembly);

/** @typedef {{ worker: string, python: string, wasm: string, rules: string }} Files */

/** @type {Worker | null} */
let worker = null;
// Whether it has the rules: until then it is not given up for being slow, as the next one would begin anew.
let isLoaded = false;
/** @type {Promise<string | null> | null} */
let last = null;

/**
 * Answers a question once those before it are answered; a worker that fails is replaced for the next one.
 * @param {Files} files @param {unknown} [question] without one it only loads the rules, and answers true
 * @param {number} [patience] how long it may take, in milliseconds
 * @returns {Promise<any>}
 */
export async function ask(files, question, patience = PATIENCE) {
  const text = question === undefined ? undefined : JSON.stringify(inPairs(question));
  const load = () => askWorker(files, undefined, LOAD_LIMIT);
  const begin = () => {
    if (text === undefined) return load();
    const put = () => askWorker(files, text, patience);
    return isLoaded ? put() : load().then((answer) => (answer === null ? null : put()));
  };
  // Without a question before this one, the worker begins before the page goes on.
  const mine = last ? last.then(begin) : begin();
  last = mine;
  const answer = await mine;
  if (last === mine) last = null;
  return answer === null ? null : JSON.parse(answer);
}

const STARTED = "engine-started";

/** Whether the rules begin in this browser: tried once for each version of them, as an old one says only so that it cannot. @param {Files} files */
export async function canStart(files) {
  if (!canRun) return false;
  if (readStored(STARTED) === files.wasm) return true;
  const isStarted = Boolean(await ask(files));
  if (isStarted) writeStored(STARTED, files.wasm);
  return isStarted;
}

/** @param {Files} files @param {string | undefined} question @param {number} patience @returns {Promise<string | null>} */
function askWorker({ worker: script, ...files }, question, patience) {
  return new Promise((resolve) => {
    /** @type {Worker | null} */
    let mine = null;
    // A worker that was stopped may still report an error: the next one goes on.
    const stop = () => {
      clearTimeout(timer);
      mine?.terminate();
      if (worker === mine) {
        worker = null;
        isLoaded = false;
      }
    };
    const fail = () => {
      stop();
      resolve(null);
    };
    const timer = setTimeout(fail, patience);
    try {
      worker ||= new Worker(script, { type: "module" });
    } catch {
      return fail();
    }
    mine = worker;
    mine.onerror = fail;
    mine.onmessage = ({ data }) => {
      if (data.error !== undefined) return fail();
      if (data.isToAskAgain) {
        stop();
        return resolve(askWorker({ worker: script, ...files }, question, LOAD_LIMIT));
      }
      clearTimeout(timer);
      isLoaded = true;
      return resolve(data.answer);
    };
    return mine.postMessage({ files, question });
  });
}

/**
 * Writes objects as {"": [key, value, ...]}, as dictionaries keep no order in MicroPython.
 * @param {any} value @returns {any}
 */
function inPairs(value) {
  if (Array.isArray(value)) return value.map(inPairs);
  if (value === null || typeof value !== "object") return value;
  return { "": Object.entries(value).flatMap(([key, one]) => [key, inPairs(one)]) };
}
