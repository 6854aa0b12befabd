"""A meeting: planning, replies, attendance, the clock, join codes. See drawing.py for the seating draw."""

import secrets
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from sessions_app.meetings.models import MEETING_FACTS
from sessions_app.models import Attendance, Club, Meeting, Player, Reply, Session
from sessions_app.people.log import Actor, differences_of, format_date, log_change, log_sentences, or_none
from sessions_app.people.log_sentences import LoggedChange, meeting_words
from sessions_app.people.plain_text import plain_name
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.season_assignment import assign_seasons
from sessions_app.table.sessions import update_session

STATES = {"here": (False, False), "late": (True, False), "left": (False, True)}
MAX_CLOCK = 600

# What the log keeps of a reply.
ANSWERS = {True: "yes", False: "no"}

PRESENCE = {"here": "is here", "late": "is running late", "left": "left early", "": "is not here"}
REPLIES = {"yes": "is coming", "no": "cannot come", "": "has not said"}


def _of_players(it: LoggedChange, words: dict[str, str]) -> str:
    return ", ".join(
        f"{it.names.player(int(pk))} {words.get(state or '', state)}" for pk, state in sorted(it.after.items())
    )


def _minutes(given: str, none: str) -> Callable[[LoggedChange], str]:
    return lambda it: given.format(it.after["minutes"]) if it.after.get("minutes") else none


log_sentences(
    {
        ("add", "meeting"): "added {meeting}",
        ("change", "meeting"): "changed {meeting}{meeting_changes}",
        "call off": "cancelled the meeting of {cancelled_meeting}",
        "attendance": "noted who is here: {attendance}",
        "reply": "answered for {meeting}: {replies}",
        "clock": "{clock}",
        "extra time": "{extra}{at}",
        "new joining code": "gave {meeting} a new join code",
        "end joining code": "switched off the join code of {meeting}",
    },
    meeting_changes=differences_of(
        {
            "date": ("date", format_date),
            "starts_at": ("starts at", or_none),
            "place": ("venue", or_none),
            "name": ("name", or_none),
            "league": ("league", or_none),
        }
    ),
    cancelled_meeting=lambda it: meeting_words(it.before["date"], it.before.get("name")),
    attendance=lambda it: _of_players(it, PRESENCE),
    replies=lambda it: _of_players(it, REPLIES),
    clock=_minutes("set the hall’s clock to {} minutes", "stopped the hall’s clock"),
    extra=_minutes("gave {} extra minutes", "removed the extra time"),
)


def plan_meeting(club: Club, date: date, name: str = "", *, by: Actor, **facts: Any) -> Meeting:
    """Plan a meeting; `facts` are others of MEETING_FACTS, and its league if it is not to be that of the last like it.

    ServiceError if there is one of that date and name.
    """
    with write_transaction():
        meeting = Meeting(club=club)
        _set_facts(meeting, date=date, name=name, **facts)
        meeting.league = meeting.league or Meeting.objects.league_of(club, date, meeting.name)
        _check_name_is_free(meeting)
        meeting.save()
        log_change(club, by, "add", meeting, {}, _log_facts(meeting))
    return meeting


@dataclass(frozen=True)
class Repeat:
    """How often meetings repeat; `nth` returns the nth day after the first, or None if there is no such day."""

    key: str
    name: str
    nth: Callable[[date, int], date | None]


def _every(weeks: int) -> Callable[..., Any]:
    return lambda first, number: first + timedelta(weeks=weeks * number)


def _same_week_of_month(first, number):
    """Keep, for example, to the second Tuesday; None for a month without a fifth one."""
    year, month = divmod(first.year * 12 + first.month - 1 + number, 12)
    start = date(year, month + 1, 1)
    day = start + timedelta(days=(first.weekday() - start.weekday()) % 7, weeks=(first.day - 1) // 7)
    return day if day.month == start.month else None


REPEATS = {
    row.key: row
    for row in (
        Repeat("1-week", "Every week", _every(1)),
        Repeat("2-weeks", "Every second week", _every(2)),
        Repeat("3-weeks", "Every third week", _every(3)),
        Repeat("4-weeks", "Every fourth week", _every(4)),
        Repeat("month", "Every month, in the same week, for example on the second Tuesday", _same_week_of_month),
    )
}


def days_of(first: date, repeat: Repeat, until: date, skipped: Collection[date] = ()) -> list[date]:
    """Return the days of a series, both ends included, without the skipped ones."""
    days = [repeat.nth(first, number) for number in range((until - first).days // 7 + 1)]
    return [day for day in days if day and day <= until and day not in skipped]


def plan_meetings(club: Club, days: Iterable[date], name: str = "", *, by: Actor, **facts: Any) -> list[Meeting]:
    """Plan a meeting on each of these days, except where one of this name exists. Returns the new ones."""
    with write_transaction():
        taken = set(Meeting.objects.of_club(club).filter(name=plain_name(name)).values_list("date", flat=True))
        return [plan_meeting(club, day, name, by=by, **facts) for day in days if day not in taken]


def change_meeting(meeting: Meeting, date: Any, *, by: Any, **facts: Any) -> bool:
    """Change a meeting's date or league, or any of MEETING_FACTS. Returns whether anything changed.

    A new date removes the replies; the log keeps them. Its results go to the other league with it. ServiceError if
    there is already a meeting of that date and name, if the date changes after a table was played, or for results in
    a locked season.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        before = _log_facts(meeting)
        is_moved = date != meeting.date
        if is_moved and Session.objects.at_meeting(meeting).exists():
            raise ServiceError("Tables were played on this day. Move each table from its sheet instead.", "date")
        _set_facts(meeting, date=date, **facts)
        _check_name_is_free(meeting)
        after = _log_facts(meeting)
        if after != before:
            meeting.save(update_fields=["date", "league", *MEETING_FACTS])
            if after.get("league") != before.get("league"):
                assign_seasons(meeting.club, [meeting])
            log_change(meeting.club, by, "change", meeting, before, after)
        if is_moved:
            _remove_replies(meeting, by)
    return after != before


def cancel_meeting(meeting: Meeting, *, by: Any) -> None:
    """Cancel a meeting. ServiceError if someone has come, a table has started or a fee was noted."""
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        played = Session.objects.at_meeting(meeting).exists()
        if played or meeting.attendances.exists() or meeting.fees.exists():
            raise ServiceError("You cannot cancel this meeting, because someone has already come to it.")
        log_change(meeting.club, by, "call off", meeting, _log_facts(meeting), {})
        meeting.delete()


def _check_name_is_free(meeting: Meeting) -> None:
    same = Meeting.objects.of_club(meeting.club_id).filter(date=meeting.date, name=meeting.name)
    if same.exclude(pk=meeting.pk).exists():
        raise ServiceError("Enter a name for this meeting. There is already one on this day.", "name")


def _log_facts(meeting: Meeting) -> dict[str, Any]:
    return {"date": str(meeting.date), **meeting.facts}


def _set_facts(meeting: Meeting, **facts: Any) -> None:
    for name, value in facts.items():
        setattr(meeting, name, plain_name(value) if isinstance(value, str) else value)


def attend(meeting: Meeting, states: dict[int, str], *, by: Actor) -> None:
    """Save attendance: {player id: a key of STATES, or "" for absent}; other players stay as they are.

    ServiceError for players of another club or unknown states.
    """
    with write_transaction():
        _lock_replies_and_attendance(meeting)
        known = set(Player.objects.of_club(meeting.club_id).filter(pk__in=states).values_list("pk", flat=True))
        if states.keys() - known:
            raise ServiceError("Choose a player from the club’s list.", "players")
        if set(states.values()) - {"", *STATES}:
            raise ServiceError("Choose whether the player is here, late or has left.", "players")
        now = {attendance.player_id: attendance for attendance in Attendance.objects.filter(meeting=meeting)}
        before = {str(pk): _state(now.get(pk)) for pk in states}
        changed = {pk: state for pk, state in states.items() if state != before[str(pk)]}
        for pk, state in changed.items():
            if state:
                late, left = STATES[state]
                facts = {"club_id": meeting.club_id, "late": late, "left": left}
                Attendance.objects.update_or_create(meeting=meeting, player_id=pk, defaults=facts)
            else:
                now[pk].delete()
        if changed:
            after = {str(pk): state for pk, state in changed.items()}
            log_change(meeting.club, by, "attendance", meeting, {key: before[key] for key in after}, after)


def save_reply(meeting: Meeting, player: Player, is_coming: bool, *, by: Actor) -> None:
    """Save whether a player is coming to a meeting. ServiceError for a player of another club."""
    if player.club_id != meeting.club_id:
        raise ServiceError("Choose a player from the club’s list.", "player")
    with write_transaction():
        _lock_replies_and_attendance(meeting)
        now = Reply.objects.filter(meeting=meeting, player=player).first()
        if now is None or now.is_coming != is_coming:
            facts = {"club_id": meeting.club_id, "is_coming": is_coming}
            Reply.objects.update_or_create(meeting=meeting, player=player, defaults=facts)
            before, after = now and ANSWERS[now.is_coming] or "", ANSWERS[is_coming]
            log_change(meeting.club, by, "reply", meeting, {str(player.pk): before}, {str(player.pk): after})


def _lock_replies_and_attendance(meeting: Meeting) -> None:
    # A session that is started holds the club and refers to its meeting: it need not wait for this.
    Meeting.objects.select_for_update(no_key=True).get(pk=meeting.pk)


def _remove_replies(meeting: Meeting, by: Actor) -> None:
    before = {str(reply.player_id): ANSWERS[reply.is_coming] for reply in meeting.replies.order_by("player")}
    if before:
        meeting.replies.all().delete()
        log_change(meeting.club, by, "reply", meeting, before, dict.fromkeys(before, ""))


def _state(attendance: Attendance | None) -> str:
    if attendance is None:
        return ""
    return next(word for word, flags in STATES.items() if flags == (attendance.late, attendance.left))


def set_clock(meeting: Meeting, minutes: Any, *, by: Any) -> None:
    """Set the meeting's clock to end this many minutes from now; None stops it. Clears the tables' extra minutes."""
    if minutes is not None and not 1 <= minutes <= MAX_CLOCK:
        raise ServiceError(f"Enter 1 to {MAX_CLOCK} minutes for the clock.", "minutes")
    with write_transaction():
        before = meeting.clock_ends_at
        meeting.clock_ends_at = minutes and timezone.now() + timedelta(minutes=minutes)
        meeting.save(update_fields=["clock_ends_at"])
        tables = Session.objects.at_meeting(meeting)
        tables.exclude(extra_minutes=0).update(extra_minutes=0)
        tables.being_played().update(version=F("version") + 1)
        facts = {"ends_at": before and before.isoformat()}
        log_change(meeting.club, by, "clock", meeting, facts, {"minutes": minutes})


def give_extra_time(session: Session, minutes: int, *, by: Actor) -> None:
    """Set how many minutes a table has beyond the meeting's clock; 0 removes them."""
    if not 0 <= minutes <= MAX_CLOCK:
        raise ServiceError(f"Enter 0 to {MAX_CLOCK} minutes of extra time.", "minutes")
    with write_transaction():
        before = session.extra_minutes
        update_session(session, extra_minutes=minutes)
        log_change(session, by, "extra time", session, {"minutes": before}, {"minutes": minutes})


def get_or_plan_meeting(club: Club, day: date, *, by: Any) -> Any:
    """Return the club's first meeting on a day; plan one if there is none."""
    with write_transaction():
        found = Meeting.objects.of_club(club).filter(date=day).order_by("name", "pk").first()
        return found or plan_meeting(club, day, by=by)


# Join codes: six letters that open a meeting's tables on its own day.

# No vowels, so that codes spell no words, and no letters that look like digits.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
LENGTH = 6


def new_joining_code(meeting: Meeting, *, by: Actor) -> str:
    """Replace a meeting's join code; the old one stops working. The log does not contain the code."""
    with write_transaction():
        meeting.joining_code = _free_code()
        meeting.save(update_fields=["joining_code"])
        log_change(meeting.club, by, "new joining code", meeting, {}, {})
    return meeting.joining_code


def end_joining_code(meeting: Meeting, *, by: Actor) -> None:
    """Cancel a meeting's join code; tablets already at a table stay there."""
    with write_transaction():
        if meeting.joining_code:
            meeting.joining_code = None
            meeting.save(update_fields=["joining_code"])
            log_change(meeting.club, by, "end joining code", meeting, {}, {})


def tidy_code(text: str) -> str:
    """Return the letters of a typed join code, in capitals."""
    return "".join(letter for letter in text.upper() if "A" <= letter <= "Z")


def find_by_joining_code(code: str) -> Meeting | None:
    """Return the meeting with this code if the code works today, else None."""
    found = Meeting.objects.select_related("club").filter(joining_code=code).first() if len(code) == LENGTH else None
    return found if found and found.code_today else None


def _free_code() -> str:
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if not Meeting.objects.filter(joining_code=code).exists():
            return code
