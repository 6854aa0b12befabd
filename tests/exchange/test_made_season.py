"""The season made for trying out: believable, repeatable, its draws cheaper than random ones."""

import pytest
from django.core.management import CommandError, call_command

from sample_data.season import make_season
from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.models import Club, Session
from tests.reconciled import reconcile

pytestmark = pytest.mark.django_db


def test_a_season_is_drawn_played_and_adds_up():
    afternoons = list(make_season("short", people=13, meetings=5, hands=2, seed=3, random_draws=200))
    assert [one.number for one in afternoons] == [1, 2, 3, 4, 5]
    assert all(one.cost <= one.best_random for one in afternoons)
    sessions = Session.objects.filter(club__slug="short")
    assert {session.state for session in sessions} == {"finished"}
    assert {session.hands.count() for session in sessions} == {2}
    assert sum(session.seats.count() for session in sessions) == sum(one.people for one in afternoons)
    assert reconcile() == []


def test_the_same_seed_makes_the_same_season():
    for slug in ("one", "other"):
        list(make_season(slug, people=9, meetings=2, hands=2, seed=3))
    one, other = (club_totals_csv(Club.objects.get(slug=slug)) for slug in ("one", "other"))
    assert one == other
    assert len(one.splitlines()) > 12


def test_a_club_that_is_there_is_left_alone(club, capsys):
    with pytest.raises(CommandError, match="There is a club bramley already. Choose another address part."):
        call_command("make_season", club="bramley")


def test_too_many_people_are_refused():
    with pytest.raises(CommandError, match="A season has 3 to 60 people."):
        call_command("make_season", people=61)
