"""Make the PDFs in docs/prints and docs/what-we-play.pdf: everything that the demonstration club can print.

Names choose some. What the two prints of the rules show is kept in docs/prints/rules.json, so that a test finds each of
them too old.
"""

import argparse
import importlib
import sys

import screenshots
from playwright.sync_api import sync_playwright

FOLDER = screenshots.ROOT / "docs" / "prints"
RULES = "what-we-play"


def print_rules(browser, url):
    """Print the booklet of rules."""
    screen = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "locale": "en-GB"}
    page = browser.new_context(**screen).new_page()
    screenshots.sign_in(page, url)
    page.goto(f"{url}{screenshots.CLUB}rules/")
    page.evaluate("document.fonts.ready.then(() => true)")
    path = FOLDER.parent / f"{RULES}.pdf"
    page.pdf(path=path, prefer_css_page_size=True)
    keep(RULES)
    print(f"{path.name}  {path.stat().st_size // 1024} kB", flush=True)


def keep(name):
    """Keep what a print shows, if it is one of the rules."""
    sys.path.insert(0, str(screenshots.ROOT))
    digests = importlib.import_module("tests.rule_digests")
    if name in digests.KEPT_PRINTS:
        digests.keep_print(name)


def print_all(browser, url, chosen):
    pages, tablets = screenshots.tests_pages()
    prints = importlib.import_module("tests.browser.prints")
    scene = pages.demonstration()
    opened = {}
    for name, ((who, visit), _, _) in prints.PRINTS.items():
        if name not in chosen if chosen else name in prints.NOT_KEPT:
            continue
        if who not in opened:
            opened[who] = tablets.Tablet(browser.new_context(**tablets.screen()), url)
            opened[who].let_in(screenshots.session_of(getattr(scene, who)))
        visit(opened[who], scene)
        path = FOLDER / f"{name}.pdf"
        pdf = prints.printed(opened[who], path)
        keep(name)
        print(f"{path.name}  {len(prints.pages_of(pdf))} pages  {len(pdf) // 1024} kB", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Make the PDFs in docs/prints.")
    parser.add_argument("names", nargs="*", help="only these")
    options = parser.parse_args()
    if not screenshots.CHROMIUM:
        raise SystemExit("This needs Chromium: install it with 'sudo apt install chromium'.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=screenshots.CHROMIUM, args=screenshots.FLAGS)
        if not options.names or RULES in options.names:
            with screenshots.served() as url:
                print_rules(browser, url)
        if options.names != [RULES]:
            with screenshots.served(with_demo=False) as url:
                print_all(browser, url, options.names)
        browser.close()


if __name__ == "__main__":
    main()
