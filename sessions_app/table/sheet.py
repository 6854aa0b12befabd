"""A session read as its sheet: the seats as they sit, and every line of the ledger with what it did to the balances."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from clubscore.scoring import HouseRules
from clubscore.scoring.rotation import WINDS, Chairs, Outcome, has_kept_most
from clubscore.scoring.settlement import in_hundredths, who_pays_whom
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import with_commas
from clubscore.table.command_kinds import ARRIVE, EXCHANGE, FINE, LEAVE
from sessions_app.models import Entry, Hand, Payment, PlayerHand, Recording, Seat, Session
from sessions_app.rules.drawn_hands import say_at

# Letters that fit above a column of 90 px.
MAX_IN_COLUMN = 8
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

    @property
    def is_unagreed(self) -> bool:
        """Whether another player was to agree to this hand, and none has yet."""
        return bool(self.hand) and self.entry.body.get("agreed") == ""

    @property
    def begins_round(self) -> bool:
        """Whether this is the first hand of a round, but the session's first."""
        return bool(self.hand) and self.hand.number > 1 and not self.hand.chairs["hands_in_round"]

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
    def has_long_names(self) -> bool:
        """Whether a word of a name is too long for one of four columns of a phone."""
        return any(len(word) > MAX_IN_COLUMN for seat in self.seats for word in re.split(r"[\s-]", seat.player.name))

    @property
    def hands(self) -> list[Row]:
        return [row for row in self.rows if row.hand]

    @property
    def questions(self) -> list[Row]:
        return [row for row in self.hands if row.hand.question]

    @property
    def settles(self) -> bool:
        """Whether the players pay each other: else each has the total of their own scores."""
        return self.session.recording == Recording.SETTLE and not self.session.imported

    @property
    def to_nobody(self) -> int:
        """What was taken off in fines that nobody received: where players settle up, the nets lack it."""
        return -sum(seat.tally.net for seat in self.seats) if self.settles else 0

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
    by_chair, say = {seat.chair: seat for seat in seats}, say_at(session)
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
        words = line_words(entry, hand, cells, by_chair, say)
        yield Row(entry, hand, east, words, tuple(cells))


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


def line_words(
    entry: Entry, hand: Hand | None, cells: Iterable[Cell], by_chair: Mapping[int, Seat], say: Callable[..., str]
) -> str:
    """Say in a short sentence what a line of the ledger is; `say` fills a template in the table's words."""
    name = {str(chair): seat.player.name for chair, seat in by_chair.items()}
    body = entry.body
    if entry.kind == Entry.Kind.HAND:
        return hand_words(hand, [cell.seat.player.name for cell in cells if cell.won], body, name, say)
    if entry.kind == Entry.Kind.ARRIVE:
        return ARRIVE.sheet.format(seat=name.get(str(body.get("seat")), "Someone"))
    if entry.kind == Entry.Kind.LEAVE:
        return LEAVE.sheet.format(seat=name.get(str(body.get("seat")), "Someone"))
    if entry.kind == Entry.Kind.SEATING and "exchange" in body:
        return EXCHANGE.sheet.format(pair=" and ".join(name.get(str(seat), "?") for seat in body["exchange"]))
    if entry.kind == Entry.Kind.SEATING:
        winds = body.get("winds", {})
        told = [f"{name.get(str(winds[wind]), '?')} {WIND_NAMES[wind]}" for wind in WINDS if wind in winds]
        return f"Seats corrected: {', '.join(told)}"
    if entry.kind == Entry.Kind.FINE:
        to = f" to {name.get(str(body['to']), '?')}" if body.get("to") else ""
        why = f": {body['why']}" if body.get("why") else ""
        by, amount = name.get(str(body.get("by")), "?"), with_commas(body.get("amount"))
        return FINE.sheet.format(by=by, amount=amount, to=to) + why
    return body.get("text", "")


def hand_words(
    hand: Hand, winners: list[str], body: dict[str, Any], name: Mapping[str, str], say: Callable[..., str]
) -> str:
    """Say how a hand ended: who went Mah-jong, nobody, or a void hand.

    A false Mah-jong after which the hand went on comes first: what the winner scored is said behind the winner.
    """
    if hand is None:
        return f"Removed: {taken_out_words(body, name, say)}"
    goulash = " (a goulash)" if hand.goulash else ""
    by = next((p.get("by") for p in body.get("penalties") or [] if p.get("kind") == "false mahjong"), None)
    false = say("False Mah-jong by {who}", who=name.get(str(by), "someone")) if by else ""
    if not winners and hand.kind == Hand.Kind.VOID:
        return f"{false or say('False Mah-jong by someone')}: the hand is void{goulash}"
    return f"{false}{'. ' if false else ''}{won_words(winners, say)}{goulash}"


def won_words(winners: list[str], say: Callable[..., str]) -> str:
    """Say who went Mah-jong, by their names, or that nobody did."""
    if not winners:
        return say("Nobody went Mah-jong")
    verb = "goes" if len(winners) == 1 else "go"
    return say(f"{{who}} {verb} Mah-jong", who=" and ".join(winners))


def taken_out_words(body: dict[str, Any], name: Mapping[str, str], say: Callable[..., str]) -> str:
    """Say what a hand that does not count was, from what was declared."""
    mahjong = body.get("mahjong")
    wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
    winners = [name.get(str(win.get("by")), "someone") for win in wins]
    return say("{who} had gone Mah-jong", who=" and ".join(winners)) if winners else say("a hand without a Mah-jong")


def places_of(histories: list[tuple[int, ...]]) -> list[Any]:
    """Follow who sits on which side of the table while the winds move round: seat numbers of the four sides.

    `histories` are the winds of each hand in order, the next hand's last. People stay in their chairs, so each
    seating is turned until most of them sit where they sat.
    """
    sides = list(histories[0])
    for winds in histories[1:]:
        turned = [[winds[(side - turn) % 4] for side in range(4)] for turn in range(4)]
        sides = max(turned, key=lambda placed: sum(a == b for a, b in zip(placed, sides, strict=True) if a is not None))
    return sides


def chair_at_bottom(session: Session, chairs: Chairs, turn: int = 0) -> int | None:
    """Return the chair at the bottom of the table's picture before the next hand; None where nobody sits there."""
    played = Hand.objects.filter(session=session).order_by("entry__position").values_list("chairs", flat=True)
    return places_of([tuple(one["winds"]) for one in played] + [tuple(chairs.winds)])[turn % 4]


def table_sides(sheet: Sheet, chairs: Chairs, turn: int = 0) -> list[Side]:
    """Return the four sides as people sit before the next hand, the first of them at the bottom of the picture."""
    histories = [tuple(row.hand.chairs["winds"]) for row in sheet.hands] + [tuple(chairs.winds)]
    placed = places_of(histories)
    by_chair = {seat.chair: seat for seat in sheet.seats}
    wind_of = {seat: wind for wind, seat in zip(WINDS, chairs.winds, strict=True)}
    sides = []
    for number, side in enumerate(SIDES):
        chair = placed[(number + turn) % 4]
        seat = by_chair.get(chair)
        sides.append(Side(side, wind_of[chair], seat, seat.tally.balance if seat else 0))
    return sides


# Settling up at the end of a session.


def seats_with_money(sheet: Sheet, rate: Decimal | None) -> list[tuple[Seat, Decimal | None]]:
    """Return (seat, what its net is worth at a rate for 1,000 points), None without a rate; where players pay each
    other the amounts come to 0 with what goes into the box."""
    if not rate:
        return [(seat, None) for seat in sheet.seats]
    if not sheet.settles:
        return [(seat, rate * seat.tally.net / 1000) for seat in sheet.seats]
    hundredths = in_hundredths(_nets(sheet), rate)
    return [(seat, Decimal(hundredths[seat]) / 100) for seat in sheet.seats]


def final_payments(sheet: Sheet, rate: Decimal | None) -> list[Any] | None:
    """Return who pays whom once a session is over: (payer, payee or None for the box, amount), in money with a rate.

    None where nobody settles up: in play, at a practice table, where each adds their own scores, and in points where
    tally sticks have paid every hand.
    """
    session = sheet.session
    if session.is_open or session.practice or not sheet.settles or (session.sticks and not rate):
        return None
    if not rate:
        return who_pays_whom(_nets(sheet))
    paid = who_pays_whom(in_hundredths(_nets(sheet), rate))
    return [(payer, payee, Decimal(amount) / 100) for payer, payee, amount in paid]


def _nets(sheet):
    """Return what each seat gained, and the box."""
    return {seat: seat.tally.net for seat in sheet.seats} | {None: sheet.to_nobody}


# What someone who comes late asks at a table: how long East has kept the deal, and how the last hand went.

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


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


def east_running(sheet: Sheet, chairs: Chairs) -> int:
    """Count for the how manieth hand running East is East, the coming one included; a void hand is played again."""
    hands = 1
    for row in reversed(sheet.hands):
        if row.hand.chairs["winds"][0] != chairs.east:
            break
        hands += row.hand.kind != Hand.Kind.VOID
    return hands


def deal_words(last: LastHand | None, house: HouseRules) -> str:
    """Say why the deal has passed though East won the last hand; nothing where that is not so."""
    if not last:
        return ""
    hand, winners = last.row.hand, tuple(cell.seat.chair for cell in last.winners)
    chairs = Chairs.from_dict(hand.chairs)
    if not has_kept_most(chairs, Outcome(hand.kind, winners), house):
        return ""
    times = f"{chairs.kept} time{'' if chairs.kept == 1 else 's'}"
    return f"The deal passes: {last.row.east} has kept it {times}, the most allowed."


def ordinal(number: int) -> str:
    """Say a place in words up to the tenth, then in figures: "third", "12th", "21st"."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def east_words(sheet: Sheet, chairs: Chairs) -> str:
    """Say how long East has been East: "for the third hand running"; nothing for the first."""
    hands = east_running(sheet, chairs)
    return f"for the {ordinal(hands)} hand running" if hands > 1 else ""
