"""Baggaley's simplified game beyond its printed examples; expectations worked out from the sheet, part B3."""

import time

import pytest

from clubscore.scoring import ScoringError
from tests.scoring.playing import figures, played, score, won


def points(hand, mahjong=None, seat="S", **context):
    """Give the total, which must be the points too."""
    found = score("baggaley", hand, mahjong, seat, **context)
    assert (found["doubles"], found["times"], found["points"]) == (0, 1, found["total"])
    return found["total"]


@pytest.mark.parametrize(
    ("tiles", "total"),
    [
        ("1C 2C 3C 4C", 2),  # one chow, each tile once
        ("1C 2C 3C 4C 5C 6C", 4),
        ("1C 1C 1C 2C 3C", 4),  # a pung rather than a chow
        ("1C 1C 1C 2C 2C 2C 3C 3C 3C", 12),  # three pungs rather than three chows
        ("1C 1C 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C", 24),  # four chows: 8 + 16
        ("2C 2C 2C 2C 3C 4C", 6),  # a pung and a chow
        ("1C 2C 3C 4C 5C 6C 7C 8C 9C 1D 2D 3D", 72),  # 8 + pure 32 + mixed 16 + four chows 16
        ("1C 2C 3C 4B 5B 6B 7D 8D 9D", 22),  # 6 + mixed 16
        ("1C 1C 1C 2C 3C 4C 5C 6C 7C 8C 9C", 38),  # a dragon rather than the pung
        ("1C 2C 3C 3C 3C 4C 5C 6C 7C 8C 9C", 38),
        ("5B 5B 5B 6C 6C 6C 7D 7D 7D 8B 8B 8B", 48),  # 16 + four pungs 32
        ("R R R R", 4),
        ("R R G G P P S S E E", 8),  # own wind S; East is nobody's here
        ("N N", 0),
    ],
)
def test_best_arrangement_of_a_losers_tiles(tiles, total):
    assert points({"tiles": tiles}) == total


def test_own_wind_is_the_seats_and_the_round_has_no_part():
    assert points({"tiles": "S S"}, wind_of_round="W") == 2
    assert points({"tiles": "W W"}, wind_of_round="W") == 0


def test_entered_sets_and_loose_tiles_make_a_dragon_together():
    assert points({"sets": ["exposed chow 1D"], "tiles": "4D 5D 6D 7D 8D 9D 9D"}) == 38
    assert points({"sets": ["exposed chow 1D", "exposed chow 1D"], "tiles": "4D 5D 6D 7D 8D 9D"}) == 88
    assert points({"sets": ["exposed pung 1D"], "tiles": "1D 2D 3D 4D 5D 6D 7D 8D 9D"}) == 42


def test_two_mixed_dragons_with_four_chows():
    # 1-2-3 of circles and of bamboos, 4-5-6 characters, 7-8-9 characters: 8 + 2 x 16 + 16
    assert points({"sets": ["exposed chow 1D", "exposed chow 1B", "exposed chow 4C", "exposed chow 7C"]}) == 56


def test_kongs_and_pungs():
    assert points({"sets": ["exposed kong R", "concealed kong 1C"]}) == 48
    assert points({"sets": ["exposed pung R", "concealed pung 1C"]}) == 8
    four = ["exposed kong R", "concealed kong 1C", "exposed kong 2C", "exposed kong 3C"]
    assert points({"sets": four}) == 16 + 32 + 16 + 16 + 300
    assert points({"sets": [*four[:3], "exposed pung 3C"]}) == 16 + 32 + 16 + 4 + 32


def test_bouquets_are_one_for_each_series_of_four():
    assert points({"bonus": "F1 F2 F3 S4"}) == 16
    assert points({"bonus": "F1 F2 F3 F4 S1"}) == 52
    assert points({"bonus": "F1 F2 F3 F4 S1 S2 S3 S4"}) == 96


def test_losers_have_no_orphan_and_no_seven_pairs():
    assert points({"tiles": "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B"}) == 0
    assert points({"tiles": "R R G G 2C 2C 5C 5C 9B 9B 4D 4D 8D"}) == 4


def test_losers_score_nothing_where_the_club_says_so_but_what_is_typed():
    off = {"house_rules": {"losers_score": False}}
    assert points({"sets": ["concealed kong R"], "bonus": "F1 F2 F3 F4"}, **off) == 0
    assert score("baggaley", {"total": 34}, **off)["total"] == 34
    assert score("baggaley", {"points": 34}, **off)["total"] == 34
    hand = {"sets": ["exposed chow 1C", "exposed chow 4D", "exposed chow 7B", "exposed pung 5B", "pair G"]}
    assert points(hand, won("G", "E"), **off) == 48


def test_seven_pairs_are_chosen_where_they_are_more():
    tiles = "1C 1C 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 9B 9B"
    # four chows: 8 + 16 + 20 = 44; seven pairs 60 + 20
    assert figures("baggaley", {"tiles": tiles}, won("9B", "E")) == (80, 0, 80, "seven_pairs")
    dragons = "1C 1C 2C 2C 3C 3C 4C 5C 6C 7C 8C 9C R R"
    # 8 + 64 + 16 + 2 + 40
    assert figures("baggaley", {"tiles": dragons}, won("R")) == (130, 0, 130, None)


def test_seven_pairs_count_their_scoring_pairs_and_four_equal_tiles_twice():
    assert points({"tiles": "R R R R S S 2C 2C 5C 5C 9B 9B 4D 4D"}, won("S", "E")) == 60 + 4 + 2 + 20
    assert points({"tiles": "R R E E W W 2C 2C 5C 5C 9B 9B 4D 4D"}, won("E", "E"), wind_of_round="E") == 60 + 2 + 20


def test_seven_pairs_and_orphan_are_drawn_but_for_the_last_tile():
    pairs = {"sets": ["exposed pung 2C"], "tiles": "R R S S 2C 5C 5C 9B 9B 4D 4D"}
    with pytest.raises(ScoringError):
        score("baggaley", pairs, won("4D", "E"))
    concealed = {"sets": ["concealed pung 2C", "pair R"], "tiles": "S S 2C 5C 5C 9B 9B 4D 4D"}
    assert score("baggaley", concealed, won("4D", "E"))["special"] == "seven_pairs"
    kong = {"sets": ["concealed kong 2C"], "tiles": "R R S S 5C 5C 9B 9B 4D 4D 8D"}
    with pytest.raises(ScoringError):
        score("baggaley", kong, won("4D", "E"))


@pytest.mark.parametrize(
    "tiles",
    [
        "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B 8B",  # 6 and 8 are too near
        "N S E W R 1C 4C 7C 2D 5D 9D 3B 6B 6B",  # two alike
        "N S E W R R 1C 4C 7C 2D 5D 9D 3B 6B",
    ],
)
def test_no_orphan(tiles):
    with pytest.raises(ScoringError):
        score("baggaley", {"tiles": tiles}, won("N", "E"))


def test_numbers_of_different_suits_are_never_too_near():
    tiles = "N S E W R G P 7C 1B 4B 7B 2D 5D 8D"
    assert figures("baggaley", {"tiles": tiles}, won("7C", "E")) == (60, 0, 60, "orphan")
    nine_and_one = "N S E W R G P 9C 3C 6C 1B 9B 4B 1D"
    assert figures("baggaley", {"tiles": nine_and_one, "bonus": "F1"}, won("9C")) == (84, 0, 84, "orphan")


def test_replacements_and_blessings_add_up():
    tiles = "1C 2C 3C 2B 3B 4B 7D 8D 9D 5C 5C 5C R R"  # 6 + 4 + 2
    assert points({"tiles": tiles}, won("R", "kong box")) == 72
    assert points({"tiles": tiles, "bonus": "F3"}, won("R", "kong box", replacement_for="flower")) == 66
    assert points({"tiles": tiles}, won("R", "E", first_round=True)) == 532
    assert points({"tiles": tiles}, won("R", first_round=True)) == 552
    assert points({"tiles": tiles}, won("R", by="E", first_round=True), "E") == 52
    assert points({"tiles": tiles}, {"by": "E", "tile": "R", "dealt": True}, "E") == 1052
    replaced = won("R", "kong box", "E", dealt=True, replacement_for="flower")
    assert points({"tiles": tiles, "bonus": "F3"}, replaced, "E") == 1066
    with pytest.raises(ScoringError):
        score("baggaley", {"tiles": tiles}, won("R", dealt=True))


def test_east_with_a_kong_has_no_blessing_but_the_replacement():
    """The sheet adds for a kong replacement; since 26 November 2026 a dealt hand has no kong under any rules."""
    hand = {"sets": ["concealed kong 5C"], "tiles": "1C 2C 3C 2B 3B 4B 7D 8D 9D R R"}
    with pytest.raises(ScoringError, match="East has a kong"):
        points(hand, won("R", "kong box", "E", dealt=True), "E")
    # 6 + 32 + 2 + 40 + 20
    assert points(hand, won("R", "kong box", "E"), "E") == 100


def test_robbing_a_kong_is_a_mah_jong_from_another_player():
    hand = {"sets": ["exposed chow 1C", "exposed chow 4D", "exposed chow 7B", "exposed pung 5B", "pair G"]}
    assert points(hand, won("1C", "E", robbed_kong=True)) == 48


def test_the_claimed_tile_makes_no_difference_to_what_a_set_counts():
    hand = {"sets": ["concealed pung 5B"], "tiles": "1C 2C 3C 4D 5D 6D 7B 8B 9B G G"}
    assert points(hand, won("5B", "E")) == 48


def test_two_winners_may_hold_the_same_fifth_tile():
    hands = {"S": {"tiles": "1C 2C 3C 4D 5D 6D 7B 8B 9B 5B 5B 5B G G"}, "W": {"tiles": "5B 5B", "sets": [
        "exposed pung 2C", "exposed pung 9D", "exposed chow 3C", "exposed pung P"]}}  # fmt: skip
    mahjong = [won("5B", "E"), won("5B", "E", "W")]
    answer = played("baggaley", hands["S"], mahjong, others=hands)
    # 6 + 16 + 4 + 2 + 20; 12 + 2 + 20
    assert {seat: hand["total"] for seat, hand in answer["hands"].items()} == {"E": 0, "S": 48, "W": 34, "N": 0}
    with pytest.raises(ScoringError):
        played("baggaley", hands["S"], won("5B", "E"), others=hands)


def test_settled_by_differences_without_a_double_for_east():
    others = {"E": {"total": 10}, "W": {"total": 4}, "N": {"sets": ["exposed pung 2C"]}}
    answer = played("baggaley", {"total": 30}, {"by": "S"}, others=others, house_rules={"recording": "settle"})
    assert answer["net"] == {"E": -20 + 6 + 6, "S": 20 + 26 + 26, "W": -26 - 6, "N": -26 - 6}


def test_no_chows_in_a_goulash():
    hand = {"sets": ["exposed chow 1C", "exposed chow 4D", "exposed chow 7B", "exposed pung 5B", "pair G"]}
    with pytest.raises(ScoringError):
        score("baggaley", hand, won("G", "E"), goulash=True)
    assert points({"tiles": "1C 2C 3C 5B 5B 5B"}, goulash=True) == 4


def test_five_and_more_equal_tiles_of_a_goulash():
    assert points({"tiles": "R R R R R R R R"}, goulash=True) == 10
    assert points({"tiles": "5B 5B 5B 5B 5B 5B"}, goulash=True) == 8


def test_named_special_hands_count_with_what_is_known():
    assert figures("baggaley", {"special": "orphan"}, {"by": "S"}) == (60, 0, 60, "orphan")
    assert figures("baggaley", {"special": "orphan"}, {"by": "S", "from": "wall"}) == (80, 0, 80, "orphan")
    named = {"special": "seven_pairs", "bonus": "F1 F2 F3 F4"}
    assert figures("baggaley", named, {"by": "S", "from": "E"}) == (128, 0, 128, "seven_pairs")
    for hand, mahjong in (({"special": "orphan", "exposed": True}, {"by": "S"}), ({"special": "orphan"}, None),
                          ({"fishing_for": "orphan"}, None), ({"special": "purity"}, {"by": "S"})):  # fmt: skip
        with pytest.raises(ScoringError):
            score("baggaley", hand, mahjong)


def test_no_doubles_and_no_club_hands():
    with pytest.raises(ScoringError):
        score("baggaley", {"points": 12, "doubles": 1})
    assert figures("baggaley", {"points": 12}) == (12, 0, 12, None)
    with pytest.raises(ScoringError):
        score("baggaley", {}, club_hands=[{"key": "a", "name": "A", "value": 100, "fishing": None}])


def test_wrong_counts():
    assert points({"sets": ["exposed kong R"], "count": "too many"}) == 0
    assert points({"sets": ["exposed kong R"], "count": "too few"}) == 16
    with pytest.raises(ScoringError):
        score("baggaley", {"tiles": "1C 1C 1C 2C 2C 2C 3C 3C 3C 4C 4C 4C 5C 5C"})


def test_the_worst_tiles_to_arrange_take_no_time():
    began = time.process_time()
    for tiles in ("1C 1C 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 7C", "2C 3C 3C 4C 4C 4C 5C 5C 5C 5C 6C 6C 6C",
                  "1C 1C 2C 2C 3C 3C 1B 1B 2B 2B 3B 3B 4B", "3C 3C 4C 4C 5C 5C 5D 6D 6D 7D 4B 5B 6B"):  # fmt: skip
        points({"tiles": tiles})
    assert time.process_time() - began < 1


def test_east_passes_the_deal_after_a_win_and_keeps_it_after_a_draw():
    answer = played("baggaley", {"total": 20}, {"by": "E"}, "E")
    assert (answer["east_stays"], answer["next_is_goulash"]) == (False, False)
    stays = played("baggaley", {"total": 20}, {"by": "E"}, "E", house_rules={"east_stays_on_win": True})
    assert stays["east_stays"] is True
