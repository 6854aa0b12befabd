"""Rescoring sessions with the newest edition of their rules.

It can be stopped and started again at any time, as each session is written in one transaction and has its edition.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import F, Q, QuerySet

from clubscore import scoring
from clubscore.play.outcomes import Reason
from clubscore.play.replay import HandResult, Replayed, seat_tallies
from clubscore.scoring.words import signed
from sessions_app.models import Club, Hand, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.transactions import write_transaction
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import load_ledger
from sessions_app.table.reconcile import figures_differ, rewrite
from sessions_app.table.season_assignment import is_locked, refuse_locked

log_sentences({"rescore": "rescored {the_table} with the newest version of the rules"})


def hands_of_older_editions() -> QuerySet[Hand]:
    """Return the hands scored under an older edition of their rule set."""
    older = Q()
    for rule_set in scoring.RULE_SETS.values():
        older |= Q(session__rules=rule_set.key, edition__lt=rule_set.edition)
    return Hand.objects.filter(older)


def preview_rescore(session_id: int) -> str:
    """Return what rescoring a session would change at its end, in words; empty if nothing. Reads only."""
    ledger = load_ledger(session_id)
    session = ledger.session
    before, after = (seat_tallies(ledger.facts, done) for done in (ledger.replay(), ledger.replay(reuse=False)))
    changes = [
        f"{ledger.names[seat]} {signed(tally.net)} (was {signed(before[seat].net)})"
        for seat, tally in after.items()
        if tally.net != before[seat].net
    ]
    where = f"{session.club.slug}, {day_words(session.date)}, table {session.table}"
    return f"{where}: {', '.join(changes)}." if changes else ""


def rescore_session(session: Session, *, by: Actor, why: str) -> None:
    """Rescore a session. Raises ServiceError without a reason, and in a locked season."""
    if not why.strip():
        raise Refused(Reason.NO_REASON, "why")
    with write_transaction():
        ledger = load_ledger(session.pk, lock=True)
        refuse_locked(ledger.session.season)
        before = _hands_state(ledger.replay())
        done = rewrite(ledger, {})
        ledger.session.edition = ledger.facts.edition
        ledger.session.save(update_fields=["edition"])
        log_change(ledger.session, by, "rescore", ledger.session, before, _hands_state(done), why)


def _hands_state(done: Replayed) -> dict[str, Any]:
    """Return what the log keeps of the hands: edition and nets by seat."""
    nets = {hand.key: {str(seat): net for seat, net in _nets(hand).items()} for hand in done.hands}
    return {"hands": {hand.key: {"edition": hand.edition, "nets": nets[hand.key]} for hand in done.hands}}


def _nets(hand: HandResult) -> dict[int, int]:
    return {seat.seat: seat.net for seat in hand.seats}


# Many sessions: several processes compare them, one writes.


class Rescored(StrEnum):
    """What became of a session that was to be rescored."""

    SAME = "same"  # its figures are the same, only the edition was written
    CHANGED = "changed"
    LOCKED = "locked"  # its season has been locked since


@dataclass(frozen=True)
class Comparison:
    """A session compared: the oldest edition of its hands, and whether the newest gives different figures."""

    session: int
    version: int
    edition: int
    differs: bool


def waiting_sessions(club: Club | None = None, season: Season | None = None) -> list[int]:
    """Return the ids of sessions with hands of an older edition, the oldest first, without those in locked seasons."""
    hands = hands_of_older_editions().exclude(session__season__locked=True)
    if club is not None:
        hands = hands.filter(session__club=club)
    if season is not None:
        hands = hands.filter(session__season=season)
    return sorted(hands.order_by().values_list("session", flat=True).distinct())


def look_at(session_id: int) -> Comparison:
    """Score a session under the newest edition and compare; reads only."""
    ledger = load_ledger(session_id, with_results=False)
    edition = min((hand.edition for hand in ledger.hands.values()), default=ledger.facts.edition)
    return Comparison(session_id, ledger.session.version, edition, figures_differ(ledger))


def rescore_all(session_ids: list[int], by: Actor, why: str, look: Callable[..., Any]) -> Iterator[Rescored]:
    """Rescore sessions and yield what became of each.

    `look` returns a Comparison for each id, in any order; it is called again for sessions that changed after it.
    """
    while session_ids:
        changed_since = []
        for comparison in look(session_ids):
            outcome = _rescore(comparison, by, why)
            if outcome is None:
                changed_since.append(comparison.session)
            else:
                yield outcome
        session_ids = changed_since


def _rescore(comparison, by, why):
    """Rescore a session, or only write the edition if its figures are the same; None if it has changed since."""
    with write_transaction():
        sessions = Session.objects.select_related("club", "season").select_for_update(of=("self",))
        session = sessions.get(pk=comparison.session)
        if is_locked(session):
            return Rescored.LOCKED
        if comparison.differs:
            rescore_session(session, by=by, why=why)
            return Rescored.CHANGED
        if session.version != comparison.version:
            return None
        edition = session.rule_set.edition
        session.hands.filter(edition__lt=edition).update(edition=edition, version=F("version") + 1)
        Session.objects.filter(pk=session.pk).update(edition=edition, version=F("version") + 1)
        before, after = {"edition": comparison.edition}, {"edition": edition}
        log_change(session, by, "rescore", session, before, after, why)
        return Rescored.SAME
