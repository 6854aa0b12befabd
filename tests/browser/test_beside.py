"""The pages beside a table, which are opened in the middle of a hand, lead back to it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

BESIDE = ["worth", "practice", "looks", "first-hand", "words", "learning", "rule-sets", "wifi"]


@pytest.mark.long
@pytest.mark.parametrize("size", [(1024, 768), (390, 844)], ids=["tablet", "phone"])
def test_what_is_read_in_the_middle_of_a_hand_leads_back_to_the_table(tablet, club, table, size):
    one = tablet(club.scorekeeper, size=size)
    one.open(reverse("worth"))
    expect(one.page.locator("#to-table")).to_be_hidden()
    one.open(reverse("hand-new", args=["bramley", table.pk]))
    for name in BESIDE:
        one.open(reverse(name))
        expect(one.page.get_by_role("link", name="Back to table 1")).to_be_in_viewport()
    one.follow("‹ Back to table 1")
    expect(one.page.locator("#board")).to_be_visible()
