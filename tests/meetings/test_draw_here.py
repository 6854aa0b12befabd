"""Drawing a meeting's tables on a tablet without the network: what the page carries, and what is drawn of it."""

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer
from clubscore.seating_draw.draw import draw_tables
from sessions_app.meetings.drawing import set_wish
from tests.factories import BY, DAY, record, table_in_play, totals
from tests.logins import logins, signed_in


def carried(client, club):
    return client.get(reverse("draw-here", args=[club.slug])).context["draw"]


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


def question(people, **more):
    return {"people": people, "allowed": [3, 4, 5], "met": [], "apart": [], "together": [], "seed": 3, **more}


def drawn(people, **more):
    return answer({"ask": "draw", **question(people, **more)})


def test_the_page_carries_who_met_whom_and_who_asked_for_what(client, club, cast, monkeypatch):
    alice, bob, carol, dave = cast.all[:4]
    monkeypatch.setattr("sessions_app.meetings.views.today_in", lambda club: DAY)
    table = table_in_play(club, [alice, bob, carol])
    record(table, totals(table, 1, seat1=8))
    set_wish(club, alice.pk, dave.pk, "apart", by=BY)
    set_wish(club, bob.pk, carol.pk, "together", by=BY)
    page = carried(client, club)
    pairs = [(alice, bob), (alice, carol), (bob, carol)]
    assert sorted(page["met"]) == sorted((a.pk, b.pk, 1) for a, b in pairs)
    assert (page["apart"], page["together"]) == ([(alice.pk, dave.pk)], [(bob.pk, carol.pk)])


def test_only_the_clubs_own_players_are_offered(client, club, cast):
    page = client.get(reverse("draw-here", args=[club.slug]))
    assert [player.full_name for player in page.context["players"]] == sorted(one.full_name for one in cast.all)


def test_the_tablet_draws_as_the_server_does():
    met = [[1, 2, 3], [1, 3, 1], [4, 5, 2]]
    by_pair = {(a, b): times for a, b, times in met}
    tables = draw_tables(range(1, 10), by_pair, apart=[(1, 4)], together=[(2, 6)], seed=3).tables
    found = drawn(list(range(1, 10)), met=met, apart=[[1, 4]], together=[[2, 6]])
    assert found == {"tables": [list(table) for table in tables], "sits_out": []}


def test_whom_the_rules_leave_no_place_waits():
    found = drawn(list(range(10)), allowed=[4])
    assert [len(table) for table in found["tables"]] == [4, 4]
    assert len(found["sits_out"]) == 2
    assert sorted([*found["sits_out"], *(person for table in found["tables"] for person in table)]) == list(range(10))


def test_why_nothing_can_be_drawn_is_said():
    few = "Two people are here: a table needs at least three, so nobody can play yet."
    assert drawn([1, 2]) == {"error": few, "people": []}
    both = drawn(list(range(8)), apart=[[1, 2]], together=[[1, 2]])
    assert both == {"error": "Two people asked both to sit together and to sit apart.", "people": [1, 2]}
