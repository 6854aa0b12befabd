"""Where a session counts: its date, table and meeting, whether it is void, and the season that follows from them."""

import datetime
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from django.db.models import F
from django.forms.models import model_to_dict
from django.utils import timezone

from sessions_app.models import Club, Meeting, Season, Session, Tally
from sessions_app.people.transactions import ServiceError


def season_for_session(
    seasons: Iterable[Season], date: date, rules: str, recording: str, league: str = ""
) -> Season | None:
    """Return which of these seasons a session of that date, rules, recording and league counts in, or None."""
    return next((season for season in seasons if season.counts(date, rules, recording, league)), None)


def season_of(session: Session, seasons: Iterable[Season]) -> Season | None:
    """Return which of these seasons a session, which has its meeting, counts in, or None."""
    facts = session.date, session.rules, session.recording, session.meeting.league
    return None if session.practice else season_for_session(seasons, *facts)


def misplaced_sessions(club: Club, **filters: Any) -> Iterator[tuple[Session, Season | None]]:
    """Yield (session, right season) for every session of a club, or of those filtered, that is in the wrong season."""
    seasons = list(Season.objects.of_club(club))
    for session in Session.objects.of_club(club).filter(**filters).select_related("meeting", "season").order_by("pk"):
        season = season_of(session, seasons)
        if session.season_id != (season and season.pk):
            yield session, season


def assign_seasons(club: Club, meetings: Iterable[Meeting] | None = None) -> None:
    """Put every session of a club, with its tallies, in the right season.

    Given meetings, only theirs; ServiceError if one of them is in a locked season, or would be.
    """
    for session, season in list(misplaced_sessions(club, **{} if meetings is None else {"meeting__in": meetings})):
        for locked in () if meetings is None else (session.season, season):
            refuse_locked(locked)
        Season.objects.raise_version(session.season_id, season and season.pk)
        Session.objects.filter(pk=session.pk).update(season=season, version=F("version") + 1)
        Tally.objects.filter(session=session).update(season=season)


def refuse_lock(season: Season, locked: bool) -> None:
    """Refuse a change after which a locked season would use the results of an unlocked one, which may still change."""
    seasons = Season.objects.of_club(season.club)
    before, after = seasons.before(season).first(), seasons.after(season).first()
    if locked and not season.locked and season.uses_season_before and before and not before.locked:
        raise ServiceError(f"{season} uses the results of {before}, which is not locked. Lock {before} first.")
    if season.locked and not locked and after and after.locked and after.uses_season_before:
        raise ServiceError(f"{after} is locked and uses the results of {season}. Unlock {after} first.")


# What the log keeps of a session; its season follows from the date.
TRACKED_FIELDS = ("state", "practice", "void", "date", "table", "meeting")


def logged_state(session: Session) -> dict[str, Any]:
    """Return the TRACKED_FIELDS of a session as JSON."""
    return {**model_to_dict(session, TRACKED_FIELDS), "date": session.date.isoformat()}


def change_assignment(ledger: Any, **values: Any) -> None:
    """Change any TRACKED_FIELDS of a session in memory, and its season; ServiceError if a season is locked."""
    session = ledger.session
    will = {name: values.get(name, getattr(session, name)) for name in TRACKED_FIELDS}
    season = None
    if not will["practice"]:
        league = will["meeting"].league
        season = Season.objects.on(session.club_id, will["date"], session.rules, session.recording, league)
    if will["void"] and will["state"] != Session.State.FINISHED:
        raise ServiceError("This table is cancelled. Let it count again first.")
    moves = {name for name in TRACKED_FIELDS if will[name] != getattr(session, name)}
    if moves - {"state"}:
        for locked in (session.season, season):
            refuse_locked(locked)
    if "state" in moves:
        values["finished_at"] = timezone.now() if will["state"] == Session.State.FINISHED else None
    ledger.change_session(**values, season=season)


def is_locked(session: Session) -> bool:
    """Return whether a session counts in a locked season."""
    return session.season is not None and session.season.locked


def refuse_locked(season: Season | None) -> None:
    """Raise ServiceError if a season is locked: nothing in it may change."""
    if season is not None and season.locked:
        raise ServiceError(f"The season “{season}” is locked. Unlock it before you change anything in it.")


def open_lock(session: Session, why: str) -> str:
    """Allow one change in a locked season; return the reason for the log.

    Raises ServiceError without a reason, and if a later locked season uses the results of this one.
    """
    if session.season is None or not session.season.locked:
        return why
    if not why.strip():
        raise ServiceError("Enter a reason. It is kept in the history.", "why")
    refuse_lock(session.season, locked=False)
    return f"In the locked season {session.season}: {why}"


def restore_assignment(ledger: Any, state: dict[str, Any]) -> None:
    """Restore what the log kept of a session."""
    values = dict(state)
    if "date" in values:
        values["date"] = datetime.date.fromisoformat(values["date"])
    if "meeting" in values:
        values["meeting"] = Meeting.objects.of_club(ledger.session.club_id).get(pk=values["meeting"])
    change_assignment(ledger, **values)
