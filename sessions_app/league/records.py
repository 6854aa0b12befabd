"""The records of a club: the highest and the longest of a season or of all time, with who holds them and when."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, F, IntegerField, Max, Window
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from clubscore.scoring import rule_set_name
from sessions_app.models import Club, Hand, Player, PlayerHand, Recording, Season, Session, Tally

MOST_HOLDERS = 5


FIRST = 100  # seats looked at first for the largest win


MANY = 1000  # so many seats are named one by one in a question


WHERE = {
    Recording.SETTLE: "where players paid each other",
    Recording.STRAIGHT: "where players added up their own scores",
}


@dataclass(frozen=True)
class Holder:
    """Who holds a record, and where it was made; `hand` is the hand's key where it was one hand and is known.

    `rules` names the rules where several are compared.
    """

    player: Player
    date: date
    table: int
    session: int
    hand: str = ""
    rules: str = ""


@dataclass(frozen=True)
class Record:
    """One record; `words` are its unit, for example "points". Players who are level all hold it.

    The earliest few are named; `others` is how many more there are.
    """

    key: str
    name: str
    sentence: str
    figure: int
    words: str
    holders: tuple[Holder, ...]
    others: int


def records(club: Club, season: Season | None = None) -> list[Record]:
    """Return the records of a season, or of all time; those of which there is nothing yet are left out.

    Practice never counts; the totals of a session count once it is finished. Guests can hold a record. A fixed number
    of queries.
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
        holders = tuple(_holder(row, hands.get(row.seat_id, ""), row.session.rules) for row in rows)
        others = rows[0].level - len(rows)
        yield Record("highest_hand", "Highest hand", "The highest total of one hand.", best, "points", holders, others)


def _largest_win(tallies):
    """Nobody wins more in one hand than in the whole session: none but who won as much as the best of a few matter."""
    seats = tallies.filter(session__recording="settle", gained__gt=0).order_by("-gained", "pk")
    few = list(seats.values_list("seat_id", flat=True)[:FIRST])
    wins = PlayerHand.objects.filter(won=True, net__gt=0)
    least = wins.filter(seat__in=few).aggregate(best=Max("net"))["best"] or 0
    among = seats.filter(gained__gte=least).values_list("seat_id", flat=True)
    # Named one by one where they are not too many: asked in one, PostgreSQL may read every hand there is.
    some = list(among[: MANY + 1])
    hands = wins.filter(seat__in=some if len(some) <= MANY else among.order_by(), net__gte=least)
    hands = _with_hands(hands).annotate(level=Window(Count("pk"), partition_by=F("net")))
    found = list(hands.order_by("-net", "hand__session__date", "hand_id")[:MOST_HOLDERS])
    if found:
        best, others = found[0].net, found[0].level - MOST_HOLDERS
        holders = tuple(_hand_holder(row) for row in found if row.net == best)
        sentence = "The most points received for one Mah-jong."
        yield Record("largest_win", "Largest win", sentence, best, "points", holders, max(others, 0))


def _highest_session(tallies):
    """Nets and own scores are not set side by side: of all time those sessions are compared that there are most of."""
    counts = tallies.values_list("session__recording").annotate(number=Count("pk")).order_by("-number")
    found = dict(counts)
    if found:
        recording = next(iter(found))
        of_these = f", {WHERE[recording]}" if len(found) > 1 else ""
        sentence = f"The most points in one session{of_these}."
        alike = tallies.filter(session__recording=recording)
        yield from _of_sessions(alike, "net", "highest_session", "Highest session", sentence, "point")


def _most_won(tallies):
    yield from _of_sessions(tallies, "won", "most_won", "Most hands won", "The most hands won in one session.", "hand")


def _of_sessions(tallies, column, key, name, sentence, unit):
    finished = tallies.filter(session__state=Session.State.FINISHED)
    best = finished.aggregate(best=Max(column))["best"]
    if best and best > 0:
        rows = list(_with_names(finished.filter(**{column: best})))
        words, holders = unit if best == 1 else f"{unit}s", tuple(map(_holder, rows))
        yield Record(key, name, sentence, best, words, holders, rows[0].level - len(rows))


def _longest_east(tallies):
    """Kept deals stand in the chairs of the hand after; the longest stay is one hand more than the deals kept."""
    east = PlayerHand.objects.filter(hand__session__in=tallies.values("session"), hand__kind=Hand.Kind.WON)
    east = east.filter(wind="E", won=True).annotate(kept=Cast(KeyTextTransform("kept", "hand__chairs"), IntegerField()))
    # The longest is found by itself; only those who are level are read with all that is printed beside them.
    longest = east.filter(kept__gt=0).order_by("-kept").values("kept")[:1]
    level = _with_hands(east.filter(kept=longest)).annotate(level=Window(Count("pk")))
    found = list(level.order_by("hand__session__date", "hand_id")[:MOST_HOLDERS])
    if found:
        holders, others = tuple(map(_hand_holder, found)), found[0].level - len(found)
        sentence = "The most hands won in a row as East."
        yield Record("longest_east", "Longest East", sentence, found[0].kept + 1, "hands", holders, others)


def _with_names(tallies):
    rows = tallies.select_related("session", "player").annotate(level=Window(Count("pk")))
    return rows.order_by("session__date", "session_id", "seat_id")[:MOST_HOLDERS]


def _with_hands(player_hands):
    return player_hands.select_related("hand__session", "hand__entry", "seat__player").defer("lines")


def _holder(tally, hand="", rules=""):
    session, named = tally.session, rules and rule_set_name(rules)
    return Holder(tally.player, session.date, session.table, tally.session_id, str(hand), named)


def _hand_holder(row):
    session = row.hand.session
    return Holder(row.seat.player, session.date, session.table, session.pk, str(row.hand.entry.key))


MAKERS = (_highest_hand, _largest_win, _highest_session, _most_won, _longest_east)
