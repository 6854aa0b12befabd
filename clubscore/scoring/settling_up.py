"""Settling up when a session is over: who pays whom until everyone is even, in points or in money."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Generic, NamedTuple, TypeVar

Who = TypeVar("Who")


class Transfer(NamedTuple, Generic[Who]):
    """One payment, a whole amount above 0."""

    payer: Who
    payee: Who
    amount: int


def who_pays_whom(nets: Mapping[Who, int]) -> list[Transfer[Who]]:
    """Return few payments after which everyone is even: at most one fewer than there are people.

    `nets` is what each has gained, below 0 lost; ValueError unless they come to 0. Two who owe and are owed the same
    amount settle between them; else the person who owes most pays the person who is owed most.
    """
    left = {who: net for who, net in nets.items() if net}
    if sum(left.values()):
        raise ValueError("What is lost and what is gained must come to the same.")
    paid = []
    while left:
        payer, payee = _next_pair(left)
        amount = min(-left[payer], left[payee])
        paid.append(Transfer(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
        left = {who: net for who, net in left.items() if net}
    return paid


def in_hundredths(points: Mapping[Who, int], rate: Decimal) -> dict[Who, int]:
    """Return what points are worth at a rate for 1,000, in hundredths (pence), so that their sum stays exact.

    `points` come to 0. Each share is rounded down, and what is then missing goes to those who lost most by it.
    """
    exact = {who: Fraction(rate) * number / 10 for who, number in points.items()}
    rounded = {who: floor(share) for who, share in exact.items()}
    # The sort keeps the order of equals: of two who lost half a penny, the one who gained by the session has it.
    by_loss = sorted(exact, key=lambda who: (rounded[who] - exact[who], exact[who] < 0))
    for who in by_loss[: -sum(rounded.values())]:
        rounded[who] += 1
    return rounded


def _next_pair(left: Mapping[Who, int]) -> tuple[Who, Who]:
    """Return who pays next, and to whom."""
    by_amount = sorted(left, key=lambda who: -abs(left[who]))
    payers, payees = [who for who in by_amount if left[who] < 0], [who for who in by_amount if left[who] > 0]
    even = ((payer, payee) for payer in payers for payee in payees if left[payer] + left[payee] == 0)
    return next(even, (payers[0], payees[0]))
