// Gives each page its own copy of the scripts: what a module with "?copy=3" imports gets "?copy=3" as well.

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const copy = context.parentURL?.match(/\?copy=\d+$/)?.[0];
  return copy && found.url.startsWith("file:") ? { ...found, url: found.url + copy } : found;
}

export function load(url, context, next) {
  return next(url, url.includes("?copy=") ? { ...context, format: "module" } : context);
}
