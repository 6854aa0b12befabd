"""What the secretary does to a session as a whole, in memory: void it, let it count again, move it, go back in it.

An edit returns the key of the line that must now fit, or None; Refused says why a command cannot be carried out.
"""

import datetime
from typing import Any

from clubscore.table.command_kinds import COUNT_AGAIN, GO_BACK, MOVE, VOID
from clubscore.table.edits import restore
from clubscore.table.outcomes import Reason
from sessions_app.models import Change, Meeting, Session
from sessions_app.people.log_pages import FIRST_YEAR, LAST_YEAR
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import Ledger
from sessions_app.table.season_assignment import change_placing, refuse_locked, restore_placing

MAX_TABLE = 999


def void(ledger: Ledger, command: dict[str, Any]) -> None:
    """A session started by mistake: it is kept, finished, and counts nowhere."""
    if ledger.session.void:
        raise Refused(Reason.VOID_ALREADY)
    if not command["why"].strip():
        raise Refused(Reason.NO_REASON, "why")
    change_placing(ledger, void=True, practice=True, state=Session.State.FINISHED)


def count_again(ledger: Ledger, command: dict[str, Any]) -> None:
    """Take the voiding back: open or finished, practice or not, as the session was before."""
    if not ledger.session.void:
        raise Refused(Reason.NOT_VOID)
    voided = Change.objects.filter(session=ledger.session, after__session__void=True).order_by("-id").first()
    restore_placing(ledger, voided.before["session"])


def move(ledger: Ledger, command: dict[str, Any]) -> None:
    """Correct a session's date and table number and put it in another meeting; its season follows from its date."""
    session, body = ledger.session, command["body"]
    if session.void:
        raise Refused(Reason.VOID_IS_NOT_MOVED)
    date, table = _date(body.get("date")), _table(body.get("table"))
    meeting = Meeting.objects.of_club(session.club_id).filter(pk=_whole(body.get("meeting")), date=date).first()
    if meeting is None:
        raise Refused(Reason.NO_MEETING, "meeting")
    if (date, table, meeting.pk) == (session.date, session.table, session.meeting_id):
        raise Refused(Reason.NOT_MOVED, "date")
    change_placing(ledger, date=date, table=table, meeting=meeting)


def go_back(ledger: Ledger, command: dict[str, Any]) -> None:
    """Bring lines and seats to how they were after one change of the log; what came later is taken out, not deleted."""
    refuse_locked(ledger.session.season)
    was = state_after(ledger, _whole(command["body"].get("change")))
    now = {
        "entries": {entry.key: entry.state() for entry in ledger.entries},
        "seats": {str(seat.number): {"player": seat.player} for seat in ledger.seats},
    }
    different = {
        part: {key: state for key, state in was[part].items() if not _same(state, now[part][key])} for part in was
    }
    if not any(different.values()):
        raise Refused(Reason.NOTHING_TO_RESTORE)
    restore(ledger, different, {})


def state_after(ledger: Ledger, change_id: int) -> dict[str, Any]:
    """Return lines and seats as they were after a change of this session's log; a line not there yet is None."""
    changes = Change.objects.filter(session=ledger.session, pk__gte=change_id).order_by("id")
    changes = list(changes.values_list("pk", "before"))
    if not changes or changes[0][0] != change_id:
        raise Refused(Reason.NO_SUCH_POINT)
    was = {"entries": {}, "seats": {}}
    for _, before in changes[1:]:
        for part, states in was.items():
            for key, state in (before.get(part) or {}).items():
                states.setdefault(key, state)
    return was


def _same(was, now):
    """Say whether a line stands as it stood: not there yet is the same as taken out."""
    return now["taken_out"] if was is None else was == now


def _date(text):
    try:
        date = datetime.date.fromisoformat(str(text))
    except ValueError as error:
        raise Refused(Reason.NO_DATE, "date") from error
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise Refused(Reason.WRONG_DATE, "date")
    return date


def _table(number):
    if type(number) is not int or not 1 <= number <= MAX_TABLE:
        raise Refused(Reason.WRONG_TABLE, "table", highest=MAX_TABLE)
    return number


def _whole(value):
    """Return a whole number that can be an id, else 0."""
    return value if type(value) is int and 0 < value < 2**62 else 0


DESK_EDITS = {VOID.key: void, COUNT_AGAIN.key: count_again, MOVE.key: move, GO_BACK.key: go_back}
