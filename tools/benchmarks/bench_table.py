"""How long the steps at a table take in a browser: from a script's tap to the frame that shows its outcome, and from
the lift of a finger (a touch as the browser gets it from the screen) to that frame once it is painted.

`./run bench --parts table [--beside CHECKOUT] [--slower 4] [--rounds 10]` starts the demonstration club
of this checkout, and of another beside it, and measures both in turns in one run. `--slower` runs the browser with
every thread so many times slower (slowed.py, which needs root); the servers stay as they are.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BROWSER = shutil.which("chromium-headless-shell") or "chromium"
WHO = "demo-scorekeeper"
PORTS = (8861, 8862)
# A step ends with the frame in which its outcome holds, be it on the same page or on the next one.
WATCH = """
(() => {
  const isSeen = (one) => Boolean(one) && one.getClientRects().length > 0;
  const text = (id) => document.getElementById(id)?.textContent || "";
  const holds = {
    hand: () => isSeen(document.getElementById("entry")),
    board: () => isSeen(document.getElementById("mahjong")),
    reloaded: (before) => performance.timeOrigin > Number(before) && isSeen(document.querySelector(".felt .balance")),
    next: (before) => isSeen(document.getElementById("mahjong")) && text("next-hand") !== before,
    tile: (before) => document.querySelectorAll(".tray-set").length > Number(before),
    score: (before) => text("tray-score") !== "" && text("tray-score") !== before,
  };
  const now = () => performance.timeOrigin + performance.now();
  const note = (step) => { sessionStorage[step] = now() - Number(sessionStorage.began); };
  // A message comes once the frame is painted.
  const painted = new MessageChannel();
  painted.port2.onmessage = ({ data }) => note(data);
  const look = () => {
    const waited = JSON.parse(sessionStorage.waited || "{}");
    for (const [step, before] of Object.entries(waited)) {
      if (!holds[step](before)) continue;
      delete waited[step];
      sessionStorage.waited = JSON.stringify(waited);
      if (sessionStorage.touch) painted.port1.postMessage(step);
      else note(step);
    }
    const then = sessionStorage.then && document.querySelector(sessionStorage.then);
    if (isSeen(then)) { delete sessionStorage.then; then.click(); }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const lifted = ({ timeStamp }) => { sessionStorage.began = performance.timeOrigin + timeStamp; };
  addEventListener("pointerup", lifted, true);
})();
"""
BEGIN = """([selector, waited, touch, then]) => {
  for (const step of Object.keys(waited)) delete sessionStorage[step];
  const began = performance.timeOrigin + performance.now();
  Object.assign(sessionStorage, { began, touch, then, waited: JSON.stringify(waited) });
  if (!selector) return location.reload();
  const pressed = document.querySelector(selector);
  if (!touch) return pressed.click();
  pressed.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = pressed.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}"""
TOOK = "(steps) => steps.map((step) => Number(sessionStorage[step]) || 0)"
# How long a finger stays down, and how long it takes to type a name, in milliseconds.
TOUCH, A_NAME = 60, 3000
# Each makes the score another one.
PUNGS = ("1B", "9D", "R")


class Served:
    """The demonstration club of a checkout, on a port of its own."""

    def __init__(self, checkout, port):
        self.address, self.folder = f"http://127.0.0.1:{port}", tempfile.mkdtemp(prefix="clubscore-bench-")
        settings = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        settings |= {"CLUBSCORE_VAR": self.folder}
        self.server = subprocess.Popen(
            [checkout / "run", "--port", str(port)],
            cwd=checkout,
            env=settings,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.address}/healthz").close()
                return
            except OSError:
                time.sleep(0.5)
        raise RuntimeError(f"{checkout} does not answer.")

    def stop(self):
        os.killpg(self.server.pid, 15)
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Table:
    """A tablet at one table; each step returns milliseconds. With `is_touched` it is a finger that presses."""

    def __init__(self, browser, address):
        self.context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
        self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.finger = self.context.new_cdp_session(self.page)
        self.page.set_default_timeout(120_000)
        self.page.goto(f"{address}/sign-in/")
        self.page.fill("[name=username]", WHO)
        self.page.fill("[name=password]", WHO)
        self.page.click("button[type=submit]")
        self.page.goto(f"{address}/c/demonstration/")
        self.page.goto(address + self.page.locator("a[href$='/table/']").first.get_attribute("href"))
        self.ready()

    def ready(self):
        self.page.locator("html[data-rules='on board']").wait_for(state="attached")
        self.page.wait_for_timeout(1500)

    def step(self, selector, is_touched=False, then="", **waited):
        """Press what the selector names, or load the page again; return how long each outcome took.

        Outcomes are `waited` for by what they follow on. What `then` names is pressed as soon as it is there.
        """
        at = self.page.evaluate(BEGIN, [selector, waited, "finger" if is_touched else "", then])
        if is_touched:
            self.finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
            self.page.wait_for_timeout(TOUCH)
            self.finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        for _ in range(3000):
            self.page.wait_for_timeout(20)
            # A page that is left answers no question.
            with suppress(Error):
                if all(took := self.page.evaluate(TOOK, list(waited))):
                    self.page.wait_for_timeout(400)
                    return took
        raise RuntimeError(f"{', '.join(waited)}: nothing came of {selector}.")

    def text(self, element):
        return self.page.locator(element).text_content()

    def round(self, is_touched):
        """Play one hand without Mah-jong, and one entered by tiles."""
        found = {}
        [found["“Enter hand” to the hand usable"]] = self.step("#mahjong", is_touched, hand="")
        [found["back to the table"]] = self.step(".back", is_touched, board="")
        [found["“Nobody” to the next hand shown"]] = self.step("#nobody", is_touched, next=self.text("#next-hand"))
        number = self.text("#next-hand")
        self.step("#mahjong", hand="")
        self.page.locator(".who-buttons .seat").first.tap()
        # A loser's: a winner's has no score before it is whole.
        self.page.locator(".seat-tab").nth(3).tap()
        both = [
            self.step(f".face[data-tile='{code}']", is_touched, tile=str(place), score=self.text("#tray-score"))
            for place, code in enumerate(PUNGS)
        ]
        found["tap on a tile to the tile shown"] = statistics.median(tile for tile, _ in both)
        found["tap on a tile to its score"] = statistics.median(score for _, score in both)
        self.page.locator("#seat-tabs .seat-tab:has-text('Mah-jong')").tap()
        for code in ("2C", "3D", "4B", "5C", "E"):
            self.page.locator(f".face[data-tile='{code}']").tap()
        self.page.locator("[aria-label='Last tile from'] button").first.tap()
        self.page.locator("#nothing-else").tap()
        self.page.wait_for_timeout(700)
        [found["Save to the new balances shown"]] = self.step("#go-on", is_touched, next=number)
        return found

    def reloaded(self):
        [took] = self.step("", reloaded=self.page.evaluate("performance.timeOrigin"))
        self.ready()
        return {"reload to the table shown": took}


def first_hand(browser, address):
    """A game on a fresh tablet, by someone who types four names: from “Start” until the first hand can be entered."""
    tablet = Table.__new__(Table)
    tablet.context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    tablet.context.add_init_script(WATCH)
    tablet.page = tablet.context.new_page()
    tablet.page.goto(f"{address}/game/")
    for place, name in enumerate(("Ann", "Bea", "Cy", "Dot"), 1):
        tablet.page.fill(f"#name_{place}", name)
        tablet.page.wait_for_timeout(A_NAME)
    [began] = tablet.step(".start-foot button", then="#mahjong", hand="")
    tablet.step(".back", board="")
    tablet.page.wait_for_timeout(3000)
    [again] = tablet.step("", reloaded=tablet.page.evaluate("performance.timeOrigin"))
    tablet.context.close()
    return {"first game of a tablet, “Start” to the hand usable": began, "reload of a game to its table shown": again}


def measured(browser, served, rounds):
    """Return the times of each step, by how it was made, for each server, measured in turns on the same hands."""
    tablets = [Table(browser, one.address) for one in served]
    found = {}

    def note(number, times, how):
        for step, took in times.items():
            found.setdefault((how, step), [[] for _ in served])[number].append(took)

    for place in range(rounds):
        is_touched, is_away = place % 2 == 1, place // 2 % 2 == 1
        how = f"{'touch' if is_touched else 'script'}, {'without' if is_away else 'with'} the network"
        for number, tablet in enumerate(tablets):
            tablet.context.set_offline(is_away)
            note(number, tablet.round(is_touched), how)
            tablet.context.set_offline(False)
            tablet.page.wait_for_timeout(3000)
            if place % 4 == 0:
                note(number, tablet.reloaded(), "with the network")
                note(number, first_hand(browser, served[number].address), "with the network")
    return found


def report(found, checkouts):
    print(f"| p50 in ms | {' | '.join(str(one) for one in checkouts)} |\n|---|{'---|' * len(checkouts)}")
    for (how, step), times in sorted(found.items(), key=lambda item: item[0][0]):
        shown = " | ".join(f"{statistics.median(one):.0f}" for one in times)
        print(f"| {step} ({how}) | {shown} |")


def browser_of(options, folder):
    """Return the program that starts the browser, slowed where that is asked."""
    if options.slower == 1:
        return BROWSER
    program = folder / "slowed-browser"
    slowed = Path(__file__).with_name("slowed.py")
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {slowed} {options.slower} {BROWSER} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def measure(options):
    """Measure this checkout, and another beside it, with half of the rounds without the network; print a table."""
    checkouts = [ROOT, *([options.beside.resolve()] if options.beside else [])]
    served = [Served(checkout, port) for checkout, port in zip(checkouts, PORTS, strict=False)]
    try:
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_of(options, Path(folder)))
            report(measured(browser, served, options.rounds), checkouts)
            browser.close()
    finally:
        for one in served:
            one.stop()
