"""Where a session counts: its date, table and meeting, whether it is void, and the season that follows from these."""

import datetime

from django.utils import timezone

from sessions_app.models import Meeting, Session

from .errors import ServiceError
from .seasons import refuse_lock, season_on

STANDS = ("state", "practice", "void", "date", "table", "meeting")


def change_placing(ledger, **values):
    """Change any of STANDS of a session in memory, and its season with it; ServiceError where a season is locked."""
    session = ledger.session
    will = {name: values.get(name, getattr(session, name)) for name in STANDS}
    season = None
    if not will["practice"]:
        season = season_on(session.club_id, will["date"], session.rules, session.recording)
    if will["void"] and will["state"] != Session.State.FINISHED:
        raise ServiceError("This session is void: let it count again first.")
    moves = {name for name in STANDS if will[name] != getattr(session, name)}
    if moves - {"state"}:
        for locked in (session.season, season):
            refuse_locked(locked)
    if "state" in moves:
        values["finished_at"] = timezone.now() if will["state"] == Session.State.FINISHED else None
    ledger.change_session(**values, season=season)


def is_locked(session):
    """Say whether a session counts in a season that is locked."""
    return session.season is not None and session.season.locked


def refuse_locked(season):
    """Raise ServiceError where a season is locked: nothing that counts in it changes any more."""
    if season is not None and season.locked:
        raise ServiceError(f"The season {season.name} is locked: nothing that counts in it can be changed.")


def open_lock(session, why):
    """Let one change pass the lock of a session's season; return the reason as the log keeps it.

    ServiceError without a reason, and where a later locked season looks back on this one.
    """
    if not is_locked(session):
        return why
    if not why.strip():
        raise ServiceError("Enter a reason. The log keeps it.", "why")
    refuse_lock(session.season, locked=False)
    return f"In the locked season {session.season.name}: {why}"


def restore_placing(ledger, state):
    """Bring a session back to what the log kept of it."""
    values = dict(state)
    if "date" in values:
        values["date"] = datetime.date.fromisoformat(values["date"])
    if "meeting" in values:
        values["meeting"] = Meeting.objects.of_club(ledger.session.club_id).get(pk=values["meeting"])
    change_placing(ledger, **values)
