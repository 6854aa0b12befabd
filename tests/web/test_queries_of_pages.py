"""Lists cost the same, however long: the number of queries of a page is the same for 3 rows and for 30."""

import pytest
from django.urls import reverse

from sessions_app.models import Player
from tests.page_cast import house, record, signed_in, table_in_play, totals

QUERIES = {"club": 9, "table": 9, "session-sheet": 9, "standings": 3}


@pytest.fixture
def at_home(club, cast):
    return house(club, cast.all[:4])


def grow_club(club, number):
    """Add that many tables in play and finished, each with players of its own and a hand."""
    for place in range(number):
        players = [Player.objects.create(club=club, full_name=f"P {place} {n}", short_name=f"P{n}") for n in range(3)]
        table_session = table_in_play(club, players, number=2 + place)
        record(table_session, totals(table_session, 1, seat1=10))
        if place % 2:
            record(table_session, {}, kind="finish")


def grow_ledger(table_session, number):
    for _ in range(number):
        record(table_session, totals(table_session, 2, seat2=30))


@pytest.mark.parametrize("rows", [3, 30])
@pytest.mark.parametrize("page", ["club", "standings"])
def test_pages_of_the_club(at_home, django_assert_num_queries, page, rows):
    grow_club(at_home.club, rows)
    client = signed_in(at_home.member)
    address = reverse(page, args=[at_home.club.slug])
    client.get(address)
    with django_assert_num_queries(QUERIES[page]):
        client.get(address)


@pytest.mark.parametrize("rows", [3, 30])
@pytest.mark.parametrize("page", ["table", "session-sheet"])
def test_pages_of_a_table(at_home, django_assert_num_queries, page, rows):
    grow_ledger(at_home.table_session, rows)
    client = signed_in(at_home.member)
    address = reverse(page, args=[at_home.club.slug, at_home.table_session.pk])
    client.get(address)
    with django_assert_num_queries(QUERIES[page]):
        client.get(address)
