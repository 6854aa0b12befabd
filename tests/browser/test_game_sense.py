"""What hand entry knows of the game, with the rules: a hand that fishes, a penalty that is given with the hand."""

import re

from django.urls import reverse
from playwright.sync_api import expect


def test_thirteen_tiles_that_fish_are_suggested_by_name_with_their_score(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(reverse("hand-new", args=["bramley", table.pk]))
    one.choose_hand("Carol", "tiles")
    one.tiles({"sets": [f"pair {code}" for code in ("1C", "9C", "1B", "9D", "E", "R")], "tiles": "P"})
    expect(one.page.locator("#tray-score")).to_contain_text("points")
    one.tap("Fishing for All Pair Honours: 200")
    expect(one.page.locator("#tray-score")).to_contain_text("200")


def test_a_penalty_of_the_hand_that_is_played_opens_it_with_the_penalty_chosen(tablet, club, table):
    one = tablet(club.scorekeeper)
    one.open(reverse("penalty", args=["bramley", table.pk]))
    one.page.get_by_role("link", name=re.compile("^Letting off a cannon Pays the winner for everyone")).tap()
    chosen = one.page.locator("#penalty-kind").get_by_role("radio", name=re.compile("^Letting off a cannon"))
    expect(chosen).to_be_checked()
