"""What hand entry is told of the game: a penalty that is given with the hand."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect


@pytest.mark.long
def test_the_tables_button_opens_the_penalties_and_one_is_recorded_without_a_hand(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(reverse("table", args=["bramley", table.pk]))
    one.follow("Penalty")
    asked = one.page.locator("#penalty-form")
    # One that is given with the hand says so by its button.
    asked.get_by_text(re.compile("^Letting off a cannon")).tap()
    expect(asked.get_by_role("button", name="Add the penalty")).to_be_visible()
    asked.get_by_text("Another penalty").tap()
    asked.locator("#penalty-by").get_by_text("Dave").tap()
    asked.locator("#penalty-to").get_by_text("Alice").tap()
    one.tap("Record the penalty")
    expect(one.page.locator("#entry-status")).to_have_text("Enter the amount in figures, for example 30.")
    asked.get_by_label("Amount").fill("50")
    asked.get_by_label("Reason (optional)").fill("late")
    one.tap("Record the penalty")
    expect(one.page.locator("#board")).to_be_visible()
    expect(one.page.locator("#messages")).to_contain_text("pays a penalty of")
    expect(one.page.locator("#saved-words")).to_have_text("All saved")
    [entry] = table.entries.all()
    assert (entry.kind, entry.body) == ("fine", {"by": "4", "to": "1", "amount": 50, "why": "late"})
