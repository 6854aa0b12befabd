"""How many taps five hands cost on the real pages, from the table page and back to it, Save included."""

import re

import pytest
from playwright.sync_api import expect

from sessions_app.table.apply_command import apply_command

from .conftest import BY

COUNT = """addEventListener("pointerup", () => {
  sessionStorage.setItem("taps", Number(sessionStorage.getItem("taps")) + 1);
}, true);"""
WINNERS_TILES = {"sets": ["exposed pung 7D", "exposed pung 9B", "exposed pung 2C", "exposed pung R", "pair E"],
                 "bonus": "F1 S3"}  # fmt: skip


@pytest.fixture
def counting(tablet, club, table):
    """Open the table page on a tablet that counts every tap."""
    one = tablet(club.scorekeeper)
    one.context.add_init_script(COUNT)
    return at_table(one, table)


def at_table(one, table):
    one.open(f"/c/bramley/sessions/{table.pk}/table/")
    one.page.evaluate("sessionStorage.removeItem('taps')")
    return one


def taps(one):
    return int(one.page.evaluate("sessionStorage.getItem('taps')") or 0)


def expect_taps(one, most):
    """Expect the table page again, after so many taps at most."""
    expect(one.page.locator("#board")).to_be_visible()
    print(f"{taps(one)} taps")
    assert taps(one) <= most


def open_hand(one):
    one.follow_to_entry()
    one.page.wait_for_selector("#entry:not([hidden])")


def bob_won(one):
    one.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name="Bob", exact=True).tap()


def last_tile_from(one, name):
    one.page.get_by_role("group", name="Last tile from").get_by_role("button", name=name, exact=True).tap()


def go_on(one, name):
    one.pass_moment()
    one.tap(f"Next: {name}")


def save(one, number):
    one.pass_moment()
    one.tap(f"Save hand {number}")


def played(table, number, body):
    command = {"key": f"7a4b6a51-0000-4000-8000-00000000000{number}", "kind": "hand", "body": body}
    assert apply_command(table.pk, command, by=BY).outcome == "recorded"


def totals(winner, **hands):
    return {
        "hands": {str(seat): {"total": hands.get(f"s{seat}", 0)} for seat in range(1, 5)},
        "mahjong": {"by": winner},
    }


@pytest.mark.long
def test_the_winners_own_part(counting):
    """Four exposed pungs, a pair and two flowers, until her score is known and the others are asked for."""
    open_hand(counting)
    bob_won(counting)
    before = taps(counting)
    counting.tiles(WINNERS_TILES)
    last_tile_from(counting, "The wall")
    expect(counting.page.locator("#tray-score")).to_have_text("44 points × 4 = 176")
    assert taps(counting) - before <= 8


def test_a_winner_and_three_players_with_nothing(counting):
    open_hand(counting)
    bob_won(counting)
    counting.tiles(WINNERS_TILES)
    last_tile_from(counting, "The wall")
    counting.tap("Everyone else: nothing to score")
    save(counting, 1)
    expect_taps(counting, 12)


@pytest.mark.long
def test_a_winner_and_three_losers_by_sets(counting):
    open_hand(counting)
    bob_won(counting)
    counting.tiles({"sets": ["exposed pung 7D", "exposed pung 9B", "concealed pung 2C", "concealed pung R", "pair E"],
                    "bonus": "F1 S3"})  # fmt: skip
    last_tile_from(counting, "The wall")
    payments = counting.page.get_by_role("list", name="Payments")
    losers = {
        "Carol": {"sets": ["exposed pung 3B", "concealed pung S", "pair G"], "bonus": "F2"},
        "Dave": {"sets": ["exposed pung 8C", "exposed kong W"]},
        "Alice": {"sets": ["exposed pung 4D"], "bonus": "F3"},
    }
    for name, hand in losers.items():
        go_on(counting, name)
        expect(payments).to_have_count(0)
        counting.tiles(hand)
    expect(payments).to_be_in_viewport(ratio=1)
    expect(payments.get_by_role("listitem")).to_have_count(6)
    save(counting, 1)
    expect_taps(counting, 26)


@pytest.mark.long
def test_four_typed_totals(counting, table):
    """64, 20, 8 and 16, at a table that typed totals for the hand before: the keypads open by themselves."""
    played(table, 1, totals("1", s1=20))
    at_table(counting, table)
    open_hand(counting)
    bob_won(counting)
    for name, figures in {"Bob": "64", "Carol": "20", "Dave": "8", "Alice": "16"}.items():
        if name != "Bob":
            go_on(counting, name)
        counting.figures(figures)
    save(counting, 2)
    expect_taps(counting, 13)


@pytest.mark.long
def test_the_discarder_of_an_earlier_hand_put_right(counting, table):
    """Carol discarded the last tile of hand 3, not Dave."""
    for number in (1, 2):
        played(table, number, totals("1", s1=20))
    tiles = {**WINNERS_TILES, "bonus": "F1"}
    played(
        table, 3, {"hands": {"1": {}, "2": tiles, "3": {}, "4": {}}, "mahjong": {"by": "2", "from": "4", "tile": "R"}}
    )
    at_table(counting, table)
    counting.page.locator(".glance").get_by_role("link", name=re.compile("Bob goes Mah-jong")).tap()
    counting.follow("Change this hand")
    last_tile_from(counting, "Carol")
    expect(counting.page.locator("#score")).to_contain_text("No score changes.")
    save(counting, 3)
    expect_taps(counting, 4)
    expect(counting.page.locator("#messages")).to_contain_text("Hand 3 is changed: ")
    assert table.entries.get(hand__number=3).body["mahjong"] == {"by": "2", "from": "3", "tile": "R"}
