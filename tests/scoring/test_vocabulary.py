"""A table's own words in place of ours: suits, actions, beginnings of sentences; names in brackets stay."""

import pytest

from clubscore.play.replay import EntryError, sentence_of
from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.rotation import RotationError
from clubscore.scoring.words import in_words, literal, with_names


@pytest.mark.parametrize(
    ("rules", "ours", "theirs"),
    [
        ("bmja", "Pung of 7 Circles, exposed", "Pung of 7 Circles, exposed"),
        ("beginners", "Chow 1 to 3 of Circles, exposed", "Chow 1 to 3 of Wheels, exposed"),
        ("baggaley", "Pung of 4 Characters, concealed", "Peng of 4 Wans, closed"),
        ("baggaley", "3 Bamboo", "3 Sticks"),
        ("baggaley", "1 Bamboo", "1 Stick"),
        ("beginners", "1 Circle", "1 Wheel"),
        ("bmja", "Pung of 1 Characters, exposed", "Pung of 1 Characters, exposed"),
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


NAMES = {1: "Ann", 2: "{1}", 3: "Bob {{"}


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("East is {1}, not {2}.", "East is Ann, not {1}."),
        ("{3} sits out.", "Bob {{ sits out."),
        ("{7} is unknown here.", "{7} is unknown here."),
        ("An old row with {typed} and { braces }.", "An old row with {typed} and { braces }."),
    ],
)
def test_names_are_filled_in_all_at_once(sentence, said):
    assert with_names(sentence, NAMES) == said


@pytest.mark.parametrize("typed", ["{1}", "{{1}}", "{", "}", "}}{{", "{1}{", "a {b} c", "{0x1}", "1"])
def test_braces_that_people_typed_stay_as_they_were_typed(typed):
    assert with_names(f"{{1}} wrote {literal(typed)}", NAMES) == f"Ann wrote {typed}"
    assert with_names(f"{literal(typed)}{{1}}{literal(typed)}", NAMES) == f"{typed}Ann{typed}"


def test_an_error_in_a_sentence_with_names_keeps_what_was_typed():
    words = RULE_SETS["turner"].vocabulary()
    refused = ScoringError("The exposed set {typed} is unknown.", "E", "sets", typed="{1} exposed")
    assert with_names(sentence_of(EntryError(refused), words), NAMES) == "The open set {1} exposed is unknown."
    assert with_names(sentence_of(ValueError("{1} is a name.")), NAMES) == "{1} is a name."


def test_a_refused_change_of_seats_names_the_player_or_the_seat():
    refused = RotationError("A table needs three players: {seat} cannot leave.", 1)
    assert str(refused) == "A table needs three players: seat 1 cannot leave."
    assert with_names(sentence_of(refused), NAMES) == "A table needs three players: Ann cannot leave."
    assert with_names(sentence_of(RotationError("{typed} is not a wind.", typed="{1}")), NAMES) == "{1} is not a wind."
