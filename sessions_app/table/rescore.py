"""Rescores sessions under the newest rules: many processes compare them, one writes, many at a time.

It can be stopped and started again at any time: sessions already done have the newest edition and are skipped, and
unfinished work is rolled back.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from django.db.models import F, Q, QuerySet

from clubscore import scoring
from clubscore.table.outcomes import Reason
from clubscore.table.replay import accounts
from sessions_app.models import Change, Club, Hand, Season, Session
from sessions_app.people.log import Actor, change_of, log_change
from sessions_app.people.transactions import write_transaction
from sessions_app.table.command_results import Refused
from sessions_app.table.ledger import load_ledger
from sessions_app.table.models import SessionQuerySet
from sessions_app.table.reconcile import figures_differ, rewrite
from sessions_app.table.season_assignment import refuse_locked


@dataclass(frozen=True)
class RescoredHand:
    """A hand whose figures would change: (name, net before, net after) of each player affected."""

    number: int
    changes: list[tuple[str, int, int]]


@dataclass(frozen=True)
class RescoredSession:
    """A session with hands of an older edition: both editions, the hands that would change, and the nets that would."""

    session: Session
    old: int
    new: int
    hands: list[RescoredHand]
    nets: list[tuple[str, int, int]]


def hands_of_older_editions() -> QuerySet[Hand]:
    """Return the hands scored under an older edition of their rule set."""
    older = Q()
    for rule_set in scoring.RULE_SETS.values():
        older |= Q(session__rules=rule_set.key, edition__lt=rule_set.edition)
    return Hand.objects.filter(older)


def sessions_of_older_editions(club: Club) -> SessionQuerySet:
    """Return the sessions of a club with a hand scored under an older edition of its rule set, the newest first."""
    older = hands_of_older_editions().filter(session__club=club).values("session")
    return Session.objects.of_club(club).filter(pk__in=older).select_related("season").order_by("-date", "table", "pk")


def preview_rescore(session_id: int) -> RescoredSession:
    """Return what rescoring a session would change; reads only."""
    ledger = load_ledger(session_id)
    before, after = ledger.replay(), ledger.replay(reuse=False)
    old = {hand.key: _nets(hand) for hand in before.hands}
    hands = [(hand.number, _changed(ledger.names, old.get(hand.key, {}), _nets(hand))) for hand in after.hands]
    nets = [{seat: account.net for seat, account in accounts(ledger.facts, done).items()} for done in (before, after)]
    return RescoredSession(
        session=ledger.session,
        old=min((hand.edition for hand in ledger.hands.values()), default=ledger.facts.edition),
        new=ledger.facts.edition,
        hands=[RescoredHand(number, changes) for number, changes in hands if changes],
        nets=_changed(ledger.names, *nets),
    )


def rescore_session(session: Session, *, by: Actor, why: str) -> None:
    """Rescore a session. ServiceError without a reason, and in a locked season."""
    refuse_without_reason(why)
    with write_transaction():
        ledger = load_ledger(session.pk, lock=True)
        # Read under the lock: the season may have been locked while the page was looked at.
        refuse_locked(Season.objects.filter(pk=ledger.session.season_id).first())
        before = _hands_state(ledger.replay())
        done = rewrite(ledger, {})
        ledger.session.edition = ledger.facts.edition
        ledger.session.save(update_fields=["edition"])
        log_change(ledger.session.club, by, "rescore", ledger.session, before, _hands_state(done), why, ledger.session)


def refuse_without_reason(why: str) -> None:
    """Raise ServiceError where no reason is given."""
    if not why.strip():
        raise Refused(Reason.NO_REASON, "why")


def _hands_state(done):
    """Return what the log keeps: every hand's edition and its nets by seat."""
    nets = {hand.key: {str(seat): net for seat, net in _nets(hand).items()} for hand in done.hands}
    return {"hands": {hand.key: {"edition": hand.edition, "nets": nets[hand.key]} for hand in done.hands}}


def _nets(hand):
    return {seat.seat: seat.net for seat in hand.seats}


def _changed(names, old, new):
    return [(names[seat], old.get(seat, 0), net) for seat, net in new.items() if old.get(seat, 0) != net]


class Rescored(StrEnum):
    """What became of a session that was to be scored again."""

    SAME = "same"  # its figures stay, only the edition is written
    CHANGED = "changed"
    LOCKED = "locked"  # its season has been locked since


AT_ONCE = 50
MAX_TRIES = 5


@dataclass(frozen=True)
class Comparison:
    """One session compared: the oldest edition of its hands, and whether the newest gives different figures."""

    session: int
    version: int
    rules: str
    edition: int
    differs: bool


def waiting_sessions(club: Club | None = None, season: Season | None = None) -> list[int]:
    """Return the ids of the sessions with hands of an older edition, oldest first; those of locked seasons are left."""
    hands = hands_of_older_editions().exclude(session__season__locked=True)
    if club is not None:
        hands = hands.filter(session__club=club)
    if season is not None:
        hands = hands.filter(session__season=season)
    return sorted(hands.order_by().values_list("session", flat=True).distinct())


def rescore_season(season: Season, *, by: Actor, why: str) -> int:
    """Rescore every session of a season that needs it, some at a time; return how many. ServiceError as for one."""
    refuse_without_reason(why)
    refuse_locked(season)
    done = Counter(rescore_all(waiting_sessions(season=season), by, why, lambda ids: map(look_at, ids)))
    return done[Rescored.SAME] + done[Rescored.CHANGED]


def look_at(session_id: int) -> Comparison:
    """Score a session under the newest edition and compare; reads only."""
    ledger = load_ledger(session_id, with_results=False)
    session = ledger.session
    oldest = min((hand.edition for hand in ledger.hands.values()), default=session.edition)
    return Comparison(session.pk, session.version, session.rules, oldest, figures_differ(ledger))


def rescore_all(session_ids: list[int], by: Actor, why: str, look: Callable[..., Any]) -> Iterator[Rescored]:
    """Rescore sessions and yield what became of each.

    `look` gives a Comparison for every id, in any order. Where the figures are the same, only the edition is written.
    A session that has changed since it was compared is compared again.
    """
    waiting, tries = list(session_ids), Counter()
    while waiting:
        moved = []
        for some in _batched(look(waiting), AT_ONCE):
            for one in some:
                tries[one.session] += 1
                if one.differs or tries[one.session] > MAX_TRIES:
                    yield _scored(one.session, by, why)
            same = [one for one in some if not one.differs and tries[one.session] <= MAX_TRIES]
            done, again = _stamped(same, by, why)
            yield from done
            moved += again
        waiting = moved


def _batched(rows, size):
    rows = iter(rows)
    while some := list(islice(rows, size)):
        yield some


def _scored(session_id, by, why):
    session = Session.objects.select_related("club", "season").get(pk=session_id)
    if session.season and session.season.locked:
        return Rescored.LOCKED
    rescore_session(session, by=by, why=why)
    return Rescored.CHANGED


def _stamped(looked, by, why):
    """Write the newest edition on the hands of sessions whose figures stay, in one transaction.

    Return the results, and the ids of sessions that have changed since.
    """
    if not looked:
        return [], []
    with write_transaction():
        rows = Session.objects.select_related("club").select_for_update(of=("self",)).order_by("pk")
        now = rows.in_bulk([one.session for one in looked])
        seasons = {session.season_id for session in now.values()}
        locked = set(Season.objects.filter(pk__in=seasons, locked=True).values_list("pk", flat=True))
        again = [one.session for one in looked if now[one.session].version != one.version]
        stay = [one for one in looked if one.session not in again]
        free = [one for one in stay if now[one.session].season_id not in locked]
        for rules in {one.rules for one in free}:
            _write_edition(rules, [one.session for one in free if one.rules == rules])
        Change.objects.bulk_create(_change(one, now[one.session], by, why) for one in free)
    return [Rescored.SAME] * len(free) + [Rescored.LOCKED] * (len(stay) - len(free)), again


def _write_edition(rules, session_ids):
    edition = scoring.RULE_SETS[rules].edition
    raised = {"edition": edition, "version": F("version") + 1}
    Hand.objects.filter(session__in=session_ids, edition__lt=edition).update(**raised)
    Session.objects.filter(pk__in=session_ids).update(**raised)


def _change(looked, session, by, why):
    """Return the change for the log: only the edition differs, as no figure has changed."""
    editions = {"edition": looked.edition}, {"edition": scoring.RULE_SETS[looked.rules].edition}
    return change_of(session.club, by, "rescore", session, *editions, why, session)
