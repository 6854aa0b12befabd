"""The views of a table: whichever was opened first, the others are shown at their addresses, and nothing is loaded."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.models import Club
from tests.factories import record, totals

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


@pytest.mark.long
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


def hand_keys(table):
    return [str(entry.key) for entry in table.entries.order_by("position")]


@pytest.mark.parametrize("is_lost", [False, True], ids=["heard", "not heard"])
def test_a_hand_with_its_lines_opens_from_the_table_and_leads_to_the_next(one, table, is_lost):
    first, second = hand_keys(table)
    open_at(one, at(table, "table"))
    if is_lost:
        one.lose_network()
    one.page.locator("#hands li > a").last.tap()
    expect_shown(one, at(table, "hand", first), "Hand 1: Bob goes Mah-jong", re.compile("^Hand 1, table 1, "))
    # Bob, South, has 8: East pays double.
    assert one.page.locator(".hand-side .payments .amount").all_inner_texts() == ["16", "8", "8"]
    assert one.page.locator(".players-hand .balance").all_inner_texts() == ["0", "8", "0", "0"]
    assert one.page.locator(".hand-side .table-scores td:nth-child(3)").all_inner_texts() == [
        "1,984", "2,032", "1,992", "1,992",
    ]  # fmt: skip
    expect(one.button("Remove this hand")).to_be_visible()
    one.follow("Hand 2 →")
    expect_shown(one, at(table, "hand", second), "Hand 2: Alice goes Mah-jong", re.compile("^Hand 2, table 1, "))
    one.page.go_back()
    expect_shown(one, at(table, "hand", first), "Hand 1: Bob goes Mah-jong", re.compile("^Hand 1, table 1, "))
    one.follow("Change this hand")
    expect(one.page.locator("#entry")).to_contain_text("Bob")
    one.page.go_back()
    one.follow("The table")
    expect_shown(one, at(table, "table"), re.compile("^Table 1"), re.compile("^Table 1, "))


@pytest.mark.long
def test_what_only_the_server_knows_of_a_hand_comes_to_it(one, table):
    first, _ = hand_keys(table)
    open_at(one, at(table, "table"))
    one.page.locator("#hands li > a").last.tap()
    expect(one.page.get_by_role("heading", name="Notes")).to_be_visible()
    one.page.get_by_label("Note on this hand").fill("Bob’s first")
    one.tap("Add the note")
    expect(one.page.locator("#messages")).to_contain_text("The entry is added.")
    expect(one.page.get_by_text("Bob’s first")).to_be_visible()
    # The page of the server says the same of the hand.
    one.open(at(table, "hand", first))
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Hand 1: Bob goes Mah-jong")


def test_the_tablet_draws_a_hand_as_the_server_does(one, table):
    tiles = {"sets": ["exposed pung 3B", "concealed kong 6C", "exposed chow 7D", "concealed pung R"], "tiles": "9D 9D"}
    body = {
        "hands": {"1": {}, "2": {"sets": ["exposed pung 2B"], "bonus": "F1"}, "3": tiles, "4": {"total": 12}},
        "mahjong": {"by": "3", "tile": "9D", "from": "wall"},
        "penalties": [{"kind": "misnamed discard", "by": "4", "to": "1"}],
    }
    key = record(table, body).entry
    parts = "(all) => [...all].map((one) => one.outerHTML)"
    shown = ".players-hand, .hand-side > .panel-card, .page-head .lead, .hand-nav a"

    def drawn():
        html = one.page.locator(shown).evaluate_all(parts)
        # Where a line of the score leads back to, and the page after it, is each page’s own.
        return [re.sub(r"(\?back=[^\"#]*)|(&amp;back=[^\"]*)", "", text) for text in html]

    one.open(at(table, "hand", key))
    ours = drawn()
    open_at(one, at(table, "table"))
    one.page.locator("#hands li > a").first.tap()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Hand 3: Carol goes Mah-jong")
    expect(one.page).to_have_url(one.url + at(table, "hand", key))
    assert drawn() == ours


@pytest.mark.long
@pytest.mark.parametrize("is_lost", [False, True], ids=["heard", "not heard"])
def test_the_last_changes_open_from_the_table(one, table, is_lost):
    open_at(one, at(table, "table"))
    if is_lost:
        one.page.wait_for_load_state("networkidle")
        one.lose_network()
        one.page.locator("#nobody").tap()
        expect(one.page.locator("#next-hand")).to_have_text("Hand 4")
    one.page.get_by_text("More …", exact=True).tap()
    one.follow("Last changes")
    title = re.compile("^Last changes – table 1")
    expect_shown(one, at(table, "last-changes"), "Last changes at table 1", title)
    lines = one.page.locator("#last-changes li")
    expect(lines.nth(1 if is_lost else 0)).to_contain_text("The test recorded hand 2")
    if is_lost:
        expect(lines.first).to_have_text(re.compile("nobody went Mah-jong not sent yet$", re.IGNORECASE))
        expect(one.page.locator("#last-changes .message")).to_contain_text("These are the changes until")
    one.page.go_back()
    expect_shown(one, at(table, "table"), re.compile("^Table 1"), re.compile("^Table 1, "))


@pytest.mark.long
@pytest.mark.parametrize("name", ["hand", "last-changes"])
def test_opened_by_its_address_it_leads_to_the_table_without_loading(one, table, name):
    more = hand_keys(table)[:1] if name == "hand" else []
    open_at(one, at(table, name, *more))
    one.follow("The table" if name == "hand" else "To the table")
    expect_shown(one, at(table, "table"), re.compile("^Table 1"), re.compile("^Table 1, "))
    one.page.go_back()
    expect(one.page).to_have_url(one.url + at(table, name, *more))
    expect(one.page.get_by_role("heading", level=1)).to_have_text(re.compile("^(Hand 1: Bob|Last changes at)"))
    assert one.page.evaluate("window.isStillHere")


@pytest.mark.long
@pytest.mark.parametrize("asks", [False, True], ids=["not asked", "agreed"])
def test_a_change_that_scores_the_same_is_saved_at_once_unless_the_club_wants_it_agreed(one, table, club, asks):
    Club.objects.filter(pk=club.club.pk).update(asks_agreement=asks)
    tiles = {"sets": ["exposed pung 7C", "exposed pung 9B", "exposed pung 2D", "exposed pung R", "pair E"]}
    body = {"hands": {"1": {}, "2": tiles, "3": {}, "4": {}}, "mahjong": {"by": "2", "from": "4", "tile": "R"}}
    entry = record(table, body).entry
    open_at(one, at(table, "table"))
    one.page.locator("#hands li > a").first.tap()
    one.follow("Change this hand")
    carol = one.page.get_by_role("group", name="Last tile from").get_by_role("button", name="Carol", exact=True)
    carol.tap()
    expect(carol).to_have_attribute("aria-pressed", "true")
    one.pass_moment()
    if asks:
        one.tap("Show what changes")
        expect(one.page.locator("#agree")).to_be_visible()
        return
    expect(one.page.locator("#score")).to_contain_text("No score changes.")
    one.tap("Save hand 3")
    expect(one.page.locator("#messages")).to_contain_text("Hand 3 is changed: ")
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    assert table.entries.get(key=entry).body["mahjong"] == {"by": "2", "from": "3", "tile": "R"}
    assert one.page.evaluate("window.isStillHere")
