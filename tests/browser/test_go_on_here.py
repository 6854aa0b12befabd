"""Handing a table to another tablet by its code, without any network: that one goes on, and each hand counts once."""

import pytest
from playwright.sync_api import expect

from tests.factories import record, totals

from .outbox_tablet import expect_all_there, ledger_keys
from .test_offline_ready import ClubTablet


@pytest.fixture
def first(tablet, club):
    return tablet(club.scorekeeper, kind=ClubTablet)


@pytest.fixture
def second(tablet, club, table):
    made = tablet(club.secretary, kind=ClubTablet)
    made.open_club()
    made.get_ready()
    return made


def code_of(one):
    one.see_saved()
    one.tap("Show as a code")
    one.page.get_by_text("Show as text").tap()
    return one.page.locator("#code-tables textarea").input_value()


def save_one(one, table, number=1):
    """Save a hand without the network and return its code."""
    one.open_club()
    one.get_ready()
    one.open_entry(table)
    one.expect_rules()
    one.lose_network()
    one.enter_win("Bob")
    one.save_lost(number)
    one.to_table()
    expect(one.page.locator("#board")).to_be_visible()
    return code_of(one)


def scan(one, table, code):
    one.lose_network()
    one.open(f"/c/bramley/sessions/{table.pk}/take-in/#{code}")
    expect(one.page.locator("#parts")).to_have_text("The whole code is here. Press “Check”.")
    one.tap("Check")


def test_another_tablet_goes_on_without_any_network(first, second, table):
    code = save_one(first, table)
    scan(second, table, code)
    expect(second.page.locator("#go-on li")).to_have_count(1)
    expect(second.page.locator("#go-on li")).to_contain_text("Hand 1: Bob")
    second.tap("Go on here")
    expect(second.page.locator("#messages")).to_contain_text("The hands of the other tablet are here now.")
    expect(second.page.locator(".next-east")).to_have_text("Bob is East")
    # Bob went Mah-jong with 8 and East paid double.
    assert second.balances() == {"Alice": "1,984", "Bob": "2,032", "Carol": "1,992", "Dave": "1,992"}
    second.follow_to_entry()
    second.expect_rules()
    second.enter_win("Carol")
    second.save_lost(2)
    # Scanned a second time it is here already.
    scan(second, table, code)
    expect(second.page.locator("#go-on")).to_have_text("All of this is on this tablet already.")
    second.find_network()
    second.open_table(table)
    second.expect_saved()
    expect(second.page.locator(".next-east")).to_have_text("Carol is East")
    first.page.locator("#code-dialog").get_by_role("button", name="Close").tap()
    first.find_network()
    first.expect_saved()
    assert ledger_keys(table) == [*first.keys, *second.keys]
    expect_all_there(table, first, second, pressed=2)


@pytest.mark.long
def test_a_tablet_that_lacks_the_hands_before_does_not_go_on(first, second, table):
    second.lose_network()
    record(table, totals(table, 1))
    scan(second, table, save_one(first, table, number=2))
    expect(second.page.locator("#go-on")).to_contain_text("This one does not have them.")
    assert second.kept() == []


@pytest.mark.long
def test_a_code_with_a_mistake_in_it_changes_nothing(first, second, table):
    code = save_one(first, table)
    second.lose_network()
    second.open(f"/c/bramley/sessions/{table.pk}/take-in/")
    second.page.get_by_label("The text of the code").fill(code[:-8] + "A" * 7 + ".")
    second.tap("Check")
    expect(second.page.locator("#go-on")).to_contain_text("Scan all parts of the code again.")
    assert second.kept() == []
