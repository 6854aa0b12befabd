"""The site of files that ./run game-site writes, served by Python's own file server under a path."""

import json
import re
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from sessions_app.web.game_site import GameSite, draw_site, write_site

from .checks import axe_faults
from .conftest import session_cookie
from .test_games import FOUR, WATCH_PICTURE, GameTablet

PATH = "/clubs/thursday/"


class Quiet(SimpleHTTPRequestHandler):
    asked: list[str] = []

    def log_message(self, *args):
        self.asked.append(self.path)


class SiteTablet(GameTablet):
    """Games at a site of files: the addresses of the tests are below its root."""

    def open(self, address):
        super().open(address.replace("/game/", f"{PATH}game/", 1) if address.startswith("/game/") else address)


SITE = GameSite("Thursday tiles", "ann@example.org")
drawn = cache(draw_site)


@pytest.fixture
def folder(tmp_path, db):
    folder = tmp_path / PATH.strip("/")
    write_site(folder, drawn(SITE))
    return folder


@pytest.fixture
def serving(tmp_path, folder):
    server = ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server, f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def served(serving):
    return serving[1]


@pytest.fixture
def one(tablet, served):
    return tablet(kind=SiteTablet, url=served)


def ready(one):
    one.open("/game/")
    expect(one.page.locator("#game-start[data-ready]")).to_be_attached()


def test_a_game_on_a_site_of_files_needs_it_once_and_nothing_else(one, served):
    """Jean, East, pays Brian 40, the others 20: twice 20 and 20. After the first visit without a network."""
    asked = []
    one.context.on("request", lambda request: asked.append(request.url))
    ready(one)
    one.lose_network()
    one.begin(FOUR)
    one.win(1, "Brian", "20")
    one.page.reload()
    one.expect_balances({"Jean": "1,960", "Brian": "2,080", "Barbara": "1,980", "Ken": "1,980"})
    assert {url for url in asked if not url.startswith((f"{served}{PATH}", "data:"))} == set()


# What a browser does by itself when a page is opened, until the worker at work is of this release.
UPDATED = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  const { port1, port2 } = new MessageChannel();
  registration.active.postMessage({}, [port2]);
  return "VERSION" === (await new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); }));
}"""


@pytest.mark.long
def test_a_new_release_takes_over_in_the_middle_of_a_game(one, folder):
    """Brian, East in hand 2, pays Ken 20, Jean and Barbara 10."""
    ready(one)
    one.begin(FOUR)
    one.win(1, "Brian", "20")
    before = json.loads((folder / "release.json").read_text())
    write_site(folder, drawn(GameSite("Friday tiles")))
    now = json.loads((folder / "release.json").read_text())
    assert now["version"] != before["version"]
    # What an open page may still ask for is there.
    assert [name for name in before["files"] if not (folder / name).exists()] == []
    one.win(2, "Ken", "10")
    one.wait_until(UPDATED.replace("VERSION", now["version"]))
    one.lose_network()
    one.page.reload()
    expect(one.page.locator("html")).to_have_attribute("data-release", now["version"])
    # Of the page, and of the view that is drawn from what is kept for games.
    expect(one.page.locator("html[data-views]")).to_be_attached()
    expect(one.page.locator(".brand-name").first).to_have_text("Friday tiles")
    one.expect_balances({"Jean": "1,950", "Brian": "2,060", "Barbara": "1,970", "Ken": "2,020"})


def test_the_files_name_no_address_outside_and_no_root_and_are_the_same_each_time(folder):
    """Also of the next release but one, nothing of the first is left."""
    pages = {path: path.read_text() for path in folder.rglob("*.html")}
    for path, text in pages.items():
        up = "../" * len(path.parent.relative_to(folder).parts) or "./"
        drawn = re.sub(r'<script id="[\w-]+" type="application/json">.*?</script>', "", text, flags=re.S)
        addresses = re.findall(r'(?:href|src|action|data-[a-z]+)="([^"]+)"', drawn)
        assert [one for one in addresses if one.startswith("/")] == [], path
        outside = [one for one in addresses if re.match(r"https?:|//", one)]
        assert outside == [], path
        assert "Content-Security-Policy" in text
        assert not re.search(r"<script(?![^>]*(?:src=|application/json))", text), path
        assert f'<link rel="manifest" href="{up}manifest.webmanifest">' in text
    manifest = json.loads((folder / "manifest.webmanifest").read_text())
    assert (manifest["start_url"], manifest["scope"]) == ("./game/", "./")
    # Drawn twice, a release is the same.
    before = (folder / "sw.js").read_bytes()
    write_site(folder, draw_site(SITE))
    assert (folder / "sw.js").read_bytes() == before


@pytest.mark.long
def test_all_games_of_a_site_come_into_a_club_together(one, served, club, live_server):
    """Alice, East, pays Jean 40, Bob pays 20; then Bob, East, pays Alice 80, Jean pays 40. Jean is new only once."""
    one.let_in(session_cookie(club.secretary))
    for names, winner, total in ((["Alice", "Jean", "Bob"], "Jean", "20"), (["Bob", "Alice", "Jean"], "Alice", "40")):
        one.begin(names)
        one.win(1, winner, total)
        one.finish()
    one.open("/game/into-a-club/")
    expect(one.page.locator("#all-said")).to_contain_text("2 games are ready.")
    one.page.get_by_label("Address of your club’s Clubscore").fill(live_server.url)
    one.tap("Go to the club")
    one.page.wait_for_url(f"{live_server.url}/game/into-a-club/**")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator(".games-in > li")).to_have_count(2)
    expect(one.page.locator(".new-names")).to_have_text("Jean.")
    one.import_shown("Alice +80")
    expect(one.page.locator("#messages")).to_contain_text("2 games are in Bramley Mah-jong Group now, hand by hand.")
    nets = [
        {str(seat.player): seat.tally.net for seat in session.seats.all()}
        for session in club.club.sessions.order_by("pk")
    ]
    assert nets == [{"Alice": -40, "Jean": 60, "Bob": -20}, {"Bob": -80, "Alice": 120, "Jean": -40}]


# Of eleven games of one hand: who begins as East, and who wins with 20 as South.
GAMES = [("Jean", "Barbara"), ("Brian", "Ken"), *[("Jean", "Brian"), ("Jean", "Barbara"), ("Brian", "Ken")] * 3]
# Ten hands of East with 10: +600 and −200. Then East loses 40, South wins 80, the others lose 20.
TOTALS = {
    "Jean": 600 - 7 * 40 - 4 * 20,
    "Barbara": -200 + 4 * 80 - 7 * 20,
    "Ken": -200 + 4 * 80 - 7 * 20,
    "Brian": -200 + 3 * 80 - 4 * 40 - 4 * 20,
}


@pytest.mark.long
def test_ten_hands_and_a_league_of_twelve_games_on_a_site_of_files(one):
    """After one visit without a network; the league after a second, when there is a game."""
    one.context.add_init_script(WATCH_PICTURE)
    ready(one)
    one.lose_network()
    one.begin(FOUR)
    for number in range(1, 11):
        one.win(number, "Jean", "10")
    one.expect_balances({"Jean": "2,600", "Brian": "1,800", "Barbara": "1,800", "Ken": "1,800"})
    one.finish()
    for east, south in GAMES:
        one.begin([east, south, *(name for name in FOUR if name not in (east, south))])
        one.win(1, south, "20")
        one.finish()
    one.find_network()
    ready(one)
    one.lose_network()
    one.open("/game/league-table/")
    rows = one.page.locator(".league tbody tr")
    expect(rows).to_have_count(4)
    totals = {row.locator("th").inner_text(): row.locator("[data-label=Total]").inner_text() for row in rows.all()}
    assert {name: int(total.replace("−", "-")) for name, total in totals.items()} == TOTALS
    assert rows.first.locator("[data-label=Games]").inner_text() == "12"
    assert rows.first.locator("th").inner_text() == "Jean"
    one.tap("Share a picture")
    one.wait_until("() => Boolean(drawn.shared)")
    assert one.page.evaluate("drawn.shared[1]") == "image/png"
    assert len(re.findall(rb"/Type\s*/Page\b", one.page.pdf())) == 1
    one.follow("Jean")
    expect(one.page.locator("#league h2")).to_have_text("Jean")
    expect(one.page.locator("#league")).to_contain_text("Won 10 of 21 hands.")


@pytest.mark.long
# selenium's own class for WebKitGTK still speaks to it in the old way.
@pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning")
def test_a_game_in_webkit_goes_on_when_the_site_is_not_to_be_reached(engine, serving):
    """Jean, East, pays Brian 40, Barbara and Ken 20."""
    server, address = serving
    engine.open(f"{address}{PATH}game/")
    engine.find("#game-start[data-ready]")
    server.shutdown()
    server.server_close()
    for number, name in enumerate(FOUR, 1):
        engine.find(f"#name_{number}").send_keys(name)
    engine.press("#game-start button[type=submit]")
    engine.press("#mahjong")
    engine.press('[aria-label="Other ways to enter, Brian"]')
    engine.press('[aria-label="Type a total, Brian"]')
    engine.figures("20")
    engine.press('[data-view="everybody"].seat-tab')
    engine.press(".who-buttons button:nth-of-type(2)")
    for button in ("#nothing-else", "#go-on"):
        engine.wait_until("() => new Promise((done) => setTimeout(() => done(true), 800))")
        engine.press(button)
    engine.expect_words(".next-east", "Brian is East")
    engine.reload()
    engine.expect_words(".next-east", "Brian is East")
    engine.expect_words("#board", "2,080")


PAGES = (
    "", "game/", "game/copies/", "game/league-table/", "game/into-a-club/", "game/house-rules/bmja/", "game/take-in/",
    "rules/", "rules/bmja/", "worth/", "practice/", "looks/", "licences/", "when-the-wifi-fails/",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("size", [(390, 844), (810, 1080), (1024, 768)])
def test_each_page_of_the_site_can_be_used(tablet, served, path, size):
    one = tablet(kind=SiteTablet, url=served, size=size, service_workers="block")
    one.page.goto(f"{served}{PATH}{path}", wait_until="networkidle")
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe_faults(one) == []
