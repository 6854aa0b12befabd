"""A table's own words in place of ours: suits, actions, beginnings of sentences; names in brackets stay."""

import pytest

from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.words import in_words


@pytest.mark.parametrize(
    ("rules", "ours", "theirs"),
    [
        ("bmja", "Pung of 7 Circles, exposed", "Pung of 7 Circles, exposed"),
        ("beginners", "Chow 1 to 3 of Circles, exposed", "Chow 1 to 3 of Wheels, exposed"),
        ("baggaley", "Pung of 4 Characters, concealed", "Peng of 4 Wans, closed"),
        ("baggaley", "3 Bamboo", "3 Sticks"),
        ("baggaley", "Flower 4 (Bamboo)", "Flower 4 (Bamboo)"),
        ("turner", "Ann and Bob go Mah-jong", "Ann and Bob go Mah-Jongg"),
        ("western", "Who went Mah-jong?", "Who went Mah Jong?"),
        ("chinese_official", "Ann goes Mah-jong. False Mah-jong by Bob", "Ann calls Hu. False Hu by Bob"),
        ("chinese_official", "Nobody went Mah-jong", "Nobody called Hu"),
        ("chinese_official", "Exposed kong: 7 Circles", "Melded kong: 7 Dots"),
    ],
)
def test_said_in_the_words_of_a_rule_set(rules, ours, theirs):
    words = RULE_SETS[rules].vocabulary()
    assert in_words(words, ours) == theirs
    assert in_words(words, theirs) == theirs


def test_a_clubs_suits_come_before_the_rule_sets():
    words = RULE_SETS["baggaley"].vocabulary({"D": "Coins", "B": "Bamboos"})
    assert [in_words(words, name) for name in ("7 Circles", "3 Bamboo", "9 Characters")] == [
        "7 Coins", "3 Bamboo", "9 Wans",
    ]  # fmt: skip


def test_what_people_typed_is_filled_in_after_the_vocabulary():
    words = RULE_SETS["turner"].vocabulary()
    assert in_words(words, "{who} goes Mah-jong", who="Bamboo") == "Bamboo goes Mah-Jongg"
    assert in_words(words, "Fine to {who}", who="{why} exposed") == "Fine to {why} exposed"
    error = ScoringError("The exposed set {typed} is unknown.", "E", "sets", typed="exposed bamboo {x}")
    assert str(error) == "The exposed set exposed bamboo {x} is unknown."
    assert error.sentence_in(words) == "The open set exposed bamboo {x} is unknown."
