"""Settling up after a session: few payments, after which everyone is even, to the penny."""

from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubscore.play.settling_up import money_words
from clubscore.scoring.settlement import in_hundredths, who_pays_whom

PENNY = Decimal("0.01")


@st.composite
def nets(draw):
    """What two to eight players gained and lost; the box takes what is missing."""
    found = draw(st.lists(st.integers(-5000, 5000), min_size=2, max_size=8))
    return dict(enumerate(found)) | {None: -sum(found)}


@pytest.mark.parametrize(
    ("gained", "expected"),
    [
        ({"Ann": 60, "Bob": -16, "Cy": -22, "Di": -22}, [("Cy", "Ann", 22), ("Di", "Ann", 22), ("Bob", "Ann", 16)]),
        ({"Ann": 30, "Bob": -50, "Cy": 20}, [("Bob", "Ann", 30), ("Bob", "Cy", 20)]),
        # Bob and Di owe and are owed the same: between them one payment, three in all and not four.
        ({"Ann": 5, "Bob": 4, "Cy": -3, "Di": -4, "Fay": -2}, [("Di", "Bob", 4), ("Cy", "Ann", 3), ("Fay", "Ann", 2)]),
        # Ann, Bob and Cy are even among themselves, and the others: four payments, not five.
        (
            {"Ann": 5, "Bob": 1, "Cy": -6, "Di": 4, "Fay": 3, "Gil": -7},
            [("Cy", "Ann", 5), ("Cy", "Bob", 1), ("Gil", "Di", 4), ("Gil", "Fay", 3)],
        ),
        ({"Ann": 0, "Bob": 0}, []),
    ],
)
def test_few_pay_few(gained, expected):
    assert who_pays_whom(gained) == expected


def test_what_does_not_come_to_nought_is_refused():
    with pytest.raises(ValueError, match="must come to the same"):
        who_pays_whom({"Ann": 30, "Bob": -20})


@given(nets())
def test_everyone_is_even_after_fewer_payments_than_people(gained):
    paid = who_pays_whom(gained)
    left = dict(gained)
    for payer, payee, amount in paid:
        assert amount > 0
        left[payer] += amount
        left[payee] -= amount
    assert set(left.values()) == {0}
    assert len(paid) <= max(len([net for net in gained.values() if net]) - 1, 0)
    # Nobody both pays and is paid.
    assert {payer for payer, _, _ in paid}.isdisjoint(payee for _, payee, _ in paid)


def even_groups(nets):
    """Return into how many groups that come to 0 people can be split, by trying each group with the first of them."""
    if not nets:
        return 0
    first, *others = nets
    chosen = (some for size in range(len(others) + 1) for some in combinations(range(len(others)), size))
    even = (some for some in chosen if first + sum(others[one] for one in some) == 0)
    return max(1 + even_groups([other for one, other in enumerate(others) if one not in some]) for some in even)


@given(st.lists(st.integers(-6, 6).filter(bool), max_size=6))
def test_there_are_no_fewer_payments(gained):
    gained = [*gained, -sum(gained)] if sum(gained) else gained
    assert len(who_pays_whom(dict(enumerate(gained)))) == len(gained) - even_groups(gained)


@given(nets(), st.decimals("0.01", "99999.99", places=2))
def test_money_is_exact_and_never_a_penny_off(gained, rate):
    shares = in_hundredths(gained, int(rate * 100))
    assert sum(shares.values()) == 0
    assert all(abs(shares[who] * PENNY - points * rate / 1000) < PENNY for who, points in gained.items())


@pytest.mark.parametrize(
    ("points", "rate", "expected"),
    [
        ({"Ann": 600, "Bob": -160, "Cy": -220, "Di": -220}, "2", {"Ann": 120, "Bob": -32, "Cy": -44, "Di": -44}),
        # Half a penny each way is rounded away from nought.
        ({"Ann": 585, "Bob": -585}, "1", {"Ann": 59, "Bob": -59}),
        # 3.3p, 3.3p, 3.3p and -10p: rounded alone, a penny would be missing.
        ({"Ann": 33, "Bob": 33, "Cy": 34, "Di": -100}, "1", {"Ann": 3, "Bob": 3, "Cy": 4, "Di": -10}),
        ({"Ann": 335, "Bob": 335, "Cy": 335, "Di": -1005}, "0.10", {"Ann": 4, "Bob": 3, "Cy": 3, "Di": -10}),
    ],
)
def test_points_in_pence(points, rate, expected):
    assert in_hundredths(points, int(Decimal(rate) * 100)) == expected


def test_half_a_penny_of_a_score_that_is_only_added_up_is_rounded_away_from_nought():
    about = {"rate": 100, "settles": False, "currency": "£"}
    assert money_words({1: 585, 2: -585, 3: 584, 4: 0}, about) == {1: "+£0.59", 2: "−£0.59", 3: "+£0.58", 4: "£0.00"}
