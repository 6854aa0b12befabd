"""What becomes of a command, and why: codes. Their sentences are in sessions_app/table/command_results.py."""

from enum import StrEnum


class Outcome(StrEnum):
    """What becomes of a command: the answer to its sender, and what its row stores (the models' Command.Outcome)."""

    RECORDED = "recorded"
    AGAIN = "again"  # it had been sent before
    APPLIED = "applied"  # stored for a command that was recorded
    CONTESTED = "contested"  # kept as a second version, until someone chooses
    LATE = "late"  # kept for the secretary
    DROPPED = "dropped"  # stored for a command that was not chosen
    INVALID = "invalid"  # something in it has to be corrected first
    REFUSED = "refused"  # not done, and sending it again does not help
    UNREADABLE = "unreadable"
    NOT_ALLOWED = "not-allowed"
    NOT_FOUND = "not-found"
    SIGN_IN = "sign-in"
    WAIT = "wait"  # too many at once: to be sent again in a minute
    UNAVAILABLE = "unavailable"  # the database cannot be written to at present


WAITING = (Outcome.CONTESTED, Outcome.LATE)  # someone has to choose


class Reason(StrEnum):
    """Why a command was not carried out, or waits for a decision; Command.LateReason stores the first three."""

    FINISHED = "finished"
    LOCKED = "locked"
    KEY_REPLACED = "key_replaced"

    HAND_CONFLICT = "hand-conflict"
    EDIT_CONFLICT = "edit-conflict"
    NOT_CHOSEN = "not-chosen"
    OTHER_CHANGE = "other-change"  # an undo that would undo another person's change
    KEY_REUSED = "key-reused"  # another command was sent with the same key
    IMPORTED = "imported"
    UNREADABLE = "unreadable"
    OTHER_VERSION = "other-version"
    NO_SUCH_VERSION = "no-such-version"
    TOO_MANY_KEPT = "too-many-kept"
    TOO_LARGE_TO_KEEP = "too-large-to-keep"
    TOO_MANY_AT_ONCE = "too-many-at-once"
    TABLE_FULL = "table-full"
    TOO_LARGE_TO_READ = "too-large-to-read"
    SIGNED_OUT = "signed-out"
    OTHER_ACCOUNT = "other-account"
    NOT_SCORING = "not-scoring"
    CODE_EXPIRED = "code-expired"
    SECRETARY_ONLY = "secretary-only"

    NO_COMMAND = "no-command"
    NO_ENTRY = "no-entry"
    NO_SEAT = "no-seat"
    NO_PLAYER = "no-player"
    KEY_USED = "key-used"
    NO_BODY = "no-body"
    SAME_SEATS = "same-seats"
    NOT_INSERTABLE = "not-insertable"
    REMOVED = "removed"
    REMOVED_ALREADY = "removed-already"
    NOT_REMOVED = "not-removed"
    NOT_CORRECTABLE = "not-correctable"
    NOT_AGREEABLE = "not-agreeable"
    HAS_SEAT = "has-seat"
    HAS_OTHER_SEAT = "has-other-seat"
    NOTHING_CHOSEN = "nothing-chosen"
    ONLY_PUT_ASIDE = "only-put-aside"
    OPEN_ALREADY = "open-already"
    IS_VOID = "is-void"
    PENALTY_AMOUNT = "penalty-amount"
    PENALTY_TO_SELF = "penalty-to-self"
    NO_TEXT = "no-text"
    NO_WINDS = "no-winds"
    BAD_SEATING = "bad-seating"
    TOO_HIGH = "too-high"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REDO = "nothing-to-redo"

    NO_KIND = "no-kind"
    NO_KEY = "no-key"
    NO_KNOWN_ENTRY = "no-known-entry"
    NOT_OPEN = "not-open"

    # What the secretary does to a session as a whole.
    VOID_ALREADY = "void-already"
    NOT_VOID = "not-void"
    VOID_IS_NOT_MOVED = "void-is-not-moved"
    NO_REASON = "no-reason"
    NO_MEETING = "no-meeting"
    NOT_MOVED = "not-moved"
    NO_DATE = "no-date"
    WRONG_DATE = "wrong-date"
    WRONG_TABLE = "wrong-table"
    NO_SUCH_POINT = "no-such-point"
    NOTHING_TO_RESTORE = "nothing-to-restore"
