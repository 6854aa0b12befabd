"""The sticks of a table in play: dealt, handed over, and right after any correction."""

import pytest

from sessions_app.services.reconcile import reconcile
from sessions_app.services.sessions import start_session

from .afternoon import hand, send, totals
from .conftest import AFTERNOON


@pytest.fixture
def table(club, cast, secretary):
    return start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary, sticks="guide")


def sticks(session):
    return [tally.sticks for tally in session.tallies.order_by("seat__chair")]


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


def test_going_on_equals_paying_all_anew(table):
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
