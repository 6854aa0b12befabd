"""The secretary changes three house rules; the same hand, played before and after, counts by the rules of its table.

Worked by hand from the document of the rules. Bob goes Mah-jong with a loose tile: an exposed kong of 6 Characters 8,
two exposed pungs of minors 2 each, Mah-jong 20; Carol, West, holds the four flowers, 16 points; the others nothing.

As the BMJA plays: Bob 32, doubled for the Kong box, 64. Carol 16, two doubles with her own flower in them, 64. East
pays double: Alice pays Bob 128 and Carol 128; Carol and Dave pay Bob 64 each; Dave pays Carol 64.

As the club plays then (2 points for a loose tile too, the own flower besides, East like everyone else): Bob 34,
doubled, 68; Carol 16, three doubles, 128. Everyone pays Bob 68; Alice and Dave pay Carol 128 each.
"""

import re

import pytest
from playwright.sync_api import expect

from sessions_app.models import Session
from sessions_app.rules.club_rules import add_club_hand
from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY, PEOPLE
from .test_rule_sets import TableOf

BOB = {"sets": ["exposed kong 6C", "exposed pung 3B", "exposed pung 8D", "concealed chow 2C", "pair 7D"]}
CAROL = {"bonus": "F1 F2 F3 F4"}
LOOSE = {"by": "S", "tile": "7D", "from": "wall"}
BEFORE = {"E": -256, "S": 256, "W": 128, "N": -128}
AFTER = {"E": -196, "S": 204, "W": 188, "N": -196}
HOUSE = "/c/bramley/desk/house-rules/"
CHANGES = {
    "two_points_on_loose_tile": "Scored",
    "bouquet_includes_own": "Your own scores as well",
    "east_mode": "The same as everyone else",
}


@pytest.fixture
def first(club):
    """Alice East, Bob South, Carol West, Dave North, by the rules that the club plays then."""
    seated = [club.players[name] for name in PEOPLE[:4]]
    return start_session(club.club, AFTERNOON, 1, seated, "bmja", None, by=BY)


def play(tablet, club, session, expected):
    """Play the hand at a table by taps."""
    table = TableOf(tablet, club, "bmja", session)
    seats = table.begin("Alice")
    table.enter(seats, {"E": {}, "W": CAROL, "N": {}, "S": BOB}, LOOSE)
    table.control(f"tab-{seats['S']}").tap()
    table.special("way-loose")
    table.expect_nets(seats, expected)
    save(table)
    return table


def save(table):
    """Save the hand, and wait until the server has it."""
    table.save(1)
    expect(table.one.page.locator("#messages")).to_contain_text("Hand 1: ")


def change_house_rules(one):
    one.open(HOUSE)
    for key, label in CHANGES.items():
        switch = one.page.locator(f"#switch-{key}")
        switch.locator("summary").tap()
        switch.get_by_role("radio", name=re.compile(f"^{label}")).check()
    one.page.get_by_label("Reason, or when it was agreed").fill("Agreed in May")
    one.tap("Save as version 1")
    expect(one.page.locator("#messages")).to_contain_text("Version 1 saved")
    for key in CHANGES:
        expect(one.page.locator(f"#switch-{key} summary")).to_contain_text("house rule")


def start_again(one, session):
    """Start a table with the players of another one, on the page on which sessions are started."""
    one.open(f"/c/bramley/sessions/start/?again={session.pk}")
    one.page.get_by_label("Table number").fill("2")
    one.tap("Start playing")
    expect(one.page.locator("#mahjong")).to_be_visible()
    return Session.objects.latest("pk")


@pytest.mark.long
def test_three_house_rules_change_what_is_played_from_now_on(tablet, club, first):
    play(tablet, club, first, BEFORE)
    secretary = tablet(club.secretary)
    change_house_rules(secretary)
    table = play(tablet, club, start_again(secretary, first), AFTER)
    table.expect_sheet(2000, [[1804, 2204, 2188, 1804]])
    table.one.open(f"/c/bramley/sessions/{first.pk}/table/")
    table.expect_sheet(2000, [[1744, 2256, 2128, 1872]])


@pytest.mark.long
def test_a_hand_of_the_clubs_own_is_picked_by_name(tablet, club):
    """Half of the limit, 500: East pays and receives double."""
    add_club_hand(club.club, by=BY, name="Dragon’s Tail", tiles="1B 2B 3B 4B 5B 6B 7B 8B 9B R R R E E",
                 worth="half limit", since=AFTERNOON)  # fmt: skip
    seated = [club.players[name] for name in PEOPLE[:4]]
    table = TableOf(tablet, club, "bmja", start_session(club.club, AFTERNOON, 1, seated, "bmja", None, by=BY))
    seats = table.begin("Alice")
    table.enter(seats, {"E": {}, "W": {}, "N": {}}, {"by": "S"})
    page = table.one.page
    table.control(f"ways-{seats['S']}").tap()
    table.one.tap("Special hand by name")
    own = page.get_by_role("button", name="Dragon’s Tail")
    expect(own).to_contain_text("half the limit, 500")
    expect(own.locator(".tile")).to_have_count(14)
    own.tap()
    table.one.everybody()
    table.expect_nets(seats, {"E": -1000, "S": 2000, "W": -500, "N": -500})
    save(table)
    table.one.open(f"/c/bramley/sessions/{table.session.pk}/hands/{table.session.entries.get().key}/")
    expect(page.locator("#main")).to_contain_text("Dragon’s Tail, a special hand.")


@pytest.mark.long
def test_an_own_hand_is_laid_tile_by_tile(tablet, club):
    one = tablet(club.secretary)
    one.open("/c/bramley/desk/own-hands/add/")
    one.page.get_by_label("Name").fill("Windy")
    for code in [*"EEESSSWWWNNN", "R", "R", "G"]:
        one.page.locator(f'#picker [data-tile="{code}"]').tap()
    expect(one.page.locator("#drawn .tile")).to_have_count(15)
    one.tap("Undo last tile")
    expect(one.page.get_by_label("Example tiles")).to_have_value("E E E S S S W W W N N N R R")
    one.tap("Add the hand")
    expect(one.page.locator("#messages")).to_contain_text("Windy added.")
    expect(one.page.locator(".own-hands .tile")).to_have_count(14)
