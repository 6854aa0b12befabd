"""Whether a recorded hand is right: someone asks, the secretary answers. The hand itself is not touched by either."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubscore.scoring.words import actor_name
from sessions_app.models import Club, Entry, HandQuery, Seat, Session, User
from sessions_app.people.log import Actor, log_change
from sessions_app.people.mailing import mail_answer
from sessions_app.people.transactions import ServiceError, write_transaction

LONGEST = 500


def ask(entry: Entry, text: str, *, by: Actor) -> HandQuery:
    """Question a hand of a ledger; return the HandQuery.

    ServiceError for a hand taken out, and while the same login or tablet waits for an answer about it.
    """
    with write_transaction():
        entry = Entry.objects.select_for_update().get(pk=entry.pk)
        result = getattr(entry, "hand", None)
        if entry.taken_out or result is None:
            raise ServiceError("This hand has been removed and no longer counts.")
        asked = HandQuery.objects.filter(entry=entry).open()
        if asked.filter(asked_by=by.user, **({} if by.user else {"name": by.name})).exists():
            raise ServiceError("You have already asked about this hand. The secretary has not answered yet.")
        query = HandQuery.objects.create(
            session_id=entry.session_id,
            entry=entry,
            text=text,
            entry_version=entry.version,
            hand_version=result.version,
            asked_by=by.user,
            name=by.name,
        )
        log_change(entry.session.club, by, "ask", ("entry", entry.key), {}, {}, session=entry.session)
    return query


def answer(query: HandQuery, outcome: str, text: str, *, by: Actor) -> HandQuery:
    """Answer a question: the hand stands, or has been put right since it was asked; return the HandQuery.

    The person who asked gets an email, where this site sends any and their account has an address.
    ServiceError where it is answered already, or where the hand that "has been put right" is as it was.
    """
    with write_transaction():
        query = HandQuery.objects.select_for_update().get(pk=query.pk)
        if query.outcome:
            raise ServiceError("This query has already been answered.")
        if outcome == HandQuery.Outcome.CORRECTED and not has_changed(query):
            raise ServiceError(
                "This hand has not changed since the query. Change the hand first, or choose “The score is right”."
            )
        query.outcome, query.answer = outcome, text
        query.answered_by, query.answered_at = by.user, timezone.now()
        query.save(update_fields=["outcome", "answer", "answered_by", "answered_at"])
        session = query.session
        log_change(session.club, by, "answer", ("entry", query.entry.key), {}, {"outcome": outcome}, session=session)
        if query.asked_by_id and query.asked_by != by.user:
            transaction.on_commit(lambda: mail_answer(query))
    return query


def read_answers(entry: Entry, *, by: Actor) -> None:
    """Note that the answers about a hand were read by the person who asked, or at any tablet of the table."""
    HandQuery.objects.filter(entry=entry, asked_by=by.user).unread().update(read_at=timezone.now())


def has_changed(query: HandQuery) -> bool:
    """Say whether the hand differs from what it was when it was asked about."""
    entry = query.entry
    result = getattr(entry, "hand", None)
    then = (query.entry_version, query.hand_version)
    return entry.taken_out or result is None or (entry.version, result.version) != then


# The questions about hands, with who asked and who answered, as they are shown.

LATEST = 12


@dataclass(frozen=True)
class NamedQuery:
    """One question with the names of who asked and who answered."""

    query: HandQuery
    asked: str
    answered: str


def queries_of_hand(entry: Entry, seats: Iterable[Seat]) -> list[NamedQuery]:
    """Return the questions about a hand, the earliest first; one query."""
    queries = HandQuery.objects.filter(entry=entry).select_related("asked_by", "answered_by")
    return [_named(query, {str(seat.chair): seat.player.name for seat in seats}) for query in queries]


def answers_for(user: User, club: Club) -> list[HandQuery]:
    """Return what has been answered to a login in a club and not been read yet, the earliest first; one query."""
    return list(_unread().filter(session__club=club, asked_by=user))


def answers_at(session: Session) -> list[HandQuery]:
    """Return what has been answered to the tablets of a table and not been read yet, the earliest first; one query."""
    return list(_unread().filter(session=session, asked_by=None))


def _unread():
    return HandQuery.objects.unread().select_related("session", "entry__hand").order_by("answered_at", "pk")


def asked_about(sessions: Iterable[Session]) -> set[int]:
    """Return the ids of the entries of these sessions about which a question is open; one query."""
    return set(HandQuery.objects.filter(session__in=sessions).open().values_list("entry", flat=True))


def queries_of_club(club: Club) -> Any:
    """Return the open questions of a club, the earliest first, and the latest answers; three queries."""
    queries = HandQuery.objects.of_club(club).select_related("asked_by", "answered_by", "session", "entry__hand")
    waiting = list(queries.open().order_by("pk"))
    answered = list(queries.exclude(outcome="").order_by("-answered_at")[:LATEST])
    names = {}
    sessions = {query.session_id for query in waiting + answered}
    for seat in Seat.objects.filter(session__in=sessions).select_related("player"):
        names.setdefault(seat.session_id, {})[str(seat.chair)] = seat.player.name
    return tuple([_named(query, names.get(query.session_id, {})) for query in some] for some in (waiting, answered))


def _named(query, names):
    return NamedQuery(query, _who(query.asked_by, query.name, names), _who(query.answered_by, "", names))


def _who(user, name, names):
    """Name a login as it is called now, a tablet with the player by whose seat it goes."""
    if user is not None:
        return user.get_full_name() or user.get_username()
    return actor_name(name, None, names) or "Someone"
