"""Undo and redo: which change of a session's log they are about. The log itself is the memory; nothing else is kept."""

from clubscore.table.command_kinds import REDO, ROWS, UNDO
from sessions_app.models import Change, commands_to_undo
from sessions_app.people.transactions import ServiceError

STEPS_OR_UNDOABLE = [row.key for row in ROWS if row.is_step or row.can_be_undone]


def change_to_undo(session):
    """Return the newest change that stands, passing over what was undone. ServiceError when there is none."""
    undone = 0
    for change in _changes(session):
        if change.action == UNDO.key:
            undone += 1
        elif change.action == REDO.key:
            undone -= 1
        elif undone == 0:
            return change
        else:
            undone -= 1
    raise ServiceError("There is nothing to undo.")


def change_to_redo(session):
    """Return the change that was undone last, unless another change came after that."""
    redone = 0
    for change in _changes(session):
        if change.action == REDO.key:
            redone += 1
        elif change.action != UNDO.key:
            break
        elif redone == 0:
            return Change.objects.get(pk=int(change.subject_id))
        else:
            redone -= 1
    raise ServiceError("There is nothing to do again.")


def would_undo_another(session, body):
    """Say whether an undo would take back another change than that of the command it was meant for: `of`.

    None: whoever sent it knew of nothing to undo. Without `of` it is meant for whatever was changed last.
    """
    if "of" not in body:
        return False
    latest = session.commands.order_by("-pk").values_list("key", "kind", "outcome").iterator(chunk_size=20)
    found = next(commands_to_undo(latest), None)
    return found is not None and found[0] != body["of"]


def _changes(session):
    return Change.objects.filter(session=session, action__in=STEPS_OR_UNDOABLE).order_by("-id").iterator(chunk_size=20)
