"""Why a payment is what it is: East's double, a difference and a payment for everyone are spelled out."""

import pytest

from clubscore.play.entered_hand import why_paid

TOTALS = {"1": 16, "2": 152, "3": 40, "4": 0}


@pytest.mark.parametrize(
    ("payer", "payee", "amount", "why", "said"),
    [
        ("1", "2", 304, "mah-jong", "for Mah-jong, East pays double: 2 × 152"),
        ("3", "2", 152, "mah-jong", "for Mah-jong"),
        ("1", "3", 48, "difference", "difference in scores, East pays double: 2 × (40 − 16)"),
        ("4", "1", 32, "difference", "difference in scores, East receives double: 2 × 16"),
        ("4", "3", 40, "difference", "difference in scores"),
        ("4", None, 30, "penalty", "penalty"),
        ("4", "3", 7, "penalty", "penalty"),
    ],
)
def test_the_figures_of_a_payment_are_spelled(payer, payee, amount, why, said):
    paid = {"from": payer, "to": payee, "amount": amount, "why": why}
    assert why_paid(paid, TOTALS, "1", False) == said


def test_a_cannon_says_for_how_many_it_is_paid():
    paid = {"from": "3", "to": "2", "amount": 608, "why": "penalty"}
    assert why_paid(paid, TOTALS, "1", True) == "penalty, for everyone: 4 × 152"


def test_a_difference_between_two_others_says_what_of_what():
    paid = {"from": "3", "to": "2", "amount": 112, "why": "difference"}
    assert why_paid(paid, TOTALS, "1", False) == "difference in scores: 152 − 40"
