"""Why something is kept for the secretary is a code of its own; what the pages say of it follows from that alone."""

import pytest
from django.urls import reverse

from sessions_app.models import Command, Season
from sessions_app.table.apply_command import apply_command
from tests.afternoon import new_key, totals
from tests.factories import BY, record
from tests.logins import signed_in
from tests.table.test_waiting import text_of

FINISHED = "This came after the table was finished"
LOCKED = "This came after the season was locked"
REPLACED = "This came from a tablet whose code had been replaced"


def send_late(at_home, why):
    """Send a hand that is kept for the secretary, and return what the secretary reads above it."""
    if why == "finished":
        record(at_home.table_session, {}, kind="finish")
    if why == "locked":
        Season.objects.update(locked=True)
    command = {"key": new_key(), "kind": "hand", "body": totals("2", s2=40)}

    assert apply_command(at_home.table_session.pk, command, BY, is_allowed=why != "key_replaced").outcome == "late"
    [kept] = Command.objects.filter(outcome="late")
    assert kept.late_reason == why
    return text_of(signed_in(at_home.secretary).get(reverse("late", args=[at_home.club.slug])))


@pytest.mark.parametrize(("why", "title"), [("finished", FINISHED), ("locked", LOCKED), ("key_replaced", REPLACED)])
def test_the_card_says_the_reason(at_home, why, title):
    words = send_late(at_home, why)
    assert [one for one in (FINISHED, LOCKED, REPLACED) if one in words] == [title]


def test_the_stored_sentence_decides_nothing(at_home):
    send_late(at_home, "locked")
    Command.objects.filter(outcome="late").update(answer={"message": "Anything", "entry": None, "changes": []})
    assert LOCKED in text_of(signed_in(at_home.secretary).get(reverse("late", args=[at_home.club.slug])))
