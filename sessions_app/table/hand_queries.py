"""Members' queries about recorded hands, and the secretary's answers; neither changes the hand."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from clubscore.scoring.words import actor_name
from sessions_app.models import Club, Entry, HandQuery, Seat, Session, User
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.mailing import mail_answer
from sessions_app.people.transactions import ServiceError, write_transaction

LONGEST = 500

log_sentences(
    {
        "ask": "sent a score query about {which}{at}",
        "answer": "answered the score query about {which}{at}: {answer}",
    },
    answer=lambda it: dict(HandQuery.Outcome.choices).get(it.after.get("outcome"), "").lower(),
)


def ask_query(entry: Entry, text: str, *, by: Actor) -> HandQuery:
    """Ask about a hand; return the HandQuery.

    Raises ServiceError for a removed hand, and while the same account or tablet waits for an answer about it.
    """
    with write_transaction():
        entry = Entry.objects.select_for_update().get(pk=entry.pk)
        result = getattr(entry, "hand", None)
        if entry.removed or result is None:
            raise ServiceError("This hand has been removed and no longer counts.")
        waiting = HandQuery.objects.filter(entry=entry).open()
        if waiting.filter(asked_by=by.user, **({} if by.user else {"name": by.name})).exists():
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
        log_change(entry.session, by, "ask", ("entry", entry.key), {}, {})
    return query


def answer_query(query: HandQuery, outcome: str, text: str, *, by: Actor) -> HandQuery:
    """Answer a query: the score is right, or the hand has been corrected since; return the HandQuery.

    The person who asked gets an email if possible. Raises ServiceError if it is already answered, or if a "corrected"
    hand has not changed.
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
        log_change(query.session, by, "answer", ("entry", query.entry.key), {}, {"outcome": outcome})
        if query.asked_by_id and query.asked_by != by.user:
            transaction.on_commit(lambda: mail_answer(query))
    return query


def read_answers(entry: Entry, *, by: Actor) -> None:
    """Mark the answers about a hand as read by the person who asked, or by any tablet at the table."""
    HandQuery.objects.filter(entry=entry, asked_by=by.user).unread().update(read_at=timezone.now())


def has_changed(query: HandQuery) -> bool:
    """Return whether the hand has changed since the query."""
    entry = query.entry
    result = getattr(entry, "hand", None)
    asked_about = (query.entry_version, query.hand_version)
    return entry.removed or result is None or (entry.version, result.version) != asked_about


LATEST = 12


@dataclass(frozen=True)
class NamedQuery:
    """A query with the names of who asked and who answered."""

    query: HandQuery
    asked: str
    answered: str


def queries_of_hand(entry: Entry, seats: Iterable[Seat]) -> list[NamedQuery]:
    """Return the queries about a hand, the earliest first; one database query."""
    queries = HandQuery.objects.filter(entry=entry).select_related("asked_by", "answered_by")
    names = {str(seat.seat_no): seat.player.name for seat in seats}
    return [_named(query, names) for query in queries]


def unread_answers(asked_by: User | None, **where: Club | Session) -> list[HandQuery]:
    """Return the unread answers to an account in a club, or to the tablets at a table, the earliest first."""
    unread = HandQuery.objects.unread().filter(asked_by=asked_by, **where)
    return list(unread.prefetch_related("session", "entry__hand").order_by("answered_at", "pk"))


def asked_about(sessions: Iterable[Session]) -> set[str]:
    """Return the keys of the entries of these sessions with an unanswered query."""
    queries = HandQuery.objects.filter(session__in=sessions).open()
    return {str(key) for key in queries.values_list("entry__key", flat=True)}


def queries_of_club(club: Club) -> tuple[list[NamedQuery], list[NamedQuery]]:
    """Return a club's unanswered queries, the earliest first, and those answered last; three database queries."""
    queries = HandQuery.objects.of_club(club).select_related("asked_by", "answered_by", "session", "entry__hand")
    waiting = list(queries.open().order_by("pk"))
    answered = list(queries.exclude(outcome="").order_by("-answered_at")[:LATEST])
    names: dict[int, dict[str, str]] = defaultdict(dict)
    sessions = {query.session_id for query in waiting + answered}
    for seat in Seat.objects.filter(session__in=sessions).select_related("player"):
        names[seat.session_id][str(seat.seat_no)] = seat.player.name
    return (
        [_named(query, names[query.session_id]) for query in waiting],
        [_named(query, names[query.session_id]) for query in answered],
    )


def _named(query: HandQuery, names: dict[str, str]) -> NamedQuery:
    return NamedQuery(query, _name_of(query.asked_by, query.name, names), _name_of(query.answered_by, "", names))


def _name_of(user, name, names):
    """Return the present name of an account, or of the player who holds a tablet."""
    if user is not None:
        return user.display_name
    return actor_name(name, None, names) or "Someone"
