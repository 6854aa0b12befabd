// Keys made on this tablet, also where the site is plain http: there is no crypto.randomUUID there.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

// A name people can tell a tablet by; letters and figures that look alike are left out.
export function newDeviceName() {
  const signs = "ACDEFHKMNPRTWXY347";
  return `tablet ${[...crypto.getRandomValues(new Uint8Array(3))].map((byte) => signs[byte % signs.length]).join("")}`;
}
