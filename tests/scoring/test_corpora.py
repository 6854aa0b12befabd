"""Every example hand scores to its right result."""

import copy

from clubscore.scoring import ScoringError, score_hand_played
from tests.scoring.corpora import case_id, club_night, differences, lines

CASES = [*lines("worked-hands.jsonl"), *lines("random-hands.jsonl"), *lines("chinese-official.jsonl"), *club_night()]
VALID = [case for case in CASES if not case.get("expect_error")]
INVALID = [case for case in CASES if case.get("expect_error")]


def faults_of(case):
    """Say what of an answer is not as it was worked out, and which lines do not add up to its figures."""
    given = copy.deepcopy(case["input"])
    answer = score_hand_played(given)
    found = differences(case["expect"], answer)
    if given != case["input"]:
        found.append("the hand was changed")
    for seat, hand in answer["hands"].items():
        if hand["points"] is None or not hand["lines"]:
            continue
        for figure in ("points", "doubles"):
            added = sum(line.get(figure, 0) * line.get("count", 1) for line in hand["lines"])
            if hand[figure] not in (None, added):
                found.append((seat, f"{figure} of the lines", hand[figure], added))
    return found


def test_every_hand_scores_as_worked_out_and_its_lines_add_up():
    assert len(VALID) > 700
    assert {case_id(case): faults for case in VALID if (faults := faults_of(case))} == {}


def sentence_of(case):
    try:
        score_hand_played(case["input"])
    except ScoringError as error:
        return str(error)
    return "no error"


def test_every_invalid_hand_gets_a_sentence():
    assert len(INVALID) > 70
    said = {case_id(case): sentence_of(case) for case in INVALID}
    assert {key: words for key, words in said.items() if not words.endswith(".") or len(words) >= 300} == {}
