"""How many whole hands a second each rule set scores in one process: read, scored and settled, all the players' hands.

The hands are the made installation's, declared as tables declare them; the floor is a dictionary of fourteen counts for
each player's hand.
"""

import json
import sys
import time

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from sessions_app.populating.hands import make_pool, won_by
from sessions_app.practice_hands import Luck

ROUNDS, SIZE = 7, 150


def figures():
    """Return {rule set: (hands a second, how many times the floor one takes)}."""
    return {key: _of(key) for key in RULE_SETS}


def _of(key):
    luck, played = Luck(key), []
    for declared in make_pool(key, 1, size=SIZE):
        body = {"rules": key, **won_by(declared, luck, list("ESWN"), luck.one_of("ESWN"))}
        try:
            score_hand_played(body)
        except ScoringError:
            continue
        played.append(body)
    seconds = min(_seconds(score_hand_played, played) for _ in range(ROUNDS)) / len(played)
    floor = min(_seconds(_floor, played) for _ in range(ROUNDS)) / len(played)
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
