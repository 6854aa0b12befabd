"""The score sheet of a session: its seats, and each entry with the balances after it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from clubscore.scoring import HouseRules
from clubscore.scoring.rotation import WINDS, HandOutcome, SeatingState
from clubscore.table.drawn_hands import say_at
from clubscore.table.scoring_by_seat import special_names
from clubscore.table.settling_up import final_payments
from clubscore.table.table_words import HandEnd, deal_words, east_words, entry_words, places_of, special_words
from sessions_app.models import Entry, Hand, Payment, PlayerHand, Recording, Seat, Session
from sessions_app.table.sticks import stick_accounts

SIDES = ("bottom", "right", "top", "left")


@dataclass(frozen=True)
class Cell:
    """One player in one row of the sheet."""

    seat: Seat
    wind: str
    is_at_table: bool
    total: int
    net: int
    balance: int
    won: bool


@dataclass(frozen=True)
class Row:
    """One entry on the sheet; `hand` is None if it is not a hand, or was removed."""

    entry: Entry
    hand: Hand | None
    east: str
    words: str
    cells: tuple[Cell, ...]
    special: str  # the winner's special hand and its total, in words

    @property
    def number(self) -> int | None:
        return self.hand and self.hand.number

    @property
    def winners(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.won]

    @property
    def is_unagreed(self) -> bool:
        """Whether another player should agree to this hand, and has not yet."""
        return bool(self.hand) and self.entry.body.get("agreed") == ""

    @property
    def moved(self) -> list[Cell]:
        """The players whose balance this entry changed."""
        return [cell for cell in self.cells if cell.net]


@dataclass(frozen=True)
class Side:
    """One side of the table: a player, or an empty seat."""

    side: str
    wind: str
    seat: Seat | None
    balance: int


@dataclass(frozen=True)
class Sheet:
    session: Session
    seats: tuple[Seat, ...]
    rows: tuple[Row, ...]

    @property
    def hands(self) -> list[Row]:
        return [row for row in self.rows if row.hand]

    @property
    def questions(self) -> list[Row]:
        return [row for row in self.hands if row.hand.question]

    @property
    def active(self) -> list[Entry]:
        """The entries that have not been removed, in order."""
        return [row.entry for row in self.rows if not row.entry.taken_out]


def seats_by_session(sessions: Collection[Session]) -> dict[int, list[Seat]]:
    """Return the seats of sessions by session id, in order, each with player and tally; one query."""
    found = defaultdict(list)
    for seat in Seat.objects.filter(session__in=sessions).select_related("player", "tally").order_by("chair"):
        found[seat.session_id].append(seat)
    return found


def seats_of(session: Session) -> tuple[Seat, ...]:
    """Return the seats of a session in order, each with player and tally."""
    return tuple(seats_by_session([session])[session.pk])


def session_sheet(session: Session) -> Sheet:
    """Return the sheet of a session; four queries."""
    return session_sheets([session])[0]


def session_sheets(sessions: Collection[Session]) -> list[Sheet]:
    """Return the sheets of several sessions; four queries in all."""
    seats, entries, fines = seats_by_session(sessions), defaultdict(list), defaultdict(lambda: defaultdict(int))
    for entry in Entry.objects.filter(session__in=sessions).select_related("hand").order_by("position"):
        entries[entry.session_id].append(entry)
    results = defaultdict(dict)
    for result in PlayerHand.objects.filter(hand__session__in=sessions).defer("lines"):
        results[result.hand_id][result.seat_id] = result
    for fine in Payment.objects.filter(session__in=sessions, entry__kind=Entry.Kind.FINE, entry__taken_out=False):
        fines[fine.entry_id][fine.payer_id] -= fine.amount
        fines[fine.entry_id][fine.payee_id] += fine.amount
    return [
        Sheet(
            session=session,
            seats=tuple(seats[session.pk]),
            rows=tuple(_rows(session, seats[session.pk], entries[session.pk], results, fines)),
        )
        for session in sessions
    ]


def _rows(session, seats, entries, results, fines):
    balances = dict.fromkeys((seat.pk for seat in seats), session.starting_balance)
    names, say = {str(seat.chair): seat.player.name for seat in seats}, say_at(session.rules)
    specials = special_names(session)
    for entry in entries:
        hand = None if entry.taken_out else getattr(entry, "hand", None)
        played = results[hand.pk] if hand else {}
        cells = []
        for seat in seats:
            result = played.get(seat.pk)
            net = result.net if result else fines[entry.pk].get(seat.pk, 0)
            balances[seat.pk] += net
            cells.append(_cell(seat, result, net, balances[seat.pk]))
        east = next((cell.seat.player.name for cell in cells if cell.wind == WINDS[0]), "")
        special = special_words([(result.special, result.total) for result in played.values() if result.won], specials)
        winners = [cell.seat.player.name for cell in cells if cell.won]
        words = entry_words(entry.kind, entry.body, hand_played(hand, winners, special), names, say)
        yield Row(entry, hand, east, words, tuple(cells), special)


def _cell(seat, result, net, balance):
    return Cell(
        seat=seat,
        wind=result.wind if result else "",
        is_at_table=result is not None,
        total=result.total if result else 0,
        net=net,
        balance=balance,
        won=bool(result and result.won),
    )


def hand_played(hand: Hand | None, winners: Sequence[str], special: str) -> HandEnd | None:
    """Return how a hand ended, for hand_words and entry_words; None if it does not count."""
    return HandEnd(hand.kind, hand.goulash, winners, special) if hand else None


def chair_at_bottom(session: Session, seating: SeatingState, turn: int = 0) -> int | None:
    """Return the seat number at the bottom of the table's picture for the next hand; None for an empty seat."""
    played = Hand.objects.filter(session=session).order_by("entry__position").values_list("chairs__winds", flat=True)
    return places_of([*played, seating.winds])[turn % 4]


def table_sides(sheet: Sheet, seating: SeatingState, turn: int = 0) -> list[Side]:
    """Return the four sides of the table for the next hand, the one at the bottom of the picture first."""
    placed = places_of([*(row.hand.chairs["winds"] for row in sheet.hands), seating.winds])
    by_chair = {seat.chair: seat for seat in sheet.seats}
    wind_of = dict(zip(seating.winds, WINDS, strict=True))
    sides = []
    for number, side in enumerate(SIDES):
        chair = placed[(number + turn) % 4]
        seat = by_chair.get(chair)
        sides.append(Side(side, wind_of[chair], seat, seat.tally.balance if seat else 0))
    return sides


# Settling up at the end of a session.


def settling_facts(session: Session) -> dict[str, Any]:
    """Return the facts of a session that settling_up and its fragments need, as plain data."""
    rate = None if session.practice else session.club.points_rate
    return {
        "session": session.pk,
        "table": session.table,
        "settles": session.recording == Recording.SETTLE and not session.imported,
        "adds_up": session.recording == Recording.STRAIGHT,
        "practice": session.practice,
        "sticks": session.sticks if session.recording == Recording.SETTLE else "",
        "rate": rate and int(rate * 100),
        "currency": session.club.currency,
    }


def settled_page(sheet: Sheet, level: int = 2) -> dict[str, Any]:
    """Return the data for the fragments about settling up; `level` is that of their headings."""
    settling = settling_facts(sheet.session)
    names = {seat.chair: seat.player.name for seat in sheet.seats}
    nets = {seat.chair: seat.tally.net for seat in sheet.seats}
    return {
        "final_payments": None if sheet.session.is_open else final_payments(nets, names, settling),
        "stick_accounts": stick_accounts(sheet.session, sheet.seats),
        "settling": settling,
        "level": level,
    }


def best_hands(sheet: Sheet) -> list[tuple[Row, Cell]]:
    """Return the highest hand of a session, or several if they are level; none before one has scored."""
    scored = [(row, cell) for row in sheet.hands for cell in row.cells if cell.total > 0]
    most = max((cell.total for _, cell in scored), default=0)
    return [(row, cell) for row, cell in scored if cell.total == most]


def east_words_of(sheet: Sheet, seating: SeatingState) -> str:
    """Return how long East has been East, "East for the third hand running", or "" for the first."""
    return east_words([(row.hand.chairs["winds"][0], row.hand.kind) for row in sheet.hands], seating.east)


def deal_words_of(last: Row | None, house: HouseRules) -> str:
    """Return why the deal has passed although East won the last hand, or ""."""
    if not last:
        return ""
    outcome = HandOutcome(last.hand.kind, tuple(cell.seat.chair for cell in last.winners))
    return deal_words(SeatingState.from_dict(last.hand.chairs), outcome, house, last.east)
