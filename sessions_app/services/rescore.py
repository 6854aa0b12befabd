"""Scoring old sessions anew by the newest edition of the rules: looked at first, never in a locked season.

The house rules, own hands and tiles of a session stay as they were; only what the code gives for them is new.
"""

from dataclasses import dataclass

from django.db.models import Q

from clubscore import scoring
from sessions_app.models import Hand, Season, Session

from .errors import ServiceError
from .ledger import load_ledger
from .log import log_change
from .placing import refuse_locked
from .reconcile import write_anew
from .replay import accounts
from .transactions import write_transaction


@dataclass(frozen=True)
class HandAnew:
    """A hand whose figures would be others: (name, net before, net after) of everybody for whom they are."""

    number: int
    changes: list[tuple[str, int, int]]


@dataclass(frozen=True)
class SessionAnew:
    """A session with hands of an older edition: the editions, the hands that would change, and the nets of the day."""

    session: Session
    old: int
    new: int
    hands: list[HandAnew]
    nets: list[tuple[str, int, int]]


def hands_of_older_editions():
    """Return the hands scored under an older edition of their rule set."""
    older = Q()
    for rule_set in scoring.RULE_SETS.values():
        older |= Q(session__rules=rule_set.key, edition__lt=rule_set.edition)
    return Hand.objects.filter(older)


def sessions_of_older_editions(club):
    """Return the sessions of a club with a hand scored under an older edition of its rule set, the newest first."""
    older = hands_of_older_editions().filter(session__club=club).values("session")
    return Session.objects.of_club(club).filter(pk__in=older).select_related("season").order_by("-date", "table", "pk")


def preview_rescore(session_id):
    """Return what scoring a session anew would change; reads only."""
    ledger = load_ledger(session_id)
    before, after = ledger.replay(), ledger.replay(reuse=False)
    old = {hand.key: _nets(hand) for hand in before.hands}
    hands = [(hand.number, _changed(ledger.names, old.get(hand.key, {}), _nets(hand))) for hand in after.hands]
    nets = [{seat: account.net for seat, account in accounts(ledger.facts, done).items()} for done in (before, after)]
    return SessionAnew(
        session=ledger.session,
        old=min((hand.edition for hand in ledger.hands.values()), default=ledger.facts.edition),
        new=ledger.facts.edition,
        hands=[HandAnew(number, changes) for number, changes in hands if changes],
        nets=_changed(ledger.names, *nets),
    )


def rescore_session(session, *, by, why):
    """Score a session anew. ServiceError without a reason, and in a locked season."""
    refuse_without_reason(why)
    with write_transaction():
        ledger = load_ledger(session.pk, lock=True)
        # Read under the lock: the season may have been locked while the page was looked at.
        refuse_locked(Season.objects.filter(pk=ledger.session.season_id).first())
        before = _hands_state(ledger.replay())
        done = write_anew(ledger, {})
        ledger.session.edition = ledger.facts.edition
        ledger.session.save(update_fields=["edition"])
        log_change(ledger.session.club, by, "rescore", ledger.session, before, _hands_state(done), why, ledger.session)


def refuse_without_reason(why):
    """Raise ServiceError where no reason is given."""
    if not why.strip():
        raise ServiceError("Say why it is scored anew: the log keeps the reason.", "why")


def _hands_state(done):
    """Return what the log keeps: every hand's edition and its nets by seat."""
    nets = {hand.key: {str(seat): net for seat, net in _nets(hand).items()} for hand in done.hands}
    return {"hands": {hand.key: {"edition": hand.edition, "nets": nets[hand.key]} for hand in done.hands}}


def _nets(hand):
    return {seat.seat: seat.net for seat in hand.seats}


def _changed(names, old, new):
    return [(names[seat], old.get(seat, 0), net) for seat, net in new.items() if old.get(seat, 0) != net]
