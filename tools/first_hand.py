"""Make docs/first-hand.pdf from the page "Your first hand", and the pictures on it.

Run it with .venv's Python. With --pictures it takes the pictures in static/web/first_hand again.
"""

import argparse

import screenshots
from playwright.sync_api import expect, sync_playwright

PICTURES = screenshots.ROOT / "static" / "web" / "first_hand"
PDF = screenshots.ROOT / "docs" / "first-hand.pdf"
SCREEN = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "locale": "en-GB"}


def to_entry(page, url):
    if page.url.startswith(url):
        page.evaluate("localStorage.clear()")
    screenshots.to_table(page, url)
    page.get_by_role("link", name="Enter hand").tap()
    expect(page.locator(".seat-card").first).to_be_visible()


def score(page, url):
    """Enter a hand: the first player goes Mah-jong with a total of 64, one has 8, the others nothing."""
    to_entry(page, url)
    names = page.locator(".seat-card .seat-name").all_inner_texts()
    for name, figures in zip(names, ("64", "8"), strict=False):
        if not (total := page.get_by_role("button", name=f"Type a total, {name}")).is_visible():
            page.get_by_role("button", name=f"Other ways to enter, {name}").tap()
        total.tap()
        for figure in figures:
            page.get_by_role("group", name="Figures").get_by_role("button", name=figure, exact=True).tap()
        page.locator("#seat-tabs").get_by_role("button", name="Everyone").tap()
    for name in names[2:]:
        page.get_by_role("button", name=f"Other ways to enter, {name}").tap()
        page.get_by_role("button", name=f"Nothing to score, {name}").tap()
        page.locator("#seat-tabs").get_by_role("button", name="Everyone").tap()
    group = page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", name=names[0], exact=True).tap()
    page.locator("#seat-tabs").get_by_role("button", name="Everyone").tap()
    expect(page.locator("#score")).to_have_attribute("data-state", "whole")


STEPS = {"table": screenshots.to_table, "everybody": to_entry, "entry": screenshots.entry, "score": score}


def take_pictures(page, url):
    PICTURES.mkdir(exist_ok=True)
    for name, go in STEPS.items():
        if page.url.startswith(url):
            page.evaluate("localStorage.clear()")
        go(page, url)
        page.wait_for_load_state("networkidle")
        screenshots.settle(page)
        page.screenshot(path=PICTURES / f"{name}.png")
        print(f"{name}.png  {(PICTURES / f'{name}.png').stat().st_size // 1024} kB", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Make docs/first-hand.pdf.")
    parser.add_argument("--pictures", action="store_true", help="take the pictures again")
    options = parser.parse_args()
    if not screenshots.CHROMIUM:
        raise SystemExit("This needs Chromium: install it with 'sudo apt install chromium'.")
    with screenshots.served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=screenshots.CHROMIUM, args=screenshots.FLAGS)
        page = browser.new_context(**SCREEN).new_page()
        if options.pictures:
            screenshots.sign_in(page, url)
            take_pictures(page, url)
        page.goto(f"{url}/first-hand/")
        page.evaluate("document.fonts.ready.then(() => true)")
        page.pdf(path=PDF, prefer_css_page_size=True)
        print(f"{PDF.name}  {PDF.stat().st_size // 1024} kB")
        browser.close()


if __name__ == "__main__":
    main()
