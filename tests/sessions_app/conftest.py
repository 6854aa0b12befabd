"""The cast: Alice East, Bob South, Carol West, Dave North, Fay sitting out; Eve of another club must see nothing."""
import datetime
import uuid
from types import SimpleNamespace

import pytest

from sessions_app.models import Club, Player
from sessions_app.services.actor import Actor

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
def key():
    """A new key each time it is called."""
    return lambda: str(uuid.uuid4())
