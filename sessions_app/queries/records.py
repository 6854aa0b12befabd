"""The records of a club: the highest and the longest of a season or of all time, with who holds them and when."""

from dataclasses import dataclass
from datetime import date

from django.db.models import IntegerField, Max
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from sessions_app.models import Hand, Player, PlayerHand, Session, Tally

MOST_HOLDERS = 5
AT_ONCE = 100  # seats in one question


@dataclass(frozen=True)
class Holder:
    """Who holds a record, and where it was made; `hand` is the hand's key where it was one hand and is known."""

    player: Player
    date: date
    table: int
    session: int
    hand: str = ""


@dataclass(frozen=True)
class Record:
    """One record; `words` say what it is in, "points" for instance. Those who are level all hold it."""

    key: str
    name: str
    sentence: str
    figure: int
    words: str
    holders: tuple[Holder, ...]


def records(club, season=None):
    """Return the records of a season, or of all time; those of which there is nothing yet are left out.

    Practice never counts; the totals of a session count once it is finished. Guests can hold a record.
    """
    tallies = Tally.objects.of_club(club).filter(session__practice=False, hands__gt=0)
    if season is not None:
        tallies = tallies.filter(season=season)
    return [record for make in MAKERS for record in make(tallies)]


def _highest_hand(tallies):
    best = tallies.aggregate(best=Max("best_hand"))["best"]
    if best:
        rows = list(_with_names(tallies.filter(best_hand=best)))
        hands = dict(
            PlayerHand.objects.filter(seat__in=[row.seat_id for row in rows], total=best)
            .order_by("-pk")
            .values_list("seat_id", "hand__entry__key")
        )
        holders = tuple(_holder(row, hands.get(row.seat_id, "")) for row in rows)
        yield Record("highest_hand", "Highest hand", "The highest total of one hand.", best, "points", holders)


def _largest_win(tallies):
    """Nobody wins more in one hand than in the whole session, so the sessions with most won are looked at first."""
    seats = tallies.filter(session__recording="settle", gained__gt=0).order_by("-gained", "pk")
    best, found, start = 0, [], 0
    while few := list(seats.values_list("seat_id", "gained")[start : start + AT_ONCE]):
        if few[0][1] < best:
            break
        hands = PlayerHand.objects.filter(seat__in=[seat for seat, _ in few], won=True, net__gt=0)
        highest = hands.aggregate(best=Max("net"))["best"] or 0
        if highest and highest >= best:
            found = (found if highest == best else []) + list(_hands(hands.filter(net=highest)))
            best = highest
        start += AT_ONCE
    if best:
        holders = tuple(_hand_holder(row) for row in found[:MOST_HOLDERS])
        yield Record(
            "largest_win", "Largest win", "The most received for going Mah-jong once.", best, "points", holders
        )


def _highest_session(tallies):
    yield from _of_sessions(
        tallies, "net", "highest_session", "Highest session", "The most points in one session.", "points"
    )


def _most_won(tallies):
    yield from _of_sessions(tallies, "won", "most_won", "Most hands won", "The most hands won in one session.", "hands")


def _of_sessions(tallies, column, key, name, sentence, words):
    finished = tallies.filter(session__state=Session.State.FINISHED)
    best = finished.aggregate(best=Max(column))["best"]
    if best and best > 0:
        holders = tuple(_holder(row) for row in _with_names(finished.filter(**{column: best})))
        yield Record(key, name, sentence, best, words, holders)


def _longest_east(tallies):
    """Kept deals stand in the chairs of the hand after; the longest stay is one hand more than the deals kept."""
    won = Hand.objects.filter(session__in=tallies.values("session"), kind=Hand.Kind.WON)
    won = won.filter(player_hands__wind="E", player_hands__won=True)
    won = won.annotate(kept=Cast(KT("chairs__kept"), IntegerField()))
    longest = won.aggregate(longest=Max("kept"))["longest"]
    if longest:
        hands = list(won.filter(kept=longest).order_by("pk").values_list("pk", flat=True)[:MOST_HOLDERS])
        holders = tuple(_hand_holder(row) for row in _hands(PlayerHand.objects.filter(hand__in=hands, wind="E")))
        yield Record(
            "longest_east", "Longest East", "The most hands won running as East.", longest + 1, "hands", holders
        )


def _with_names(tallies):
    rows = tallies.select_related("session", "player")
    return rows.order_by("session__date", "session_id", "seat_id")[:MOST_HOLDERS]


def _hands(player_hands):
    rows = player_hands.select_related("hand__session", "hand__entry", "seat__player").defer("lines")
    return rows.order_by("hand__session__date", "hand_id")[:MOST_HOLDERS]


def _holder(tally, hand=""):
    return Holder(tally.player, tally.session.date, tally.session.table, tally.session_id, str(hand))


def _hand_holder(row):
    session = row.hand.session
    return Holder(row.seat.player, session.date, session.table, session.pk, str(row.hand.entry.key))


MAKERS = (_highest_hand, _largest_win, _highest_session, _most_won, _longest_east)
