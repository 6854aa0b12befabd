"""Pausing a table until another day, and resuming it; which players are at an open table."""

from django.db.models import F

from clubscore.scoring.words import listed
from sessions_app.models import Meeting, Player, Session
from sessions_app.people.log import log_change
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.sessions import current_chairs


def who_plays_now(meeting):
    """Return the ids of the players at the meeting's open tables."""
    busy = set()
    for playing in Session.objects.at_meeting(meeting).being_played().prefetch_related("seats"):
        busy |= set(who_sits_at(playing))
    return busy


def who_sits_at(session):
    """Return the ids of the players at a table now, without those who have left."""
    at_table = current_chairs(session).at_table
    return [seat.player_id for seat in session.seats.all() if seat.chair in at_table]


def open_tables(club_id, date, besides=None):
    """Return {player id: table number} of a day's open tables, practice left out; two queries.

    `besides` is a session to leave out.
    """
    playing = Session.objects.of_club(club_id).being_played().filter(date=date, practice=False)
    others = playing.exclude(pk=besides and besides.pk).prefetch_related("seats").order_by("-table", "-pk")
    return {player: session.table for session in others for player in who_sits_at(session)}


def pause_session(session, *, by, why=""):
    """Pause a table until another day; it stays open, but its players may sit elsewhere."""
    refuse_finished(session)
    with write_transaction():
        if not session.paused:
            update_session(session, paused=True)
            log_change(session.club, by, "pause", session, {}, {}, why, session)


def go_on(session, meeting, *, by, why=""):
    """Resume a paused table at the meeting where its players are now; its hands still count on the day it started.

    ServiceError if it has finished, or if one of its players is at another table of that meeting.
    """
    refuse_finished(session)
    with write_transaction():
        if not session.paused:
            return
        if meeting.date < session.date:
            raise ServiceError("Choose a later meeting than the one where this table started.", "meeting")
        busy = set(who_sits_at(session)) & who_plays_now(meeting)
        if busy:
            names = listed(str(player) for player in Player.objects.filter(pk__in=busy).order_by("full_name"))
            raise ServiceError(f"Table {session.table} cannot resume yet. Still at another table: {names}.", "meeting")
        before = session.goes_on_at_id
        update_session(
            session, paused=False, extra_minutes=0, goes_on_at=None if meeting == session.meeting else meeting
        )
        after = session.goes_on_at_id
        log_change(session.club, by, "go on", session, {"meeting": before}, {"meeting": after}, why, session)


def go_on_with_hand(session, *, by):
    """Go on with a table put aside at which a hand is recorded, so that nobody need press anything first.

    It goes on where it stands on its own day, and else at today's meeting. Where there is none today, for a tablet may
    send what waited on it days later, or somebody of the table plays elsewhere, it stays put aside. Returns whether it
    goes on.
    """
    today = session.club.today
    found = Meeting.objects.of_club(session.club_id).filter(date=today).order_by("name", "pk").first()
    meeting = session.meeting if session.date == today else found
    try:
        if meeting is not None:
            go_on(session, meeting, by=by, why="A hand was saved there.")
    except ServiceError:
        return False
    return not session.paused


def refuse_finished(session):
    if not session.is_open:
        raise ServiceError("This session has finished. Reopen it to go on.")


def update_session(session, **values):
    """Change a session's row, and tell those who watch it."""
    Session.objects.filter(pk=session.pk).update(**values, version=F("version") + 1)
    session.refresh_from_db(fields=[*values, "version"])
