"""A meeting: planning it, who came, the clock, a table put aside. The draw of its tables is in drawing.py."""

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from clubscore.lists import listed
from sessions_app.models import Attendance, Meeting, Player, Session

from .drawing import who_plays_now, who_sits_at
from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction

STATES = {"here": (False, False), "late": (True, False), "left": (False, True)}
LONGEST_CLOCK = 600


def plan_meeting(club, date, name="", starts_at=None, place="", *, by, why=""):
    """Put a meeting in the club's diary. ServiceError where one of that date and name is there."""
    with write_transaction():
        meeting = Meeting(club=club, date=date, name=_tidy(name), starts_at=starts_at, place=_tidy(place))
        _check_date(meeting)
        meeting.save()
        log_change(club, by, "add", meeting, {}, _diary_facts(meeting), why)
    return meeting


def change_meeting(meeting, date, name, starts_at, place, *, by, why=""):
    """Move a meeting to another day, or change what the diary says of it. Returns whether anything changed.

    ServiceError where one of that date and name is there, and for another day once a table has been played.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        before = _diary_facts(meeting)
        if date != meeting.date and Session.objects.at_meeting(meeting).exists():
            raise ServiceError("Tables have been played on this day: move them one by one, by their sheets.", "date")
        meeting.date, meeting.name, meeting.starts_at, meeting.place = date, _tidy(name), starts_at, _tidy(place)
        _check_date(meeting)
        after = _diary_facts(meeting)
        if after != before:
            meeting.save(update_fields=["date", "name", "starts_at", "place"])
            log_change(meeting.club, by, "change", meeting, before, after, why)
    return after != before


def call_off(meeting, *, by, why=""):
    """Take a meeting out of the diary. ServiceError where somebody has come, a table begun, or a fee been noted."""
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        played = Session.objects.at_meeting(meeting).exists()
        if played or meeting.attendances.exists() or meeting.fees.exists():
            raise ServiceError("Somebody has come to this meeting already, so it stays in the diary.")
        log_change(meeting.club, by, "call off", meeting, _diary_facts(meeting), {}, why)
        meeting.delete()


def _check_date(meeting):
    same = Meeting.objects.of_club(meeting.club_id).filter(date=meeting.date, name=meeting.name)
    if same.exclude(pk=meeting.pk).exists():
        raise ServiceError("There is a meeting on this day already. Give the other one a name.", "name")


def _diary_facts(meeting):
    facts = {"date": str(meeting.date), "name": meeting.name, "place": meeting.place}
    return facts | {"starts_at": meeting.starts_at and f"{meeting.starts_at:%H:%M}"}


def _tidy(text):
    return " ".join(text.split())


def attend(meeting, states, *, by, why=""):
    """Write who came: {player id: here, late, left or "" for who did not come}; others stay as they are.

    ServiceError for players of another club or states that are none.
    """
    with write_transaction():
        known = set(Player.objects.of_club(meeting.club_id).filter(pk__in=states).values_list("pk", flat=True))
        now = {one.player_id: one for one in Attendance.objects.filter(meeting=meeting)}
        before = {str(pk): _state(now.get(pk)) for pk in states}
        for pk, state in states.items():
            if pk not in known:
                raise ServiceError("There is no such player in this club.", "players")
            _attend(meeting, pk, state, now.get(pk))
        after = {str(pk): state for pk, state in states.items()}
        changed = {pk for pk in after if after[pk] != before[pk]}
        if changed:
            log_change(
                meeting.club,
                by,
                "attendance",
                meeting,
                {pk: before[pk] for pk in changed},
                {pk: after[pk] for pk in changed},
                why,
            )


def _attend(meeting, pk, state, attendance):
    if state and state not in STATES:
        raise ServiceError("A player is here, late, or has left.", "players")
    if not state:
        if attendance:
            attendance.delete()
        return
    late, left = STATES[state]
    Attendance.objects.update_or_create(
        meeting=meeting, player_id=pk, defaults={"club_id": meeting.club_id, "late": late, "left": left}
    )


def _state(attendance):
    if attendance is None:
        return ""
    return next(word for word, flags in STATES.items() if flags == (attendance.late, attendance.left))


def set_clock(meeting, minutes, *, by, why=""):
    """Let the hall's clock run for so many minutes from now; None stops it. Extra minutes of tables go with it."""
    if minutes is not None and not 1 <= minutes <= LONGEST_CLOCK:
        raise ServiceError(f"The clock runs for 1 to {LONGEST_CLOCK} minutes.", "minutes")
    with write_transaction():
        before = meeting.clock_ends_at
        meeting.clock_ends_at = minutes and timezone.now() + timedelta(minutes=minutes)
        meeting.save(update_fields=["clock_ends_at"])
        tables = Session.objects.at_meeting(meeting)
        tables.exclude(extra_minutes=0).update(extra_minutes=0)
        tables.being_played().update(version=F("version") + 1)
        facts = {"ends_at": before and before.isoformat()}
        log_change(meeting.club, by, "clock", meeting, facts, {"minutes": minutes}, why)


def give_extra_time(session, minutes, *, by, why=""):
    """Give one table so many minutes beyond the hall's clock; 0 takes them away."""
    if not 0 <= minutes <= LONGEST_CLOCK:
        raise ServiceError(f"Extra time is 0 to {LONGEST_CLOCK} minutes.", "minutes")
    with write_transaction():
        before = session.extra_minutes
        _set(session, extra_minutes=minutes)
        log_change(session.club, by, "extra time", session, {"minutes": before}, {"minutes": minutes}, why, session)


def pause_session(session, *, by, why=""):
    """Put a table aside until another day; it stays open and counts as still playing, but holds nobody."""
    _check_open(session)
    with write_transaction():
        if not session.paused:
            _set(session, paused=True)
            log_change(session.club, by, "pause", session, {}, {}, why, session)


def go_on(session, meeting, *, by, why=""):
    """Go on with a table put aside, at the meeting where its players are now; its hands count on the day it began.

    ServiceError where it has finished, or somebody of it plays at another table of that meeting.
    """
    _check_open(session)
    with write_transaction():
        if not session.paused:
            return
        if meeting.date < session.date:
            raise ServiceError("A table goes on at a later meeting than it began on.", "meeting")
        busy = set(who_sits_at(session)) & who_plays_now(meeting)
        if busy:
            names = listed(str(player) for player in Player.objects.filter(pk__in=busy).order_by("full_name"))
            raise ServiceError(f"Table {session.table} cannot go on yet: {names} still at another table.", "meeting")
        before = session.goes_on_at_id
        _set(session, paused=False, extra_minutes=0, goes_on_at=None if meeting == session.meeting else meeting)
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
            go_on(session, meeting, by=by, why="A hand was recorded there.")
    except ServiceError:
        return False
    return not session.paused


def meeting_on(club, day, *, by):
    """Return the club's meeting of a day, put in the diary where there is none; of several the first."""
    with write_transaction():
        found = Meeting.objects.of_club(club).filter(date=day).order_by("name", "pk").first()
        return found or plan_meeting(club, day, by=by)


def _check_open(session):
    if not session.is_open:
        raise ServiceError("This session has finished. Open it again to go on.")


def _set(session, **values):
    """Change a session's row, and tell those who watch it."""
    Session.objects.filter(pk=session.pk).update(**values, version=F("version") + 1)
    session.refresh_from_db(fields=[*values, "version"])
