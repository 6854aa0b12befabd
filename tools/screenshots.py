"""Take the pictures in docs/screenshots: the demonstration club, served for this alone, in a real Chromium.

Run it with .venv's Python; --to names another folder, --whole takes pages in their whole length, names choose some.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SIZES = {"1024": (1024, 768), "810": (810, 1080), "390": (390, 844)}
CLUB = "/c/demonstration/"
LOGIN = "demo-scorekeeper"
PATIENCE = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def served():
    """Yield the address of a server of its own with a fresh demonstration club."""
    with tempfile.TemporaryDirectory(prefix="clubscore-screenshots-") as var:
        port = free_port()
        ours = {"CLUBSCORE_VAR": var, "DEBUG": "1", "LOG_LEVEL": "ERROR"}
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | ours
        manage = [sys.executable, str(ROOT / "manage.py")]
        for command in (["migrate", "--verbosity", "0"], ["load_demo"]):
            subprocess.run([*manage, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([sys.executable, str(ROOT / "tools" / "rule_set_tables.py")], env=environment, check=True)
        server = subprocess.Popen(
            [*manage, "runserver", "--noreload", f"127.0.0.1:{port}"],
            env=environment,
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


def sign_in(page, url):
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Name").fill(LOGIN)
    page.get_by_label("Password").fill(LOGIN)
    page.get_by_role("button", name="Sign in").tap()
    expect(page.get_by_role("heading", name="Tables in play")).to_be_visible()


def to_table(page, url):
    page.goto(url + CLUB)
    page.get_by_role("link", name="Table 1").first.tap()
    expect(page.locator(".felt")).to_be_visible()


def to_hand(page, url, number):
    to_table(page, url)
    page.locator(f'.history a:has(b:text-is("{number}"))').tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Hand {number}")


def table(page, url):
    to_table(page, url)


def entry(page, url):
    """The winner's hand half entered: two exposed sets, a concealed kong, the pair, a flower."""
    to_table(page, url)
    page.get_by_role("link", name="Mah-jong", exact=True).tap()
    page.get_by_role("button", name="Enter hand").first.tap()
    page.locator("#goes-mahjong").tap()
    for kind, concealed, code in (("pung", 0, "7D"), ("pung", 0, "R"), ("kong", 1, "4B"), ("pair", 1, "2C")):
        page.locator(f'#modes [data-kind="{kind}"]').tap()
        if concealed and page.locator("#concealed").get_attribute("aria-checked") == "false":
            page.locator("#concealed").tap()
        tap_face(page, code)
    tap_face(page, "F1")
    page.wait_for_timeout(1000)


def tap_face(page, code):
    """On a narrow screen the suits stand behind tabs."""
    face = page.locator(f'.face[data-tile="{code}"]')
    if not face.is_visible():
        row = page.locator(".tile-row", has=face).get_attribute("aria-label")
        page.locator(".suit-tabs").get_by_role("button", name=row).tap()
    face.tap()


def hand(page, url):
    to_hand(page, url, 4)


def preview(page, url):
    """Hand 2 is given another winner, so the hands after it are played in other chairs."""
    to_hand(page, url, 2)
    page.get_by_role("link", name="Change this hand").first.tap()
    group = page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", pressed=False).first.tap()
    expect(page.locator("#score")).to_have_attribute("data-state", "whole")
    page.get_by_role("button", name="Show what changes").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What changes")


def sheet(page, url):
    to_table(page, url)
    page.get_by_role("link", name="The sheet").first.tap()
    expect(page.get_by_role("heading", name="Hand by hand")).to_be_visible()


def sheet_of(page, url, table):
    page.goto(url + CLUB)
    page.get_by_role("link", name=f"Table {table}").first.tap()
    page.get_by_role("link", name="The sheet").first.tap()
    expect(page.get_by_role("heading", name="Hand by hand")).to_be_visible()


def sheet_chinese_official(page, url):
    sheet_of(page, url, 8)


def sheet_baggaley(page, url):
    sheet_of(page, url, 9)


def standings(page, url):
    page.goto(f"{url}{CLUB}standings/")


PAGES = {
    one.__name__: one for one in (table, entry, hand, preview, sheet, sheet_chinese_official, sheet_baggaley, standings)
}


def main():
    parser = argparse.ArgumentParser(description="Take the pictures in docs/screenshots.")
    parser.add_argument("names", nargs="*", choices=[[], *PAGES], help=f"only these: {', '.join(PAGES)}")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "screenshots", help="the folder")
    parser.add_argument("--whole", action="store_true", help="whole pages, not what a screen holds")
    options = parser.parse_args()
    if not CHROMIUM:
        raise SystemExit("Screenshots need Chromium: install it with 'sudo apt install chromium'.")
    options.to.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for width, (across, down) in SIZES.items():
            screen = {"viewport": {"width": across, "height": down}, "has_touch": True, "locale": "en-GB"}
            page = browser.new_context(**screen).new_page()
            page.set_default_timeout(PATIENCE * 1000)
            sign_in(page, url)
            for name in options.names or PAGES:
                PAGES[name](page, url)
                page.evaluate("document.activeElement?.blur(); document.fonts.ready.then(() => true)")
                path = options.to / f"{name}-{width}.png"
                page.screenshot(path=path, full_page=options.whole)
                print(f"{path.name}  {path.stat().st_size // 1024} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
