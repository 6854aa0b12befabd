"""The special hands and house rules of bmja and u3a; expectations from the specification, A4 to A10."""

import pytest

from clubscore.scoring import ScoringError, score_hand_played

# key -> (fourteen tiles as sets and loose tiles; winning tile; value concealed, u3a's exposed value, part score).
# The values are those of table A6 for a limit of 1000; None: not possible so.
HANDS = {
    "all_pair_honours": (([], "1C 1C 9C 9C 1B 1B 9D 9D E E R R P P"), "P", 500, None, 200),
    "knitting": (([], "1C 1B 2C 2B 4C 4B 5C 5B 7C 7B 8C 8B 9C 9B"), "9B", 500, None, 200),
    "triple_knitting": (([], "1C 1B 1D 3C 3B 3D 6C 6B 6D 8C 8B 8D 9C 9B"), "9B", 500, None, 200),
    "buried_treasure": (([], "2B 2B 2B 5B 5B 5B 7B 7B 7B N N N R R"), "R", 1000, None, 400),
    "gates_of_heaven": (([], "1D 1D 1D 2D 3D 4D 5D 5D 6D 7D 8D 9D 9D 9D"), "5D", 1000, None, 400),
    "wriggling_snake": (([], "1C 1C 2C 3C 4C 5C 6C 7C 8C 9C E S W N"), "N", 1000, None, 400),
    "thirteen_unique_wonders": (([], "1C 9C 1B 9B 1D 9D E S W N R G P P"), "P", 1000, None, 400),
    "imperial_jade": ((["kong 2B", "pung 4B", "pung 6B", "pung G"], "8B 8B"), "8B", 1000, 500, 400),
    "heads_and_tails": ((["pung 1B", "pung 9B", "pung 1C", "pung 9D"], "1D 1D"), "1D", 1000, 500, 400),
    "three_great_scholars": ((["pung R", "pung G", "pung P", "pung 7B"], "2C 2C"), "2C", 1000, 500, 400),
    "all_winds_and_dragons": ((["kong N", "pung E", "pung P", "pung W"], "R R"), "R", 1000, 500, 400),
    "four_blessings": ((["kong E", "pung S", "pung W", "pung N"], "5C 5C"), "5C", 1000, 500, 400),
    "fourfold_plenty": ((["kong 2B", "kong 5C", "kong 7D", "kong 8D"], "3C 3C"), "3C", 1000, 500, 400),
}  # fmt: skip
KONGED = {key: parts for key, parts in HANDS.items() if parts[0][0]}


def held(sets, tiles, exposed):
    """Give the hand with its first set exposed or all concealed."""
    words = ["exposed" if exposed and at == 0 else "concealed" for at in range(len(sets))]
    return {"sets": [f"{word} {one}" for word, one in zip(words, sets, strict=True)], "tiles": tiles}


def play(hand, mahjong=None, rules="bmja", seat="S", **context):
    """Score one player's hand; without `mahjong` North has won with 20."""
    hands = {wind: {} for wind in "ESWN"} | {seat: hand}
    if mahjong is None:
        hands["N"] = {"total": 20}
        mahjong = {"by": "N"}
    return score_hand_played({"rules": rules, "hands": hands, "mahjong": mahjong, **context})


def won(key, exposed, rules, source="wall", seat="S"):
    (sets, tiles), tile = HANDS[key][:2]
    hand = held(sets, tiles, exposed)
    return play(hand, {"by": seat, "tile": tile, "from": source}, rules, seat)["hands"][seat]


def fished(key, exposed, rules):
    (sets, tiles), tile = HANDS[key][:2]
    left = tiles.split()
    left.remove(tile)
    return play({**held(sets, " ".join(left), exposed), "fishing": True}, None, rules)["hands"]["S"]


@pytest.mark.parametrize("rules", ["bmja", "u3a"])
@pytest.mark.parametrize("key", HANDS)
def test_concealed_special_hand_has_its_value(key, rules):
    hand = won(key, False, rules)
    assert (hand["total"], hand["special"], hand["points"]) == (HANDS[key][2], key, None)


@pytest.mark.parametrize("key", KONGED)
def test_exposed_special_hand_counts_half_in_the_guide_alone(key):
    whole, half = HANDS[key][2:4]
    assert [won(key, True, rules)["total"] for rules in ("u3a", "bmja")] == [half, whole]


@pytest.mark.parametrize("key", HANDS)
def test_fishing_for_a_concealed_special_hand(key):
    hand = fished(key, False, "u3a")
    assert (hand["total"], hand["fishing_for"], hand["special"]) == (HANDS[key][4], key, None)


@pytest.mark.parametrize("key", ["imperial_jade", "heads_and_tails", "fourfold_plenty"])
def test_fishing_for_an_exposed_special_hand_counts_a_fifth_in_the_guide(key):
    assert [fished(key, True, rules)["total"] for rules in ("u3a", "bmja")] == [200, 400]


def test_east_wins_a_special_hand_twice_its_value_in_the_guide():
    assert won("imperial_jade", False, "u3a", seat="E")["total"] == 2000


def test_east_is_paid_double_by_settlement_in_bmja():
    (sets, tiles), tile = HANDS["imperial_jade"][:2]
    answer = play(held(sets, tiles, False), {"by": "E", "tile": tile, "from": "W"}, "bmja", "E")
    assert answer["hands"]["E"]["total"] == 1000
    assert answer["net"] == {"E": 6000, "S": -2000, "W": -2000, "N": -2000}


def test_flowers_lift_a_limit_hand_over_the_limit_in_the_guide_alone():
    (sets, tiles), tile = HANDS["imperial_jade"][:2]
    hand = {**held(sets, tiles, False), "bonus": "F1 F2"}
    win = {"by": "S", "tile": tile, "from": "W"}
    totals = [play(hand, win, rules)["hands"]["S"]["total"] for rules in ("u3a", "bmja")]
    assert totals == [1016, 1000]


@pytest.mark.parametrize(("change", "sentence"), [
    ({"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "2C 3C 4C 7D 7D"}, "too many chows"),
    ({"sets": ["exposed pung 3B", "exposed pung 8D", "exposed pung 2C"], "tiles": "5C 6C 9C 7D 7D"}, "not a Mah-jong"),
    ({"sets": ["exposed pung 3B", "exposed pung 8D", "exposed pung 2C"], "tiles": "5C 6C 7C 7D"}, "has 13 tiles"),
    ({"sets": ["exposed pung 3B", "exposed pung 8D"], "tiles": "2C 2C 2C 5C 6C 7C 9D 9D"}, "is not in South's hand"),
])  # fmt: skip
def test_what_is_no_mahjong_is_said_with_the_seat(change, sentence):
    with pytest.raises(ScoringError, match=sentence) as raised:
        play(change, {"by": "S", "tile": "7D", "from": "E"})
    assert raised.value.seat == "S"


@pytest.mark.parametrize("mahjong", [
    {"by": "S", "tile": "R", "from": "kong box", "last_tile": True},
    {"by": "S", "tile": "R", "from": "E", "dealt": True},
    {"by": "S", "tile": "R", "from": "wall", "dealt": True},
    {"by": "S", "tile": "R", "from": "wall", "robbed_kong": True},
    {"by": "S", "tile": "R", "from": "wall", "replacement_for": "kong"},
    {"by": "S", "tile": "R", "from": "kong box", "second_kong": True},
    {"by": "S", "tile": "R", "from": "W", "first_discard": True},
    {"by": "S", "tile": "R"},
    {"by": "S", "from": "wall"},
    {"by": "S", "tile": "R", "from": "S"},
    {"by": "S", "tile": "F1", "from": "wall"},
    {"by": "S", "tile": "R", "from": "wall", "surprise": True},
])  # fmt: skip
def test_flags_that_cannot_be_true_are_errors(mahjong):
    with pytest.raises(ScoringError):
        play({"tiles": "2B 2B 2B 5B 5B 5B 7B 7B 7B N N N R R"}, mahjong)


def test_scoring_writes_to_nothing_it_was_given_and_keeps_no_answer():
    hand = {"sets": ["exposed pung R"], "bonus": "F2"}
    first = play(hand)
    first["hands"]["S"]["lines"][0]["points"] = 99
    assert play(hand)["hands"]["S"]["lines"][0]["points"] == 4


def test_no_limit_leaves_special_hands_at_a_thousand_and_cuts_nothing():
    none = {"house_rules": {"limit": None}}
    assert play({"points": 60, "doubles": 5}, **none)["hands"]["S"]["total"] == 1920
    assert play({"special": "knitting"}, {"by": "S"}, **none)["hands"]["S"]["total"] == 500


def test_a_typed_total_is_never_cut_but_points_with_doubles_are():
    assert play({"total": 1500})["hands"]["S"]["total"] == 1500
    cut = play({"points": 60, "doubles": 5})["hands"]["S"]
    assert (cut["total"], cut["limited"]) == (1000, True)


def test_club_hands_are_named_like_the_others():
    own = [{"key": "todanni", "name": "Todanni", "value": "half limit", "fishing": 200}]
    assert play({"special": "todanni"}, {"by": "S"}, club_hands=own)["hands"]["S"]["total"] == 500
    part = play({"fishing_for": "todanni", "bonus": "F1"}, club_hands=own)["hands"]["S"]
    assert (part["total"], part["fishing_for"]) == (204, "todanni")


def test_a_clubs_own_hand_is_found_in_any_letter_case_and_answered_as_its_key_was_given():
    own = [{"key": "Royal", "name": "Royal", "value": "limit", "fishing": 400}]
    assert play({"special": "ROYAL"}, {"by": "S"}, club_hands=own)["hands"]["S"]["special"] == "Royal"
    assert play({"fishing_for": "royal"}, club_hands=own)["hands"]["S"]["fishing_for"] == "Royal"


@pytest.mark.parametrize("hand", [{"special": "purity"}, {"fishing_for": "purity"}])
def test_purity_cannot_be_only_named(hand):
    with pytest.raises(ScoringError, match="^Purity needs its tiles or its points.$"):
        play(hand, {"by": "S"} if "special" in hand else None)


# All three dragons, each of the four winds: in a goulash one kind may make two sets, and still is one kind.
DRAGONS_TWICE = (["exposed pung R", "exposed pung R", "exposed pung G", "exposed pung 2B"], "5C 5C")
WINDS_TWICE = (["exposed pung E", "exposed pung E", "exposed pung S", "exposed pung W"], "5C 5C")
DRAGONS_AND_ONE_AGAIN = (["exposed pung R", "exposed pung R", "exposed pung G", "exposed pung P"], "5C 5C")


@pytest.mark.parametrize(
    ("held", "special"),
    [(DRAGONS_TWICE, None), (WINDS_TWICE, None), (DRAGONS_AND_ONE_AGAIN, "three_great_scholars")],
)
def test_two_sets_of_one_dragon_or_wind_are_one_of_the_kinds_needed(held, special):
    sets, tiles = held
    hand = {"sets": sets, "tiles": tiles}
    win = {"by": "S", "tile": "5C", "from": "wall"}
    assert play(hand, win, goulash=True)["hands"]["S"]["special"] == special
    fishing = play({"sets": sets, "tiles": "5C", "fishing": True}, goulash=True)["hands"]["S"]
    assert fishing.get("fishing_for") == special


# Pungs of 2 to 4 bamboos (4 each, concealed) and of 9 bamboos (4, exposed) are 16 points: times 8, 128.
@pytest.mark.parametrize("concealed", [{"sets": ["concealed chow 2B"] * 3, "tiles": "7B"},
                                       {"tiles": "2B 2B 2B 3B 3B 3B 4B 4B 4B 7B"}])  # fmt: skip
@pytest.mark.parametrize("rules", ["bmja", "u3a"])
def test_fishing_for_purity_takes_concealed_sets_as_just_tiles(concealed, rules):
    hand = {"fishing": True, **concealed, "sets": ["exposed pung 9B", *concealed.get("sets", ())]}
    found = play(hand, None, rules)["hands"]["S"]
    assert (found["total"], found["points"], found["fishing_for"]) == (128, 16, "purity")


# Four kongs of one suit and a single tile: 16 + 16 + 32 concealed and 8 exposed are 72, times 8 is 576. Own flower and
# own season, 8 doubled twice, are 32.
FOUR_KONGS = {
    "sets": ["concealed kong 2B", "concealed kong 3B", "concealed kong 9B", "exposed kong 5B"], "tiles": "7B",
    "fishing": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("bonus", "applies_to", "total"),
    [("", "winner", 576), ("F2 S2", "winner", 608), ("", "all", 300), ("F2 S2", "all", 300)],
)
def test_a_fishing_score_is_capped_only_where_the_limit_is_for_everyone(bonus, applies_to, total):
    house = {"limit": 300, "limit_applies_to": applies_to}
    found = play({**FOUR_KONGS, "bonus": bonus}, house_rules=house)["hands"]["S"]
    assert (found["total"], found["fishing_for"], found["limited"]) == (total, "purity", applies_to == "all")


# Gates of Heaven without its last 9 and one more, and all but one of 13 Unique Wonders: two tiles short.
@pytest.mark.parametrize(
    ("tiles", "total"),
    [("1D 1D 1D 2D 3D 4D 5D 6D 7D 8D 9D 9D", 8), ("1C 9C 1B 9B 1D 9D E S W N R G", 0)],
)
@pytest.mark.parametrize("rules", ["bmja", "u3a"])
def test_fishing_needs_thirteen_tiles(tiles, total, rules):
    found = play({"tiles": tiles, "fishing": True}, None, rules)["hands"]["S"]
    assert (found["total"], "fishing_for" in found) == (total, False)


def test_only_in_a_goulash_someone_waits_for_a_fifth_copy():
    """Four pungs of ones and nines, and the fourth 1 Bamboo: a joker may be its pair."""
    held = {"tiles": "1B 1B 1B 1B 9B 9B 9B 1C 1C 1C 9D 9D 9D", "fishing": True}
    found = play(held, goulash=True)["hands"]["S"]
    assert (found["total"], found.get("fishing_for")) == (400, "heads_and_tails")
    # Four concealed pungs of 8
    found = play(held)["hands"]["S"]
    assert (found["total"], found.get("fishing_for")) == (32, None)
