"""What is said of how Mah-jong was made must be possible, in every rule set, and also where a special hand is named."""

import pytest

from clubscore.scoring import RULE_SETS, ScoringError
from tests.scoring.playing import figures, score, won

EVERY_RULE_SET = tuple(RULE_SETS)
# One chow, so that every set but Chinese Official takes it as Mah-jong (it is worth too little there).
CONCEALED = {"sets": ["concealed pung 3B", "concealed pung 6C", "concealed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}
ONE_EXPOSED = {**CONCEALED, "sets": ["exposed pung 3B", "concealed pung 6C", "concealed pung 8D"]}
WITH_KONG = {**CONCEALED, "sets": ["concealed kong 3B", "concealed pung 6C", "concealed pung 8D"]}
ANY_POINTS = {"chinese_official": {"minimum_points": 0}}


def refusal(rules, hand, mahjong, **context):
    with pytest.raises(ScoringError) as raised:
        score(rules, hand, mahjong, mahjong["by"], house_rules=ANY_POINTS.get(rules, {}), **context)
    assert raised.value.seat == mahjong["by"]
    return str(raised.value)


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
@pytest.mark.parametrize(
    ("hand", "mahjong", "sentence"),
    [
        (ONE_EXPOSED, won("7D", by="E", dealt=True), "East has exposed sets"),
        (WITH_KONG, won("7D", by="E", dealt=True), "East has a kong"),
        (WITH_KONG, won("7D", "kong box", "E", dealt=True), "East has a kong"),
        (CONCEALED, won("7D", by="E", dealt=True, last_tile=True), "East .* the last tile of the wall"),
        (CONCEALED, won("7D", "S", "E", dealt=True), "East .* from a discard"),
        ({"total": 100}, won("7D", by="E", dealt=True, last_tile=True), "East .* the last tile of the wall"),
        (CONCEALED, won("7D", "S", "E", first_discard=True), "East's first discard is claimed from East"),
        (CONCEALED, won("7D", "W", first_discard=True), "East's first discard is claimed from East"),
        (CONCEALED, won("7D", "E", first_discard=True, robbed_kong=True), "East's first discard is claimed from East"),
        (ONE_EXPOSED, won("7D", "E", first_discard=True), "South has exposed sets"),
        (WITH_KONG, won("7D", "E", first_discard=True), "South has a kong"),
    ],
)
def test_nobody_wins_at_once_with_what_takes_time(rules, hand, mahjong, sentence):
    """Settled on 26 November 2026: "A mark that cannot be true is an error in every rule set"."""
    assert_matches(sentence, refusal(rules, hand, mahjong))


def assert_matches(pattern, text):
    before, _, after = pattern.partition(" .* ")
    assert text.startswith(before)
    assert after in text


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
def test_who_wins_at_once_may_have_flowers_and_the_set_of_the_claimed_tile(rules):
    house = {"house_rules": ANY_POINTS.get(rules, {})}
    flower = {**CONCEALED, "bonus": "F3"}
    assert score(rules, flower, won("7D", by="E", dealt=True), "E", **house)["total"]
    claimed = {**CONCEALED, "sets": ["exposed pung 3B", "concealed pung 6C", "concealed pung 8D"]}
    assert score(rules, claimed, won("3B", "E", first_discard=True), **house)["total"]


@pytest.mark.parametrize(
    ("rules", "by", "total", "special"),
    [
        ("bmja", "E", 1000, "heavens_blessing"),
        ("u3a", "E", 2000, "heavens_blessing"),  # East's own special hand is doubled
        ("western", "S", 600, "original_hand"),
        # 12 + 20 + 2 = 34, trebled
        ("beginners", "S", 102, None),
        # 2 + 12 + 40 + 1000
        ("baggaley", "E", 1054, None),
    ],
)
def test_the_tiles_as_dealt_still_count(rules, by, total, special):
    found = score(rules, CONCEALED, won("7D", by=by, dealt=True), by)
    assert (found["total"], found["special"]) == (total, special)


# A robbed tile is the fourth of its kind: the kong had the other three.


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
@pytest.mark.parametrize(
    ("hand", "tile"),
    [(CONCEALED, "7D"), (CONCEALED, "3B"), ({"tiles": "3B 3B 3B 6C 6C 6C 8D 8D 8D 2C 3C 4C 7D 7D"}, "8D")],
)
def test_a_robbed_tile_completes_no_pair_and_no_pung(rules, hand, tile):
    assert "is the only one in South's hand" in refusal(rules, hand, won(tile, "W", robbed_kong=True))


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
@pytest.mark.parametrize("robbed", [{}, {"sets": ["exposed pung 4C"]}])
def test_a_robbed_tile_is_not_in_a_third_hand_too(rules, robbed):
    with pytest.raises(ScoringError, match="5 times, those of the robbed kong included; there are only four") as raised:
        score(rules, CONCEALED, won("4C", "W", robbed_kong=True), others={"W": robbed, "N": {"tiles": "4C"}})
    assert raised.value.seat == "N"


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
def test_the_only_one_in_the_hand_may_be_robbed(rules):
    context = {"house_rules": ANY_POINTS.get(rules, {}), "others": {"W": {"sets": ["exposed pung 4C"]}}}
    assert score(rules, ONE_EXPOSED, won("4C", "W", robbed_kong=True), **context)["total"]


def test_a_joker_of_a_goulash_may_stand_for_the_fifth():
    pungs = {
        "sets": ["exposed pung 3B", "concealed pung 6C", "concealed pung 8D", "concealed pung 2C"],
        "tiles": "7D 7D",
    }
    assert score("bmja", pungs, won("7D", "W", robbed_kong=True), goulash=True)["total"]
    # Three of the kong and six here are five more than there are, and jokers are four.
    many = {
        "sets": ["exposed pung 7D", "concealed pung 7D", "concealed pung 8D", "concealed pung 2C"],
        "tiles": "3C 3C",
    }
    with pytest.raises(ScoringError, match="four jokers allow four"):
        score("bmja", many, won("7D", "W", robbed_kong=True), goulash=True)


# A special hand by name asks of the winner what its tiles would.


@pytest.mark.parametrize(
    ("rules", "special", "mahjong"),
    [
        ("bmja", "heavens_blessing", {"by": "S"}),
        ("bmja", "heavens_blessing", {"by": "S", "from": "wall"}),
        ("bmja", "heavens_blessing", {"by": "E", "from": "S"}),
        ("u3a", "heavens_blessing", {"by": "E", "from": "wall", "last_tile": True}),
        ("u3a", "earths_blessing", {"by": "E"}),
        ("u3a", "earths_blessing", {"by": "E", "from": "S"}),
        ("bmja", "earths_blessing", {"by": "S", "from": "wall"}),
        ("bmja", "earths_blessing", {"by": "S", "from": "N"}),
        ("bmja", "plum_blossom", {"by": "S", "from": "E"}),
        ("bmja", "plum_blossom", {"by": "S", "from": "wall"}),
        ("bmja", "plum_blossom", {"by": "S", "from": "kong box", "tile": "4D"}),
        ("bmja", "plucking_the_moon", {"by": "S", "from": "E"}),
        ("bmja", "plucking_the_moon", {"by": "S", "from": "kong box"}),
        ("bmja", "plucking_the_moon", {"by": "S", "from": "wall", "tile": "2D"}),
        ("bmja", "twofold_fortune", {"by": "S", "from": "wall"}),
        ("bmja", "twofold_fortune", {"by": "S", "from": "W"}),
        ("u3a", "buried_treasure", {"by": "S", "from": "W"}),
        ("western", "original_hand", {"by": "S", "from": "W"}),
        ("western", "first_discard", {"by": "S", "from": "W"}),
        ("western", "first_discard", {"by": "E"}),
        ("western", "thirteenth_mahjong", {"by": "S"}),
        ("western", "thirteenth_mahjong", {"by": "E", "consecutive": 12}),
        ("western", "concealed_pungs", {"by": "S", "from": "W"}),
    ],
)
def test_a_named_hand_that_was_not_won_like_that_is_refused(rules, special, mahjong):
    with pytest.raises(ScoringError) as raised:
        score(rules, {"special": special}, mahjong, mahjong["by"])
    assert raised.value.seat == mahjong["by"]
    assert {"E": "East", "S": "South"}[mahjong["by"]] in str(raised.value)


@pytest.mark.parametrize(
    ("rules", "special", "mahjong", "total"),
    [
        ("bmja", "heavens_blessing", {"by": "E"}, 1000),
        ("bmja", "heavens_blessing", {"by": "E", "from": "wall", "dealt": True}, 1000),
        ("u3a", "heavens_blessing", {"by": "E", "dealt": True}, 2000),
        ("u3a", "earths_blessing", {"by": "S", "from": "E", "first_discard": True}, 1000),
        ("bmja", "earths_blessing", {"by": "N"}, 1000),
        ("bmja", "plum_blossom", {"by": "S", "from": "kong box", "tile": "5D"}, 1000),
        ("bmja", "plucking_the_moon", {"by": "S", "from": "wall", "last_tile": True}, 1000),
        ("bmja", "twofold_fortune", {"by": "S", "from": "kong box", "second_kong": True}, 1000),
        ("bmja", "buried_treasure", {"by": "S", "from": "W"}, 1000),  # its pair may be claimed
        ("u3a", "buried_treasure", {"by": "S", "from": "wall"}, 1000),
        ("western", "original_hand", {"by": "S", "from": "wall", "dealt": True}, 600),
        ("western", "first_discard", {"by": "S", "from": "E", "first_discard": True}, 600),
        ("western", "thirteenth_mahjong", {"by": "E", "from": "S", "consecutive": 13}, 600),
        ("western", "concealed_pungs", {"by": "S", "from": "kong box"}, 600),
        ("bmja", "knitting", {"by": "S", "from": "W"}, 500),
    ],
)
def test_a_named_hand_that_was_won_like_that_counts(rules, special, mahjong, total):
    assert figures(rules, {"special": special}, mahjong, mahjong["by"])[2:] == (total, special)


def test_a_house_rule_decides_how_a_named_hand_may_be_won():
    claimed = {"by": "S", "from": "W"}
    any_tile = {"house_rules": {"buried_treasure_last_claim": "any"}}
    assert score("u3a", {"special": "buried_treasure"}, claimed, **any_tile)["total"] == 1000
    last = {"house_rules": {"concealed_allows_last_claim": True}}
    assert score("western", {"special": "concealed_pungs"}, claimed, **last)["total"] == 600
