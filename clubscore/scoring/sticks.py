"""Tally sticks: the sets, dealing them out, paying with the fewest sticks, giving change, and the sentences for it.

The ledger is exact and has no sticks; these only follow it. The caller stores who holds which purse.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from math import gcd
from typing import Generic, NamedTuple, Protocol, TypeVar

from clubscore.scoring.words import listed

Who = TypeVar("Who", bound=Hashable)
WhoPays = TypeVar("WhoPays", bound=Hashable, covariant=True)

# fmt: off
ONES = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on

GIVEN, CHANGED = (
    100_000,
    100_001,
)  # the cost of moving a stick: of two ways with equally few sticks, less change is better


class StickError(ValueError):
    """Impossible sticks, as a sentence for the scorekeeper."""


class CannotPay(ValueError):
    """A payment that these sticks cannot make, as a sentence for the scorekeeper."""


@dataclass(frozen=True)
class Purse:
    """The sticks one player holds: value and how many, dearest first, each value once, and only values with a stick."""

    counts: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Purse:
        """Return a purse from value -> how many."""
        return cls(tuple(sorted(((value, count) for value, count in counts.items() if count), reverse=True)))

    @classmethod
    def from_dict(cls, data: Mapping[str, int]) -> Purse:
        """Read what to_dict wrote."""
        return cls.of({int(value): count for value, count in data.items()})

    def to_dict(self) -> dict[str, int]:
        """Return plain JSON: value as a string -> how many."""
        return {str(value): count for value, count in self.counts}

    @property
    def worth(self) -> int:
        """Return what all the sticks are worth."""
        return sum(value * count for value, count in self.counts)

    @property
    def sticks(self) -> int:
        """Return how many sticks there are."""
        return sum(count for _, count in self.counts)

    @property
    def words(self) -> str:
        """Return the sticks: "three 100s and three 10s"; "nothing" for an empty purse."""
        named = [f"{number_words(count)} {value:,}{'s' if count > 1 else ''}" for value, count in self.counts]
        return listed(named) or "nothing"

    def __add__(self, other: Purse) -> Purse:
        return _combined(self, other, 1)

    def __sub__(self, other: Purse) -> Purse:
        return _combined(self, other, -1)


@dataclass(frozen=True)
class StickSet:
    """The sticks each of four players has; `deals` are those for other numbers of players worked out by hand."""

    key: str
    name: str
    each: Purse
    source: str
    deals: Mapping[int, tuple[Purse, ...]] = field(default_factory=dict)


class Deal(NamedTuple):
    """Sticks dealt out, equal in worth; what stays in the box; a sentence about what could not be divided, or ""."""

    purses: list[Purse]
    left_over: Purse
    sentence: str


class Handover(NamedTuple):
    """Sticks moved from payer to payee and back as change, and both purses after it."""

    given: Purse
    change: Purse
    payer: Purse
    payee: Purse

    def sentence(self, payer: str, payee: str) -> str:
        """Return the sentence for the players: "Bob gives Alice one 500 and three 10s, and gets one 2 back."."""
        if not self.given.counts:
            return f"{payer} gives {payee} nothing."
        comma = "," if len(self.given.counts) > 1 else ""
        back = f"{comma} and gets {self.change.words} back" if self.change.counts else ""
        return f"{payer} gives {payee} {self.given.words}{back}."


class Owed(Protocol[WhoPays]):
    """A payment in points; a `payee` of None is the box, which takes penalties to nobody."""

    @property
    def payer(self) -> WhoPays: ...
    @property
    def payee(self) -> WhoPays | None: ...
    @property
    def amount(self) -> int: ...


class SettledUp(NamedTuple, Generic[Who]):
    """A hand paid in sticks: the purses after it, who owes whom how much, and in sentences what is handed over.

    `debts` has (debtor, creditor) -> amount, never in both directions; the box (None) is only ever a creditor.
    """

    purses: dict[Who | None, Purse]
    debts: dict[tuple[Who | None, Who | None], int]
    sentences: list[str]


def _tens_of(thousands: int, five_hundreds: int, hundreds: int, tens: int) -> Purse:
    return Purse.of({1000: thousands, 500: five_hundreds, 100: hundreds, 10: tens})


STICK_SETS: dict[str, StickSet] = {
    stick_set.key: stick_set
    for stick_set in (
        StickSet(
            "guide",
            "1,000, 500, 100 and 10 (3,000 each)",
            _tens_of(1, 2, 9, 10),
            "u3a Beginners Guide, Tallies",
            deals={5: (*[_tens_of(1, 1, 8, 10)] * 3, _tens_of(1, 1, 9, 0), _tens_of(0, 4, 3, 10))},
        ),
        StickSet(
            "older_british",
            "500, 100, 10 and 2 (2,000 each)",
            Purse.of({500: 2, 100: 9, 10: 8, 2: 10}),
            "older British sets",
        ),
    )
}


def deal_out(stick_set: StickSet, players: int) -> Deal:
    """Deal a set out and say what cannot be divided.

    All sticks are used if their worth can be divided by the players; otherwise each gets as many tens as all can have,
    and the rest stays in the box. Exact for sets in which every stick changes into the next
    smaller ones; other sets may leave more in the box than they must.
    """
    if players == 4:
        return Deal([stick_set.each] * 4, Purse(), "")
    if players not in (3, 5):
        raise StickError(f"Sticks are dealt out to three, four or five players, not {players}.")
    everything = Purse.of({value: 4 * count for value, count in stick_set.each.counts})
    purses = list(stick_set.deals.get(players, ())) or _dealt(everything, players)
    left_over = reduce(lambda rest, purse: rest - purse, purses, everything)
    return Deal(purses, left_over, _deal_sentence(purses, left_over))


def pay(payer: Purse, payee: Purse, amount: int, names: tuple[str, str] = ("The payer", "the payee")) -> Handover:
    """Pay an amount exactly, with the fewest sticks moved in all, change from the payee among them.

    Raise CannotPay, with the two names in its sentence, if these sticks do not allow it.
    """
    moved = _fewest(payer, payee, amount)
    if moved is None:
        raise CannotPay(_why_not(payer, payee, amount, names))
    given = Purse.of({value: count for value, count in moved.items() if count > 0})
    change = Purse.of({value: -count for value, count in moved.items() if count < 0})
    return Handover(given, change, payer - given + change, payee - change + given)


def most_payable(payer: Purse, payee: Purse, amount: int) -> int:
    """Return the greatest amount up to `amount` that the payer can pay exactly, given the payee's change."""
    sums = 1  # bit n: a sum of n - payee.worth can be moved
    for value, count in (*payer.counts, *payee.counts):
        sums = _with_sticks(sums, value, count)
    return (sums & ((1 << (amount + payee.worth + 1)) - 1)).bit_length() - 1 - payee.worth


def settle_up(
    purses: Mapping[Who | None, Purse],
    payments: Iterable[Owed[Who]],
    names: Mapping[Who | None, str] | None = None,
    debts: Mapping[tuple[Who | None, Who | None], int] | None = None,
) -> SettledUp[Who]:
    """Pay a hand's payments one after the other, each together with what the two still owe each other.

    What cannot be paid is paid as far as it can be, and the rest is owed. Once all have paid, those who took part pay
    what they can of what they owe each other: they may hold other sticks by then. The box (None in `purses`) takes
    penalties to nobody and gives change from what it holds.
    """
    table = _Table({None: Purse(), **purses}, dict(debts or {}), names or {})
    payments = list(payments)
    sentences = [table.pay(payment) for payment in payments]
    taking_part = {None, *(who for payment in payments for who in (payment.payer, payment.payee))}
    sentences += table.pay_debts(taking_part)
    return SettledUp(table.held, table.owed, sentences)


class _Table(Generic[Who]):
    """The purses and debts of a table while payments are made."""

    def __init__(
        self,
        held: dict[Who | None, Purse],
        owed: dict[tuple[Who | None, Who | None], int],
        names: Mapping[Who | None, str],
    ) -> None:
        self.held = held
        self.owed = owed
        self.names = names

    def name(self, who: Who | None) -> str:
        return self.names.get(who, "the box" if who is None else str(who))

    def pay(self, payment: Owed[Who]) -> str:
        """Pay one payment with what the two owe each other, and return the sentence for the players."""
        payer, payee, amount = payment.payer, payment.payee, payment.amount
        more, less = self.owed.pop((payer, payee), 0), self.owed.pop((payee, payer), 0)
        due = amount + more - less
        giver, taker = (payer, payee) if due >= 0 else (payee, payer)
        names = self.name(giver), self.name(taker)
        note = f" {more:,} was still owed from before." if more else ""
        if less:
            off = f"The {less:,} that {names[1]} still owed comes" if due >= 0 else f"{names[1]}’s {amount:,} comes"
            note = f" {off} off{'' if due >= 0 else f' what {names[0]} still owed'}."
        before = self.held[giver], self.held[taker]
        handover = self.pay_towards(giver, taker, abs(due))
        left = self.owed.get((giver, taker), 0)
        return _handed_over(handover, before, abs(due), left, note, names)

    def pay_towards(self, giver: Who | None, taker: Who | None, due: int) -> Handover:
        """Pay as much as can be paid of what is due; the rest is owed."""
        paid = most_payable(self.held[giver], self.held[taker], due)
        handover = pay(self.held[giver], self.held[taker], paid)
        self.held[giver], self.held[taker] = handover.payer, handover.payee
        if due > paid:
            self.owed[giver, taker] = due - paid
        else:
            self.owed.pop((giver, taker), None)
        return handover

    def pay_debts(self, taking_part: set[Who | None]) -> list[str]:
        """Pay older debts as far as the sticks now allow, until nothing moves; return the sentences."""
        sentences = []
        moved = True
        while moved:
            moved = False
            # In the order of the players, so that a replay does the same whichever debt was first.
            for giver, taker in [(one, other) for one in self.held for other in self.held if (one, other) in self.owed]:
                due = self.owed[giver, taker]
                if {giver, taker} <= taking_part and most_payable(self.held[giver], self.held[taker], due):
                    sentence = self.pay_towards(giver, taker, due).sentence(self.name(giver), self.name(taker))
                    left = self.owed.get((giver, taker), 0)
                    sentences.append(f"{sentence} This was still owed.{_stays_owed(left)}")
                    moved = True
        return sentences


def still_owed(debts: Mapping[tuple[Who | None, Who | None], int], who: Who | None) -> int:
    """Return what the others owe a player, less what that player owes them: with the sticks it makes the balance."""
    return sum(amount * ((creditor == who) - (debtor == who)) for (debtor, creditor), amount in debts.items())


def number_words(number: int) -> str:
    """Return a number of sticks: "three", "thirty-six"; from 100 in figures."""
    if number < 20:
        return ONES[number]
    if number > 99:
        return str(number)
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


def _combined(first: Purse, second: Purse, sign: int) -> Purse:
    counts = dict(first.counts)
    for value, count in second.counts:
        counts[value] = counts.get(value, 0) + sign * count
        if counts[value] < 0:
            raise StickError(f"There are not {number_words(count)} sticks of {value} here.")
    return Purse.of(counts)


def _dealt(everything: Purse, players: int) -> list[Purse]:
    share, rest = divmod(everything.worth, players)
    tens = range(share // 10 * 10, 0, -10)
    for each in tens if rest else (share, *tens):
        purses = _dealt_up_to(everything, players, each)
        if all(purse.worth == each for purse in purses):
            return purses
    return [Purse()] * players


def _dealt_up_to(everything: Purse, players: int, most: int) -> list[Purse]:
    """Deal each stick, dearest first, to the player with least, as long as no one gets more than `most`."""
    hands: list[dict[int, int]] = [{} for _ in range(players)]
    worths = [0] * players
    for value, count in everything.counts:
        for _ in range(count):
            poorest = worths.index(min(worths))
            if worths[poorest] + value > most:
                break
            hands[poorest][value] = hands[poorest].get(value, 0) + 1
            worths[poorest] += value
    return [Purse.of(hand) for hand in hands]


def _deal_sentence(purses: list[Purse], left_over: Purse) -> str:
    each = purses[0].worth
    if left_over.counts:
        by, stay = number_words(len(purses)), "stays" if left_over.sticks == 1 else "stay"
        return f"The sticks do not divide by {by}: each has {each}, {left_over.words} {stay} in the box."
    if any(purse != purses[0] for purse in purses):
        return f"The sticks do not divide evenly: each has {each}, but not in the same sticks."
    return ""


def _fewest(payer: Purse, payee: Purse, amount: int) -> dict[int, int] | None:
    """Find how many sticks of each value go over (below zero: come back), the fewest in all; None if it cannot be.

    Dynamic programming over stick values, cheapest first: for each amount still to pay it keeps the cheapest way, and
    drops amounts that the dearer sticks cannot make.
    """
    gives, changes = dict(payer.counts), dict(payee.counts)
    values = sorted({*gives, *changes})
    ways: dict[int, tuple[int, tuple[int, ...]]] = {amount: (0, ())}
    for place, value in enumerate(values):
        dearer = values[place + 1 :]
        most = sum(other * gives.get(other, 0) for other in dearer)
        least = -sum(other * changes.get(other, 0) for other in dearer)
        unit = gcd(*dearer)
        coming: dict[int, tuple[int, tuple[int, ...]]] = {}
        for rest, (cost, moved) in ways.items():
            low = max(-changes.get(value, 0), -((most - rest) // value))
            high = min(gives.get(value, 0), (rest - least) // value)
            for count in _counts_for(rest, value, unit, low, high):
                to_come = cost + (count * GIVEN if count > 0 else -count * CHANGED)
                known = coming.get(rest - value * count)
                if known is None or to_come < known[0]:
                    coming[rest - value * count] = (to_come, (*moved, count))
        ways = coming
    return dict(zip(values, ways[0][1], strict=True)) if 0 in ways else None


def _counts_for(rest: int, value: int, unit: int, low: int, high: int) -> range:
    """Return the counts from low to high that leave a multiple of `unit` (0: that leave nothing)."""
    step = unit // gcd(unit, value) if unit else 1
    for first in range(low, min(high, low + step - 1) + 1):
        left = rest - value * first
        if (left % unit if unit else left) == 0:
            return range(first, high + 1, step)
    return range(0)


def _with_sticks(sums: int, value: int, count: int) -> int:
    """Add up to `count` sticks of a value to every sum, in doubling steps."""
    step = 1
    while count > 0:
        taken = min(step, count)
        sums |= sums << (value * taken)
        count -= taken
        step *= 2
    return sums


def _why_not(payer: Purse, payee: Purse, amount: int, names: tuple[str, str]) -> str:
    name, other = names
    if payer.worth < amount:
        return f"{name} cannot pay {amount:,}: the sticks there are worth {payer.worth:,}."
    values = [value for value, _ in (payer + payee).counts]
    if amount % gcd(*values):
        return f"{name} cannot pay {amount:,} exactly in sticks of {listed(f'{value:,}' for value in values)}."
    return f"{name} cannot pay {amount:,} exactly out of {payer.words}: {other} cannot give the change."


def _handed_over(
    handover: Handover, before: tuple[Purse, Purse], due: int, left: int, note: str, names: tuple[str, str]
) -> str:
    """Return what is handed over, and why it is not all, unless the rest is too small for the sticks."""
    unit = gcd(*(value for value, _ in (before[0] + before[1]).counts))
    gives, why = handover.sentence(*names), ""
    if left and (before[0].worth < due or left >= unit):
        payable = due if before[0].worth < due else due - due % unit
        gives = gives if handover.given.counts else ""
        why = f" {_why_not(*before, payable, names)}"
    return f"{gives}{note}{why}{_stays_owed(left)}".lstrip()


def _stays_owed(left: int) -> str:
    return f" {left:,} is still owed." if left else ""
