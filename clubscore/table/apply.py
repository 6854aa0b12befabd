"""Commands carried out on a ledger in memory, undo and redo among them, and what they change: no database, no network.

A command: {"key", "kind", "body"}, and perhaps "device" and "author", which its entry keeps.
"""

from typing import Any

from clubscore.table.command_kinds import KINDS, REDO, UNDO
from clubscore.table.edits import EDITS, HIGHEST, restore
from clubscore.table.ledger import EditError
from clubscore.table.outcomes import Reason


class Change:
    """One command that was carried out: what it touched, before and after; `of` is what an undo or redo was about."""

    def __init__(self, key: Any, kind: Any, before: Any, after: Any, of: Any = None) -> None:
        self.key, self.kind, self.before, self.after, self.of = key, kind, before, after, of


def apply(ledger: Any, command: Any, done: Any = None) -> Any:
    """Return the ledger after a command, the key of the entry concerned, and the replay; the ledger given stays.

    `done` is the replay of the ledger given, where the caller has it. EditError or EntryError when it cannot be done.
    """
    edited, kind, of = ledger.copy(), KINDS[command["kind"]], None
    strict = key = None
    if kind is UNDO:
        of = to_undo(latest(ledger))
        restore(edited, of.before, of.after)
    elif kind is REDO:
        of = to_redo(latest(ledger)).of
        restore(edited, of.after, of.before)
    elif kind.key in EDITS:
        strict = EDITS[kind.key](edited, command)
        key = concerned(command, strict)
    else:
        raise EditError(Reason.NO_COMMAND)
    done = settle(edited, strict, done)
    edited.changes.append(Change(command["key"], kind.key, edited.before, edited.after(), of))
    edited.stored = {hand.key: hand for hand in done.hands}
    return edited, key, done


def latest(ledger: Any) -> Any:
    """Return the changes of a ledger, each with its kind, the newest first."""
    return [(change, KINDS[change.kind]) for change in reversed(ledger.changes)]


def concerned(command: Any, strict: Any) -> Any:
    """Return the key of the entry that a command is about; `strict` is what its edit returned."""
    return strict if KINDS[command["kind"]].must_fit else str(command["body"]["entry"])


def settle(ledger: Any, strict: Any, before: Any = None) -> Any:
    """Replay an edited ledger and accept the hand that must fit; `before` is the replay of the ledger as it was."""
    done = ledger.replay(strict, earlier=before)
    hand = done.hand(strict) if strict else None
    if hand:
        if any(max(abs(seat.total), abs(seat.net)) > HIGHEST for seat in hand.seats):
            raise EditError(Reason.TOO_HIGH)
        ledger.accept(hand)
    return done


def undoable(latest: Any) -> Any:
    """Yield what undos take back, one after the other; `latest`: pairs (what, its CommandKind), the newest first."""
    undone = 0
    for what, kind in latest:
        if not (kind.is_step or kind.can_be_undone):
            continue
        if kind is UNDO:
            undone += 1
        elif kind is REDO or undone:
            undone -= 1
        else:
            yield what


def to_undo(latest: Any) -> Any:
    """Return the newest change that stands, passing over what was undone. EditError when there is none."""
    for what in undoable(latest):
        return what
    raise EditError(Reason.NOTHING_TO_UNDO)


def redoable(latest: Any) -> Any:
    """Yield the undos that redos make undone, one after the other: those that no other change came after."""
    redone = 0
    for what, kind in latest:
        if kind is REDO:
            redone += 1
        elif kind.can_be_undone:
            return
        elif kind is UNDO and redone:
            redone -= 1
        elif kind is UNDO:
            yield what


def to_redo(latest: Any) -> Any:
    """Return the undo that was made last, unless another change came after it. EditError when there is none."""
    for what in redoable(latest):
        return what
    raise EditError(Reason.NOTHING_TO_REDO)
