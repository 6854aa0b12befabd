"""The questions about hands, with who asked and who answered, as they are shown."""

from dataclasses import dataclass

from clubscore.lists import actor_name
from sessions_app.models import Doubt, Seat

LATEST = 12


@dataclass(frozen=True)
class DoubtTold:
    """One question with the names of who asked and who answered."""

    doubt: Doubt
    asked: str
    answered: str


def doubts_of_hand(entry, seats) -> list[DoubtTold]:
    """Return the questions about a hand, the earliest first; one query."""
    doubts = Doubt.objects.filter(entry=entry).select_related("asked_by", "answered_by")
    return [_told(doubt, {str(seat.chair): seat.player.name for seat in seats}) for doubt in doubts]


def answers_for(user, club) -> list[Doubt]:
    """Return what has been answered to a login in a club and not been read yet, the earliest first; one query."""
    return list(_unread().filter(session__club=club, asked_by=user))


def answers_at(session) -> list[Doubt]:
    """Return what has been answered to the tablets of a table and not been read yet, the earliest first; one query."""
    return list(_unread().filter(session=session, asked_by=None))


def _unread():
    return Doubt.objects.unread().select_related("session", "entry__hand").order_by("answered_at", "pk")


def asked_about(sessions) -> set[int]:
    """Return the ids of the entries of these sessions about which a question is open; one query."""
    return set(Doubt.objects.filter(session__in=sessions).open().values_list("entry", flat=True))


def doubts_of_club(club) -> tuple[list[DoubtTold], list[DoubtTold]]:
    """Return the open questions of a club, the earliest first, and the latest answers; three queries."""
    doubts = Doubt.objects.of_club(club).select_related("asked_by", "answered_by", "session", "entry__hand")
    waiting = list(doubts.open().order_by("pk"))
    answered = list(doubts.exclude(outcome="").order_by("-answered_at")[:LATEST])
    names = {}
    sessions = {doubt.session_id for doubt in waiting + answered}
    for seat in Seat.objects.filter(session__in=sessions).select_related("player"):
        names.setdefault(seat.session_id, {})[str(seat.chair)] = seat.player.name
    return tuple([_told(doubt, names.get(doubt.session_id, {})) for doubt in some] for some in (waiting, answered))


def _told(doubt, names):
    return DoubtTold(doubt, _who(doubt.asked_by, doubt.name, names), _who(doubt.answered_by, "", names))


def _who(user, name, names):
    """Name a login as it is called now, a tablet with the player by whose seat it goes."""
    if user is not None:
        return user.get_full_name() or user.get_username()
    return actor_name(name, None, names) or "Somebody"
