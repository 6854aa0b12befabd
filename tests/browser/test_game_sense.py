"""What hand entry is told of the game: a penalty that is given with the hand."""

import re

from django.urls import reverse
from playwright.sync_api import expect


def test_a_penalty_of_the_hand_that_is_played_opens_it_with_the_penalty_chosen(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(reverse("penalty", args=["bramley", table.pk]))
    one.page.get_by_role("link", name=re.compile("^Letting off a cannon Pays the winner for everyone")).tap()
    chosen = one.page.locator("#penalty-kind").get_by_role("radio", name=re.compile("^Letting off a cannon"))
    expect(chosen).to_be_checked()
