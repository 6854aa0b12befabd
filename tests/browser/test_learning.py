"""For learners, by finger: what a hand is worth, practice kept on the tablet, the stages, a line's rule and back."""

import re

import pytest
from playwright.sync_api import expect

from sessions_app.table.apply_command import apply_command

from .conftest import BY

# Gates of Heaven waits for every circle; with one more it is a limit hand of 1000.
GATES = {"sets": ["concealed pung 1D", "concealed chow 2D", "concealed chow 5D"], "tiles": "8D 9D 9D 9D"}
HAND = {
    "hands": {
        "1": {"sets": ["exposed pung E", "concealed kong 5B", "exposed chow 1C", "pair 4C"], "tiles": "9D 9D 9D"},
        "2": {}, "3": {}, "4": {},
    },
    "mahjong": {"by": "1", "tile": "4C", "from": "wall"},
}  # fmt: skip
KEY = "7a4b6a51-0000-4000-8000-00000000000f"


def card(one, title):
    return one.page.locator(".worth-card", has=one.page.get_by_role("heading", name=title))


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)], ids=["landscape", "phone"])
def test_tiles_tapped_are_answered_at_once_and_the_address_keeps_them(tablet, live_server, size):
    one = tablet(size=size)
    one.open("/worth/")
    one.tiles(GATES)
    british = card(one, "British (BMJA)")
    expect(british).to_contain_text("Needs one of 9 kinds of tile. Scores up to 1,000.")
    one.face("5D")
    expect(british.locator(".balance")).to_have_text("1,000")
    first = one.page.locator(".worth-card").first
    expect(one.page.locator("#worth-glance")).to_have_text(f"{first.get_by_role('heading').inner_text()}: 1,000")
    expect(british).to_contain_text("Gates of Heaven")
    again = tablet(size=size)
    again.page.goto(one.page.url)
    expect(card(again, "British (BMJA)").locator(".balance")).to_have_text("1,000")
    expect(again.page.locator(".tray-set")).to_have_count(3)


@pytest.mark.long
def test_before_the_first_tile_nothing_is_said_to_score_and_then_every_rule_set_answers_beside_it(tablet, live_server):
    one = tablet()
    one.open("/worth/")
    tray = one.page.locator("#tray")
    expect(tray).to_contain_text("Tap a tile for each set")
    expect(tray).not_to_contain_text("Nothing to score")
    one.tiles(GATES)
    one.face("5D")
    british = card(one, "British (BMJA)").locator(".balance")
    expect(british).to_have_text("1,000")
    # The first is told in large type, the others below it.
    titles = one.page.locator(".worth-card[data-glance] h3").all_inner_texts()
    told = [one.page.locator("#worth-glance").inner_text(), *one.page.locator("#worth-others li").all_inner_texts()]
    assert [words.split(":")[0] for words in told] == titles
    for _ in range(5):
        one.tap("Undo last")
    expect(tray).not_to_contain_text("Nothing to score")


@pytest.mark.long
def test_how_the_last_tile_came_changes_the_answer(tablet, live_server):
    one = tablet()
    one.open("/worth/?sets=exposed+pung+3B,exposed+pung+6C,exposed+pung+8D,exposed+chow+2C&tiles=7D+7D&own=S")
    total = card(one, "British (BMJA)").locator(".balance")
    expect(total).to_have_text("28")
    one.page.get_by_text("A discard", exact=True).tap()
    expect(total).to_have_text("26")
    one.page.locator(".tray-set").first.tap()
    one.tap("Make it concealed")
    expect(total).to_have_text("28")
    one.tap("Undo last")
    expect(total).to_have_text("26")


@pytest.mark.long
def test_without_javascript_the_hand_is_typed(tablet, live_server):
    one = tablet(java_script_enabled=False)
    one.open("/worth/")
    one.page.get_by_label("Single concealed tiles").fill("1D 1D 1D 2D 3D 4D 5D 5D 6D 7D 8D 9D 9D 9D")
    one.tap("What is it worth?")
    expect(card(one, "British (BMJA)").locator(".balance")).to_have_text("1,000")


def test_right_and_wrong_are_kept_on_this_tablet_alone(tablet, live_server):
    one = tablet()
    one.open("/practice/?rules=turner&stage=all&hand=1")
    one.page.get_by_label("Total").fill("7")
    one.tap("Check my answer")
    expect(one.page.locator("#verdict")).to_have_text("Not quite")
    expect(one.page.locator("#verdict")).to_be_focused()
    expect(one.page.locator("#practice-tally")).to_contain_text("On this tablet: 0 right of 1.")
    one.page.reload()
    expect(one.page.locator("#practice-tally")).to_contain_text("0 right of 1.")
    one.page.evaluate("localStorage.setItem('practice', '{no tally')")
    one.page.reload()
    expect(one.page.locator("#practice-tally")).to_contain_text("0 right of 1.")
    # The first count was answered without the solution. The sum ends with the total.
    expect(one.page.locator(".sum")).to_have_count(0)
    one.tap("Check my answer")
    right = re.findall(r"[\d,]+", one.page.locator(".sum").inner_text())[-1]
    one.open(f"/practice/?rules=turner&stage=all&hand=2&total={right}")
    answered = one.page.locator("#verdict").inner_text()
    kept = "1 right of 2." if "Right" in answered else "0 right of 2."
    expect(one.page.locator("#practice-tally")).to_contain_text(kept)
    one.tap("Start again")
    expect(one.page.locator("#practice-tally")).to_be_hidden()
    expect(tablet().page.locator("#practice-tally")).to_have_count(0)


@pytest.mark.long
def test_a_stage_is_chosen_at_the_table_and_the_rest_is_one_tap_away(tablet, club, table):
    apply_command(table.pk, {"key": KEY, "kind": "hand", "body": HAND, "device": "", "after": None}, by=BY)
    entry = table.entries.get()
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    one.follow("For learners")
    one.tap("Points only")
    expect(one.page.locator("#board")).to_be_visible()
    one.open(f"/c/bramley/sessions/{table.pk}/hands/{entry.key}/")
    alice = one.page.locator(".players-hand").first
    expect(alice).to_contain_text("Total: 200")
    expect(alice.get_by_role("link", name="Pung of own wind")).to_be_hidden()
    alice.get_by_text("Doubles and special hands").tap()
    expect(alice.get_by_role("link", name="Pung of own wind")).to_be_visible()


@pytest.mark.long
def test_one_tap_leads_from_a_line_to_its_rule_and_one_back_to_the_very_hand(tablet, club, table):
    apply_command(table.pk, {"key": KEY, "kind": "hand", "body": HAND, "device": "", "after": None}, by=BY)
    entry = table.entries.get()
    one = tablet(club.scorekeeper)
    page = f"/c/bramley/sessions/{table.pk}/hands/{entry.key}/"
    one.open(page)
    one.follow("Pung of 9 Circles, concealed")
    expect(one.page.locator("tr:target .rule-name")).to_have_text("Concealed pung of 1, 9, winds or dragons")
    expect(one.page.locator("tr:target")).to_be_in_viewport()
    one.follow("Back to the hand", exact=False)
    expect(one.page.locator("tr:target")).to_contain_text("Pung of 9 Circles, concealed")
    assert page in one.page.url
