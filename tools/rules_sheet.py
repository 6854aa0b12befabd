"""Make docs/what-we-play.pdf: the sheet of rules for the noticeboard, as the demonstration club prints it."""

import screenshots
from playwright.sync_api import sync_playwright

PDF = screenshots.ROOT / "docs" / "what-we-play.pdf"


def main():
    if not screenshots.CHROMIUM:
        raise SystemExit("This needs Chromium: install it with 'sudo apt install chromium'.")
    with screenshots.served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=screenshots.CHROMIUM, args=screenshots.FLAGS)
        page = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True, locale="en-GB").new_page()
        screenshots.sign_in(page, url)
        page.goto(f"{url}{screenshots.CLUB}rules/")
        page.evaluate("document.fonts.ready.then(() => true)")
        page.pdf(path=PDF, prefer_css_page_size=True)
        print(f"{PDF.name}  {PDF.stat().st_size // 1024} kB")
        browser.close()


if __name__ == "__main__":
    main()
