"""Text size and colours: large type, high contrast and the left hand hold on the pages at the table."""

import uuid
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sessions_app.models import Session
from sessions_app.people.logos import change_logo
from sessions_app.people.players import add_player
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import current_seating, start_session
from tests import share

from . import checks
from .checks import listed_faults, walk
from .conftest import AFTERNOON, BY

AT_THE_TABLE = (
    "table", "table, opened out", "hand-new", "hand-new, tiles", "hand-new, total", "hand-new, whole", "hand",
    "session-sheet", "seating", "session-start",
)  # fmt: skip
# Looked at on each run; the others with --long.
EACH_TIME = ("table, opened out", "hand-new, whole", "hand", "session-sheet")
PHONE = (390, 844)
LOOKS = {"name": "looks", "value": "large.contrast.left"}


def test_large_type_high_contrast_and_the_left_hand_in_the_dark(tablet, live_server):
    """At the table, as the cookie has it; test_every_page.py asks of every page in the light."""
    found = {}
    for name, one in walk(tablet, AT_THE_TABLE if share.is_long else EACH_TIME, cookies=LOOKS, color_scheme="dark"):
        assert one.page.evaluate("document.documentElement.className") == checks.LOOKS
        found[name] = checks.looks_faults(one)
    assert listed_faults(found) == ""


@pytest.mark.long
def test_the_switch_is_two_taps_from_the_table_and_holds(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    one.page.locator(".site-footer").get_by_role("link", name="Text size and colours").tap()
    expect(one.page.get_by_role("switch", name="Large type")).not_to_be_checked()
    before = font_size(one)
    one.page.get_by_role("switch", name="Large type").tap()
    expect(one.page.get_by_role("switch", name="Large type")).to_be_checked()
    assert (before, font_size(one)) == (19, 24)
    one.follow("Done")
    expect(one.page.locator("#board")).to_be_visible()
    assert font_size(one) == 24


def font_size(one):
    return one.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")


@pytest.mark.parametrize(("looks", "side"), [("", "right"), ("large.left", "left")])
def test_the_main_button_is_at_the_hand(tablet, club, table, looks, side):
    one = tablet(club.scorekeeper)
    if looks:
        one.context.add_cookies([{"name": "looks", "value": looks, "url": one.url}])
    for width, height in ((1024, 768), PHONE):
        one.page.set_viewport_size({"width": width, "height": height})
        one.forget_drafts()
        one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
        # The whole hand is chosen from without scrolling: on a phone Save stands under it, on a tablet next to it.
        expect(one.page.locator(".who-buttons")).to_be_visible()
        asked = one.page.locator(".who-buttons").bounding_box()
        under = one.page.locator("#entry-foot").bounding_box()["y"] if width == PHONE[0] else height
        assert asked["y"] + asked["height"] <= under, width
        one.choose_hand("Alice", "tiles")
        box = one.page.locator("#go-on").bounding_box()
        middle = box["x"] + box["width"] / 2
        assert ("left" if middle < width / 2 else "right") == side, width


@pytest.mark.long
def test_seated_as_really_played_in_three_taps(tablet, club, table):
    hands = {str(seat): {"total": 20 if seat == 1 else 0} for seat in current_seating(table).seated.values()}
    command = {"key": "7a4b6a51-0000-4000-8000-000000000002", "kind": "hand",
               "body": {"hands": hands, "mahjong": {"by": "1"}}}  # fmt: skip
    apply_command(table.pk, command, by=BY)
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    expect(one.page.locator(".next-east")).to_have_text("Alice is East")
    expect(one.page.locator(".east-words")).to_have_text("East for the second hand in a row")

    one.follow("We sat differently")
    one.page.get_by_role("button", name="Bob is East").tap()

    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert current_seating(Session.objects.get(pk=table.pk)).winds == (2, 3, 4, 1)


# Who is seen: nothing lies over the middle of it, and it is on the screen.
SEEN = """(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.bottom - 2];
  const seen = document.elementFromPoint(x, y);
  return !(box.top >= 0 && seen && (seen.closest(selector) || seen.querySelector(selector)));
})"""
OVERFULL = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const [inner, outer] = [words.getBoundingClientRect(), one.getBoundingClientRect()];
  return outer.width && (inner.left < outer.left || inner.right > outer.right);
}).map((one) => one.textContent)"""
FULL_HAND = ("7D", "R", "9B", "4B", "2C")


def large(tablet, club, table, size):
    one = tablet(club.scorekeeper, size=size)
    one.context.add_cookies([{"name": "looks", "value": "large", "url": one.url}])
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    return one


def test_in_large_type_the_flower_the_tile_count_and_the_score_of_a_full_winner_are_seen(tablet, club, table):
    one = large(tablet, club, table, (1024, 768))
    one.choose_hand("Bob", "tiles")
    one.tap("Bob goes Mah-jong")
    one.page.locator("#concealed").tap()
    one.face("F1")
    for code in FULL_HAND:
        one.face(code)
    one.page.get_by_role("group", name="Last tile from").get_by_role("button", name="Carol", exact=True).tap()
    one.page.locator(".chip-2C").tap()
    expect(one.page.locator("#tray-score")).to_contain_text("points")
    expect(one.page.locator("#entry-status")).not_to_be_empty()
    one.page.evaluate("scrollTo(0, 0)")
    parts = [
        ".tray-bonus svg",
        "#tray-count",
        "#tray-score",
        ".chip-2C",
        ".question .more",
        "#nothing-else",
    ]
    assert one.page.evaluate(SEEN, parts) == []
    assert one.page.evaluate(OVERFULL, "#nothing-else") == []


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, (810, 1080)], ids=["phone", "portrait"])
@pytest.mark.parametrize("winner_first", [True, False], ids=["winner first", "tiles first"])
def test_in_large_type_a_full_winners_questions_do_not_lie_under_the_bar(tablet, club, table, size, winner_first):
    one = large(tablet, club, table, size)
    one.choose_hand("Bob", "tiles")
    if winner_first:
        one.tap("Bob goes Mah-jong")
    # Claimed, the last tile leaves one of the concealed sets exposed: which one matters.
    one.page.locator("#concealed").tap()
    for code in FULL_HAND:
        one.face(code)
    if not winner_first:
        one.tap("Bob goes Mah-jong")
    expect(one.page.locator("#tray-count")).to_have_text("14 tiles")
    expect(one.page.locator("#goes-mahjong")).to_have_attribute("aria-pressed", "true")
    parts = ['[aria-label="Last tile from"]', '[aria-label="Which was the last tile?"]']
    # Which tile is asked comes with the score; a score still on its way may move them once more.
    for part in parts:
        expect(one.page.locator(part)).to_be_visible()
    one.page.wait_for_function(f"(parts) => ({SEEN})(parts).length === 0", arg=parts)


SIZES = [(1024, 768), (810, 1080), PHONE]


def faults_at(one, selector):
    """Return which words run over their button, on each size of screen."""
    found = {}
    for width, height in SIZES:
        one.page.set_viewport_size({"width": width, "height": height})
        found[width] = one.page.evaluate(OVERFULL, selector)
    return found


@pytest.mark.long
def test_in_large_type_no_words_run_over_their_button(tablet, club):
    players = [club.players[name] for name in ("Alice", "Bob", "Carol", "Dave")]
    official = start_session(club.club, AFTERNOON, 1, players, "chinese_official", {}, by=BY)
    one = large(tablet, club, official, PHONE)
    expect(one.page.locator(".seat-card").first).to_be_visible()
    assert faults_at(one, ".seat-card-ways button") == {width: [] for width, _ in SIZES}
    one.page.locator(".seat-card-ways button").first.tap()
    assert faults_at(one, ".modes button, .mode-row .switch") == {width: [] for width, _ in SIZES}


@pytest.mark.long
def test_the_tiles_of_a_special_hand_can_be_read(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    one.choose_hand("Bob", "other")
    one.tap("Bob goes Mah-jong")
    one.tap("Special hand by name")
    for (width, height), least in (((1024, 768), 22), (PHONE, 34)):
        one.page.set_viewport_size({"width": width, "height": height})
        assert one.page.locator(".special-hand .tile").first.bounding_box()["width"] >= least, width


@pytest.mark.long
def test_the_player_sitting_out_is_seen_without_scrolling(tablet, club):
    five = start_session(club.club, AFTERNOON, 1, list(club.players.values()), "bmja", {}, by=BY)
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{five.pk}/table/")
    expect(one.page.locator(".felt-foot .sitter")).to_contain_text("Fay")
    assert one.page.evaluate(SEEN, [".felt-foot .sitter"]) == []


SLIDES = "[...document.querySelectorAll('.scroll-x')].some((box) => box.scrollWidth > box.clientWidth)"


@pytest.mark.long
def test_six_names_fit_the_sheet(tablet, club):
    seated = start_session(club.club, AFTERNOON, 1, list(club.players.values()), "bmja", {}, by=BY)
    totals = {"1": 512, "2": 8, "3": 4, "4": 0}
    hands = {seat: {"total": total} for seat, total in totals.items()}
    send(seated, "hand", {"hands": hands, "mahjong": {"by": "1"}})
    send(seated, "leave", {"seat": 2})
    send(seated, "arrive", {"player": add_player(club.club, full_name="Margaret", by=BY).pk})
    one = tablet(club.scorekeeper)
    for (width, height), looks in (((1024, 768), ""), ((810, 1080), ""), ((1024, 768), "large")):
        one.page.set_viewport_size({"width": width, "height": height})
        one.context.add_cookies([{"name": "looks", "value": looks, "url": one.url}])
        one.open(f"/c/bramley/sessions/{seated.pk}/")
        expect(one.page.locator(".sheet thead")).to_contain_text("Margaret")
        assert not one.page.evaluate(SLIDES), (width, looks)


def send(table_session, kind, body):
    command = {"key": str(uuid.uuid4()), "kind": kind, "body": body}
    assert apply_command(table_session.pk, command, by=BY).outcome == "recorded"


@pytest.mark.long
@pytest.mark.parametrize(("page", "looks"), [("standings", "large"), ("standings, what if", "")])
def test_the_league_table_fits(tablet, live_server, page, looks):
    for _, one in walk(tablet, (page,), cookies={"name": "looks", "value": looks}):
        assert not one.page.evaluate(SLIDES)


def test_a_logo_without_a_ground_is_on_white_on_a_dark_page(tablet, club):
    change_logo(club.club, (Path(__file__).parent.parent / "data/logos/logo.png").read_bytes(), by=BY)
    one = tablet(club.secretary, color_scheme="dark")
    one.open("/c/bramley/prints/score-sheet/")
    expect(one.page.locator("main .club-logo").first).to_have_css("background-color", "rgb(255, 255, 255)")
