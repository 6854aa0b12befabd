"""The result of a command: its outcome, and its sentences, which are stored with the command without names."""

from dataclasses import dataclass, replace
from typing import Any

from clubscore.play.outcomes import Outcome, Reason
from clubscore.play.replay import EntryError, sentence_of
from clubscore.scoring.words import Vocabulary, with_names
from sessions_app.models import Entry, Seat, Session
from sessions_app.people.dates import DATE_SENTENCES
from sessions_app.people.transactions import ServiceError

NOT_SAVED = "Something went wrong and this was not saved. Reload the page and try again."

# Why a command was not carried out, or is only kept.
SENTENCES = {
    Reason.FINISHED: "This table has finished. You have not lost anything. "
    "What you sent is kept for the secretary to check. You need do nothing more.",
    Reason.LOCKED: "The season of this table is locked. You have not lost anything. "
    "What you sent is kept for the secretary to check. You need do nothing more.",
    Reason.KEY_REPLACED: "This tablet can no longer score at this table. You have not lost anything. "
    "What you sent is kept for the secretary to check. Scan the table’s new QR code to go on.",
    Reason.HAND_CONFLICT: "Someone else has already saved this hand. Both versions are kept. Choose which one to use.",
    Reason.EDIT_CONFLICT: "Someone else changed this first. Both versions are kept. Choose which one to use.",
    Reason.NOT_CHOSEN: "The other version of this hand was chosen. This one is kept under “Last changes”.",
    Reason.OTHER_CHANGE: "Someone else changed this table first, so nothing was undone. "
    "You have not lost anything. Check the table, then undo the right change.",
    Reason.KEY_REUSED: NOT_SAVED,
    Reason.IMPORTED: "Only the totals of this table are known. It has no hands to change.",
    Reason.UNREADABLE: NOT_SAVED,
    Reason.OTHER_VERSION: "We could not read the other version of a player’s hand. Enter that player’s hand again.",
    Reason.NO_SUCH_VERSION: "We could not find the version that this change was made to. "
    "Reload the page and make the change again.",
    Reason.TOO_MANY_KEPT: "Too many entries at this table have not been checked yet, so this one was not sent. "
    "You have not lost it. It stays on this tablet. Ask the secretary to check the others.",
    Reason.TOO_LARGE_TO_KEEP: "This entry is too large to send. You have not lost it. It stays on this tablet. "
    "Ask the secretary what to do.",
    Reason.TOO_MANY_AT_ONCE: "Very many entries were sent from this table in the last minute. "
    "You have not lost anything. Wait a minute, then send this one again.",
    Reason.TABLE_FULL: "This table has so many entries that no more can be added. You have not lost anything. "
    "Finish this table and start a new one, or ask the secretary to remove what does not belong here.",
    Reason.TOO_LARGE_TO_READ: "What you sent is too large.",
    Reason.SIGNED_OUT: "This tablet is signed out. Nothing is lost. Sign in, or scan the table’s QR code again.",
    Reason.OTHER_ACCOUNT: "This account cannot open this table. What you saved stays on this tablet. "
    "Sign in with another account.",
    Reason.NOT_SCORING: "This account cannot score at this table. What you saved stays on this tablet. "
    "Ask the secretary.",
    Reason.CODE_EXPIRED: "This table’s code expired long ago, so this was not sent. It stays on this tablet. "
    "Ask the secretary.",
    Reason.SECRETARY_ONLY: "Only the secretary can do this. Nothing was changed.",
    Reason.NO_COMMAND: NOT_SAVED,
    Reason.NO_ENTRY: "We could not find this entry. Reload the page.",
    Reason.NO_SEAT: "We could not find this seat at the table. Reload the page.",
    Reason.NO_PLAYER: "Choose a player from the club’s list.",
    Reason.KEY_USED: NOT_SAVED,
    Reason.NO_BODY: "Enter the hand again.",
    Reason.SAME_SEATS: "Choose two different players to swap seats.",
    Reason.NOT_INSERTABLE: "Only a hand, a seating, a penalty or a note can be added here.",
    Reason.REMOVED: "This entry has been removed. Restore it before you change it.",
    Reason.REMOVED_ALREADY: "This entry has already been removed.",
    Reason.NOT_REMOVED: "This entry has not been removed.",
    Reason.NOT_CORRECTABLE: "You cannot change here who joined or left. "
    "Remove the entry, or change the player in the seat.",
    Reason.NOT_AGREEABLE: "Only a hand that counts can be agreed to.",
    Reason.HAS_SEAT: "{name} already has a seat at this table.",
    Reason.HAS_OTHER_SEAT: "{name} already has another seat at this table. Change the player in that seat first.",
    Reason.NOTHING_CHOSEN: "Choose which version to keep.",
    Reason.ONLY_PUT_ASIDE: "This can no longer be saved. Leave it out.",
    Reason.OPEN_ALREADY: "This table is open.",
    Reason.IS_VOID: "This table is cancelled. Let it count again first.",
    Reason.PENALTY_AMOUNT: "Enter the amount as a whole number above 0.",
    Reason.PENALTY_TO_SELF: "A player cannot pay a penalty to themselves.",
    Reason.NO_TEXT: "Enter the note.",
    Reason.NO_WINDS: "Choose who sits East, South, West and North.",
    Reason.BAD_SEATING: "This seating cannot be read.",
    Reason.TOO_HIGH: "This total is too high for any hand.",
    Reason.NOTHING_TO_UNDO: "There is nothing to undo.",
    Reason.NOTHING_TO_REDO: "There is nothing to redo.",
    Reason.NO_KIND: "There is no command {kind}.",
    Reason.NO_KEY: "A command needs a key.",
    Reason.NO_KNOWN_ENTRY: "The last line known cannot be read.",
    Reason.NOT_OPEN: "This table is finished.",
    Reason.VOID_ALREADY: "This table is already cancelled.",
    Reason.NOT_VOID: "This table is not cancelled.",
    Reason.VOID_IS_NOT_MOVED: "This table is cancelled. Let it count again before you move it.",
    Reason.NO_REASON: "Enter the reason. It is kept in the history.",
    Reason.NO_MEETING: "Choose a meeting on that date.",
    Reason.NOT_MOVED: "Nothing has changed. Change the date, the table or the meeting.",
    Reason.NO_DATE: DATE_SENTENCES["no_date"],
    Reason.WRONG_DATE: DATE_SENTENCES["wrong_year"],
    Reason.WRONG_TABLE: "Enter a table number from 1 to {highest}.",
    Reason.NO_SUCH_POINT: "We could not find this point in the table’s history.",
    Reason.NOTHING_TO_RESTORE: "Nothing has changed since then, so there is nothing to restore.",
}


class Refused(ServiceError):
    """A command cannot be carried out: the reason as a sentence, and the field to correct, if known."""

    def __init__(
        self, reason: Reason, field: str | None = None, outcome: Outcome = Outcome.INVALID, **params: Any
    ) -> None:
        super().__init__(SENTENCES[reason].format(**params), field)
        self.outcome = outcome


class Kept(Exception):
    """A command is kept until someone decides about it: late, or contested."""

    def __init__(self, reason: Reason, outcome: Outcome = Outcome.LATE) -> None:
        super().__init__(reason)
        self.reason, self.outcome = reason, outcome


RESUMED = "The table was paused. Play has resumed."
STILL_PAUSED = "This table is still paused. Ask a scorekeeper to press “Resume” before you play on."
CHANGED_SINCE = "Something else has changed since."


@dataclass(frozen=True)
class TableSnapshot:
    """A table after a command; `number` is that of its next hand."""

    session: Session
    seats: list[Seat]
    entries: list[Entry]
    number: int


@dataclass(frozen=True)
class CommandResult:
    """The result of a command; `entry` is the key of its entry, and `is_new` whether it added that.

    `error` is what was wrong with it. The message has seats as {1} until for_people() puts the names in.
    """

    outcome: Outcome
    message: str = ""
    entry: str | None = None
    is_new: bool = False
    error: Exception | None = None
    snapshot: TableSnapshot | None = None

    @classmethod
    def refused(cls, error: EntryError | ServiceError, words: Vocabulary = ()) -> "CommandResult":
        """Return the result of a command that was not carried out, in the words of its table."""
        outcome = error.outcome if isinstance(error, Refused) else Outcome.INVALID
        return cls(outcome, sentence_of(error, words), error=error.error if isinstance(error, EntryError) else error)

    @property
    def is_done(self) -> bool:
        """Whether it was carried out, now or when it was sent before."""
        return self.outcome in (Outcome.RECORDED, Outcome.AGAIN)

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "message": self.message,
            "entry": self.entry,
            "seat": getattr(self.error, "seat", None),
            "field": getattr(self.error, "field", None),
        }

    def to_store(self) -> dict[str, Any]:
        """Return the JSON that is stored with the command."""
        return {"message": self.message, "entry": self.entry}

    def for_people(self, names: dict[str, str]) -> "CommandResult":
        """Return the result with names in its message."""
        return replace(self, message=with_names(self.message, names))
