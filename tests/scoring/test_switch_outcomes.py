"""Every switch of every rule set has words for each value and an example that it really changes."""

from dataclasses import fields

import pytest

from clubscore.scoring import HOUSE_RULE_SWITCHES, RULE_SETS, HouseRules
from clubscore.scoring.switch_outcomes import SWITCH_EXAMPLES, worked
from clubscore.scoring.switches import GROUPS, SWITCHES

OFFERED = [(rule_set.key, switch) for rule_set in RULE_SETS.values() for switch in rule_set.house_rules]
# The beginners' sheet counts nothing for a concealed hand, so no hand can show this switch there.
# What tiles shown cost stands in the penalty as it is entered.
WITHOUT_EFFECT = {("beginners", "concealed_allows_last_claim"), ("chinese_official", "shown_tiles_fine")}
NETS = "East {}, South {}, West {}, North {}"


def examples_of(switch, rules):
    return [example for example in SWITCHES[switch].examples if rules in example.rules]


def values_of(example, rules):
    return dict.fromkeys([RULE_SETS[rules].house_rules[example.switch], *example.values])


@pytest.mark.parametrize(("rules", "switch"), OFFERED)
def test_every_switch_of_every_rule_set_has_an_example_that_changes_something(rules, switch):
    examples = examples_of(switch, rules)
    assert examples
    for example in examples:
        found = {worked(example, rules, value) for value in values_of(example, rules)}
        assert (len(found) > 1) is ((rules, switch) not in WITHOUT_EFFECT), example.sentence


def test_no_row_asks_the_switch_that_changes_nothing():
    for rules, switch in WITHOUT_EFFECT:
        rows = (*RULE_SETS[rules].rules, *RULE_SETS[rules].special_hands)
        assert [row.key for row in rows if switch in dict(row.when)] == []
    assert {(key, one.switch) for one in SWITCH_EXAMPLES if one.shows == "nothing" for key in one.rules} == (
        WITHOUT_EFFECT
    )


def test_examples_stand_only_where_their_switch_is_offered():
    assert [(key, one.switch) for one in SWITCH_EXAMPLES for key in one.rules if (key, one.switch) not in OFFERED] == []


@pytest.mark.parametrize("words", HOUSE_RULE_SWITCHES, ids=lambda words: words.key)
def test_every_value_has_its_words(words):
    switch = SWITCHES[words.key]
    named = [value for value, _, _ in words.values]
    if words.is_figure:
        assert switch.allowed == ()
        assert (None in named) is switch.none_allowed
        assert words.label(20) == words.figure[0].format(20)
    else:
        assert sorted(map(repr, named)) == sorted(map(repr, switch.allowed or range(switch.least, switch.most + 1)))
    for value in named:
        assert words.label(value)[0].isupper() or words.label(value)[0].isdigit()
        assert not words.plays(value).endswith(".")


def test_every_switch_has_words_and_every_group_switches():
    assert [one.name for one in fields(HouseRules)] == ["rules", "rotation", *SWITCHES, "hands"]
    assert all(len(switch.values) > 1 for switch in HOUSE_RULE_SWITCHES if not switch.is_figure)
    assert {words.group for words in HOUSE_RULE_SWITCHES} == {key for key, _ in GROUPS}
    assert SWITCHES["limit"].plays(1000) == "a limit of 1,000"
    assert SWITCHES["limit"].label(None) == "No limit"
    # True is not 1, and 0 is not false.
    assert SWITCHES["east_max"].plays(1) == "that East stays once at most"
    assert SWITCHES["goulash"].label(True) == "A goulash is played"


# Worked from the documents of the rules by hand.
EXPECTED = [
    # Kong of dragons 16, pung of dragons 4, concealed pung of the own wind 8, kong of nines 16 and Mah-jong 20 are 64,
    # doubled by two sets of dragons, the own wind and no chows: 64 x 16.
    ("bmja", "limit", 0, {None: "South 1,024", 1000: "South 1,000", 600: "South 600"}),
    # Three concealed kongs of honours 32 each and two flowers 4 each = 104, doubled five times.
    ("bmja", "limit_applies_to", 0, {"all": "South 1,000", "winner": "South 3,328"}),
    # Three exposed pungs of minors 2 each and Mah-jong 20 = 26.
    ("bmja", "east_mode", 0, {"settlement": NETS.format("+156", "−52", "−52", "−52"),
                              "none": NETS.format("+78", "−26", "−26", "−26")}),
    ("bmja", "east_mode", 1, {"settlement": NETS.format("−52", "+104", "−26", "−26"),
                              "score": NETS.format("−26", "+78", "−26", "−26")}),
    # The winner's 64 from each, East's double; then the losers' differences: 48, 32 (doubled) and 8.
    ("bmja", "recording", 0, {"settle": NETS.format("−208", "+256", "−8", "−40"),
                              "straight": NETS.format("0", "+64", "+24", "+16")}),
    ("beginners", "recording", 0, {"settle": NETS.format("−104", "+152", "−8", "−40")}),
    # 64 becomes 60, 8 becomes 10.
    ("u3a", "round_payments_to", 0, {10: NETS.format("−100", "+180", "−30", "−50")}),
    ("chinese_official", "round_payments_to", 0, {0: NETS.format("−8", "+33", "−17", "−8"),
                                                  10: NETS.format("−10", "+40", "−20", "−10")}),
    ("bmja", "exposed_special", 0, {"full": "South 1,000", "half": "South 500"}),
    # Two flowers 4 each.
    ("u3a", "special_bonus_over_limit", 0, {True: "South 1,008", False: "South 1,000"}),
    # Purity 46 x 8 and flowers 8 x 4; as an ordinary hand 54 x 16. West's part score 400; ordinary 70 x 8.
    ("bmja", "best_of_special", 0, {"none": "South 400, West 400", "fishing": "South 400, West 560",
                                    "all": "South 864, West 560"}),
    ("bmja", "buried_treasure_last_claim", 0, {"none": "South 168", "pair": "South 1,000"}),
    ("bmja", "original_call", 0, {"winner": "South 52, West 8", "caller_and_winner": "South 104, West 16"}),
    ("bmja", "concealed_allows_last_claim", 0, {False: "South 32", True: "South 64"}),
    # 2 + 8 + 2 + 20 = 32, doubled for the Kong box.
    ("bmja", "two_points_on_loose_tile", 0, {False: "South 64", True: "South 68"}),
    ("bmja", "bouquet_includes_own", 0, {True: "South 64", False: "South 128"}),
    ("bmja", "double_wind_pair", 0, {2: "East 12", 4: "East 16"}),
    ("beginners", "special_value", 0, {600: "South 600", 1000: "South 1,000"}),
    ("chinese_official", "minimum_points", 0, {
        8: "South's hand is worth 7: a Mah-jong needs at least 8.", 6: "South 7"}),
    ("u3a", "east_max", 0, {3: "the deal passes after Mah-jong number 4"}),
    ("u3a", "goulash", 0, {True: "East stays East, and a goulash is played", False: "East stays East"}),
    ("baggaley", "east_stays_on_win", 0, {False: "South is East next", True: "East stays East"}),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "switch", "which", "expected"), EXPECTED)
def test_what_the_examples_come_to(rules, switch, which, expected):
    example = examples_of(switch, rules)[which]
    assert {value: worked(example, rules, value) for value in expected} == expected
