"""What is asked and what is scored at hand entry is in sight and never covered, whatever the window."""

import pytest
from playwright.sync_api import expect

from tests.factories import record

PHONE = (390, 844)
SETS = ("7D", "9B", "R")
LOSERS = {"Alice": "8", "Carol": "16", "Dave": "32"}
# What is wholly on the screen, and has nothing over its middle.
COVERED = """(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const seen = document.elementFromPoint(box.left + Math.min(box.width / 2, 30), box.top + box.height / 2);
  return box.height === 0 || box.top < 0 || box.bottom > innerHeight || !seen?.closest(selector);
})"""
CUT_NAMES = """() => [...document.querySelectorAll(".tab-name, .tab-score")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
TALLEST_SET = """() => Math.max(...[...document.querySelectorAll(".tray-set")].map((one) => one.offsetHeight))"""


@pytest.mark.parametrize(
    ("size", "looks", "has_notice"),
    [
        ((1024, 660), "", False),
        ((1024, 768), "", True),
        ((810, 1080), "", False),
        (PHONE, "", False),
        ((1024, 768), "large", False),
        pytest.param((810, 1080), "large", False, marks=pytest.mark.long),
        pytest.param(PHONE, "large", False, marks=pytest.mark.long),
    ],
    ids=["landscape in Safari", "with a notice", "portrait", "phone", "large", "large portrait", "large phone"],
)
def test_the_last_player_with_five_sets_two_flowers_and_six_payments(tablet, club, table, size, looks, has_notice):
    one = tablet(club.scorekeeper, size=size)
    if looks:
        one.context.add_cookies([{"name": "looks", "value": looks, "url": one.url}])
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    if has_notice:
        record(table, {"by": "2", "to": "3", "amount": 10}, "fine")
        one.choose_hand("Carol", "nothing")
        one.page.evaluate("hurry(3000)")
        expect(one.page.locator("#also-entering")).to_contain_text("This table has been changed on another tablet.")
    for name, total in LOSERS.items():
        one.choose_hand(name, "total")
        one.figures(total)
        one.everybody()
    one.choose_hand("Bob", "tiles")
    one.tap("Bob goes Mah-jong")
    for code in SETS:
        one.face(code)
    one.mode("chow")
    for code in ("2C", "E", "F1", "S2"):
        one.face(code)
    one.page.get_by_role("group", name="Last tile from").get_by_role("button", name="The wall").tap()
    expect(one.page.locator("#foot-payments li")).to_have_count(6)
    expect(one.page.locator("#tray-count")).to_have_text("14 tiles and 2 bonus")
    expect(one.page.locator("#tray-score")).to_contain_text("points")
    assert one.page.evaluate(COVERED, ["#tray-count", "#tray-score", "#go-on"]) == []
    if not looks:
        assert one.page.evaluate(TALLEST_SET) <= 40


def test_on_a_phone_penalty_question_and_payments_are_in_sight(tablet, club, table):
    one = tablet(club.scorekeeper, size=PHONE)
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    one.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name="Bob", exact=True).tap()
    one.choose_hand("Bob", "total")
    one.figures("64")
    one.tap("Everyone else: nothing to score")
    expect(one.page.locator("#score .payments li")).to_have_count(3)
    one.page.evaluate("window.scrollTo(0, 0)")
    assert one.page.evaluate(COVERED, ["#score .score-next", "#score .payments"]) == []
    one.page.get_by_role("button", name="Penalty").scroll_into_view_if_needed()
    one.tap("Penalty")
    expect(one.page.locator("#go-on")).to_be_hidden()
    assert one.page.evaluate(COVERED, ["#penalty-kind", "#penalty-by", "#penalty-form .button-main"]) == []
    one.page.get_by_label("False Mah-jong").check()
    one.page.locator("#penalty-by").get_by_label("Carol").check()
    one.tap("Add the penalty")
    assert one.page.evaluate("scrollY") == 0
    assert one.page.evaluate(COVERED, [".who-won .question", "#go-on"]) == []


@pytest.mark.parametrize("size", [(1024, 768), pytest.param((810, 1080), marks=pytest.mark.long)])
def test_large_type_makes_tiles_larger_and_leaves_names_whole(tablet, club, table, size):
    measured = {}
    for looks in ("", "large"):
        one = tablet(club.scorekeeper, size=size)
        one.context.add_cookies([{"name": "looks", "value": looks, "url": one.url}])
        one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
        one.choose_hand("Alice", "tiles")
        one.tap("Alice goes Mah-jong")
        measured[looks] = one.page.locator(".face").first.bounding_box()
        assert one.page.evaluate(CUT_NAMES) == []
    if size[0] > size[1]:
        assert measured["large"]["height"] > measured[""]["height"]
        assert measured["large"]["width"] > measured[""]["width"]


@pytest.mark.long
def test_a_window_as_low_as_at_200_percent_is_left_to_the_tiles(tablet, club, table):
    """1024x768 at 200 %: the bar and the buttons scroll away, and the buttons are still reached."""
    one = tablet(club.scorekeeper, size=(512, 384))
    one.open(f"/c/bramley/sessions/{table.pk}/hands/new/")
    one.choose_hand("Bob", "tiles")
    one.page.locator('.face[data-tile="5C"]').scroll_into_view_if_needed()
    one.page.evaluate("document.querySelector('.tile-row').scrollIntoView()")
    at_foot = "document.elementFromPoint(innerWidth / 2, innerHeight - 5).closest('.entry-foot, .site-header') === null"
    assert one.page.evaluate(at_foot)
    assert one.page.locator(".site-header").bounding_box()["y"] < -50
    one.face("5C")
    one.page.locator("#go-on").scroll_into_view_if_needed()
    assert one.page.evaluate(COVERED, ["#tray-count", "#go-on"]) == []
