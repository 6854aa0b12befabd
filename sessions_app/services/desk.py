"""What the secretary does to a session as a whole, through the tables' door: void it, move it, go back in it."""

from django.db import transaction

from sessions_app.models import Meeting

from .commands import DESK_KINDS, apply_command
from .transactions import write_transaction


def apply_at_desk(session_id, command, by):
    """Carry out a command that is the secretary's alone; see apply_command."""
    return apply_command(session_id, command, by, kinds=DESK_KINDS)


def move_session(session, key, date, table, meeting_name, *, by, why=""):
    """Move a session to a date, a table number and the meeting of that date and name, made where it is missing."""
    with write_transaction(), transaction.atomic():
        meeting, _ = Meeting.objects.get_or_create(club_id=session.club_id, date=date, name=meeting_name)
        body = {"date": date.isoformat(), "table": table, "meeting": meeting.pk}
        answer = apply_at_desk(session.pk, {"key": key, "kind": "move", "body": body, "why": why}, by)
        # A move that is refused leaves no empty meeting behind.
        transaction.set_rollback(answer.status >= 400)
    return answer
