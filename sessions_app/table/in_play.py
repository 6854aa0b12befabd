"""What the club's page lists: tables in play, the latest sessions, and who played there."""

from dataclasses import dataclass

from django.db.models import Count, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce

from clubscore.scoring.words import listed
from sessions_app.models import Club, Hand, Session, Tally

MANY_TABLES = 12


@dataclass(frozen=True)
class SessionCard:
    """One session in a list: who played, how many hands, and who did best, all of them where several are level."""

    session: Session
    names: str
    hands: int
    best_name: str
    best_net: int | None


def in_play(club: Club) -> list[SessionCard]:
    """Return the cards of a club's open sessions, the latest meeting first; two queries."""
    return _cards(Session.objects.of_club(club).filter(state=Session.State.OPEN).order_by("-date", "table", "-pk"))


def latest_finished(club: Club, number: int, after: int = 0) -> list[SessionCard]:
    """Return the cards of so many of a club's finished sessions, after as many later ones; two queries."""
    finished = Session.objects.of_club(club).filter(state=Session.State.FINISHED).order_by("-date", "table", "-pk")
    return _cards(finished[after : after + number])


def last_tables(club: Club) -> list[SessionCard]:
    """Return the card of each table's last finished session on the latest day with one; two queries."""
    return tables_of_last_day(latest_finished(club, MANY_TABLES))


def tables_of_last_day(cards: list[SessionCard]) -> list[SessionCard]:
    """Keep, of cards with the latest first, the last session of each table on the latest day."""
    tables = {}
    for card in cards:
        if card.session.date == cards[0].session.date:
            tables.setdefault(card.session.table, card)
    return list(tables.values())


def _cards(sessions):
    tallies = Tally.objects.select_related("player", "seat").order_by("seat__chair")
    # Counted for the sessions that are listed, not for all those they are chosen from.
    hands = Hand.objects.filter(session=OuterRef("pk"), number__gt=0).order_by().values("session")
    played = Coalesce(Subquery(hands.annotate(number_of=Count("pk")).values("number_of")), 0)
    rows = sessions.annotate(played=played).prefetch_related(Prefetch("tallies", tallies))
    return [_card(session) for session in rows]


def _card(session):
    tallies = list(session.tallies.all())
    best = max((tally.net for tally in tallies), default=None)
    return SessionCard(
        session=session,
        names=", ".join(tally.player.name for tally in tallies),
        hands=session.played,
        best_name=listed(tally.player.name for tally in tallies if tally.net == best),
        best_net=best,
    )
