"""How fast Chinese Official hands count, beside PyMahjongGB (a compiled calculator) in the same run.

Run it from the top level: `python -m tests.benchmarks.bench_chinese_official`. The example hands are counted over and
over, the random hands once only, each of them new. Each figure of the example hands is the best of several runs, since
machines are noisy; the last column is the ratio to PyMahjongGB given the same hands as JSON.
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
from sessions_app.imports.hand_lines import answers
from tests.scoring.corpora import lines
from tests.scoring.fan_hands import arguments, random_hand

NEW_HANDS = 5_000


def example_hands():
    """Give the valid example hands in the score format."""
    return [case["input"] for case in lines("chinese-official.jsonl") if not case.get("expect_error")]


def seconds(work, subject, repeats=9):
    """Give the least processor seconds that one run of the work took."""
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        work(subject)
        taken.append(time.process_time() - began)
    return min(taken)


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
    hands = example_hands()
    asked = [arguments(hand) for hand in hands]
    text = "".join(json.dumps(hand) + "\n" for hand in hands).encode()
    other_text = "".join(json.dumps(one) + "\n" for one in asked)
    rng = random.Random(7)
    new = [random_hand(rng)[0] for _ in range(NEW_HANDS)]
    other = seconds(other_answers_all, other_text) / len(hands)
    rows = {
        "PyMahjongGB, JSON decoded": other,
        "PyMahjongGB, its arguments ready": seconds(other_counts_all, asked) / len(hands),
        "new random hands, each once": seconds(score_all, new, repeats=1) / len(new),
        "example hands, scored and settled": seconds(score_all, hands) / len(hands),
        "  read beforehand, fans only": seconds(count_all, [read_hand_played(hand) for hand in hands]) / len(hands),
        "  as lines through the command": seconds(answer_all, text) / len(hands),
    }
    return {name.strip(): (1 / taken, other / taken) for name, taken in rows.items()}


def main():
    if "--json" in sys.argv:
        json.dump(figures(), sys.stdout)
        return
    for name, (a_second, ratio) in figures().items():
        print(f"{name:36} {a_second:10,.0f} hands a second   {ratio:6.3f} x PyMahjongGB")


if __name__ == "__main__":
    main()
