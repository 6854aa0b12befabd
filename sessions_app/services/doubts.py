"""Whether a recorded hand is right: somebody asks, the secretary answers. The hand itself is not touched by either."""

from django.db import transaction
from django.utils import timezone

from sessions_app.models import Doubt, Entry

from .errors import ServiceError
from .log import log_change
from .mailing import mail_answer
from .transactions import write_transaction

LONGEST = 500


def ask(entry, text, *, by):
    """Question a hand of a ledger; return the Doubt.

    ServiceError for a hand taken out, and while the same login or tablet waits for an answer about it.
    """
    with write_transaction():
        entry = Entry.objects.select_for_update().get(pk=entry.pk)
        result = getattr(entry, "hand", None)
        if entry.taken_out or result is None:
            raise ServiceError("This hand was taken out, and does not count any more.")
        asked = Doubt.objects.filter(entry=entry).open()
        if asked.filter(asked_by=by.user, **({} if by.user else {"name": by.name})).exists():
            raise ServiceError("You have asked about this hand already. The secretary has not answered yet.")
        doubt = Doubt.objects.create(
            session_id=entry.session_id,
            entry=entry,
            text=text,
            entry_version=entry.version,
            hand_version=result.version,
            asked_by=by.user,
            name=by.name,
        )
        log_change(entry.session.club, by, "ask", ("entry", entry.key), {}, {}, session=entry.session)
    return doubt


def answer(doubt, outcome, text, *, by):
    """Answer a question: the hand stands, or has been put right since it was asked; return the Doubt.

    Whoever asked is told by mail, where this site sends any and their login has an address.
    ServiceError where it is answered already, or where the hand that "has been put right" is as it was.
    """
    with write_transaction():
        doubt = Doubt.objects.select_for_update().get(pk=doubt.pk)
        if doubt.outcome:
            raise ServiceError("This question has been answered already.")
        if outcome == Doubt.Outcome.CORRECTED and not has_changed(doubt):
            raise ServiceError(
                "Nothing in this hand has changed since it was asked. Change the hand first, or say that it stands."
            )
        doubt.outcome, doubt.answer = outcome, text
        doubt.answered_by, doubt.answered_at = by.user, timezone.now()
        doubt.save(update_fields=["outcome", "answer", "answered_by", "answered_at"])
        session = doubt.session
        log_change(session.club, by, "answer", ("entry", doubt.entry.key), {}, {"outcome": outcome}, session=session)
        if doubt.asked_by_id and doubt.asked_by != by.user:
            transaction.on_commit(lambda: mail_answer(doubt))
    return doubt


def read_answers(entry, *, by):
    """Note that whoever asked about a hand has read what was answered: a login, or any tablet at the table."""
    Doubt.objects.filter(entry=entry, asked_by=by.user).unread().update(read_at=timezone.now())


def has_changed(doubt):
    """Say whether the hand is otherwise than when it was asked about."""
    entry = doubt.entry
    result = getattr(entry, "hand", None)
    then = (doubt.entry_version, doubt.hand_version)
    return entry.taken_out or result is None or (entry.version, result.version) != then
