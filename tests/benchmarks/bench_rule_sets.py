"""How many whole hands a second each rule set scores in one process: read, scored and settled, all the players' hands.

The hands are made at random under the rules as printed, and each is scored once, so that no cache knows it; the floor
is a dictionary of fourteen counts for each player's hand.
"""

import json
import random
import sys
import time

from clubscore.scoring import RULE_SETS, score_hand_played
from tests.scoring.tables import table

SIZE = 1_500


def figures():
    """Return {rule set: (hands a second, how many times the floor one takes)}."""
    return {key: _of(key) for key in RULE_SETS}


def _of(key):
    rng = random.Random(key)
    house = {"minimum_points": 0} if "minimum_points" in RULE_SETS[key].house_rules else {}
    played = [table(rng, key, house) for _ in range(SIZE)]
    seconds = _seconds(score_hand_played, played) / len(played)
    floor = _seconds(_floor, played) / len(played)
    return 1 / seconds, seconds / floor


def _seconds(work, hands):
    began = time.process_time()
    for hand in hands:
        work(hand)
    return time.process_time() - began


def _floor(hand):
    for _ in hand["hands"]:
        counts = {}
        for tile in range(14):
            counts[tile] = counts.get(tile, 0) + 1


if __name__ == "__main__":
    if "--json" in sys.argv:
        json.dump(figures(), sys.stdout)
    else:
        for name, (a_second, times) in figures().items():
            print(f"{name:20} {a_second:8,.0f} hands a second {times:6.1f} x floor")
