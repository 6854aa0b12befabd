"""Tables as shown to people who only watch: who is East, balances, the last hand in words, running totals."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import blake2s
from typing import Any

from django.db.models import OuterRef, Subquery

from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.table.drawn_hands import say_at
from clubscore.table.scoring_by_seat import special_names
from clubscore.table.table_words import hand_words, special_words
from sessions_app.models import Club, Command, Entry, Hand, Meeting, Payment, PlayerHand, Session
from sessions_app.people.players import shown_names
from sessions_app.table.sheet import Sheet, hand_played, seats_by_session, session_sheet, table_sides

A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Person:
    """A player with a seat in the session; without a wind if sitting out or gone."""

    seat_id: int
    name: str
    wind: str
    balance: int
    net: int


@dataclass(frozen=True)
class NamedPayment:
    """One payment, in names."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True)
class LastHand:
    """The last hand of a table; its `key` changes with its result."""

    key: str
    number: int
    words: str
    payments: tuple[NamedPayment, ...]


@dataclass(frozen=True)
class WatchedTable:
    """One table now: `seated` in the order of the winds, and all `people` with the highest balance first."""

    session: Session
    seating: SeatingState | None
    people: tuple[Person, ...]
    seated: tuple[Person, ...]
    sitting_out: tuple[Person, ...]
    last: LastHand | None
    is_settling: bool

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
        """The latest event, in one sentence."""
        if not self.session.is_open:
            return f"Table {self.session.table} has finished."
        return f"Table {self.session.table}, hand {self.last.number}: {self.last.words}." if self.last else ""

    @property
    def news_key(self) -> str:
        """A key for the news, so that a page announces each only once."""
        return f"{self.session.pk}-{self.last.key if self.session.is_open and self.last else ''}"


@dataclass(frozen=True)
class RunningTotals:
    """The balances after every hand: a label for each point, and a line (name, balances) for each player."""

    labels: tuple[str, ...]
    lines: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """The rows of a table: a label, and the balance of each player."""
        columns = [values for _, values in self.lines]
        return [(label, list(row)) for label, *row in zip(self.labels, *columns, strict=True)]


def rev_of(*facts: Any) -> str:
    """Return a short digest of what a watching page shows, to find out whether there is news."""
    return blake2s(repr(facts).encode(), digest_size=9).hexdigest()


def meeting_versions(key: str) -> tuple[str, list[Any]] | None:
    """Return the club's `public_names` and (id, version, is time over) of a meeting's sessions; None for a wrong key.

    One query, or two if no table has started.
    """
    started = Session.objects.filter(meeting__watching_key=key)
    sessions = _sessions_to_follow(started, Session.objects.filter(goes_on_at__watching_key=key))
    if sessions:
        return sessions[0].club.public_names, [_version(session) for session in sessions]
    names = Meeting.objects.filter(watching_key=key).values_list("club__public_names", flat=True).first()
    return None if names is None else (names, [])


def hall_versions(club: Club, today: date) -> list[Any]:
    """Return (id, version, is time over) of a club's sessions today, or after midnight of those still in play.

    One query.
    """
    days = (today, today - A_DAY)
    started = Session.objects.of_club(club).filter(date__in=days)
    resumed = Session.objects.filter(goes_on_at__club=club, goes_on_at__date__in=days)
    sessions = _sessions_to_follow(started, resumed)
    found = [session for session in sessions if session.is_open or session.played_at.date == today]
    latest = max((session.played_at.date for session in found), default=None)
    # Yesterday's table is shown with today's while it is in play, but not if it is paused.
    return [
        _version(session)
        for session in found
        if session.played_at.date == latest or (session.is_open and not session.paused)
    ]


FOLLOWED = ("version", "state", "paused", "extra_minutes", "meeting", "goes_on_at", "club", "club__public_names")
OF_MEETINGS = ("meeting__date", "meeting__clock_ends_at", "goes_on_at__date", "goes_on_at__clock_ends_at")


def _sessions_to_follow(started, resumed):
    """Return the sessions started and those resumed somewhere, with only what shows whether there is news; one query.

    A union, as each half has its own index, and every watching page asks every three seconds.
    """
    halves = [
        half.select_related("club", "meeting", "goes_on_at").only(*FOLLOWED, *OF_MEETINGS)
        for half in (started, resumed)
    ]
    return list(halves[0].union(halves[1]).order_by("pk"))


def _version(session):
    return session.pk, session.version, session.is_time_over


def watched_tables(sessions: Collection[Session], style: str) -> list[WatchedTable]:
    """Return the WatchedTables of sessions; six queries."""
    sessions, names = list(sessions), {}
    seats = seats_by_session(sessions)
    for at_table in seats.values():
        shown = shown_names([seat.player for seat in at_table], style)
        names |= {seat.pk: shown[seat.player_id] for seat in at_table}
    last = _last_hands(sessions, seats, names)
    contested = Command.objects.filter(session__in=sessions, outcome=Command.Outcome.CONTESTED)
    settling = set(contested.values_list("session_id", flat=True))
    return [
        _watched(session, seats[session.pk], names, last.get(session.pk), session.pk in settling)
        for session in sessions
    ]


def _last_hands(sessions, seats, names):
    """Return {session id: LastHand} of the sessions that have one; three queries."""
    newest = Hand.objects.filter(session=OuterRef("session")).order_by("-number").values("number")[:1]
    hands = list(Hand.objects.filter(session__in=sessions, number=Subquery(newest)).select_related("entry"))
    winners, won = defaultdict(list), defaultdict(list)
    results = PlayerHand.objects.filter(hand__in=hands, won=True).order_by("seat__chair")
    for hand_id, seat_id, *special in results.values_list("hand_id", "seat_id", "special", "total"):
        winners[hand_id].append(names[seat_id])
        won[hand_id].append(special)
    payments = defaultdict(list)
    for payment in Payment.objects.filter(entry__in=[hand.entry_id for hand in hands]).order_by("pk"):
        payee = names.get(payment.payee_id, "nobody")
        payments[payment.entry_id].append(NamedPayment(names[payment.payer_id], payee, payment.amount))
    found, by_id = {}, {session.pk: session for session in sessions}
    for hand in hands:
        session = by_id[hand.session_id]
        by_chair = {str(seat.chair): names[seat.pk] for seat in seats[session.pk]}
        played = hand_played(hand, winners[hand.pk], special_words(won[hand.pk], special_names(session)))
        words = hand_words(played, hand.entry.body, by_chair, say_at(session.rules))
        key = f"{hand.pk}-{hand.version}"
        found[session.pk] = LastHand(key, hand.number, words, tuple(payments[hand.entry_id]))
    return found


def _watched(session, seats, names, last, is_settling):
    # A session imported as totals has no seating.
    seating = SeatingState.from_dict(session.chairs) if session.chairs else None
    people = {}
    for seat in seats:
        wind = (seating and seating.wind_of(seat.chair)) or ""
        people[seat.chair] = Person(seat.pk, names[seat.pk], wind, seat.tally.balance, seat.tally.net)
    return WatchedTable(
        session=session,
        seating=seating,
        people=tuple(sorted(people.values(), key=lambda person: -person.balance)),
        seated=tuple(people[chair] for chair in seating.seated.values()) if seating else (),
        sitting_out=tuple(people[chair] for chair in seating.out) if seating else (),
        last=last,
        is_settling=is_settling,
    )


def _sides(watched, sheet):
    """Return side, wind and Person (None for an empty seat) of the four sides of the table."""
    if watched.seating is None:
        return []
    people = {person.seat_id: person for person in watched.people}
    sides = table_sides(sheet, watched.seating)
    return [(side.side, side.wind, people[side.seat.pk] if side.seat else None) for side in sides]


def running_totals(sheet: Sheet, names: dict[int, str]) -> RunningTotals:
    """Return the balances at the start and after every hand and penalty; `names` are by seat id."""
    fines = {entry.pk for entry in sheet.active if entry.kind == Entry.Kind.FINE}
    rows = [row for row in sheet.rows if row.hand or row.entry.pk in fines]
    labels = ["Start", *(str(row.hand.number) if row.hand else "Penalty" for row in rows)]
    lines = tuple(
        (names[seat.pk], (sheet.session.starting_balance, *(row.cells[place].balance for row in rows)))
        for place, seat in enumerate(sheet.seats)
    )
    return RunningTotals(tuple(labels), lines)


def watched_session(session: Session, style: str) -> dict[str, Any]:
    """Return the template context for watching one table."""
    [watched] = watched_tables([session], style)
    sheet = session_sheet(session)
    return {
        "watched": watched,
        "felt": _sides(watched, sheet),
        "totals": running_totals(sheet, {person.seat_id: person.name for person in watched.people}),
    }
