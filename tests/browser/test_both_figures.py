"""A figure typed and tiles entered for the same hand: both are shown, and the table chooses which counts."""

from playwright.sync_api import expect

from .test_hand_entry import address


def test_the_table_chooses_between_a_typed_figure_and_the_tiles(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(address(table))
    one.choose_hand("Carol", "tiles")
    one.tiles({"sets": ["exposed pung 3B", "exposed pung W"]})  # 2 + 4 points, doubled for the own wind
    one.tap("Other ways to enter")
    one.tap("Type a total")
    one.figures("40")
    both = one.page.get_by_role("group", name="Which to use")
    expect(both).to_contain_text("The best reading is 12; announced 40.")
    one.tap("Use the tiles")
    expect(both).to_contain_text("Announced 40; the tiles score 12.")
    assert one.draft()["body"]["hands"]["3"] == {"sets": ["exposed pung 3B", "exposed pung W"]}
    one.tap("Use the total")
    expect(one.page.get_by_label("Total", exact=True)).to_have_value("40")
    body = one.draft()["body"]
    assert (body["hands"]["3"], body["beside"]["3"]["sets"]) == ({"total": 40}, ["exposed pung 3B", "exposed pung W"])
