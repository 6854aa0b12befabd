"""The result of a command, in memory and as it is stored with the command (without names)."""

from dataclasses import dataclass, field, replace

from clubscore.table.change_summary import render
from clubscore.table.command_kinds import KINDS
from sessions_app.models import Command, Entry, Seat, Session

HAND_CONFLICT = "Someone else has already saved this hand. Both versions are kept. Choose which one to use."


EDIT_CONFLICT = "Someone else changed this first. Both versions are kept. Choose which one to use."


KEPT_LATE = {
    Command.LateReason.FINISHED: "This session has finished. You have not lost anything. "
    "What you sent is kept for the secretary to check.",
    Command.LateReason.LOCKED: "The season of this session is locked. You have not lost anything. "
    "What you sent is kept for the secretary to check.",
    Command.LateReason.KEY_REPLACED: "This tablet can no longer score at this table. You have not lost anything. "
    "What you sent is kept for the secretary to check. Scan the table’s new QR code to go on.",
}


TOO_MANY = (
    "Too many entries at this table have not been checked yet, so this one was not sent. You have not lost it. "
    "It stays on this tablet. Ask the secretary to check the others."
)


TOO_LARGE = (
    "This entry is too large to send. You have not lost it. It stays on this tablet. Ask the secretary what to do."
)


REFUSED = "Something went wrong and this was not saved. Reload the page and try again."


NOT_UNDONE = (
    "Someone else changed this table first, so nothing was undone. Check the table, then undo the right change."
)


DROPPED = "The other version was chosen. This one is kept in the history."


RESUMED = "The table was paused. Play has resumed."


STILL_PAUSED = "This table is still paused. Ask a scorekeeper to press “Resume” before you play on."


CHANGED_SINCE = "Something else has changed since."


@dataclass(frozen=True)
class TableSnapshot:
    """A table after a command: its session, seats and active entries, and the number of the next hand."""

    session: Session
    seats: list[Seat]
    lines: list[Entry]
    number: int


@dataclass(frozen=True)
class CommandResult:
    """The result of a command; `entry` is the key of its entry, `error` what the scoring or the rotation refused."""

    status: int
    outcome: str
    message: str = ""
    error: ValueError | None = None
    entry: str | None = None
    changes: list[str] = field(default_factory=list)
    snapshot: TableSnapshot | None = None

    def to_json(self):
        return {
            "status": self.status,
            "outcome": self.outcome,
            "message": self.message,
            "entry": self.entry,
            "changes": self.changes,
            "seat": getattr(self.error, "seat", None),
            "field": getattr(self.error, "field", None),
        }

    def kept(self):
        """Return the JSON stored with the command; it names seats by their numbers."""
        return {"status": self.status, "message": self.message, "entry": self.entry, "changes": self.changes}

    def for_people(self, names):
        """Return the result with names in its sentences."""
        return replace(self, message=render([self.message], names)[0], changes=render(self.changes, names))


def message_for(command, ledger, done, key):
    """Return the sentence that says what was done."""
    kind = KINDS[command["kind"]]
    hand = done.hand(key) if key else None
    if hand is None and kind.other_message:
        return kind.other_message
    body = (ledger.find(key).body if key else None) or command["body"]
    return kind.message.format(number=hand.number if hand else "", seat=f"{{{body.get('seat')}}}")
