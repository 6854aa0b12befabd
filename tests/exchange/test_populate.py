"""An installation made in bulk is one that tables could have written: reconciled, recorded again, row for row."""

import datetime
import random

import pytest
from django.core.management import CommandError, call_command

from sample_data.installation import populate
from sessions_app.models import Hand, Session, Tally
from tests.exchange.recorded_again import differences
from tests.reconciled import reconcile

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
LAST_DAY = datetime.date(2026, 11, 20)
RULES = {"bmja", "u3a", "western", "beginners", "chinese_official", "baggaley", "turner"}


def test_it_is_what_tables_would_have_written():
    found = list(populate(9, 12, 450, seed=1, last_day=LAST_DAY, processes=1))
    assert Hand.objects.count() == 450
    assert (found[-1].hands, found[-1].of, found[-1].sessions) == (450, 450, Session.objects.count())
    assert set(Session.objects.values_list("rules", flat=True)) == RULES
    assert {session.seats.filter(at_start=True).count() for session in Session.objects.all()} == {3, 4, 5}
    assert Session.objects.filter(date__gt=LAST_DAY).count() == 0
    assert Session.objects.filter(practice=False, season=None).count() == 0
    assert reconcile() == []
    sessions = list(Session.objects.order_by("pk").values_list("pk", flat=True))
    assert [line for pk in random.Random(1).sample(sessions, 8) for line in differences(pk)] == []


def test_a_row_that_differs_is_found():
    list(populate(1, 8, 20, seed=1, last_day=LAST_DAY, processes=1))
    tally = Tally.objects.order_by("pk").first()
    Tally.objects.filter(pk=tally.pk).update(won=tally.won + 1)
    (found,) = differences(tally.session_id)
    assert found.startswith("tally: {")


def test_the_same_seed_makes_the_same_play():
    for _ in range(2):
        list(populate(1, 8, 30, seed=4, last_day=LAST_DAY, processes=1))
    one, other = ([row[1:] for row in _played(club)] for club in ("ambleside-u3a-mah-jong", "ambleside-u3a-mah-jong-2"))
    assert one == other
    assert len(one) > 100


def _played(slug):
    order = ("session__date", "session__table", "number", "player_hands__seat__seat_no")
    hands = Hand.objects.filter(session__club__slug=slug).order_by(*order)
    return hands.values_list("pk", "number", "kind", "player_hands__wind", "player_hands__total", "player_hands__net")


def test_numbers_that_cannot_be_are_refused():
    with pytest.raises(CommandError, match=r"^A club has 5 to 660 players\.$"):
        call_command("populate", players=4)
