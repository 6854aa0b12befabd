"""A game that no club has: started and played on this tablet alone, without an account and without the server."""

import re

import pytest
from playwright.sync_api import expect

from .outbox_tablet import PlayingTablet

FOUR = ["Jean", "Brian", "Barbara", "Ken"]


class GameTablet(PlayingTablet):
    """Scores games; `sent` are the requests other than for pages and files."""

    def begin(self, names, rules=""):
        self.open("/game/")
        for number, name in enumerate(names, 1):
            self.page.locator(f"#name_{number}").fill(name)
        if rules:
            self.page.locator(f"#rules_{rules}").check()
        self.tap("Start")
        expect(self.page.locator("#board")).to_be_visible()

    def win(self, number, winner, total):
        self.next_hand(number)
        self.enter_win(winner, total)
        self.tap(f"Save hand {number}")
        expect(self.page.locator("#next-hand")).to_have_text(f"Hand {number + 1}")


@pytest.fixture
def one(tablet, db):
    return tablet(kind=GameTablet)


def test_a_game_is_started_and_played_by_nobody_but_this_tablet(one):
    sent = []
    one.page.on("request", lambda request: sent.append((request.method, request.url, request.post_data)))
    one.begin(FOUR)
    expect(one.page.locator(".next-east")).to_have_text("Jean is East")
    one.win(1, "Brian", "20")
    # East pays double: Brian has 40 of Jean and 20 of each other.
    assert one.balances() == {"Jean": "1,960", "Brian": "2,080", "Barbara": "1,980", "Ken": "1,980"}
    one.page.reload()
    expect(one.page.locator(".next-east")).to_have_text("Brian is East")
    assert one.balances()["Brian"] == "2,080"
    assert {method for method, _, _ in sent} <= {"GET", "HEAD"}
    assert not [url for _, url, data in sent if data or any(name in url for name in FOUR)]
