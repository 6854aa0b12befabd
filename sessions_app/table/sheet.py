"""A session read as its sheet: the seats as they sit, and every line of the ledger with what it did to the balances."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from clubscore.scoring import HouseRules
from clubscore.scoring.rotation import WINDS, Outcome, SeatingState
from clubscore.table.drawn_hands import say_at
from clubscore.table.live_scoring import special_names
from clubscore.table.settling_up import final_payments
from clubscore.table.table_words import HandEnd, deal_words, east_words, entry_words, places_of, special_words
from sessions_app.models import Entry, Hand, Payment, PlayerHand, Recording, Seat, Session
from sessions_app.table.sticks import stick_accounts

SIDES = ("bottom", "right", "top", "left")


@dataclass(frozen=True)
class Cell:
    """One player in one line of the sheet."""

    seat: Seat
    wind: str
    is_at_table: bool
    total: int
    net: int
    balance: int
    won: bool


@dataclass(frozen=True)
class Row:
    """One line of the sheet; `hand` is None for arrivals, fines and what was taken out."""

    entry: Entry
    hand: Hand | None
    east: str
    words: str
    cells: tuple[Cell, ...]
    special: str  # the winner's special hand and its total, in words

    @property
    def is_unagreed(self) -> bool:
        """Whether another player was to agree to this hand, and none has yet."""
        return bool(self.hand) and self.entry.body.get("agreed") == ""

    @property
    def moved(self) -> list[Cell]:
        """The players whose balance this line changed."""
        return [cell for cell in self.cells if cell.net]


@dataclass(frozen=True)
class Side:
    """One side of the table as people sit: someone, or the empty chair."""

    side: str
    wind: str
    seat: Seat | None
    balance: int

    @property
    def is_east(self) -> bool:
        return self.wind == WINDS[0]


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
        """The entries that count, in order."""
        return [row.entry for row in self.rows if not row.entry.taken_out]


def seats_of(session: Session) -> tuple[Seat, ...]:
    """Return the seats of a session in the order of their chairs, each with player and tally."""
    return tuple(Seat.objects.filter(session=session).select_related("player", "tally").order_by("chair"))


def session_sheet(session: Session) -> Sheet:
    """Read a session's whole ledger with the balances after every line, in four queries."""
    return session_sheets([session])[0]


def session_sheets(sessions: Collection[Session]) -> list[Sheet]:
    """Read the sheets of sessions, in four queries however many they are."""
    seats, entries, fines = defaultdict(list), defaultdict(list), defaultdict(lambda: defaultdict(int))
    for seat in Seat.objects.filter(session__in=sessions).select_related("player", "tally").order_by("chair"):
        seats[seat.session_id].append(seat)
    for entry in Entry.objects.filter(session__in=sessions).select_related("hand").order_by("position"):
        entries[entry.session_id].append(entry)
    results = defaultdict(dict)
    for result in PlayerHand.objects.filter(hand__session__in=sessions).defer("lines").select_related("hand"):
        results[result.hand.entry_id][result.seat_id] = result
    for fine in Payment.objects.filter(session__in=sessions, entry__kind=Entry.Kind.FINE, entry__taken_out=False):
        fines[fine.entry_id][fine.payer_id] -= fine.amount
        fines[fine.entry_id][fine.payee_id] += fine.amount
    return [_sheet(one, tuple(seats[one.pk]), entries[one.pk], results, fines) for one in sessions]


def _sheet(session, seats, entries, results, fines):
    return Sheet(session, seats, tuple(_rows(session, seats, entries, results, fines)))


def _rows(session, seats, entries, results, moved):
    balances = dict.fromkeys((seat.pk for seat in seats), session.starting_balance)
    names, say = {str(seat.chair): seat.player.name for seat in seats}, say_at(session.rules)
    specials = special_names(session)
    for entry in entries:
        hand = None if entry.taken_out else getattr(entry, "hand", None)
        played = results[entry.pk] if hand else {}
        cells = []
        for seat in seats:
            result = played.get(seat.pk)
            net = result.net if result else moved[entry.pk].get(seat.pk, 0)
            balances[seat.pk] += net
            cells.append(_cell(seat, result, net, balances[seat.pk]))
        east = next((cell.seat.player.name for cell in cells if cell.wind == WINDS[0]), "")
        special = special_words([(one.special, one.total) for one in played.values() if one.won], specials)
        ended = hand_played(hand, [cell.seat.player.name for cell in cells if cell.won], special)
        words = entry_words(entry.kind, entry.body, ended, names, say)
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
    """Return how a hand ended, as its words ask for it; nothing for one that does not count."""
    return HandEnd(hand.kind, hand.goulash, winners, special) if hand else None


def chair_at_bottom(session: Session, seating: SeatingState, turn: int = 0) -> int | None:
    """Return the chair at the bottom of the table's picture before the next hand; None where nobody sits there."""
    played = Hand.objects.filter(session=session).order_by("entry__position").values_list("chairs", flat=True)
    return places_of([tuple(one["winds"]) for one in played] + [tuple(seating.winds)])[turn % 4]


def table_sides(sheet: Sheet, seating: SeatingState, turn: int = 0) -> list[Side]:
    """Return the four sides as people sit before the next hand, the first of them at the bottom of the picture."""
    histories = [tuple(row.hand.chairs["winds"]) for row in sheet.hands] + [tuple(seating.winds)]
    placed = places_of(histories)
    by_chair = {seat.chair: seat for seat in sheet.seats}
    wind_of = {seat: wind for wind, seat in zip(WINDS, seating.winds, strict=True)}
    sides = []
    for number, side in enumerate(SIDES):
        chair = placed[(number + turn) % 4]
        seat = by_chair.get(chair)
        sides.append(Side(side, wind_of[chair], seat, seat.tally.balance if seat else 0))
    return sides


# Settling up at the end of a session.


def settling_of(session: Session) -> dict[str, Any]:
    """Return what settling_up and its fragments ask of a session, as plain data."""
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


def final_payments_of(sheet: Sheet) -> list[tuple[str, str, str]] | None:
    """Return who pays whom after a session, as settling_up.final_payments; None in play."""
    if sheet.session.is_open:
        return None
    names = {seat.chair: seat.player.name for seat in sheet.seats}
    return final_payments({seat.chair: seat.tally.net for seat in sheet.seats}, names, settling_of(sheet.session))


def settled_page(sheet: Sheet, level: int = 2) -> dict[str, Any]:
    """Return what the fragments of settling up ask for; `level` is that of their headings."""
    return {
        "final_payments": final_payments_of(sheet),
        "stick_accounts": stick_accounts(sheet.session, sheet.seats),
        "settling": settling_of(sheet.session),
        "level": level,
    }


def best_hands(sheet: Sheet) -> list[tuple[Row, Cell]]:
    """Return the highest hand of a session, each of them where several are level; nothing before one has scored."""
    scored = [(row, cell) for row in sheet.hands for cell in row.cells if cell.total > 0]
    most = max((cell.total for _, cell in scored), default=0)
    return [(row, cell) for row, cell in scored if cell.total == most]


# What someone who comes late asks at a table: how long East has kept the deal, and how the last hand went.


@dataclass(frozen=True)
class LastHand:
    """The last hand that stands, and what each who went Mah-jong in it scored."""

    row: Row

    @property
    def number(self) -> int:
        return self.row.hand.number

    @property
    def winners(self) -> list[Cell]:
        return [cell for cell in self.row.cells if cell.won]


def last_hand(sheet: Sheet) -> LastHand | None:
    return LastHand(sheet.hands[-1]) if sheet.hands else None


def east_words_of(sheet: Sheet, seating: SeatingState) -> str:
    """Say how long East has been East: "East for the third hand running"; nothing for the first."""
    return east_words([(row.hand.chairs["winds"][0], row.hand.kind) for row in sheet.hands], seating.east)


def deal_words_of(last: LastHand | None, house: HouseRules) -> str:
    """Say why the deal has passed though East won the last hand; nothing where that is not so."""
    if not last:
        return ""
    outcome = Outcome(last.row.hand.kind, tuple(cell.seat.chair for cell in last.winners))
    return deal_words(SeatingState.from_dict(last.row.hand.chairs), outcome, house, last.row.east)
