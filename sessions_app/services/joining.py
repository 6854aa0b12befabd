"""The joining code of a meeting: six letters, good on the meeting's own day, by which one gets to its tables."""

import secrets

from sessions_app.models import Meeting

from .log import log_change
from .transactions import write_transaction

# No vowels, so that no words come about; no letter that looks like a figure.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
LENGTH = 6


def new_joining_code(meeting, *, by):
    """Give a meeting another code; the one before lets nobody join any more. The log says that, not the code."""
    with write_transaction():
        meeting.joining_code = _free_code()
        meeting.save(update_fields=["joining_code"])
        log_change(meeting.club, by, "new joining code", meeting, {}, {})
    return meeting.joining_code


def end_joining_code(meeting, *, by):
    """Take a meeting's code back; whoever came by it to a table stays there."""
    with write_transaction():
        if meeting.joining_code:
            meeting.joining_code = None
            meeting.save(update_fields=["joining_code"])
            log_change(meeting.club, by, "end joining code", meeting, {}, {})


def tidy_code(text):
    """Return the letters of what somebody typed, as codes are written."""
    return "".join(letter for letter in text.upper() if "A" <= letter <= "Z")


def meeting_of_code(code):
    """Return the meeting that has this code, on whatever day; None where there is none."""
    return Meeting.objects.select_related("club").filter(joining_code=code).first() if len(code) == LENGTH else None


def _free_code():
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if not Meeting.objects.filter(joining_code=code).exists():
            return code
