"""Tables as those see them who only watch: who is East, balances, the last hand in words, the running totals."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import blake2s
from typing import Any

from django.db.models import OuterRef, Subquery

from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.table.drawn_hands import say_at
from clubscore.table.live_scoring import special_names
from clubscore.table.table_words import hand_words, special_words
from sessions_app.models import Club, Command, Entry, Hand, Meeting, Payment, PlayerHand, Seat, Session
from sessions_app.people.players import shown_names
from sessions_app.table.sheet import Sheet, hand_played, session_sheet, table_sides

A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Person:
    """Someone with a seat in the session; no wind: sits out, or has left."""

    seat_id: int
    name: str
    wind: str
    balance: int
    net: int


@dataclass(frozen=True)
class Paid:
    """One payment; no payee: to nobody."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True)
class LastHand:
    """The last hand of a table; `key` is another one when its result has changed."""

    key: str
    number: int
    words: str
    payments: tuple[Paid, ...]


@dataclass(frozen=True)
class WatchedTable:
    """One table now. `seated` are in the order of the winds, `people` everyone, the highest balance first."""

    session: Session
    seating: SeatingState | None
    people: tuple[Person, ...]
    seated: tuple[Person, ...]
    sitting_out: tuple[Person, ...]
    last: LastHand | None
    is_settling: bool = False

    @property
    def east(self) -> Person | None:
        return self.seated[0] if self.seated else None

    @property
    def wind_of_round(self) -> str:
        return WIND_NAMES[self.seating.wind_of_round] if self.seating else ""

    @property
    def next_number(self) -> int:
        return self.last.number + 1 if self.last else 1

    @property
    def news(self) -> str:
        """What happened last, in one sentence."""
        if not self.session.is_open:
            return f"Table {self.session.table} has finished."
        return f"Table {self.session.table}, hand {self.last.number}: {self.last.words}." if self.last else ""

    @property
    def news_key(self) -> str:
        """What the news is about, for a page that tells only what is new."""
        return f"{self.session.pk}-{self.last.key if self.session.is_open and self.last else ''}"


@dataclass(frozen=True)
class RunningTotals:
    """The balances after every hand: one label a point, one line (name and values) a player."""

    labels: tuple[str, ...]
    lines: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """The same as rows of a table: a label and the balance of each player."""
        return [(label, [values[place] for _, values in self.lines]) for place, label in enumerate(self.labels)]


def rev_of(public_names: str, *facts: Any) -> str:
    """Return the short word by which a watching page knows whether there is news."""
    return blake2s(repr((public_names, facts)).encode(), digest_size=9).hexdigest()


def meeting_versions(key: str) -> tuple[str, list[Any]] | None:
    """Return a meeting's club's public names and (id, version, time is up) of its sessions; None for no such key.

    One query, and another while no table has begun.
    """
    began = Session.objects.filter(meeting__watching_key=key)
    sessions = _to_follow(began, Session.objects.filter(goes_on_at__watching_key=key))
    if sessions:
        return sessions[0].club.public_names, [_version(session) for session in sessions]
    names = Meeting.objects.filter(watching_key=key).values_list("club__public_names", flat=True).first()
    return None if names is None else (names, [])


def hall_versions(club: Club, today: date) -> list[Any]:
    """Return (id, version, time is up) of the sessions a club plays today; past midnight those still in play.

    What goes on today was begun on another day. One query.
    """
    days = (today, today - A_DAY)
    began = Session.objects.of_club(club).filter(date__in=days)
    goes_on = Session.objects.filter(goes_on_at__club=club, goes_on_at__date__in=days)
    of_days = _to_follow(began, goes_on)
    found = [session for session in of_days if session.is_open or session.played_at.date == today]
    latest = max((session.played_at.date for session in found), default=None)
    # Yesterday's table that plays on is there with today's; one put aside is not.
    shown = [one for one in found if one.played_at.date == latest or (one.is_open and not one.paused)]
    return [_version(session) for session in shown]


def _to_follow(began, goes_on):
    """List what began and what goes on somewhere, with only what tells whether there is news; one query.

    Each watching page asks every three seconds, so each half is found by an index of its own.
    """
    of_meetings = (f"{meeting}__{name}" for meeting in ("meeting", "goes_on_at") for name in ("date", "clock_ends_at"))
    columns = (
        "version",
        "state",
        "paused",
        "extra_minutes",
        "meeting",
        "goes_on_at",
        "club__public_names",
        *of_meetings,
    )
    halves = (half.select_related("club", "meeting", "goes_on_at").only(*columns, "club") for half in (began, goes_on))
    return list(next(halves).union(*halves).order_by("pk"))


def _version(session):
    return session.pk, session.version, session.is_time_over


def watched_tables(sessions: Collection[Session], style: str) -> list[WatchedTable]:
    """Return WatchedTables of sessions, in six queries."""
    sessions = list(sessions)
    seats = defaultdict(list)
    for seat in Seat.objects.filter(session__in=sessions).select_related("player", "tally").order_by("chair"):
        seats[seat.session_id].append(seat)
    named = {
        seat.pk: name
        for at_table in seats.values()
        for seat, name in zip(at_table, shown_names([seat.player for seat in at_table], style).values(), strict=True)
    }
    last = last_hands(sessions, seats, named)
    contested = Command.objects.filter(session__in=sessions, outcome=Command.Outcome.CONTESTED)
    settling = set(contested.values_list("session_id", flat=True))
    watched = [_watched(session, seats[session.pk], named, last.get(session.pk)) for session in sessions]
    return [replace(one, is_settling=one.session.pk in settling) for one in watched]


def last_hands(sessions: Collection[Session], seats: Any, named: Any) -> dict[int, LastHand]:
    """Return the LastHand of each session by its id, for those that have one; three queries."""
    newest = Hand.objects.filter(session=OuterRef("session")).order_by("-number").values("number")[:1]
    hands = list(Hand.objects.filter(session__in=sessions, number=Subquery(newest)).select_related("entry"))
    winners, won = defaultdict(list), defaultdict(list)
    results = PlayerHand.objects.filter(hand__in=hands, won=True).order_by("seat__chair")
    for hand_id, seat_id, *special in results.values_list("hand_id", "seat_id", "special", "total"):
        winners[hand_id].append(named[seat_id])
        won[hand_id].append(special)
    paid = defaultdict(list)
    for payment in Payment.objects.filter(entry__in=[hand.entry_id for hand in hands]).order_by("pk"):
        payee = named.get(payment.payee_id, "nobody")
        paid[payment.entry_id].append(Paid(named[payment.payer_id], payee, payment.amount))
    found, by_id = {}, {session.pk: session for session in sessions}
    for hand in hands:
        by_chair = {str(seat.chair): named[seat.pk] for seat in seats[hand.session_id]}
        say = say_at(by_id[hand.session_id].rules)
        special = special_words(won[hand.pk], special_names(by_id[hand.session_id]))
        words = hand_words(hand_played(hand, winners[hand.pk], special), hand.entry.body, by_chair, say)
        found[hand.session_id] = LastHand(f"{hand.pk}-{hand.version}", hand.number, words, tuple(paid[hand.entry_id]))
    return found


def _watched(session, seats, named, last):
    # What was imported as totals alone has no seating.
    seating = SeatingState.from_dict(session.chairs) if session.chairs else None
    people = {
        seat.chair: Person(
            seat.pk,
            named[seat.pk],
            (seating and seating.wind_of(seat.chair)) or "",
            seat.tally.balance,
            seat.tally.net,
        )
        for seat in seats
    }
    return WatchedTable(
        session=session,
        seating=seating,
        people=tuple(sorted(people.values(), key=lambda person: -person.balance)),
        seated=tuple(people[chair] for chair in seating.seated.values()) if seating else (),
        sitting_out=tuple(people[chair] for chair in seating.out) if seating else (),
        last=last,
    )


def felt_of(watched: WatchedTable, sheet: Sheet) -> list[Any]:
    """Return side, wind and person (None: the empty chair) of the four sides as people sit."""
    if watched.seating is None:
        return []
    person = {one.seat_id: one for one in watched.people}
    sides = table_sides(sheet, watched.seating)
    return [(side.side, side.wind, person[side.seat.pk] if side.seat else None) for side in sides]


def running_totals(sheet: Sheet, names: dict[int, str]) -> RunningTotals:
    """Return the balances after every hand and fine, from what the players began with; `names` are by seat."""
    rows = [row for row in sheet.rows if row.hand or _is_fine(row.entry)]
    labels = ["Start", *(str(row.hand.number) if row.hand else "Penalty" for row in rows)]
    lines = tuple(
        (names[seat.pk], (sheet.session.starting_balance, *(row.cells[place].balance for row in rows)))
        for place, seat in enumerate(sheet.seats)
    )
    return RunningTotals(tuple(labels), lines)


def _is_fine(entry):
    return entry.kind == Entry.Kind.FINE and not entry.taken_out


def watched_session(session: Session, style: str) -> dict[str, Any]:
    """Return what the board of one table shows: WatchedTable, felt and running totals."""
    [watched] = watched_tables([session], style)
    sheet = session_sheet(session)
    return {
        "watched": watched,
        "felt": felt_of(watched, sheet),
        "totals": running_totals(sheet, {one.seat_id: one.name for one in watched.people}),
    }
