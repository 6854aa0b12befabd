"""Undo and redo: which change of a session's log they are about. The log itself is the memory; nothing else is kept."""

from sessions_app.models import Change

from .edits import EDITS
from .errors import ServiceError

# Where a session counts is the secretary's, and is put right at the desk: a tablet's Undo passes over it.
UNDOABLE = {*EDITS, "go_back", "choose"}


def change_to_undo(session):
    """Return the newest change that stands, passing over what was undone. ServiceError when there is none."""
    undone = 0
    for change in _changes(session):
        if change.action == "undo":
            undone += 1
        elif change.action == "redo":
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
        if change.action == "redo":
            redone += 1
        elif change.action != "undo":
            break
        elif redone == 0:
            return Change.objects.get(pk=int(change.subject_id))
        else:
            redone -= 1
    raise ServiceError("There is nothing to do again.")


def _changes(session):
    actions = {*UNDOABLE, "undo", "redo"}
    return Change.objects.filter(session=session, action__in=actions).order_by("-id").iterator(chunk_size=20)
