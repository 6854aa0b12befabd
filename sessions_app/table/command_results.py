"""What the door answers, in memory and as it is kept in the register (without names)."""

from dataclasses import dataclass, field, replace

from clubscore.table.change_summary import render
from clubscore.table.command_kinds import KINDS
from sessions_app.models import Command, Entry, Seat, Session

CONTESTED = "Another hand was recorded for this place meanwhile. Both are kept until somebody chooses."


CHANGED_MEANWHILE = "This was changed on another tablet meanwhile. Both changes are kept until somebody chooses."


KEPT_LATE = {
    Command.LateReason.FINISHED: "This session is finished. What you sent is kept for the secretary.",
    Command.LateReason.LOCKED: "The season of this session is locked. What you sent is kept for the secretary.",
    Command.LateReason.KEY_REPLACED: "This tablet may not write at this table any more. "
    "What you sent is kept for the secretary.",
}


TOO_MANY = "Too much waits at this table already, so this was not kept. It stays on this tablet: ask the secretary."


TOO_LARGE = "This is too large to be kept for somebody to decide. It stays on this tablet: ask the secretary."


REFUSED = "This key was used for something else. Nothing was changed."


NOT_UNDONE = (
    "Something else was changed here meanwhile, so nothing was undone. Look at the table, and undo what is wrong."
)


DROPPED = "This was not the one chosen; it is kept in the log."


GOES_ON = "The table goes on; it was paused."


STILL_ASIDE = "The table is still paused: a scorekeeper presses “Go on with this session” there before you play on."


MEANWHILE = "Something was changed meanwhile."


@dataclass(frozen=True)
class Stands:
    """How a table stands once a command is carried out: its session, seats and standing lines, the next number."""

    session: Session
    seats: list[Seat]
    lines: list[Entry]
    number: int


@dataclass(frozen=True)
class Answer:
    """The door's answer; `entry` is the key of the line concerned, `error` what the scorer or the rotation said."""

    status: int
    outcome: str
    message: str = ""
    error: ValueError | None = None
    entry: str | None = None
    changes: list[str] = field(default_factory=list)
    stands: Stands | None = None

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
        """Return the JSON for the register; seats still stand in it as numbers."""
        return {"status": self.status, "message": self.message, "entry": self.entry, "changes": self.changes}

    def for_people(self, names):
        """Return the answer with names in its sentences."""
        return replace(self, message=render([self.message], names)[0], changes=render(self.changes, names))


def message_for(command, ledger, done, key):
    """Return the sentence that says what was done."""
    kind = KINDS[command["kind"]]
    hand = done.hand(key) if key else None
    if hand is None and kind.other_message:
        return kind.other_message
    body = (ledger.find(key).body if key else None) or command["body"]
    return kind.message.format(number=hand.number if hand else "", seat=f"{{{body.get('seat')}}}")
