"""How light the pages are: what a first visit loads, what every later one, and what a tap, compressed as it is sent."""

import gzip
import json
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from clubscore.site.static_storage import FIRST, PACKED, served_text, wrap
from sessions_app.rules.tags import ENGINE
from sessions_app.table.tags import TO_KEEP
from sessions_app.table.views.games import LATER_FILES
from sessions_app.web.views import FOR_CLUBS

from .test_query_counts import address
from .two_sizes import club_of
from .web.test_walk import addresses

pytestmark = pytest.mark.slow

KB = 1000
# What a browser loads for a page, as the page, its styles and its scripts name it.
LINK = re.compile(r"""<(?:link(?! rel="apple-touch-icon")|script|img|use)\b[^>]*?(?:href|src)="/static/([^"#]+)""")
IN_STYLE = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
IN_SCRIPT = re.compile(r"""(?:from|import)\s*\(?["'](\.[^"']+)["']""")
# Compressed in themselves.
AS_THEY_ARE = (".woff2", ".png", ".webp")


def loaded(html):
    """Return the names of all static files that a page makes a browser load."""
    found, to_look_at = set(), set(LINK.findall(html))
    while to_look_at:
        name = to_look_at.pop()
        found.add(name)
        to_look_at |= named_in(name) - found
    return found


def named_in(name):
    if name.endswith(".css"):
        names = [one for one in IN_STYLE.findall(text_of(name)) if not one.startswith("data:")]
    elif name.endswith(".js"):
        # Types in comments name modules too.
        names = IN_SCRIPT.findall(re.sub(r"/\*.*?\*/", "", text_of(name), flags=re.DOTALL))
    else:
        names = []
    return {normpath(join(dirname(name), one)) for one in names}


@cache
def text_of(name):
    """Return a script or sheet as it is served, with what is bundled with it."""
    return served_text(name, lambda one: Path(finders.find(one)).read_text(encoding="utf-8"))


@cache
def weight_of(name):
    if name.endswith(AS_THEY_ARE):
        return Path(finders.find(name)).stat().st_size
    is_text = not name.endswith(".wasm")
    return len(brotli.compress(text_of(name).encode() if is_text else Path(finders.find(name)).read_bytes()))


@pytest.fixture
def a_club(db):
    """A club as most are: two dozen players, six tables today."""
    return club_of(24, "usual")


def asked(client, address):
    return client.get(address, headers={"Accept-Encoding": "gzip, deflate"})


def page_of(house, name):
    """Return the compressed page, as its secretary or as nobody sees it; None for what is no page."""
    for client in (house.secretary, Client()):
        answer = asked(client, address(name, house))
        if answer.status_code == 200:
            return answer.content if answer["Content-Type"].startswith("text/html") else None
    return None


def test_the_first_visit_of_the_table_is_light(a_club):
    page = page_of(a_club, "table")
    files = loaded(gzip.decompress(page).decode())
    weight = len(page) + sum(map(weight_of, files))
    assert {"table/table.css", "table/outbox/page.js", "rules/tiles/winds.svg"} <= files
    assert "django_htmx/htmx-2.min.js" not in files
    assert "rules/tiles/tiles.svg" not in files
    assert sum(name.endswith(".woff2") for name in files) == 2
    print(weight)
    assert weight < 90 * KB, sorted((weight_of(name), name) for name in files)


IN_TEXT = re.compile(r"/static/([\w./-]+\.(?:js|css|svg|woff2)\b)")
GAME_PAGES = ("games", "game-table", "kept-of-games", "game-take-in", "outbox")


def used_by(name, house, client):
    """Return the names of all static files that a page or what a tablet keeps of it may make a browser load."""
    answer = asked(client, address(name, house))
    found = set()
    to_look_at = set(IN_TEXT.findall(gzip.decompress(answer.content).decode()))
    while to_look_at:
        found |= to_look_at
        to_look_at = {inner for file in to_look_at for inner in named_in(file) if finders.find(inner)} - found
    return found | set(ENGINE.values())


def test_a_tablet_keeps_all_files_that_games_need_and_no_other(a_club):
    """From the front page to ready without a network: these files, their pack and five pages."""
    used = {file for name in GAME_PAGES for file in used_by(name, a_club, Client())}
    # The league and the page of copies come with the first game.
    assert {*FIRST, *PACKED} == used - set(LATER_FILES)
    assert len(FIRST) + 1 + len(GAME_PAGES) <= 18
    pack = b"".join(text_of(name).encode() for name in PACKED)
    weight = sum(map(weight_of, FIRST)) + len(brotli.compress(pack))
    print(weight)
    assert weight < 460 * KB


def test_a_tablet_keeps_all_files_that_its_clubs_pages_need(a_club):
    pages = (*TO_KEEP, "session-rules", "worth", "practice", "table", "paper", "wifi")
    used = {file for name in pages for file in used_by(name, a_club, a_club.secretary)}
    assert used - {*FIRST, *PACKED, *FOR_CLUBS} == set()


def test_every_later_page_is_light(a_club):
    weights = {
        name: len(page) for name in sorted({pattern.name for pattern in addresses()}) if (page := page_of(a_club, name))
    }
    assert len(weights) > 100
    assert {name: weight for name, weight in weights.items() if weight >= 15 * KB} == {}


def test_the_answer_to_a_tap_is_light(a_club):
    sets = ["exposed pung 2D", "exposed pung 5B", "concealed pung 1D", "concealed pung 2C", "pair 9B"]
    hands = {"1": {"sets": sets, "bonus": "F2"}, "2": {"sets": ["exposed pung R"]}, "3": {}, "4": {"total": 12}}
    body = {"hands": hands, "mahjong": {"by": "1", "tile": "9B", "from": "wall"}}
    headers = {"Accept-Encoding": "gzip, deflate", "HX-Request": "true"}
    answer = a_club.secretary.post(address("hand-score", a_club), {"body": json.dumps(body)}, headers=headers)
    assert json.loads(gzip.decompress(answer.content))["state"] == "whole"
    assert len(answer.content) < 3 * KB


def test_the_length_of_a_compressed_page_tells_nothing_of_its_token(a_club):
    pages = [asked(a_club.secretary, address("desk-settings", a_club)).content for _ in range(12)]
    tokens = {re.search(rb'name="csrfmiddlewaretoken" value="(\w{64})"', gzip.decompress(page))[1] for page in pages}
    assert len(tokens) == 12
    assert len({len(page) for page in pages}) > 3


def test_a_bundle_refuses_an_export_that_it_cannot_read():
    with pytest.raises(ValueError, match="web/own.js"):
        wrap("web/own.js", {"web/own.js": "export class Own {}\n"}.__getitem__)
