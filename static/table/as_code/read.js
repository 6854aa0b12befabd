// Reads a code that another tablet shows (format.js), where there is no server to do it (imports/waiting_code.py).
import { checksum } from "./format.js";

const PART = /CS1([jz])\.([0-9a-f]{8})\.(\d{1,3})\.(\d{1,3})\.([0-9a-f]{8})\.([A-Za-z0-9_-]*)\./g;

const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Gives club, session, device and commands; fails where a part is missing or has a mistake in it.
export async function readCode(text) {
  const found = [...text.replace(/\s/g, "").matchAll(PART)].sort((one, other) => Number(one[3]) - Number(other[3]));
  const [, how, whole, , of] = found[0];
  const pieces = found.filter((one, at) => one[2] === whole && Number(one[3]) === at + 1 && checksum(one[6]) === one[5]).map((one) => one[6]);
  const payload = pieces.join("");
  if (found.length !== Number(of) || checksum(payload) !== whole) throw new Error("Not the whole code");
  const bytes = bytesOf(payload);
  const code = JSON.parse(new TextDecoder().decode(how === "z" ? await inflated(bytes) : bytes));
  if (!Array.isArray(code.commands)) throw new Error("Nothing in the code");
  return code;
}
