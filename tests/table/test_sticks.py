"""The sticks of a table in play: dealt, handed over, and right after any correction."""

import random

import pytest
from django.urls import reverse

from sessions_app.table.board import session_board
from sessions_app.table.sessions import current_seating, start_session
from sessions_app.table.sticks import sticks_to_hand_over
from tests.afternoon import hand, send, totals
from tests.conftest import AFTERNOON
from tests.logins import logins, signed_in
from tests.reconciled import reconcile

pytestmark = pytest.mark.slow


@pytest.fixture
def table(club, cast, secretary):
    return start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, sticks="guide")


def sticks(session):
    return [tally.sticks for tally in session.tallies.order_by("seat__seat_no")]


DEALT = {"1000": 1, "500": 2, "100": 9, "10": 10}


def test_the_sticks_are_dealt_and_are_the_starting_balance(table):
    assert table.starting_balance == 3000
    assert sticks(table) == [DEALT] * 4


def test_five_players_share_four_sets(club, cast, secretary):
    table = start_session(club, AFTERNOON, 1, cast.all, "bmja", {}, by=secretary, sticks="guide")
    assert table.starting_balance == 2400
    assert sticks(table)[4] == {"500": 4, "100": 3, "10": 10}


def test_a_table_without_sticks_has_none(four):
    hand(four, "2", s2=40)
    assert sticks(four) == [None] * 4


def test_the_sticks_follow_the_payments(table):
    hand(table, "2", s2=100)
    assert sticks(table) == [
        {"1000": 1, "500": 2, "100": 7, "10": 10},
        {"1000": 1, "500": 2, "100": 13, "10": 10},
        {"1000": 1, "500": 2, "100": 8, "10": 10},
        {"1000": 1, "500": 2, "100": 8, "10": 10},
    ]


def test_a_correction_pays_everything_again_and_undone_it_is_as_it_was(table):
    first = hand(table, "2", s2=44, s3=16)
    hand(table, "3", s3=260)
    send(table, "fine", {"by": "1", "to": None, "amount": 30})
    hand(table, "1", s1=1000, s4=20)
    assert reconcile() == []
    before = sticks(table)
    send(table, "correct", {"entry": first, "body": totals("2", s2=100)})
    assert sticks(table) != before
    assert reconcile() == []
    send(table, "undo")
    assert sticks(table) == before
    assert reconcile() == []


def stick_table(session):
    """Worth, what is owed and balance of everyone, by the page's own figures."""
    found = session_board(session).sticks().accounts
    assert found.agree
    return [(one.sticks.worth, one.owed, one.balance) for one in found.players]


OFFER = (
    "The smallest stick is 10. To pay every hand in full, select “Round each payment to the nearest 10” when you start "
    "the next table."
)


def test_what_the_sticks_cannot_pay_is_owed_and_paid_with_the_next_payment(table):
    first = hand(table, "2", s2=26)
    # East (seat 1) pays 52, the others 26 each.
    assert stick_table(table) == [(2950, -2, 2948), (3090, 14, 3104), (2980, -6, 2974), (2980, -6, 2974)]
    assert session_board(table).sticks().accounts.debts == [
        "Alice owes Bob 2.",
        "Carol owes Bob 6.",
        "Dave owes Bob 6.",
    ]
    assert session_board(table).sticks_handed_over(first) == [
        "Alice gives Bob five 10s. 2 is still owed.",
        "Carol gives Bob two 10s. 6 is still owed.",
        "Dave gives Bob two 10s. 6 is still owed.",
        OFFER,
    ]
    # South is East now: the three pay 64, and what they owed.
    due = [{"from": payer, "to": 2, "amount": 64, "why": "mah-jong"} for payer in (1, 3, 4)]
    assert sticks_to_hand_over(table, due) == [
        "Alice gives Bob one 100 and gets four 10s back. 2 was still owed from before. 6 is still owed.",
        "Carol gives Bob one 100 and gets three 10s back. 6 was still owed from before.",
        "Dave gives Bob one 100 and gets three 10s back. 6 was still owed from before.",
        OFFER,
    ]
    hand(table, "2", s2=32)
    assert stick_table(table) == [(2890, -6, 2884), (3290, 6, 3296), (2910, 0, 2910), (2910, 0, 2910)]


def test_rounded_payments_leave_nothing_owed(club, cast, secretary):
    table = start_session(
        club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, sticks="guide", round_payments=True
    )
    key = hand(table, "2", s2=26, s3=14, s4=8)
    assert {owed for _, owed, _ in stick_table(table)} == {0}
    assert OFFER not in session_board(table).sticks_handed_over(key)


def test_sticks_and_debts_agree_with_the_balance_after_any_correction(table):
    chance = random.Random(43)
    keys = []
    for turn in range(60):
        figures = {f"s{seat}": chance.randrange(0, 1002, 2) for seat in range(1, 5)}
        what = chance.choice(["hand"] * 4 + ["fine", "correct", "undo"])
        if what == "hand" or not keys:
            keys.append(hand(table, chance.choice("1234"), **figures))
        elif what == "fine":
            send(table, "fine", {"by": chance.choice("1234"), "to": None, "amount": chance.randrange(2, 90, 2)})
        elif what == "correct":
            send(table, "correct", {"entry": chance.choice(keys), "body": totals(chance.choice("1234"), **figures)})
        else:
            send(table, "undo")
        table.refresh_from_db()
        stick_table(table)
        if turn % 10 == 9:
            assert reconcile() == []
    assert any(owed for _, owed, _ in stick_table(table))


def test_a_late_comer_begins_with_sticks_from_a_spare_set(club, cast, table):
    hand(table, "2", s2=26)
    send(table, "arrive", {"player": cast.all[4].pk})
    assert stick_table(table)[4] == (3000, 0, 3000)
    page = signed_in(logins(club)["scorekeeper"]).get(reverse("table", args=[club.slug, table.pk])).content.decode()
    assert "starts with one 1,000, two 500s, nine 100s and ten 10s from a spare set." in page
    for _ in range(4):
        table.refresh_from_db()
        seats = "".join(str(seat) for seat in current_seating(table).seated.values())
        hand(table, seats[1], seats=seats, **{f"s{seats[1]}": 26, f"s{seats[2]}": 8})
        assert reconcile() == []
    assert any(owed for _, owed, _ in stick_table(table)[4:])


def test_the_table_page_and_the_sheet_show_worth_debts_and_balance(club, table):
    hand(table, "2", s2=26)
    send(table, "finish")
    client = signed_in(logins(club)["scorekeeper"])
    for name in ("table", "session-sheet"):
        page = client.get(reverse(name, args=[club.slug, table.pk])).content.decode()
        assert '<td role="cell" class="num" data-label="Worth">3,090</td>' in page
        assert '<td role="cell" class="num" data-label="Still owed">+14</td>' in page
        assert "Alice owes Bob 2." in page
        assert "The sticks do not agree" not in page


def test_a_balance_that_was_never_in_sticks_is_shown(club, cast, secretary):
    table = start_session(
        club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, sticks="older_british", starting_balance=5000
    )
    hand(table, "2", s2=26)
    found = session_board(table).sticks().accounts
    assert (found.undealt, found.agree) == (3000, True)
