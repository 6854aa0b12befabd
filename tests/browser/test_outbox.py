"""Nothing is ever lost: answers that do not come, presses without number, an hour without the server, a closed browser.

In each: the ledger's keys are those that Save was pressed for, once each and in order; the books are right; and nothing
is left on any tablet.
"""

import pytest
from playwright.sync_api import expect

from sessions_app.models import Entry

from .outbox_tablet import OutboxTablet, PlayingTablet, expect_all_there, ledger_keys, persistent

NAMES = ("Alice", "Bob", "Carol", "Dave")


@pytest.fixture
def one(tablet, club):
    """Give the scorekeeper's tablet, without a worker between its pages and the network."""
    return tablet(club.scorekeeper, kind=OutboxTablet, service_workers="block")


def at_work(made, table):
    made.open_table(table)
    made.expect_saved()
    made.wait_for_worker()
    made.wait_for_page_kept(f"/c/bramley/sessions/{table.pk}/hands/new/")
    return made


def test_an_answer_that_is_lost(one, table):
    answers = []

    def lose(route):
        # The server has it; the tablet never hears of it.
        answers.append(route.fetch().status)
        return route.abort()

    one.may_be_lost = True
    one.page.route("**/commands/", lose)
    one.open_entry(table)
    one.enter_win("Bob")
    # The table may hear of it by asking how it stands, before it is seen as not sent.
    one.tap("Save hand 1")
    expect(one.page.locator("#messages")).to_contain_text("Hand 1: ")
    # What the page has from the server already is not added to it once more.
    for open_page, number in ((one.open_entry, ".hand-title"), (one.open_table, "#next-hand")):
        open_page(table)
        one.expect_saved("1 hand to send")
        expect(one.page.locator(number)).to_contain_text("Hand 2")
    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    # Sent again with the same key, it is known.
    one.page.unroute_all(behavior="wait")
    one.expect_saved()
    assert answers[0] == 201
    assert set(answers[1:]) <= {200}
    expect(one.page.locator(".history > li")).to_have_count(1)
    expect_all_there(table, one, pressed=1)


def test_an_hour_without_the_server_with_four_hands_and_two_corrections(tablet, club, table):
    one = at_work(tablet(club.scorekeeper, kind=PlayingTablet), table)
    for number in (1, 2):
        one.follow_to_entry()
        one.enter_win("Alice")
        one.save_online(number)
    first, second = ledger_keys(table)
    one.expect_rules()
    one.lose_network()
    one.follow_to_entry()
    # Alice keeps the deal while she wins; when Bob wins it passes to him, and so on round the table.
    for number, (winner, east) in enumerate(zip(winners(), easts(), strict=True), 3):
        one.enter_win(winner)
        one.save_lost(number)
        expect(one.page.locator(".next-east")).to_have_text(f"{east} is East")
        one.expect_saved(f"{number - 2} hand{'s' if number > 3 else ''} to send")
        if number < 6:
            one.next_hand(number + 1)
    one.to_table()
    expect(one.page.locator("#next-hand")).to_have_text("Hand 7")
    expect(one.page.locator(".next-east")).to_have_text("Dave is East")
    correct(one, 1, "Alice", "Carol", "Follow the rotation")
    # Bob is East of hand 2 now, and the deal passes from him whichever of the two wins.
    correct(one, 2, "Alice", "Dave", "Change the hand")
    one.expect_saved("4 hands and 2 changes to send")
    # East were Alice, Bob, Carol, Dave, Alice and Bob, who wins hand 6 and stays.
    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    offline = one.balances()
    one.find_network()
    one.expect_saved()
    expect(one.page.locator("#messages")).to_contain_text("4 hands and 2 changes were sent and recorded.")
    assert one.balances() == offline
    assert Entry.objects.get(key=first).body["mahjong"]["by"] == "3"
    assert Entry.objects.get(key=second).body["mahjong"]["by"] == "4"
    expect_all_there(table, one, pressed=8)


def winners():
    return ("Alice", "Bob", "Carol", "Bob")


def easts():
    """East after each of these hands: the winner's neighbour takes the deal from an East who did not win."""
    east, found = 0, []
    for winner in winners():
        east = east if NAMES[east] == winner else (east + 1) % 4
        found.append(NAMES[east])
    return found


def correct(one, number, was, winner, press):
    """Change who won an older hand, and look at what that changes first."""
    one.page.locator(f'ol.history summary:has(b:text-is("{number}"))').tap()
    one.follow("Change this hand")
    group = one.page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", name=winner, exact=True).tap()
    if group.get_by_role("button", pressed=True).count() > 1:
        group.get_by_role("button", name=was, exact=True).tap()
    one.choose_hand(winner, "total")
    one.figures("8")
    one.everybody()
    one.tap("Show what changes")
    one.page.get_by_role("dialog", name=f"What changes with hand {number}").get_by_role("button", name=press).tap()
    expect(one.page.locator("#messages")).to_contain_text(f"Hand {number} is changed: {winner}, 8, not {was}.")


def test_reloading_and_closing_the_browser_meanwhile(chromium, tmp_path, club, table, live_server):
    one = persistent(chromium, tmp_path, live_server.url, club.scorekeeper, PlayingTablet)
    one.open_table(table)
    one.wait_for_worker()
    one.expect_rules()
    one.wait_for_page_kept(f"/c/bramley/sessions/{table.pk}/hands/new/")
    one.lose_network()
    one.follow_to_entry()
    one.enter_win("Alice")
    one.save_lost(1)
    one.page.reload()
    one.next_hand(2)
    one.enter_win("Bob")
    one.save_lost(2)
    keys, kinds, complaints = one.keys, one.kinds, one.complaints
    one.close()
    one = persistent(chromium, tmp_path, live_server.url, club.scorekeeper, PlayingTablet)
    one.keys, one.kinds = keys, kinds
    one.lose_network()
    one.open_table(table)
    one.expect_saved("2 hands to send")
    expect(one.page.locator("#next-hand")).to_have_text("Hand 3")
    expect(one.page.locator(".next-east")).to_have_text("Bob is East")
    one.tap("Nobody went Mah-jong")
    expect(one.page.locator("#messages")).to_contain_text(": no winner. Bob stays East; goulash next.")
    expect(one.page.locator(".felt-middle .goulash")).to_be_visible()
    one.find_network()
    one.expect_saved()
    expect(one.page.locator(".history > li")).to_have_count(3)
    expect_all_there(table, one, pressed=3)
    assert complaints + one.complaints == []
    one.close()
