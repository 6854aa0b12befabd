"""The views of a table: whichever was opened first, the others are shown at their addresses, and nothing is loaded."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.page_cast import record, totals

from .outbox_tablet import PlayingTablet


@pytest.fixture
def one(tablet, club, table):
    """A tablet with the rules on board, at a table where Bob has won hand 1 with 8, and Alice hand 2 with 20."""
    record(table, totals(table, 2, seat2=8))
    record(table, totals(table, 1, seat1=20))
    return tablet(club.scorekeeper, kind=PlayingTablet, service_workers="block")


def at(table, name, *more):
    return reverse(name, args=[table.club.slug, table.pk, *more])


def open_at(one, address):
    one.open(address)
    one.expect_rules()
    one.expect_views()
    one.page.evaluate("window.isStillHere = true")


def expect_shown(one, address, heading, title):
    """The view has its address, its title and the focus on its heading, and the page was never loaded again."""
    expect(one.page).to_have_url(one.url + address)
    expect(one.page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(one.page.get_by_role("heading", level=1)).to_be_focused()
    expect(one.page).to_have_title(title)
    assert one.page.evaluate("window.isStillHere")


@pytest.mark.parametrize("is_lost", [False, True], ids=["heard", "not heard"])
def test_from_the_sheet_to_the_table_and_to_a_hand_and_back(one, table, is_lost):
    open_at(one, at(table, "session-sheet"))
    if is_lost:
        one.lose_network()
    one.follow("To the table")
    title = re.compile("^Table 1, ")
    expect_shown(one, at(table, "table"), re.compile("^Table 1"), title)
    one.next_hand(3)
    assert one.page.evaluate("window.isStillHere")
    one.page.go_back()
    expect_shown(one, at(table, "table"), re.compile("^Table 1"), title)
    one.page.go_back()
    expect_shown(one, at(table, "session-sheet"), re.compile("^Table 1, "), re.compile("^Score sheet of table 1"))
    expect(one.page.locator("#sheet .sheet tbody tr")).to_have_count(4)


def test_a_sheet_that_was_opened_first_shows_what_is_saved_on_the_tablet_since(one, table):
    open_at(one, at(table, "session-sheet"))
    one.lose_network()
    one.follow("To the table")
    one.page.locator("#nobody").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 4")
    one.page.locator(".board-head").get_by_role("link", name="The sheet").tap()
    expect(one.page.locator("#sheet .sheet tbody th").nth(3)).to_have_text("Nobody went Mah-jong")
    one.find_network()
    one.page.go_back()
    one.expect_saved()
    assert one.page.evaluate("window.isStillHere")
