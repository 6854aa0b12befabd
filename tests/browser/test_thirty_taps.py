"""A whole hand played, table page to table page: at most thirty taps, and nothing out of sight at 1024x768."""

from playwright.sync_api import expect

from .test_hand_entry import COUNT_TAPS

MOST = 30
HEIGHT = 768
# How far down the page the lowest control stood that was pressed: on the screen as long as nobody scrolls.
LOWEST = """window.lowest = 0; addEventListener("pointerdown", ({ target }) => {
  const box = target.closest("button").getBoundingClientRect();
  window.lowest = Math.max(window.lowest, box.bottom + scrollY);
}, true);"""


def test_a_whole_hand_played_costs_at_most_thirty_taps(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    one.page.locator("#mahjong").tap()
    one.page.wait_for_selector("#entry:not([hidden])")
    one.page.evaluate(COUNT_TAPS)
    one.page.evaluate(LOWEST)
    one.choose_hand("Bob", "tiles")
    one.tap("Bob goes Mah-jong")
    one.tiles({"sets": ["exposed pung 7D", "exposed pung 9B", "concealed pung 2C", "concealed pung R"]})
    one.tiles({"sets": ["pair E"], "bonus": "F2"})
    one.page.get_by_role("group", name="Last tile from").get_by_role("button", name="The wall").tap()
    one.tap("Next: Carol")
    one.tiles({"sets": ["exposed pung 3B", "exposed pung S"], "bonus": "F1"})
    one.pass_moment()
    one.tap("Next: Dave")
    one.tiles({"sets": ["pair G"]})
    one.pass_moment()
    one.tap("Next: Alice")
    one.tap("Nothing to score")
    one.pass_moment()
    # Which was the last tile is not asked where the score does not depend on it.
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    taps = one.page.evaluate("window.taps") + 2  # the button on the table page, and Save
    assert one.page.evaluate("window.lowest") <= HEIGHT
    expect(one.button("Save hand 1")).to_be_in_viewport(ratio=1)
    one.tap("Save hand 1")
    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    print(f"{taps} taps")
    assert taps <= MOST
