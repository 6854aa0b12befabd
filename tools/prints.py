"""Make the PDFs in docs/prints: what the demonstration club can print. Names choose some.

`./run rules` makes those of the rules.
"""

import argparse
import importlib

import screenshots
from playwright.sync_api import sync_playwright

FOLDER = screenshots.ROOT / "docs" / "prints"


def print_all(browser, url, chosen):
    pages, tablets = screenshots.tests_pages()
    prints = importlib.import_module("tests.browser.prints")
    scene = pages.demonstration()
    opened = {}
    visits = {"what-we-play": pages.VISITS["rules"]} | {name: visit for name, (visit, _, _) in prints.PRINTS.items()}
    for name, (who, visit) in visits.items():
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
    with screenshots.served(with_demo=False) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=screenshots.CHROMIUM, args=screenshots.FLAGS)
        print_all(browser, url, options.names)
        browser.close()


if __name__ == "__main__":
    main()
