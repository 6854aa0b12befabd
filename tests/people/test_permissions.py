"""Who may do what at a table: each decision for each role, in play, just finished and long finished."""

import datetime
import uuid

import pytest
from django.utils import timezone

from sessions_app.models import Command, Membership, Session
from sessions_app.people import permissions
from sessions_app.people.codes import TABLE_KEY
from sessions_app.web.access import TableVisitor

ROLES = ("secretary", "scorekeeper", "table", "member")
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
IN_PLAY, AN_HOUR_AGO, LONG_AGO = None, HOUR, HOUR + max(permissions.UNDO_AFTER_FINISH, TABLE_KEY.lasts)


def table(ago):
    """Return a session in play, or finished so long ago."""
    if ago is None:
        return Session(scoring_key="now")
    return Session(scoring_key="now", state=Session.State.FINISHED, finished_at=timezone.now() - ago)


def who_may(decision, table_session, *more):
    people = [Membership(role=role) if role != "table" else TableVisitor(table_session) for role in ROLES]
    return [person.role for person in people if decision(person, table_session, *more)]


SECRETARY, SCOREKEEPERS = ["secretary"], ["secretary", "scorekeeper"]
SCORING, ALL, NOBODY = [*SCOREKEEPERS, "table"], [*ROLES], []


@pytest.mark.parametrize(
    ("decision", "in_play", "an_hour_ago", "long_ago"),
    [
        (permissions.may_write, SCORING, NOBODY, NOBODY),
        (permissions.may_undo, SCORING, SCOREKEEPERS, SECRETARY),
        (permissions.may_reopen, NOBODY, SECRETARY, SECRETARY),
        (permissions.may_ask, ALL, ["secretary", "scorekeeper", "member"], ["secretary", "scorekeeper", "member"]),
    ],
)
def test_who_may(decision, in_play, an_hour_ago, long_ago):
    found = [who_may(decision, table(ago)) for ago in (IN_PLAY, AN_HOUR_AGO, LONG_AGO)]
    assert found == [in_play, an_hour_ago, long_ago]


@pytest.mark.parametrize(
    ("is_late", "in_play", "an_hour_ago"), [(False, SCORING, SECRETARY), (True, SECRETARY, SECRETARY)]
)
def test_who_may_decide_about_what_was_kept(is_late, in_play, an_hour_ago):
    found = [who_may(permissions.may_decide, table(ago), is_late) for ago in (IN_PLAY, AN_HOUR_AGO)]
    assert found == [in_play, an_hour_ago]


@pytest.mark.parametrize(
    ("kind", "in_play", "long_ago"),
    [
        ("hand", SCORING, SCORING),
        ("undo", SCORING, SECRETARY),
        ("redo", SCORING, SECRETARY),
        ("reopen", SECRETARY, SECRETARY),
    ],
)
def test_who_may_send(kind, in_play, long_ago):
    found = [who_may(permissions.may_send, table(ago), kind, {}) for ago in (IN_PLAY, LONG_AGO)]
    assert found == [in_play, long_ago]


def test_what_came_late_is_the_secretarys_to_choose(four):
    late, contested = (
        Command.objects.create(session=four, key=uuid.uuid4(), kind="hand", body={}, outcome=outcome, late_reason=why)
        for outcome, why in [(Command.Outcome.LATE, Command.LateReason.FINISHED), (Command.Outcome.CONTESTED, "")]
    )
    for key, may in [(late.key, SECRETARY), (contested.key, SCORING)]:
        for body in ({"keep": str(key)}, {"keep": None, "drop": [str(key)]}):
            assert who_may(permissions.may_send, four, "choose", body) == may


def test_a_key_reads_for_a_time_after_the_end():
    assert [permissions.may_read_by_key(table(ago)) for ago in (IN_PLAY, AN_HOUR_AGO, LONG_AGO)] == [True, True, False]


@pytest.mark.parametrize(("ago", "expected"), [(LONG_AGO, True), (30 * DAY, True), (31 * DAY + HOUR, False)])
def test_what_a_finished_tables_key_sends_is_kept_for_a_month(ago, expected):
    assert permissions.may_send_late("now", table(ago)) is expected
