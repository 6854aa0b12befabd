"""A bank's list of payments, matched with what people owe by name and amount. No database here."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import combinations

from sessions_app.meetings.fees import Debt, StillOwing, debt_key
from sessions_app.people.fuzzy_names import folded

AMOUNT = re.compile(r"[+]?£?\s*(\d{1,3}(?:,\d{3})+|\d{1,6})(\.\d{1,2})?\Z")


# So many fees of one person are tried in every way that they add up.
MOST = 12


@dataclass(frozen=True)
class BankMatch:
    """A line of the bank's list that names somebody who owes, with those of their debts that an amount of it pays."""

    owing: StillOwing
    line: str
    debts: tuple[Debt, ...]

    @property
    def fits(self) -> bool:
        return bool(self.debts)

    @property
    def is_part(self) -> bool:
        return len(self.debts) < len(self.owing.debts)

    @property
    def amount(self) -> Decimal:
        return sum((debt.amount for debt in self.debts), Decimal(0))

    @property
    def value(self) -> str:
        """What a form sends of it."""
        return " ".join([str(self.owing.player.pk), *map(debt_key, self.debts)])


def debts_of(values: Iterable[str], owing: Iterable[StillOwing]) -> list[tuple[StillOwing, list[Debt]]]:
    """Return who pays what by the values that a form sent; what is no longer owed is left out."""
    sent: dict[str, set[str]] = defaultdict(set)
    for value in values:
        person, *keys = value.split() or [""]
        sent[person].update(keys)
    found = [(one, [debt for debt in one.debts if debt_key(debt) in sent[str(one.player.pk)]]) for one in owing]
    return [(one, debts) for one, debts in found if debts]


def bank_matches(rows: Iterable[Sequence[str]], owing: Sequence[StillOwing]) -> list[BankMatch]:
    """Return the lines that name somebody who owes, with what each pays: all, or some of it, the oldest first.

    A line names somebody by surname and first name or initial, or by a surname that only one of them has. Of those whom
    no line fits, one line with another amount is returned.
    """
    surnames = [_surname(one) for one in owing]
    left = {one.player.pk: list(one.debts) for one in owing}
    found: dict[int, list[BankMatch]] = defaultdict(list)
    for row in rows:
        cells = [cell.strip() for cell in row if cell.strip()]
        words = set(re.findall(r"[^\W\d_]+", folded(" ".join(cells))))
        amounts = {amount for cell in cells if (amount := _amount(cell)) is not None}
        named = [
            one
            for one, surname in zip(owing, surnames, strict=True)
            if surname in words and (surnames.count(surname) == 1 or words & _first_names(one))
        ]
        for one in named if len(named) == 1 and amounts else ():
            here = left[one.player.pk]
            debts = _paid_by(amounts, here)
            left[one.player.pk] = [debt for debt in here if debt not in debts]
            found[one.player.pk].append(BankMatch(one, " · ".join(cells)[:120], debts))
    matches = [match for some in found.values() for match in ([one for one in some if one.fits] or some[:1])]
    return sorted(matches, key=lambda match: (not match.fits, str(match.owing.player).casefold()))


def _paid_by(amounts: set[Decimal], debts: Sequence[Debt]) -> tuple[Debt, ...]:
    """Return which debts one of these amounts pays: the most, and of as many the oldest."""
    for number in range(len(debts), 0, -1) if len(debts) <= MOST else (len(debts), 1):
        for some in combinations(debts, number):
            if sum((debt.amount for debt in some), Decimal(0)) in amounts:
                return some
    return ()


def _surname(one: StillOwing) -> str:
    return (folded(str(one.player)).split() or [""])[-1]


def _first_names(one: StillOwing) -> set[str]:
    first = (folded(str(one.player)).split() or [""])[0]
    return {first, first[:1]}


def _amount(cell: str) -> Decimal | None:
    """Return an amount that was paid in; what was paid out has a minus."""
    found = AMOUNT.match(cell)
    try:
        return Decimal(found[1].replace(",", "") + (found[2] or "")) if found else None
    except InvalidOperation:
        return None
