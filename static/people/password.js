// A password can be shown while it is typed, and a new one gets a hint of how hard it is to guess. The server decides.
(() => {
  // Of the server's list of common passwords, those that are long enough to be accepted and that anyone might think of.
  const COMMON = (
    "1q2w3e4r5t6y 123qweasdzxc qazwsxedcrfv qweasdzxc123 qwertyuiop[] zxcasdqwe123 1qazxsw23edc q1w2e3r4t5y6 " +
    "professional international temppassword finalfantasy administrator leavemealone jamesbond007 sonyericsson " +
    "onedirection transformers supernatural peanutbutter needforspeed lovelovelove playstation2 playstation3 gettherefast " +
    "ingodwetrust christopher1 jesuslovesme avrillavigne ilovemyfamily counterstrike stratocaster starwarsfan10 " +
    "hannahmontana cookiemonster edwardcullen cosmopolitan michaeljackson residentevil manchesterunited"
  ).split(" ");
  // Words that make a password common whatever figures stand round them.
  const ROOTS =
    /^(?:password|passwort|qwerty|uiop|asdfghjkl|abc|letmein|welcome|iloveyou|liverpool|mahjong|clubscore|admin)+$/;
  const ROW = "01234567890123456789 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm 98765432109876543210";
  const FEW = 5;
  const LONG = 16;
  const WAIT = 600;

  const lower = (text) => text.toLowerCase();
  // Whether it is one piece again and again, or a stretch of the keyboard or the alphabet.
  const isPattern = (text) => /^(.{1,6})\1+$/.test(text) || ROW.split(" ").some((row) => row.includes(text));

  function isCommon(text) {
    return COMMON.includes(text) || isPattern(text) || ROOTS.test(text.replace(/[\d\W_]/g, ""));
  }

  /** Returns how good a password is, from 0, and a sentence. */
  function strength(password, names, least) {
    const text = lower(password);
    const own = names.flatMap((name) => lower(name).split(/[\s@.,_-]+/)).filter((part) => part.length > 2);
    if (password.length < least) return [0, `Too short. Use ${least} letters or more.`];
    if (own.some((part) => text.includes(part))) return [1, "Easy to guess. It has your name in it."];
    if (!/\p{L}/u.test(text)) return [1, "Easy to guess. Use letters too."];
    if (isCommon(text)) return [1, "Easy to guess. Many people use it."];
    if (new Set(text).size < FEW) return [1, "Easy to guess. Use more different letters."];
    return password.length < LONG ? [2, "Good."] : [3, "Very good."];
  }

  function element(tag, props, words = "") {
    const made = Object.assign(document.createElement(tag), props);
    made.textContent = words;
    return made;
  }

  /** Puts a button next to a password that shows it. */
  function addShow(input) {
    const line = element("span", { className: "password" });
    const button = element("button", { type: "button", className: "password-show" });
    const said = element("span", { className: "visually-hidden" });
    said.setAttribute("role", "status");
    button.setAttribute("aria-controls", input.id);

    function show(isShown) {
      input.type = isShown ? "text" : "password";
      button.replaceChildren(isShown ? "Hide" : "Show", element("span", { className: "visually-hidden" }, " password"));
    }

    button.addEventListener("click", () => {
      show(input.type === "password");
      said.textContent = input.type === "text" ? "Your password is shown." : "Your password is hidden.";
    });
    // Browsers save what stands in a plain field, so none is sent.
    input.form?.addEventListener("submit", () => show(false));
    input.autocapitalize = "none";
    input.spellcheck = false;
    show(false);
    const hadFocus = document.activeElement === input;
    input.replaceWith(line);
    line.append(input, button, said);
    if (hadFocus) input.focus();
  }

  /** Says under a new password how good it is so far. */
  function addStrength(input) {
    const least = Number(input.dataset.strength);
    const hint = element("p", { className: "password-strength" });
    const verdict = element("span", {});
    // Read out once the typing stops, and without the number, which each letter changes.
    const said = element("span", { className: "visually-hidden" });
    said.setAttribute("role", "status");
    let timer = 0;

    function names() {
      const others = ["name", "login", "email"].map((name) => input.form?.elements.namedItem(name)?.value ?? "");
      return [...others, input.dataset.names ?? ""];
    }

    function judge() {
      const [level, words] = input.value ? strength(input.value, names(), least) : [0, ""];
      hint.dataset.level = String(level);
      verdict.textContent = words && input.value.length < least ? `${words} ${input.value.length} so far.` : words;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (said.textContent !== words) said.textContent = words;
      }, WAIT);
    }

    verdict.setAttribute("aria-hidden", "true");
    hint.append(verdict, said);
    input.closest(".field").append(hint);
    input.form?.addEventListener("input", judge);
  }

  for (const input of document.querySelectorAll('input[type="password"]')) {
    addShow(input);
    if (input.dataset.strength) addStrength(input);
  }
})();
