"""Chinese Official compared with PyMahjongGB, a calculator for the same game that knows nothing of this one."""

import json
import random
from collections import Counter

import pytest

from clubscore.scoring import ScoringError, score_hand_played
from tests.conftest import missing
from tests.scoring.corpora import lines
from tests.scoring.fan_hands import ALIKE, arguments, random_hand, with_swapped_tiles

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None


@pytest.fixture(autouse=True)
def calculator():
    if MahjongFanCalculator is None:
        missing("PyMahjongGB is not installed: on Debian and Ubuntu, 'sudo apt install g++ python3-dev' lets it be.")


def difference(given, theirs):
    """Give hand, their fans and ours where the sums differ, else None."""
    score = score_hand_played(given)["hands"][given["mahjong"]["by"]]
    if sum(points * often for points, often, *_ in theirs) == score["total"]:
        return None
    return json.dumps(given), theirs, score["lines"]


@pytest.mark.parametrize("seed", range(4))
def test_random_hands_count_the_same(seed):
    rng = random.Random(seed)
    found = []
    for _ in range(700):
        given, asked = random_hand(rng)
        found.append(difference(given, MahjongFanCalculator(**asked)))
    assert [one for one in found if one] == []


def is_mahjong(score, *given, **named):
    """Tell whether a calculator counts a hand; both say that it is none by an error."""
    try:
        score(*given, **named)
    except (ScoringError, TypeError) as error:
        why = str(error)
    else:
        return True
    assert "are not a Mah-jong" in why or why == "ERROR_NOT_WIN", why
    return False


@pytest.mark.parametrize(
    ("seed", "number"), [(0, 1_000), *(pytest.param(seed, 5_000, marks=pytest.mark.long) for seed in range(1, 5))]
)
def test_hands_with_swapped_tiles_are_refused_alike(seed, number):
    rng = random.Random(seed)
    found, accepted = [], 0
    for _ in range(number):
        given, asked = with_swapped_tiles(rng)
        theirs = is_mahjong(MahjongFanCalculator, **asked)
        accepted += theirs
        if is_mahjong(score_hand_played, given) != theirs:
            found.append((json.dumps(given), theirs))
    assert found == []
    assert number / 100 < accepted < number / 2  # both answers come often enough


CORPUS = [case for case in lines("chinese-official.jsonl") if not case.get("expect_error")]


def test_example_hands_count_the_same_under_the_house_rules_of_many_tables():
    cases = [{**case["input"], "house_rules": ALIKE} for case in CORPUS]
    found = [difference(given, MahjongFanCalculator(**arguments(given))) for given in cases]
    assert [one for one in found if one] == []


def test_the_example_hands_hold_every_fan():
    seen = Counter()
    for case in CORPUS:
        score = score_hand_played({**case["input"], "house_rules": ALIKE})["hands"][case["input"]["mahjong"]["by"]]
        seen.update(line["rule"] for line in score["lines"])
    assert len(seen) == 82  # a melded and a concealed kong are one row more
