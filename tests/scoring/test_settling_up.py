"""Settling up after a session: few payments, after which everyone is even, to the penny."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(nets(), st.decimals("0.01", "99999.99", places=2))
def test_money_is_exact_and_never_a_penny_off(gained, rate):
    shares = in_hundredths(gained, rate)
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
    assert in_hundredths(points, Decimal(rate)) == expected
