"""A tablet in a test: a touch screen with fingers, which remembers everything its console complained about."""

import json
import re
from contextlib import suppress

from playwright.sync_api import TimeoutError, expect

LANDSCAPE = (1024, 768)
PATIENCE = 20_000
SETTLED = 3_000
WAYS = {"total": "Type a total", "nothing": "Nothing to score", "tiles": "Enter tiles", "other": "More ways to enter"}
# What a browser logs of any answer from 400 up; which of them a test expects, it says itself.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")
# What htmx writes of a question that it takes back as the next tap asks again (a lost one has its own line), and
# Playwright of a worker that the test blocks.
HARMLESS = re.compile(r"htmx:(afterRequest|sendAbort)\b|Service Worker registration blocked by Playwright")
# What a browser and htmx log of a network that is not there; the script is that of the worker.
LOST = re.compile(
    r"net::ERR_|htmx:|Response Status Error Code|the server responded with a status of 50|when fetching the script"
)
WATCH_POLICY = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`Policy: ${event.violatedDirective} refused ${event.blockedURI || "what stands in the page"}`));
"""
# What a page puts off so that it is shown soon: a test that waits for it need not sit out the time.
PUT_OFF = """{
  const begin = setTimeout;
  const put = new Map();
  window.setTimeout = (work, after, ...given) => {
    if (![1500, 2000, 3000].includes(after)) return begin(work, after, ...given);
    const timer = begin(() => { put.delete(timer); work(...given); }, after);
    put.set(timer, { work, after, given });
    return timer;
  };
  window.hurry = (time) => {
    for (const [timer, { work, after, given }] of put) {
      if (after !== time) continue;
      clearTimeout(timer);
      put.delete(timer);
      work(...given);
    }
  };
}"""
# Two presses within a moment are one double press: the clocks that tell it can be put on.
MOMENT = """{
  let passed = 0;
  const now = performance.now.bind(performance);
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp");
  performance.now = () => now() + passed;
  Object.defineProperty(Event.prototype, "timeStamp", { get() { return get.call(this) + passed; } });
  window.passMoment = () => { passed += 800; };
}"""
PRESS_THRICE = """([clientX, clientY, apart]) => {
  const made = { bubbles: true, cancelable: true, composed: true, detail: 1, view: window, clientX, clientY };
  const press = () => document.elementFromPoint(clientX, clientY).dispatchEvent(new MouseEvent("click", made));
  for (const times of [0, 1, 2]) setTimeout(press, times * apart);
}"""
# Presses as fingers would, in the middle of what they see, but without a question to the page between.
PRESS = """
  const named = (name, within = "body") => [...document.querySelectorAll(`${within} button`)].find((one) => {
    const said = one.cloneNode(true);
    for (const hidden of said.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return one.checkVisibility() && (one.getAttribute("aria-label") || said.textContent).trim() === name;
  });
  const press = async (one) => {
    one.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [clientX, clientY] = [left + width / 2, top + height / 2];
    const seen = document.elementFromPoint(clientX, clientY);
    if (!one.contains(seen)) throw new Error(`${one.outerHTML} lies under ${seen?.outerHTML}`);
    const made = { bubbles: true, cancelable: true, composed: true, detail: 1, view: window, clientX, clientY };
    for (const kind of ["pointerdown", "pointerup"]) seen.dispatchEvent(new PointerEvent(kind, made));
    one.focus({ preventScroll: true });
    seen.dispatchEvent(new MouseEvent("click", made));
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => { port1.onmessage = resolve; port2.postMessage(null); });
    port1.close();
  };"""
# Goes to players from the screen of the whole hand, each by a way to enter, and types figures there.
CHOOSE = f"""async (hands) => {{ {PRESS}
  for (const [name, way, figures] of hands) {{
    if (!document.getElementById("everybody").checkVisibility()) await press(named("Everyone", "#seat-tabs"));
    if (!named(`${{way}}, ${{name}}`)) await press(named(`Other ways to enter, ${{name}}`));
    await press(named(`${{way}}, ${{name}}`));
    for (const figure of figures) await press(named(figure, "[aria-label=Figures]"));
  }}
}}"""
FIGURES = f"""async (figures) => {{ {PRESS}
  for (const figure of figures) await press(named(figure, "[aria-label=Figures]"));
}}"""
LAY = f"""async (steps) => {{ {PRESS}
  const concealed = document.getElementById("concealed");
  for (const [kind, isConcealed, tile] of steps) {{
    const mode = document.querySelector(`#modes [data-kind="${{kind}}"]`);
    if (mode && mode.getAttribute("aria-pressed") !== "true") await press(mode);
    if (isConcealed !== null && concealed.getAttribute("aria-checked") !== String(isConcealed)) await press(concealed);
    const face = document.querySelector(`.face[data-tile="${{tile}}"]`);
    if (!face.checkVisibility()) await press(named(face.closest(".tile-row").getAttribute("aria-label"), ".suit-tabs"));
    await press(face);
  }}
}}"""


def screen(size=LANDSCAPE):
    """Return the options of a browser context that is a touch screen of this size."""
    width, height = size
    return {
        "viewport": {"width": width, "height": height},
        "has_touch": True,
        "reduced_motion": "reduce",
        "locale": "en-GB",
    }


class Tablet:
    """One browser context with one page; where its network may be lost, the errors of that are no complaints."""

    may_be_lost = False

    def __init__(self, context, url):
        self.url = url
        self.context = context
        self.complaints = []
        self.expected = set()
        context.set_default_timeout(PATIENCE)
        context.set_default_navigation_timeout(PATIENCE)
        context.add_init_script(WATCH_POLICY)
        context.add_init_script(PUT_OFF + MOMENT)
        context.on("page", self._watch)
        self.page = context.new_page()

    def _watch(self, page):
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._complain("error", str(error)))

    def _hear(self, message):
        if message.type not in ("error", "warning"):
            return
        refused = REFUSED.match(message.text)
        if refused and int(refused[1]) in self.expected or HARMLESS.match(message.text):
            return
        self._complain(message.type, message.text)

    def _complain(self, kind, words):
        if not (self.may_be_lost and LOST.search(words)):
            self.complaints.append(f"{kind}: {words}")

    def expect_status(self, *statuses):
        self.expected |= set(statuses)

    def let_in(self, session_key):
        self.context.add_cookies([{"name": "sessionid", "value": session_key, "url": self.url}])

    def close(self):
        self.context.close()

    def open(self, address):
        return self.page.goto(self.url + address)

    def button(self, name, exact=True):
        return self.page.get_by_role("button", name=name, exact=exact)

    def tap(self, name, exact=True):
        self.button(name, exact).tap()

    def pass_moment(self):
        """Let so much time pass that the next press is not the second of a double press."""
        self.page.evaluate("passMoment()")

    def tap_thrice(self, name, apart=20):
        """Press three times at one spot, so many milliseconds apart, whatever stands there by then.

        The page itself does it: taps called from here would be drawn out by a busy machine.
        """
        box = self.button(name).bounding_box()
        self.page.evaluate(PRESS_THRICE, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, apart])

    def follow(self, name, exact=True):
        self.page.get_by_role("link", name=name, exact=exact).tap()

    def follow_to_entry(self):
        """Press the main button of the table page, whatever the number of the hand that is next."""
        self.page.get_by_role("link", name=re.compile(r"^(Enter|Go on with) hand \d+")).tap()

    def see_saved(self):
        """Press the line that says what waits."""
        self.page.locator("#saved-look").tap()

    # The hand-entry page

    def everybody(self):
        self.page.locator("#seat-tabs").get_by_role("button", name="Everyone").tap()

    def choose_hand(self, name, way, figures=""):
        """Go to a player from the screen of the whole hand, by one of the ways to enter it."""
        self.choose_hands([name, way, figures])

    def choose_hands(self, *hands):
        """Enter hands that need no tiles, each as a name, a way and the figures typed there."""
        expect(self.page.locator("#everybody, #players-hand").locator("visible=true").first).to_be_visible()
        self.page.evaluate(CHOOSE, [[name, WAYS[way], figures] for name, way, figures in hands])

    def mode(self, kind, concealed=None):
        button = self.page.locator(f'#modes [data-kind="{kind}"]')
        if button.get_attribute("aria-pressed") != "true":
            button.tap()
        switch = self.page.locator("#concealed")
        if concealed is not None and switch.get_attribute("aria-checked") != str(concealed).lower():
            switch.tap()

    def face(self, code):
        """Tap a tile; on a narrow screen the rows stand behind tabs."""
        face = self.page.locator(f'.face[data-tile="{code}"]')
        if not face.is_visible():
            row = self.page.locator(".tile-row", has=face).get_attribute("aria-label")
            self.page.locator(".suit-tabs").get_by_role("button", name=row).tap()
        face.tap()

    def tiles(self, hand):
        """Enter a hand of the score format by presses, on the screen of its player: "exposed pung R", "pair 7D"."""
        steps = []
        for text in hand.get("sets", []):
            *words, tile = text.split()
            steps.append([words[-1], None if words[-1] == "pair" else words[0] == "concealed", tile])
        steps += [["single", None, code] for code in hand.get("tiles", "").split()]
        steps += [[None, None, code] for code in hand.get("bonus", "").split()]
        expect(self.page.locator("#players-hand, #modes").first).to_be_visible()
        self.page.evaluate(LAY, steps)

    def last_tile_from(self, source, code):
        """Choose where the winner's last tile came from and, once the score is that of this tap, which tile it was."""
        self.page.locator("#score").evaluate("(score) => { score.dataset.before = ''; }")
        source.tap()
        expect(self.page.locator("#score:not([data-before])")).to_be_attached()
        self.last_tile(code)

    def last_tile(self, code):
        """Choose the winner's last tile; where it is not asked, the score has to say that it does not depend on it."""
        chip = self.page.locator(f".chip-{code}")
        chosen = self.page.locator(f'.chip-{code}[aria-pressed="true"]')
        not_asked = self.page.locator(".any-tile")
        if not chip.count() and not self.page.locator("#tray-count").inner_text().startswith("14 tiles"):
            return
        expect(chip.or_(not_asked).first).to_be_attached()
        for _ in range(PATIENCE // SETTLED):
            if chosen.or_(not_asked).count():
                break
            # It goes again where the score, as it comes, does not depend on it.
            with suppress(TimeoutError):
                chip.tap(timeout=SETTLED)
        expect(chosen.or_(not_asked).first).to_be_attached()

    def figures(self, text):
        expect(self.page.get_by_role("group", name="Figures")).to_be_visible()
        self.page.evaluate(FIGURES, text)

    def forget_drafts(self):
        """Drop the hands half entered on this tablet; the next page opened begins empty."""
        if self.page.url.startswith(self.url):
            self.page.evaluate("localStorage.clear()")

    def draft(self):
        """Return the hand as the tablet keeps it."""
        kept = self.page.evaluate("Object.entries(localStorage).filter(([key]) => key.startsWith('hand-'))")
        return json.loads(kept[-1][1]) if kept else None

    def expect_message(self, words):
        expect(self.page.locator("#entry-status")).to_contain_text(words)

    def expect_problem(self, words):
        expect(self.page.locator("#error-summary")).to_contain_text(words)
