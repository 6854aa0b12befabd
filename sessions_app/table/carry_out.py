"""Carrying out a command on a loaded ledger, in memory: reads what undo, redo and choose need, and writes nothing."""

import uuid
from typing import Any

from clubscore.table.command_kinds import CHOOSE, KINDS, ROWS, UNDO
from clubscore.table.commands import concerned, settle, to_redo, to_undo
from clubscore.table.edits import EDITS, choose, restore
from clubscore.table.ledger import EditError
from sessions_app.models import Change, Command, Session, commands_to_undo
from sessions_app.people.log import Actor
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import Ledger
from sessions_app.table.season_assignment import refuse_locked
from sessions_app.table.secretary_edits import DESK_EDITS

STEPS_OR_UNDOABLE = [row.key for row in ROWS if row.is_step or row.can_be_undone]


def carried_out(ledger: Ledger, command: dict[str, Any], by: Actor, before: Any = None) -> tuple[Any, ...]:
    """Edit a ledger in memory and replay it: the subject for the log, the key of the line concerned, the replay.

    `before` is the replay of the ledger as it was, where the caller has it: lines put at the end go on from there.
    Reads what undo, redo and choose need; writes nothing. ServiceError, mostly Refused, or LineError when it cannot be.
    """
    try:
        return _carried_out(ledger, {**command, "author": by.user}, before)
    except EditError as error:
        raise Refused(error.code, error.field, **error.params) from error


def _carried_out(ledger, command, before):
    kind, session = KINDS[command["kind"]], ledger.session
    strict = None
    if not kind.is_edit and not (kind is CHOOSE and _only_sets_aside(session, command["body"])):
        refuse_locked(session.season)
    if kind.key in EDITS or kind.key in DESK_EDITS:
        strict = (EDITS.get(kind.key) or DESK_EDITS[kind.key])(ledger, command)
        key = concerned(command, strict)
        subject = ("entry", key) if key else session
    elif kind is CHOOSE:
        strict = key = choose(ledger, command, {str(kept.key): _as_command(kept) for kept in _waiting(session)})
        subject = ("entry", key) if key else session
    elif kind is UNDO:
        change = Change.objects.get(pk=to_undo(_latest(session, "pk")))
        restore(ledger, change.before, change.after)
        key, subject = None, ("change", change.pk)
    else:
        change = Change.objects.get(pk=int(to_redo(_latest(session, "subject_id"))))
        restore(ledger, change.after, change.before)
        key, subject = None, ("change", change.pk)
    return subject, key, settle(ledger, strict, before)


def _latest(session, field):
    """Return a field of each change that undo and redo are about, with its kind, the newest first."""
    changes = Change.objects.filter(session=session, action__in=STEPS_OR_UNDOABLE).order_by("-id")
    return [(value, KINDS[action]) for value, action in changes.values_list(field, "action")]


def _waiting(session):
    return Command.objects.filter(session=session).waiting()


def _as_command(kept):
    return {
        "key": str(kept.key),
        "kind": kept.kind,
        "body": kept.body,
        "device": kept.device,
        "author": kept.user,
        "seats": kept.seats,
        "outcome": kept.outcome,
        "seating_key": str(uuid.uuid5(kept.key, "seating")),
    }


def _only_sets_aside(session, body):
    """Say whether a choice changes no entry: what waits is put aside, and nothing is recorded."""
    drop = body.get("drop")
    if body.get("keep") or not isinstance(drop, list):
        return False
    waiting = {str(key) for key in _waiting(session).values_list("key", flat=True)}
    return waiting.issuperset(map(str, drop))


def would_undo_another(session: Session, body: dict[str, Any]) -> bool:
    """Say whether an undo would take back another change than that of the command it was meant for: `of`.

    None: whoever sent it knew of nothing to undo. Without `of` it is meant for whatever was changed last.
    """
    if "of" not in body:
        return False
    latest = session.commands.order_by("-pk").values_list("key", "kind", "outcome")
    found = next(commands_to_undo(latest), None)
    return found is not None and found[0] != body["of"]
