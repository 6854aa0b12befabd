"""Make the PDFs in docs/prints: everything a club prints, as the demonstration club prints it. Names choose some."""

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
    for name, ((who, visit), _, _) in prints.PRINTS.items():
        if chosen and name not in chosen:
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
