"""How fast fresh Chinese Official hands count, compared with PyMahjongGB (a compiled calculator) in the same run.

Run it from the top level: `python -m tests.benchmarks.bench_chinese_official`. The hands are made at random, new ones
for each way of ours, and each is counted once, so that no cache knows it; the last column is the ratio to PyMahjongGB
given hands as JSON.
"""

import io
import json
import random
import sys
import time

from MahjongGB import MahjongFanCalculator

from clubscore.scoring import score_hand_played
from clubscore.scoring.score import score_players
from clubscore.scoring.score_format import read_hand_played
from sessions_app.management.commands.score_hands import answers
from tests.scoring.fan_hands import arguments, random_hand

NEW_HANDS = 5_000


def new_hands(seed):
    rng = random.Random(seed)
    return [random_hand(rng)[0] for _ in range(NEW_HANDS)]


def seconds(work, subject):
    """Give the processor seconds that one run of the work took."""
    began = time.process_time()
    work(subject)
    return time.process_time() - began


def score_all(hands):
    for hand in hands:
        score_hand_played(hand)


def count_all(hands):
    for hand in hands:
        score_players(hand)


def answer_all(text):
    for _ in answers(io.BytesIO(text)):
        pass


def other_counts_all(asked):
    for one in asked:
        MahjongFanCalculator(**one)


def other_answers_all(text):
    for line in text.splitlines():
        one = json.loads(line)
        one["pack"], one["hand"] = tuple(map(tuple, one["pack"])), tuple(one["hand"])
        MahjongFanCalculator(**one)


def figures():
    """Return {what: (how many a second, the ratio to PyMahjongGB with JSON)}."""
    asked = [arguments(hand) for hand in new_hands(7)]
    text = "".join(json.dumps(hand) + "\n" for hand in new_hands(8)).encode()
    other_text = "".join(json.dumps(one) + "\n" for one in asked)
    taken = {
        "PyMahjongGB, JSON decoded": seconds(other_answers_all, other_text),
        "PyMahjongGB, its arguments ready": seconds(other_counts_all, asked),
        "hands scored and settled": seconds(score_all, new_hands(9)),
        "read beforehand, fans only": seconds(count_all, [read_hand_played(hand) for hand in new_hands(10)]),
        "as lines through the command": seconds(answer_all, text),
    }
    other = taken["PyMahjongGB, JSON decoded"]
    return {name: (NEW_HANDS / one, other / one) for name, one in taken.items()}


def main():
    if "--json" in sys.argv:
        json.dump(figures(), sys.stdout)
        return
    for name, (a_second, ratio) in figures().items():
        print(f"{name:36} {a_second:10,.0f} hands a second   {ratio:6.3f} x PyMahjongGB")


if __name__ == "__main__":
    main()
