"""Scoring many sessions anew: each in a transaction of its own, reckoned before it takes the lock.

It can be stopped at any moment and started again: what is done has the newest edition and is not looked at any more.
"""

from django.db.models import F

from clubscore import scoring
from sessions_app.models import Hand, Season, Session

from .ledger import load_ledger
from .log import log_change
from .reconcile import figures_differ
from .rescore import hands_state, rescore_session
from .transactions import write_transaction

SAME, CHANGED, LOCKED = "same", "changed", "locked"
MOST_TRIES = 5


def waiting_sessions(club=None, season=None):
    """Return the ids of the sessions with hands of an older edition, oldest first; those of locked seasons are left."""
    found = set()
    for rule_set in scoring.RULE_SETS.values():
        hands = Hand.objects.filter(session__rules=rule_set.key, edition__lt=rule_set.edition)
        if club is not None:
            hands = hands.filter(session__club=club)
        if season is not None:
            hands = hands.filter(session__season=season)
        found |= set(hands.exclude(session__season__locked=True).values_list("session_id", flat=True).distinct())
    return sorted(found)


def rescore_waiting(session_id, by, why):
    """Score one session anew; say whether its figures are the SAME, CHANGED, or its season was LOCKED meanwhile.

    Where they are the same only the edition is written. A session that is written to meanwhile is reckoned once more.
    """
    for _ in range(MOST_TRIES):
        ledger = load_ledger(session_id)
        if figures_differ(ledger):
            break
        told = _stamped(ledger, by, why)
        if told:
            return told
    session = Session.objects.select_related("club", "season").get(pk=session_id)
    if session.season and session.season.locked:
        return LOCKED
    rescore_session(session, by=by, why=why)
    return CHANGED


def _stamped(ledger, by, why):
    """Write the newest edition on hands whose figures stay; None where the session is another meanwhile."""
    session = ledger.session
    with write_transaction():
        now = Session.objects.select_for_update().get(pk=session.pk)
        if now.version != session.version:
            return None
        if Season.objects.filter(pk=now.season_id, locked=True).exists():
            return LOCKED
        done = ledger.replay()
        edition = ledger.facts.edition
        older = Hand.objects.filter(session=session, edition__lt=edition)
        older.update(edition=edition, version=F("version") + 1)
        Session.objects.filter(pk=session.pk).update(edition=edition, version=F("version") + 1)
        before, after = hands_state(done), hands_state(done, edition)
        log_change(session.club, by, "rescore", session, before, after, why, session)
    return SAME
