"""The cast: Alice East, Bob South, Carol West, Dave North, Fay sitting out; Eve of another club must see nothing."""

import datetime
from types import SimpleNamespace

import pytest

from sessions_app.models import Club, Player
from sessions_app.services.actor import Actor
from sessions_app.services.sessions import start_session

AFTERNOON = datetime.date(2026, 11, 12)


@pytest.fixture
def club(db):
    return Club.objects.create(name="Bramley", slug="bramley")


@pytest.fixture
def other_club(db):
    return Club.objects.create(name="Otley", slug="otley")


@pytest.fixture
def cast(club, other_club):
    names = ["Alice", "Bob", "Carol", "Dave", "Fay"]
    people = {name.lower(): Player.objects.create(club=club, full_name=name, short_name=name) for name in names}
    eve = Player.objects.create(club=other_club, full_name="Eve", short_name="Eve")
    return SimpleNamespace(**people, eve=eve, all=list(people.values()))


@pytest.fixture
def secretary():
    return Actor(name="Sam the secretary")


@pytest.fixture
def five(club, cast, secretary):
    """Alice East, Bob South, Carol West, Dave North, Fay sitting out; seats 1 to 5."""
    return start_session(club, AFTERNOON, 1, cast.all, "bmja", {}, by=secretary)


@pytest.fixture
def four(club, cast, secretary):
    return start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)
