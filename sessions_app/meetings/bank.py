"""A bank's list of payments, matched with what people owe by name and amount. No database here."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from sessions_app.meetings.fees import StillOwing
from sessions_app.people.fuzzy_names import folded

AMOUNT = re.compile(r"[+]?£?\s*(\d{1,3}(?:,\d{3})+|\d{1,6})(\.\d{1,2})?\Z")


@dataclass(frozen=True)
class BankMatch:
    """A line of the bank's list that names somebody who owes; `fits` if an amount of it is what they owe."""

    owing: StillOwing
    line: str
    fits: bool


def bank_matches(rows: Iterable[Sequence[str]], owing: Sequence[StillOwing]) -> list[BankMatch]:
    """Return the lines that name somebody who owes, those with another amount too; each person once.

    A line names somebody by surname and first name or initial, or by a surname that only one of them has.
    """
    surnames = [_surname(one) for one in owing]
    found: dict[int, BankMatch] = {}
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
            match = BankMatch(one, " · ".join(cells)[:120], one.amount in amounts)
            if match.fits or one.player.pk not in found:
                found[one.player.pk] = match
    return sorted(found.values(), key=lambda match: (not match.fits, str(match.owing.player).casefold()))


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
