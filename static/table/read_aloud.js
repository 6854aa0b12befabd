// @ts-check
// Says aloud, when asked to, who is East next and who sits out: by a voice of this tablet, where it has an English one.
const all = (/** @type {string} */ selector) => [...document.querySelectorAll(`#board ${selector}`)].map((one) => one.textContent.trim());

function voice() {
  const english = speechSynthesis.getVoices().filter((one) => one.lang.startsWith("en"));
  const offline = english.filter((one) => one.localService);
  return offline.find((one) => one.lang === "en-GB") || offline[0] || english[0] || null;
}

function readAloud() {
  const words = [...all(".next-east"), ...all(".sitter .seat-name").map((name) => `${name} sits out`), ...all(".felt .goulash")];
  const said = Object.assign(new SpeechSynthesisUtterance(`${words.join(". ")}.`), { lang: "en-GB", voice: voice() });
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

// The button is drawn again with the table, so the page itself says whether it is of use.
if ("speechSynthesis" in window) {
  document.documentElement.dataset.speaks = "";
  document.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("#read-aloud")) readAloud();
  });
}
