// Gathers the parts of a code that a phone scans one after the other: each opens this page with one part in its address.
(() => {
  const PART = /CS\d+[a-z]\.([0-9a-f]{8})\.(\d+)\.(\d+)\.[0-9a-f]{8}\.[A-Za-z0-9_-]*\./;
  const place = `take-in ${location.pathname}`;
  const field = document.getElementById("id_text");

  function kept() {
    try {
      return JSON.parse(localStorage.getItem(place)) || {};
    } catch {
      return {};
    }
  }

  function keep(parts) {
    try {
      localStorage.setItem(place, JSON.stringify(parts));
    } catch {
      // Without storage one part at a time stands in the field.
    }
  }

  function showCount(parts) {
    const line = document.getElementById("parts");
    const found = Object.values(parts).map((part) => part.match(PART));
    const of = Number(found[0][3]);
    const numbers = found.map((one) => Number(one[2])).sort((one, other) => one - other);
    const missing = Array.from({ length: of }, (_, at) => at + 1).filter((number) => !numbers.includes(number));
    line.hidden = false;
    line.textContent = missing.length
      ? `${numbers.length > 1 ? "Parts" : "Part"} ${numbers.join(", ")} of ${of} ${numbers.length > 1 ? "are" : "is"} here. Scan part ${missing.join(", ")} now.`
      : "The whole code is here. Press “Check”.";
  }

  function take() {
    const part = decodeURIComponent(location.hash.slice(1));
    const read = part.match(PART);
    if (!read || !field) return;
    const earlier = kept();
    const same = Object.fromEntries(Object.entries(earlier).filter(([, one]) => one.match(PART)?.[1] === read[1]));
    const parts = { ...same, [read[2]]: part };
    keep(parts);
    history.replaceState(null, "", location.pathname);
    field.value = Object.values(parts).join("\n");
    showCount(parts);
  }

  if (document.getElementById("taken-in")) keep({});
  addEventListener("hashchange", take);
  take();
})();
