"""What the door answers, in memory and as it is kept in the register (without names)."""

from dataclasses import dataclass, field, replace

from clubscore.table.change_summary import render
from sessions_app.models import Command, Entry, Seat, Session

MESSAGES = {
    "hand": "Hand {number} is recorded.",
    "insert": "Hand {number} is put in.",
    "correct": "Hand {number} is changed.",
    "agree": "Hand {number} is agreed.",
    "put_back": "Hand {number} is put back.",
    "take_out": "The line is taken out. It can be put back.",
    "arrive": "{seat} is at the table.",
    "leave": "{seat} has left the table.",
    "seating": "The seating is noted.",
    "exchange": "The two have changed places.",
    "fine": "The fine is recorded.",
    "note": "The note is recorded.",
    "change_player": "The seat is {seat}'s now.",
    "undo": "The last change is undone.",
    "redo": "The change is made again.",
    "choose": "The choice is recorded.",
    "finish": "The session is finished.",
    "reopen": "The session is open again.",
    "void": "The session is void: it is kept, and counts nowhere.",
    "count_again": "The session counts again as it did before.",
    "move": "The session is moved.",
    "go_back": "The session stands again as it stood then.",
}


LINE_MESSAGES = {
    "insert": "The line is put in.",
    "correct": "The line is changed.",
    "put_back": "The line is put back.",
}


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
    kind = command["kind"]
    hand = done.hand(key) if key else None
    if hand is None and kind in LINE_MESSAGES:
        return LINE_MESSAGES[kind]
    body = (ledger.find(key).body if key else None) or command["body"]
    number = str(hand.number) if hand else ""
    return MESSAGES[kind].replace("{number}", number).replace("{seat}", f"{{{body.get('seat')}}}")
