"""Nobody is sure: what is worth less counts, and the tablet, the score and the hand's page say so."""

import pytest
from playwright.sync_api import expect

from .test_hand_entry import address, mark_bob


@pytest.mark.long
def test_not_sure_counts_as_exposed_and_as_a_discard(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(address(table))
    mark_bob(one)
    one.choose_hand("Bob", "tiles")
    one.tiles({"sets": ["concealed pung 7D", "exposed pung 9B", "concealed pung 2C", "exposed pung R", "pair E"]})
    one.page.locator(".tray-set").first.tap()
    one.tap("Not sure if it was shown")
    expect(one.page.locator(".tray-set").first).to_contain_text("Exposed pung: 7 Circles (not sure)")
    source = one.page.get_by_role("group", name="Last tile from")
    source.get_by_role("button", name="Not sure").tap()
    one.expect_message("Nobody was sure, so the last tile is scored as a discard.")
    expect(source.locator('[aria-pressed="true"]')).to_have_text(["Not sure"])
    finished = one.page.get_by_role("group", name="Which was the last tile?")
    finished.get_by_role("button", name="Not sure").tap()
    expect(finished.locator('[aria-pressed="true"]')).to_have_text(["Not sure"])
    for name in ("Alice", "Carol", "Dave"):
        one.everybody()
        one.choose_hand(name, "nothing")
    one.everybody()
    notes = one.page.locator('.score-player[data-seat="2"] .score-note')
    found = [
        "Nobody was sure, so the last tile is scored as a discard.",
        "Nobody was sure which group the last tile completed, so the lowest score is used.",
        "Pung of 7 Circles: nobody was sure, so it is scored as exposed.",
    ]
    expect(notes).to_have_text(found)
    one.tap("Save hand 1")
    one.page.locator("#hands li > a").first.tap()
    for sentence in found:
        expect(one.page.locator(".players-hands")).to_contain_text(sentence)
    expect(one.page.locator("main")).not_to_contain_text("discarded by")
