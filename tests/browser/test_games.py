"""A game that no club has: started and played on this tablet alone, without an account and without the server."""

import pytest
from playwright.sync_api import expect

from sessions_app.models import Player
from tests.reconciled import reconcile

from .outbox_tablet import PlayingTablet

FOUR = ["Jean", "Brian", "Barbara", "Ken"]


class GameTablet(PlayingTablet):
    """Scores games; `sent` are the requests other than for pages and files."""

    def begin(self, names, rules=""):
        self.open("/game/")
        for number, name in enumerate(names, 1):
            self.page.locator(f"#name_{number}").fill(name)
        if rules:
            self.page.get_by_text("Rules:").tap()
            self.page.locator(f"#rules_{rules}").check()
        self.tap("Start")
        expect(self.page.locator("#board")).to_be_visible()
        self.game = self.page.url.removeprefix(self.url)

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


def test_another_game_of_five_by_other_rules_with_all_that_happens_at_a_table(one):
    one.begin(["Ann", "Bea", "Cy", "Dot", "Eve"], rules="western")
    expect(one.page.locator(".sitter")).to_contain_text("Eve")
    one.win(1, "Bea", "20")
    one.page.wait_for_timeout(700)
    one.page.locator("#nobody").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 3")
    one.page.wait_for_timeout(700)
    one.page.locator("#undo").tap()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 2")
    one.page.locator("ol.history .row-waits summary").first.tap()
    one.follow("Change this hand")
    one.expect_rules()
    one.choose_hand("Bea", "total")
    one.figures("40")
    one.everybody()
    one.tap("Show what changes")
    one.page.get_by_role("dialog").get_by_role("button", name="Change the hand").tap()
    # Five share 8,000: 1,600 each. East pays double under Western rules, too: 80 of Ann, 40 of each other at the table.
    expect(one.page.locator(".felt [data-seat]").filter(has_text="Bea").locator(".balance")).to_have_text("1,760")
    one.page.get_by_text("More …", exact=True).tap()
    one.follow("A player is leaving")
    one.page.get_by_label("Dot").check()
    one.tap("Leave the table")
    expect(one.page.locator(".felt [data-seat]").filter(has_text="Eve")).to_be_visible()
    one.follow("The sheet")
    expect(one.page.locator("#sheet")).to_contain_text("Bea")
    one.page.go_back()
    one.page.get_by_text("Stop", exact=True).tap()
    one.page.wait_for_timeout(700)
    one.tap("Finish the game")
    expect(one.page.locator(".final-order li").first).to_contain_text("Bea")
    with one.page.expect_download() as saved:
        one.tap("Save as a spreadsheet")
    lines = saved.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == '"Hand","What happened","Ann","Bea","Cy","Dot","Eve"'
    assert '1,"Bea goes Mah Jong with 40",-80,160,-40,-40,0' in lines


def test_three_play_and_one_comes_later(one):
    one.begin(["Ann", "Bea", "Cy"])
    one.win(1, "Ann", "8")
    one.page.get_by_text("More …", exact=True).tap()
    one.follow("Add a player")
    one.page.get_by_label("New player").fill("Dot")
    one.tap("Seat the player")
    expect(one.page.locator(".felt")).to_contain_text("Dot")


def test_what_is_missing_is_said_and_nothing_typed_is_lost(one):
    one.open("/game/")
    one.page.locator("#name_1").fill("Ann")
    one.tap("Start")
    expect(one.page.locator("#messages")).to_contain_text("Enter who is South.")
    for number, name in ((2, "Bea"), (3, "ann")):
        one.page.locator(f"#name_{number}").fill(name)
    one.tap("Start")
    expect(one.page.locator("#messages")).to_contain_text("Two players are called ann.")
    expect(one.page.locator("#name_2")).to_have_value("Bea")


def test_games_are_listed_begun_again_with_the_same_players_and_deleted(one):
    one.begin(FOUR)
    one.win(1, "Ken", "8")
    one.open("/game/")
    expect(one.page.locator(".game")).to_contain_text("1 hand, Ken leads with 2,032")
    expect(one.page.locator("#go-on-with a")).to_have_text("Go on: Jean, Brian, Barbara, Ken")
    one.tap("Same players again")
    expect(one.page.locator("#name_3")).to_have_value("Barbara")
    one.tap("Start")
    expect(one.page.locator(".next-east")).to_have_text("Jean is East")
    one.open("/game/")
    expect(one.page.locator(".game")).to_have_count(2)
    one.page.locator(".game").first.get_by_role("button", name="Delete").tap()
    one.tap("Delete it")
    expect(one.page.locator(".game")).to_have_count(1)
    expect(one.page.locator(".game")).to_contain_text("Ken leads")


def test_a_second_visit_needs_no_network(one):
    one.open("/game/")
    expect(one.page.locator("#game-start[data-ready]")).to_be_attached()
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    one.lose_network()
    one.begin(FOUR)
    one.win(1, "Brian", "20")
    one.page.reload()
    expect(one.page.locator(".next-east")).to_have_text("Brian is East")


def test_a_game_comes_into_a_club_with_its_players_and_its_scores_once_only(tablet, club):
    """Alice and Bob are players of the club, Jean becomes a guest; the rules and totals are as they were played."""
    one = tablet(club.secretary, kind=GameTablet)
    one.begin(["Alice", "Jean", "Bob"])
    one.win(1, "Jean", "20")
    one.page.wait_for_timeout(700)
    one.page.get_by_text("Stop", exact=True).tap()
    one.page.wait_for_timeout(700)
    one.tap("Finish the game")
    one.tap("Put it into a club")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator(".taken-in")).to_contain_text("Jean +60, Bob −20")
    one.page.locator("button[value=record]").tap()
    expect(one.page.locator("#messages")).to_contain_text("1 table imported, hand by hand.")
    one.open(one.game)
    one.tap("Put it into a club")
    one.follow(club.club.name, exact=False)
    expect(one.page.locator("#main")).to_contain_text("All of this is here already.")
    table = club.club.sessions.get()
    nets = {str(seat.player): seat.tally.net for seat in table.seats.all()}
    # East pays double: 40 of Alice, 20 of Bob.
    assert nets == {"Alice": -40, "Jean": 60, "Bob": -20}
    assert Player.objects.get(full_name="Jean").guest
    assert table.meeting.name.startswith("Played elsewhere")
    assert reconcile() == []
