// Unsent commands as text that can be shown as QR codes, copied or sent; sessions_app/exchange/imports/waiting_code.py
// reads it too. A part is CS1z.<sum of the whole>.<number>.<of>.<sum of the part>.<payload>. with its last full stop; the
// payloads joined are base64url of JSON ("j") or of the same deflated ("z").
const PAYLOAD = 600;
const PART = /CS1([jz])\.([0-9a-f]{8})\.(\d{1,3})\.(\d{1,3})\.([0-9a-f]{8})\.([A-Za-z0-9_-]*)\./g;
const encoder = new TextEncoder();

const TABLE = Array.from({ length: 256 }, (_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

export function checksum(text) {
  let value = 0xffffffff;
  for (const byte of encoder.encode(text)) value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff];
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A text as an address can carry it. */
export async function packed(text) {
  const { how, payload } = await pack(text);
  return how + payload;
}

export async function unpacked(text) {
  const bytes = bytesOf(text.slice(1));
  return new TextDecoder().decode(
    text[0] === "z" ? await through(new DecompressionStream("deflate-raw"), bytes) : bytes,
  );
}

// An older browser cannot deflate: its code is longer, and as good.
async function pack(text) {
  const bytes = encoder.encode(text);
  try {
    return { how: "z", payload: base64url(await through(new CompressionStream("deflate-raw"), bytes)) };
  } catch {
    return { how: "j", payload: base64url(bytes) };
  }
}

export async function partsOf(message) {
  const { how, payload } = await pack(JSON.stringify(message));
  const whole = checksum(payload);
  const pieces = payload.match(new RegExp(`.{1,${PAYLOAD}}`, "g"));
  return pieces.map((piece, at) => `CS1${how}.${whole}.${at + 1}.${pieces.length}.${checksum(piece)}.${piece}.`);
}

// Returns the parts of a code in a text, by their numbers.
export function readParts(text) {
  const found = [...text.replace(/\s/g, "").matchAll(PART)].map(([part, how, whole, number, of, sum, piece]) => ({
    part,
    how,
    whole,
    number: Number(number),
    of: Number(of),
    sum,
    piece,
  }));
  return found.sort((one, other) => one.number - other.number);
}

// Returns club, session, device and commands; fails where a part is missing or has a mistake in it.
export async function readCode(text) {
  const found = readParts(text);
  const [{ how, whole, of }] = found;
  const pieces = found
    .filter((one, at) => one.whole === whole && one.number === at + 1 && checksum(one.piece) === one.sum)
    .map(({ piece }) => piece);
  const payload = pieces.join("");
  if (found.length !== of || checksum(payload) !== whole) throw new Error("Not the whole code");
  const bytes = bytesOf(payload);
  const code = JSON.parse(
    new TextDecoder().decode(how === "z" ? await through(new DecompressionStream("deflate-raw"), bytes) : bytes),
  );
  if (!Array.isArray(code.commands)) throw new Error("Nothing in the code");
  return code;
}
