// Gives a file to whoever holds the tablet: to the share sheet, or to the browser to save.

export function save(file) {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

/** Returns whether it was given: somebody may close the share sheet. */
export async function share(file) {
  if (!navigator.canShare?.({ files: [file] })) {
    save(file);
    return true;
  }
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch (error) {
    if (error.name === "AbortError") return false;
    // Where it took too long to make, the press no longer counts.
    save(file);
    return true;
  }
}
