"""The season in pictures: positions after each meeting, who came, who has met whom; worked out by hand."""

import datetime

import pytest
from django.urls import reverse

from sessions_app.league.season_pictures import season_pictures
from sessions_app.models import Player, Season
from tests.logins import logins, signed_in

from .test_league import AUTUMN, autumn, play, played  # noqa: F401 - fixtures

pytestmark = pytest.mark.slow


@pytest.fixture
def member(club):
    return signed_in(logins(club)["member"])


def shown(runners):
    return {one.name: one.positions for one in runners}


def test_the_race_gives_the_position_after_each_meeting(played):  # noqa: F811
    """By total: Alice 160, -40, -80; Bob -80, 60 and 140 together leave him behind, then first; Carol loses always."""
    played.method = "total"
    found = season_pictures(played)
    assert found.days == AUTUMN[:3]
    # After the first day Bob and Carol have -80 each; after the second Alice 120, Bob -20, Carol -100.
    assert shown(found.race) == {"Bob": (2, 2, 1), "Alice": (1, 1, 2), "Carol": (2, 3, 3)}
    assert list(shown(found.race)) == ["Bob", "Alice", "Carol"]


def test_positions_are_provisional_until_someone_has_played_enough(played):  # noqa: F811
    """Dave comes once, when three sessions have ranked the others: he is not ranked, and is left out."""
    played.method, played.minimum_sessions = "total", 2
    found = season_pictures(played)
    assert shown(found.race) == {"Bob": (2, 2, 1), "Alice": (1, 1, 2), "Carol": (2, 3, 3)}


def test_who_came_and_who_met_whom(club, cast, played):  # noqa: F811
    """Dave, a guest, takes Carol's seat at a second table of the third day: Alice and Bob sit there too."""
    alice, bob, _, dave = cast.all[:4]
    Player.objects.filter(pk=dave.pk).update(guest=True)
    play(club, [alice, bob, dave], AUTUMN[2], "1", table=2)
    found = season_pictures(played)
    assert [(one.date, one.people, one.guests, one.tables) for one in found.attended] == [
        (AUTUMN[0], 3, 0, 1), (AUTUMN[1], 3, 0, 1), (AUTUMN[2], 4, 1, 2),
    ]  # fmt: skip
    assert {one.name: one.counts for one in found.met} == {
        "Alice": (None, 4, 3, 1), "Bob": (4, None, 3, 1), "Carol": (3, 3, None, 0), "Dave": (1, 1, 0, None),
    }  # fmt: skip
    # Four sessions are the darkest; three of four and one of four are shades 3 and 1.
    assert found.met[0].shades == (0, 4, 3, 1)


def test_the_page_draws_five_players_at_a_time_with_the_table_under_it(club, cast, played, member):  # noqa: F811
    people = Player.objects.bulk_create(Player(club=club, full_name=f"Player {n}") for n in range(3))
    play(club, people, AUTUMN[0], "1")
    address = reverse("season-pictures", args=[club.slug])
    first = member.get(address, {"season": played.pk})
    assert [link.name for link in first.context["groups"]] == ["From 1", "From 6"]
    assert len(first.context["runners"]) == 5
    assert first.content.decode().count("Chart of the positions after each meeting") == 2
    second = member.get(address, {"season": played.pk, "page": 2})
    assert [one.name for one in second.context["runners"]] == [first.context["pictures"].race[5].name]
    assert [one.name for one in member.get(address, {"page": 99}).context["runners"]] == [
        one.name for one in second.context["runners"]
    ]


def test_a_season_without_sessions_has_no_pictures(club, member):
    address = reverse("season-pictures", args=[club.slug])
    assert "There is no season yet." in member.get(address).content.decode()
    today = club.today
    Season.objects.create(
        club=club, name="Now", starts_on=today, ends_on=today + datetime.timedelta(days=9), rules=["bmja"]
    )
    assert "Nobody has played in this season yet." in member.get(address).content.decode()


def test_only_guests_have_no_race(club, cast, played, member):  # noqa: F811
    Player.objects.filter(club=club).update(guest=True)
    text = member.get(reverse("season-pictures", args=[club.slug])).content.decode()
    assert "Only guests have played so far. Guests are never ranked." in text
