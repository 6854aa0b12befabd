"""What tests of pages stand on: a season, a table in play, a hand on it, and a club that has all of these."""

import datetime
import uuid
from types import SimpleNamespace

from sessions_app.models import Season
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import current_seating, start_session
from tests.logins import logins

DAY = datetime.date(2026, 11, 12)
BY = Actor(name="The test")


def table_in_play(club, players, number=1, **more):
    return start_session(club, DAY, number, players, "bmja", {}, by=BY, **more)


def record(table_session, body, kind="hand", key=None):
    table_session.refresh_from_db()
    last = table_session.entries.order_by("position").last()
    command = {
        "key": key or str(uuid.uuid4()),
        "kind": kind,
        "body": body,
        "device": "",
        "after": str(last.key) if last else None,
    }
    answer = apply_command(table_session.pk, command, by=BY)
    table_session.refresh_from_db()
    return answer


def totals(table_session, winner, **points):
    """Make a hand body of typed totals: seat3=64 gives chair 3 a total of 64, the others nothing."""
    table_session.refresh_from_db()
    seated = current_seating(table_session).seated.values()
    return {
        "hands": {str(seat): {"total": points.get(f"seat{seat}", 0)} for seat in seated},
        "mahjong": {"by": str(winner)} if winner else None,
        "penalties": [],
    }


def season(club):
    return Season.objects.create(
        club=club,
        name="Autumn 2026",
        starts_on=datetime.date(2026, 9, 1),
        ends_on=datetime.date(2026, 12, 31),
        rules=["bmja"],
    )


def house(club, players, **more):
    """A club with logins, a season, and a table in play with one hand: Alice goes Mah-jong with 100."""
    table_season = season(club)
    table_session = table_in_play(club, players, **more)
    answer = record(table_session, totals(table_session, 1, seat1=100, seat2=20))
    return SimpleNamespace(
        club=club, season=table_season, table_session=table_session, hand_key=answer.entry, **logins(club)
    )
