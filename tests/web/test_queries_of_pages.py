"""Lists cost the same, however long: the number of queries of a page is the same for one row and for thirty more."""

import pytest
from django.urls import reverse

from sessions_app.models import Player
from tests.factories import house, record, table_in_play, totals
from tests.logins import signed_in
from tests.queries import assert_the_same_for_more_rows

QUERIES = {"club": 11, "table": 9, "session-sheet": 10, "standings": 5}


@pytest.fixture
def at_home(club, cast):
    return house(club, cast.all[:4])


def grow_club(club, number):
    """Add that many tables in play and finished, each with players of its own and a hand."""
    taken = club.sessions.count()
    for place in range(taken, taken + number):
        players = [Player.objects.create(club=club, full_name=f"P {place} {n}", short_name=f"P{n}") for n in range(3)]
        table_session = table_in_play(club, players, number=2 + place)
        record(table_session, totals(table_session, 1, seat1=10))
        if place % 2:
            record(table_session, {}, kind="finish")


def grow_ledger(table_session, number):
    for _ in range(number):
        record(table_session, totals(table_session, 2, seat2=30))


@pytest.mark.parametrize("page", ["club", "standings"])
def test_pages_of_the_club(at_home, page):
    client = signed_in(at_home.member)
    address = reverse(page, args=[at_home.club.slug])
    grow_club(at_home.club, 2)
    assert_the_same_for_more_rows(
        lambda rows: grow_club(at_home.club, rows), lambda: client.get(address), QUERIES[page]
    )


@pytest.mark.parametrize("page", ["table", "session-sheet"])
def test_pages_of_a_table(at_home, page):
    client = signed_in(at_home.member)
    table = at_home.table_session
    address = reverse(page, args=[at_home.club.slug, table.pk])
    assert_the_same_for_more_rows(lambda rows: grow_ledger(table, rows), lambda: client.get(address), QUERIES[page])
