"""An installation made in bulk is one that tables could have written: reconciled, recorded anew, row for row."""

import datetime
import random

import pytest
from django.core.management import CommandError, call_command

from sessions_app.models import Hand, Season, Session, Tally
from sessions_app.populating.anew import differences
from sessions_app.populating.installation import populate
from sessions_app.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
LAST_DAY = datetime.date(2026, 11, 20)


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker):
    """Nine clubs, so that every rule set is played; kept for the module's tests and taken out again by flushing."""
    with django_db_blocker.unblock():
        told = list(populate(9, 12, 900, 1, LAST_DAY, processes=1))
        yield told
        call_command("flush", interactive=False, verbosity=0)


def test_every_hand_is_there_and_told(made):
    assert Hand.objects.count() == 900
    assert (made[-1].hands, made[-1].of, made[-1].sessions) == (900, 900, Session.objects.count())
    rules = {"bmja", "u3a", "western", "beginners", "chinese_official", "baggaley", "turner"}
    assert set(Session.objects.values_list("rules", flat=True)) == rules
    assert {session.seats.filter(at_start=True).count() for session in Session.objects.all()} == {3, 4, 5}


def test_it_reconciles(made):
    assert reconcile() == []


def test_sessions_recorded_anew_through_the_door_give_equal_rows(made):
    sessions = list(Session.objects.order_by("pk").values_list("pk", flat=True))
    assert [line for pk in random.Random(1).sample(sessions, 12) for line in differences(pk)] == []


def test_a_difference_is_found(made):
    tally = Tally.objects.order_by("pk").first()
    Tally.objects.filter(pk=tally.pk).update(won=tally.won + 1)
    (found,) = differences(tally.session_id)
    assert found.startswith("tally: {")


def test_everything_counts_in_the_season_of_its_day(made):
    counted = Session.objects.filter(practice=False)
    assert counted.filter(season=None).count() == 0
    assert Season.objects.filter(sessions__date__gt=LAST_DAY).count() == 0
    assert Session.objects.filter(practice=True).exclude(season=None).count() == 0


def test_numbers_that_cannot_be_are_refused(db):
    with pytest.raises(CommandError, match=r"^A club has 5 to 660 players\.$"):
        call_command("populate", players=4)
