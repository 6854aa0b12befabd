"""Every example hand scores to its right result."""

import copy

import pytest

from clubscore.scoring import ScoringError, score_hand_played
from tests.scoring.corpora import case_id, club_night, differences, lines

CASES = [*lines("worked-hands.jsonl"), *lines("random-hands.jsonl"), *lines("chinese-official.jsonl"), *club_night()]
VALID = [case for case in CASES if not case.get("expect_error")]
INVALID = [case for case in CASES if case.get("expect_error")]


@pytest.mark.parametrize("case", VALID, ids=case_id)
def test_hand_scores_as_worked_out(case):
    given = copy.deepcopy(case["input"])
    assert differences(case["expect"], score_hand_played(given)) == []
    assert given == case["input"]


@pytest.mark.parametrize("case", INVALID, ids=case_id)
def test_invalid_hand_gets_a_sentence(case):
    with pytest.raises(ScoringError) as raised:
        score_hand_played(case["input"])
    sentence = str(raised.value)
    assert sentence.endswith(".")
    assert len(sentence) < 300


@pytest.mark.parametrize("case", VALID, ids=case_id)
def test_lines_add_up_to_the_figures(case):
    for hand in score_hand_played(case["input"])["hands"].values():
        if hand["points"] is None or not hand["lines"]:
            continue
        points = sum(line.get("points", 0) * line.get("count", 1) for line in hand["lines"])
        assert points == hand["points"]
        if hand["doubles"] is not None:
            assert sum(line.get("doubles", 0) * line.get("count", 1) for line in hand["lines"]) == hand["doubles"]
