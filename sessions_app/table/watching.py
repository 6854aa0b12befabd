"""Tables as shown to people who only watch: who is East, balances, the last hand in words, running totals."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import blake2s
from typing import Any

from django.templatetags.static import static

from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import Club, Command, Meeting, Payment, Session
from sessions_app.people.players import shown_names
from sessions_app.table.board import WINDS_SPRITE, SessionBoard, session_boards
from sessions_app.table.ledger import StoredLedger
from sessions_app.table.models import SessionQuerySet

A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Person:
    """A player with a seat in the session; without a wind if sitting out or gone."""

    seat: int
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
    board: SessionBoard
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

    labels: list[str]
    lines: list[tuple[str, list[int]]]

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


def _sessions_to_follow(started: SessionQuerySet, resumed: SessionQuerySet) -> list[Any]:
    """Return the sessions started and those resumed somewhere, with only what shows whether there is news; one query.

    A union, as each half has its own index, and every watching page asks every three seconds.
    """
    halves = [
        half.select_related("club", "meeting", "goes_on_at").only(*FOLLOWED, *OF_MEETINGS)
        for half in (started, resumed)
    ]
    return list(halves[0].union(halves[1]).order_by("pk"))


def _version(session: Session) -> tuple[Any, Any, Any]:
    return session.pk, session.version, session.is_time_over


def watched_tables(sessions: Collection[Session], style: str) -> list[WatchedTable]:
    """Return the WatchedTables of sessions; five queries."""
    sessions = list(sessions)
    look = {"turn": 0, "winds_sprite": static(WINDS_SPRITE)}
    boards = session_boards(sessions, lambda _: look, lambda ledger: _shown_names(ledger, style))
    contested = Command.objects.filter(session__in=sessions, outcome=Command.Outcome.CONTESTED)
    settling, payments = set(contested.values_list("session_id", flat=True)), _last_payments(boards)
    return [_watched(board, payments[board.session.pk], board.session.pk in settling) for board in boards]


def _shown_names(ledger: StoredLedger, style: str) -> dict[int, str]:
    shown = shown_names(list(ledger.player_rows.values()), style)
    return {seat_no: shown[row.player_id] for seat_no, row in ledger.seat_rows.items()}


def _last_payments(boards: list[SessionBoard]) -> dict[int, list[NamedPayment]]:
    """Return who paid whom in the last hand of each session; one query."""
    last = {board.stored_ledger.entry_rows[board.done.hands[-1].key].pk: board for board in boards if board.done.hands}
    payments = defaultdict(list)
    for payment in Payment.objects.filter(entry__in=last).order_by("pk"):
        board = last[payment.entry_id]
        names = {row.pk: board.names[seat_no] for seat_no, row in board.stored_ledger.seat_rows.items()}
        payee = names.get(payment.payee_id or 0, "nobody")
        payments[board.session.pk].append(NamedPayment(names[payment.payer_id], payee, payment.amount))
    return payments


def _watched(board: SessionBoard, payments: list[NamedPayment], is_settling: bool) -> WatchedTable:
    # A session imported as totals has no seating.
    seating = None if board.imported else board.done.seating
    people = {
        seat: Person(seat, board.names[seat], (seating and seating.wind_of(seat)) or "", board.balances[seat], net)
        for seat, net in board.nets.items()
    }
    return WatchedTable(
        session=board.session,
        board=board,
        seating=seating,
        people=tuple(sorted(people.values(), key=lambda person: -person.balance)),
        seated=tuple(people[seat] for seat in seating.seated.values()) if seating else (),
        sitting_out=tuple(people[seat] for seat in seating.out) if seating else (),
        last=_last_hand(board, payments),
        is_settling=is_settling,
    )


def _last_hand(board, payments):
    if not board.done.hands:
        return None
    hand = board.done.hands[-1]
    row = board.stored_ledger.hands[hand.key]
    return LastHand(f"{row.pk}-{row.version}", hand.number, board.words(board.ledger.entry(hand.key)), tuple(payments))


def running_totals(board: SessionBoard) -> RunningTotals:
    """Return the balances at the start and after every hand and penalty."""
    rows = [row for row in board.rows() if row.hand or row.entry.key in board.done.penalties]
    labels = ["Start", *(str(row.hand.number) if row.hand else "Penalty" for row in rows)]
    return RunningTotals(labels, board.balance_lines())


def watched_session(session: Session, style: str) -> dict[str, Any]:
    """Return the template context for watching one table."""
    [watched] = watched_tables([session], style)
    return {
        "watched": watched,
        "felt": watched.board.who_sits_where() if watched.seating else None,
        "totals": running_totals(watched.board),
    }
