"""A drawn hand in which nothing was read out fits any seats: a correction before it opens no question."""

import pytest

from sessions_app.models import Hand
from tests.afternoon import hand, nets, send, totals

BLANK = {"hands": {seat: {} for seat in "2345"}, "mahjong": None, "penalties": []}


READ_OUT = {"hands": {"2": {"sets": ["exposed pung R"]}, "3": {}, "4": {}, "5": {}}, "mahjong": None}


@pytest.mark.parametrize(
    ("body", "questioned"), [(BLANK, [False, False]), (READ_OUT, [False, True])], ids=["blank", "a hand read out"]
)
def test_a_draw_after_a_corrected_hand(five, body, questioned):
    """Bob is written down as the winner, so East passes and Alice sits out; it was Alice, who stays, and Fay is out."""
    first = hand(five, "2", s2=100)
    send(five, "hand", body)
    answer = send(five, "correct", {"entry": first, "body": totals("1", s1=100, seats="1234")})
    assert answer.outcome == "recorded"
    hands = Hand.objects.filter(session=five).order_by("number")
    assert [bool(one.question) for one in hands] == questioned
    assert nets(five) == {"Alice": 600, "Bob": -200, "Carol": -200, "Dave": -200, "Fay": 0}
