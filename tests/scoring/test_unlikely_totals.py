"""Typed totals that the rules make unlikely are asked about, with what speaks against them."""

import pytest

from clubscore.scoring import RULE_SETS, house_rules
from clubscore.scoring.unlikely_totals import unlikely_total


def question(rules, total, wins=False, **house):
    return unlikely_total(RULE_SETS[rules], house_rules(rules, house), total, wins)


@pytest.mark.parametrize(
    ("rules", "total", "wins", "expected"),
    [
        ("bmja", 33, False, "British totals are even. Is 33 right?"),
        ("u3a", 33, True, "British totals are even. Is 33 right?"),
        ("western", 33, False, "These totals are even. Is 33 right?"),
        ("bmja", 5001, True, "The limit is 1,000. Is 5,001 right?"),
        ("western", 602, False, "The limit is 600. Is 602 right?"),
        ("bmja", 4, True, "A winner scores at least 20. Is 4 right?"),
        ("baggaley", 0, True, "A winner scores at least 20. Is 0 right?"),
        ("chinese_official", 5, True, "A winning hand needs 8 points. Is 5 right?"),
    ],
)
def test_an_unlikely_total_is_asked_about(rules, total, wins, expected):
    assert question(rules, total, wins) == expected


@pytest.mark.parametrize(
    ("rules", "total", "wins"),
    [
        ("bmja", 4, False),
        ("bmja", 20, True),
        ("bmja", 1000, True),
        ("bmja", 0, False),
        ("turner", 20, True),
        ("chinese_official", 8, True),
        ("chinese_official", 33, True),
    ],
)
def test_a_likely_total_is_not(rules, total, wins):
    assert question(rules, total, wins) is None


def test_the_clubs_house_rules_are_asked_by():
    assert question("bmja", 5000, True, limit=None) is None
    assert question("bmja", 1010, False, limit_applies_to="winner") is None
    assert question("chinese_official", 5, True, minimum_points=4) is None
    assert question("chinese_official", 5, True, minimum_points=6) == "A winning hand needs 6 points. Is 5 right?"


@pytest.mark.parametrize("rule_set", RULE_SETS.values(), ids=RULE_SETS)
def test_a_winner_scores_at_least_what_mah_jong_itself_is_worth(rule_set):
    """Every source gives 20 for going Mah-jong; Chinese Official has fans in its place, and a least of its own."""
    [mah_jong] = [rule.points for rule in rule_set.rules if rule.key == "mah_jong"] or [0]
    assert rule_set.winner_least == mah_jong == (0 if rule_set.key == "chinese_official" else 20)
