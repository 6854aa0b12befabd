"""Make the PDFs in docs/prints and docs/what-we-play.pdf: everything that the demonstration club can print.

Names choose some. The rules that the sheet shows are saved in docs/prints/rules.json, so that a test finds it too old.
"""

import argparse
import importlib
import json
import sys

import screenshots
from playwright.sync_api import sync_playwright

FOLDER = screenshots.ROOT / "docs" / "prints"
RULES = "what-we-play"


def print_rules(browser, url):
    """Print the sheet of rules for the noticeboard."""
    screen = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "locale": "en-GB"}
    page = browser.new_context(**screen).new_page()
    screenshots.sign_in(page, url)
    page.goto(f"{url}{screenshots.CLUB}rules/")
    page.evaluate("document.fonts.ready.then(() => true)")
    path = FOLDER.parent / f"{RULES}.pdf"
    page.pdf(path=path, prefer_css_page_size=True)
    sys.path.insert(0, str(screenshots.ROOT))
    shown = importlib.import_module("tests.rule_digests").shown()
    (FOLDER / "rules.json").write_text(json.dumps(shown) + "\n", encoding="ascii")
    print(f"{path.name}  {path.stat().st_size // 1024} kB", flush=True)


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
