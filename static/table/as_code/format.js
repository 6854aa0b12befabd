// What waits on this tablet as text that can be shown as QR codes, copied or sent; sessions_app/exchange/imports/waiting_code.py
// reads it. A part is CS1z.<sum of the whole>.<number>.<of>.<sum of the part>.<payload>. with its last full stop; the
// payloads joined are base64url of JSON ("j") or of the same deflated ("z").
const PAYLOAD = 600;
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

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// An older browser cannot deflate: the code is longer then, and as good.
async function packed(text) {
  const bytes = encoder.encode(text);
  try {
    return { how: "z", payload: base64url(await deflated(bytes)) };
  } catch {
    return { how: "j", payload: base64url(bytes) };
  }
}

export async function partsOf(message) {
  const { how, payload } = await packed(JSON.stringify(message));
  const whole = checksum(payload);
  const pieces = payload.match(new RegExp(`.{1,${PAYLOAD}}`, "g"));
  return pieces.map((piece, at) => `CS1${how}.${whole}.${at + 1}.${pieces.length}.${checksum(piece)}.${piece}.`);
}
