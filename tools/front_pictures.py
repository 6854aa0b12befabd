"""Take the pictures of the front page anew, in the demonstration club, into static/people/front."""

import base64

from playwright.sync_api import expect, sync_playwright
from screenshots import CHROMIUM, CLUB, FLAGS, PATIENCE, ROOT, entry, served, sign_in, to_table

FOLDER = ROOT / "static" / "people" / "front"
QUALITY = 60
# What is cut out of a page: pixels from its top left corner, how wide and high, and how much smaller it becomes.
SCREEN = {"width": 1024, "height": 768}
WHOLE = (0, 0, 1024, 768, 0.65)


def hand(page, url):
    """Enter a whole Mah-jong: one more pung than the half, and who gave the last tile."""
    entry(page, url)
    page.locator('#modes [data-kind="pung"]').tap()
    page.locator('.face[data-tile="5D"]').tap()
    page.get_by_role("group", name="Last tile from").get_by_role("button", name="Jean", exact=True).tap()
    page.get_by_role("group", name="Which was the last tile?").get_by_role("button").nth(3).tap()
    page.wait_for_timeout(2000)
    return WHOLE


def league(page, url):
    page.goto(f"{url}{CLUB}standings/")
    return of(page, "table", 640, 320)


def sheet(page, url):
    to_table(page, url)
    page.get_by_role("link", name="The sheet").first.tap()
    expect(page.get_by_role("heading", name="Hand by hand")).to_be_visible()
    return of(page, "table:has(th:text('What happened'))", 1000, 500)


def draw(page, url):
    page.goto(f"{url}{CLUB}sessions/0/draw/")
    for box in page.get_by_role("checkbox").all()[:8]:
        box.check()
    page.get_by_role("button", name="Draw the tables").tap()
    expect(page.get_by_role("heading", name="The tables", exact=True)).to_be_visible()
    return of(page, "#drawn-here section", 640, 320)


def prints(page, url):
    page.goto(f"{url}{CLUB}prints/noticeboard/")
    page.emulate_media(media="print")
    return of(page, "main", 960, 480)


PICTURES = {"hand": hand, "league": league, "sheet": sheet, "draw": draw, "prints": prints}


def of(page, place, width, height):
    """Return the part of a page that begins where an element does."""
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(place).first.bounding_box()
    return (box["x"], box["y"], width, height, 320 / width)


def take(page, name, part):
    x, y, width, height, scale = part
    clip = {"x": x, "y": y, "width": width, "height": height, "scale": scale}
    wanted = {"format": "webp", "quality": QUALITY, "clip": clip, "captureBeyondViewport": True}
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", wanted)
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))


def main():
    expect.set_options(timeout=PATIENCE * 1000)
    FOLDER.mkdir(exist_ok=True)
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(viewport=SCREEN, has_touch=True).new_page()
        sign_in(page, url)
        for name, visit in PICTURES.items():
            take(page, name, visit(page, url))
            print(name, (FOLDER / f"{name}.webp").stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
