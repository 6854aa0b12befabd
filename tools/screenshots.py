"""Take a picture of every page of tests/browser/pages.py, in its own demonstration club, into var/screenshots.

Each page is taken in three widths, the scorekeeper's screens in large type, high contrast and greyscale too.
Run it with .venv's Python. Names choose some pages, --to another folder, --png a format other than WebP.
"""

import argparse
import base64
import importlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import django
from django.conf import settings
from django.test import Client
from playwright.sync_api import Error, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SIZES = {"1024": (1024, 768), "810": (810, 1080), "390": (390, 844)}
# Looks of the scorekeeper's screens: the size, the classes that the switches set, the colours that are not seen.
LOOKS = {
    "large": ("1024", "is-large", None),
    "large-390": ("390", "is-large", None),
    "contrast": ("1024", "is-contrast", None),
    "grey": ("1024", "", "achromatopsia"),
}
SCOREKEEPERS = {
    "club", "table", "hand-new", "hand-new, tiles", "hand-new, anything special", "hand-new, whole", "hand",
    "hand-preview", "session-sheet", "seating", "paper", "watch", "standings",
}  # fmt: skip
CLUB = "/c/demonstration/"
LOGIN = "demo-scorekeeper"
PATIENCE = 60
QUALITY = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def served(with_demo=True):
    """Yield the address of a new server with the demonstration club; this process has the same database."""
    with tempfile.TemporaryDirectory(prefix="clubscore-screenshots-") as var:
        port = free_port()
        os.environ.pop("DATABASE_URL", None)
        os.environ.update(CLUBSCORE_VAR=var, DEBUG="1", LOG_LEVEL="ERROR", DJANGO_ALLOW_ASYNC_UNSAFE="true")
        manage = [sys.executable, str(ROOT / "manage.py")]
        for command in (["migrate", "--verbosity", "0"], *([["load_demo"]] if with_demo else [])):
            subprocess.run([*manage, *command], check=True, stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [*manage, "runserver", "--noreload", f"127.0.0.1:{port}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield answering(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            server.wait()


def answering(url):
    for _ in range(PATIENCE * 4):
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=2):
                return url
        except OSError:
            time.sleep(0.25)
    raise SystemExit("The server did not start.")


def sign_in(page, url, login=LOGIN):
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Name").fill(login)
    page.get_by_label("Password").fill(login)
    page.get_by_role("button", name="Sign in").tap()
    expect(page.get_by_role("heading", name="Tables in play")).to_be_visible()


def to_table(page, url):
    page.goto(url + CLUB)
    page.get_by_role("link", name="Table 1").first.tap()
    expect(page.locator(".felt")).to_be_visible()


def entry(page, url):
    """Enter half of the winner's hand: two exposed sets, a concealed kong, the pair, a flower."""
    to_table(page, url)
    page.get_by_role("link", name="Enter hand").tap()
    page.get_by_role("button", name="Enter tiles").first.tap()
    page.locator("#goes-mahjong").tap()
    for kind, concealed, code in (("pung", 0, "7D"), ("pung", 0, "R"), ("kong", 1, "4B"), ("pair", 1, "2C")):
        page.locator(f'#modes [data-kind="{kind}"]').tap()
        if concealed and page.locator("#concealed").get_attribute("aria-checked") == "false":
            page.locator("#concealed").tap()
        page.locator(f'.face[data-tile="{code}"]').tap()
    page.locator('.face[data-tile="F1"]').tap()
    page.wait_for_timeout(1000)


def sheet_of_table(number):
    """Return a function that opens the sheet of a table that rule_set_tables.py plays."""

    def visit(one, scene):
        one.open(CLUB)
        one.page.get_by_role("link", name=f"Table {number}").first.tap()
        one.page.get_by_role("link", name="The sheet").first.tap()
        expect(one.page.get_by_role("heading", name="Hand by hand")).to_be_visible()

    return visit


def play_other_rule_sets(one, scene):
    importlib.import_module("rule_set_tables").play_tables()
    sheet_of_table(8)(one, scene)


MORE = {
    "session-sheet, Chinese Official": ("member", play_other_rule_sets),
    "session-sheet, Baggaley": ("member", sheet_of_table(9)),
}


def by_each_method():
    """Return the league tables by every method, by name."""
    methods = importlib.import_module("clubscore.league.methods").METHODS

    def visit_of(method):
        return lambda one, scene: one.open(f"{CLUB}standings/?method={method}")

    return {f"standings, by {method}": ("member", visit_of(method)) for method in methods}


def tests_pages():
    """Set up Django, and return the browser tests' modules with the pages and the tablet."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.site.settings")
    django.setup()
    return importlib.import_module("tests.browser.pages"), importlib.import_module("tests.browser.tablet")


class Camera:
    """Takes pictures of the present page in every size and look."""

    def __init__(self, folder, png, whole):
        self.folder = folder
        self.format = {"format": "png"} if png else {"format": "webp", "quality": QUALITY}
        self.whole = whole
        self.taken = {}
        self.first = {}
        self.missed = []

    def take(self, one, name):
        one.page.wait_for_load_state("networkidle")
        cdp = one.context.new_cdp_session(one.page)
        for width in SIZES:
            self.picture(one, cdp, name, width, width)
        if name in SCOREKEEPERS:
            for look, (width, classes, deficiency) in LOOKS.items():
                one.page.evaluate("(classes) => { document.documentElement.className = classes }", classes)
                cdp.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency or "none"})
                self.picture(one, cdp, name, width, look)
            one.page.evaluate("document.documentElement.className = ''")
            cdp.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        one.page.set_viewport_size(size_of("1024"))
        cdp.detach()

    def picture(self, one, cdp, name, width, look):
        one.page.set_viewport_size(size_of(width))
        settle(one.page)
        shot = cdp.send("Page.captureScreenshot", {**self.format, **(whole_page(one.page) if self.whole else {})})
        path = self.folder / f"{re.sub('[^a-z0-9]+', '-', name.lower())}-{look}.{self.format['format']}"
        data = base64.b64decode(shot["data"])
        # The same picture is stored once.
        first = self.first.setdefault(data, path.name)
        if first == path.name:
            path.write_bytes(data)
        self.taken.setdefault(name, {})[look] = first


def whole_page(page):
    """Return what makes Chromium take a page in its whole length."""
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    return {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}}


# The pictures of a page are drawn after it: two frames later they are seen.
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def settle(page):
    """Wait until nothing moves; the page may still be loading the next one."""
    for _ in range(3):
        try:
            page.evaluate(f"document.activeElement?.blur(); scrollTo(0, 0); document.fonts.ready.then(() => {DRAWN})")
            return
        except Error:
            page.wait_for_load_state()


def size_of(width):
    return dict(zip(("width", "height"), SIZES[width], strict=True))


def session_of(user):
    """Return the session key of an account signed in outside the browser; the server has the same database."""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def take_all(browser, url, camera, chosen):
    pages, tablets = tests_pages()
    scene = pages.demonstration()
    opened = {}
    for name, (who, visit) in {**pages.VISITS, **MORE, **by_each_method()}.items():
        if chosen and name not in chosen:
            continue
        if who not in opened:
            opened[who] = tablets.Tablet(browser.new_context(**tablets.screen()), url)
            if hasattr(scene, who):
                opened[who].let_in(session_of(getattr(scene, who)))
        try:
            visit(opened[who], scene)
            camera.take(opened[who], name)
            print(name, flush=True)
        except (Error, AssertionError) as fault:
            camera.missed.append(name)
            print(f"{name}: no picture, {str(fault).splitlines()[0]}", flush=True)


def write_index(folder, taken):
    """Write the list of the pictures next to them."""
    looks = [*SIZES, *LOOKS]
    rows = [f"| screen | {' | '.join(looks)} |", f"| --- |{' --- |' * len(looks)}"]
    for name, files in taken.items():
        cells = [f"[{look}]({files[look]})" if look in files else "" for look in looks]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    (folder / "pictures.md").write_text("\n".join(rows) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Take a picture of every page.")
    parser.add_argument("names", nargs="*", help="only these pages, by their names in tests/browser/pages.py")
    parser.add_argument("--to", type=Path, default=ROOT / "var" / "screenshots", help="the folder")
    parser.add_argument("--png", action="store_true", help="PNG, which is larger, instead of WebP")
    parser.add_argument("--whole", action="store_true", help="whole pages, not what a screen holds")
    options = parser.parse_args()
    if not CHROMIUM:
        raise SystemExit("Screenshots need Chromium: install it with 'sudo apt install chromium'.")
    options.to.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    began = time.monotonic()
    camera = Camera(options.to, options.png, options.whole)
    with served(with_demo=False) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        take_all(browser, url, camera, set(options.names))
        browser.close()
    files = {options.to / file for looks in camera.taken.values() for file in looks.values()}
    if not options.names:
        write_index(options.to, camera.taken)
        for old in {*options.to.glob("*.webp")} - files:
            old.unlink()
    size = sum(file.stat().st_size for file in files) / 1e6
    took = time.monotonic() - began
    print(f"{len(files)} pictures of {len(camera.taken)} pages, {size:.1f} MB, in {took:.0f} seconds")
    if camera.missed:
        raise SystemExit(f"No picture of: {'; '.join(camera.missed)}.")


if __name__ == "__main__":
    main()
