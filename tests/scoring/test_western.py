"""The h2g2 rules beyond their printed examples; expectations worked out from the rules' text, part B1."""

import pytest

from clubscore.scoring import ScoringError, score_hand_played
from tests.scoring.playing import figures, played, rows, score, won

PLAIN = ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"]  # 4 points
NO_LIMIT = {"limit": None}


def test_losing_hand_counts_sets_pairs_flowers_and_their_doubles():
    hand = {"sets": ["exposed pung N", "concealed kong E"], "tiles": "9D 9D 9D S S 2C", "bonus": "F2 S1"}
    # 4 + 32 + 8 + 2 (own wind) + 8 = 54; wind of the round, own flower
    assert figures("western", hand) == (54, 2, 216, None)


def test_three_scoring_pairs_of_a_loser_all_count():
    assert figures("western", {"tiles": "S S R R E E 2C 2C"}) == (6, 0, 6, None)


@pytest.mark.parametrize(
    ("tiles", "tile", "is_only"),
    [
        ("1C 2C 3C 7D 7D", "3C", True),  # edge
        ("1C 2C 3C 7D 7D", "1C", False),  # 2-3 takes 1 and 4
        ("4C 5C 6C 7D 7D", "5C", True),  # closed
        ("7C 8C 9C 7D 7D", "7C", True),  # edge
        ("2C 3C 4C 7D 7D", "7D", True),  # the pair
        ("2C 3C 4C 5C 5C", "5C", False),  # 2-3-4-5 takes 2 as well
        ("2C 2C 2C 3C 3C", "3C", False),  # 2-2-2-3 takes 1, 3 and 4
        ("1C 1C 1C 2C 2C", "2C", False),  # 1-1-1-2 takes 2 and 3
        ("2C 2C 2C 7D 7D", "2C", False),  # two pairs take either
    ],
)
def test_only_possible_piece_takes_the_winning_tile_away(tiles, tile, is_only):
    mahjong = won(tile, "E")
    assert ("only_piece" in rows("western", {"sets": PLAIN, "tiles": tiles}, mahjong)) is is_only


def test_concealed_sets_are_loose_again_when_looking_for_other_pieces():
    # 4-5-6 and 6 6: 4 or 7 finish 5-6 with the pair of 6; as entered only the 4 seems to.
    hand = {"sets": ["exposed pung 3B", "exposed chow 6C", "concealed chow 4D", "concealed pung 9B", "pair 6D"]}
    assert "only_piece" not in rows("western", hand, won("4D", "E"))


def test_a_piece_of_which_all_four_are_held_is_no_other_piece():
    # 5D 5D with 4D 6D waits for 5D alone; 2D 3D waits for 1D and 4D, and all four 1D are held in a kong.
    hand = {"sets": ["exposed kong 1D", "exposed chow 6C", "exposed pung 3B"], "tiles": "2D 3D 4D 7B 7B"}
    assert "only_piece" in rows("western", hand, won("4D", "E"))


def test_an_exposed_set_that_the_claim_finished_is_loose_too():
    # 2-3-4 with the 4 claimed: 1 would have done.
    hand = {"sets": [*PLAIN, "exposed chow 2D", "pair 7B"]}
    assert "only_piece" not in rows("western", hand, won("4D", "E"))
    assert "only_piece" in rows("western", hand, won("3D", "E"))


def test_of_two_equal_exposed_chows_the_claim_finished_one():
    # 2-4 with 5-5 takes only the 3. Were both chows loose, 2-2, 3-4-5 and 4-5-6 would take a 6.
    hand = {"sets": ["exposed pung 3B", "exposed pung 6C", "exposed chow 2D", "exposed chow 2D"], "tiles": "5D 5D"}
    assert "only_piece" in rows("western", hand, won("3D", "E"))


def test_other_pieces_must_make_a_legal_mah_jong():
    # 1-1-1-2 takes 3 with a second chow; with one chow at most only the 2 is left.
    hand = {"sets": ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"], "tiles": "1C 1C 1C 2C 2C"}
    assert "only_piece" in rows("western", hand, won("2C", "E"), house_rules={"max_chows": 1})


def test_any_tile_of_the_suit_finishes_nine_gates_so_none_is_the_only_one():
    hand = {"tiles": "1C 1C 1C 2C 3C 4C 5C 5C 6C 7C 8C 9C 9C 9C"}
    found = score("western", hand, won("5C"), house_rules={"limit": None})
    assert (found["total"], found["special"]) == (600, "calling_nine_tile")


def test_no_scoring_value_is_spoiled_by_a_flower_or_a_scoring_pair_but_not_by_bonuses():
    chows = ["exposed chow 3B", "exposed chow 6C", "exposed chow 6D"]
    drawn = won("4C", "wall", last_tile=True)
    assert figures("western", {"sets": chows, "tiles": "2C 3C 4C 7D 7D"}, drawn) == (42, 0, 42, None)
    assert figures("western", {"sets": chows, "tiles": "2C 3C 4C S S"}, drawn) == (34, 0, 34, None)
    assert figures("western", {"sets": chows, "tiles": "2C 3C 4C W W"}, drawn) == (42, 0, 42, None)
    assert figures("western", {"sets": chows, "tiles": "2C 3C 4C 7D 7D", "bonus": "S4"}, drawn) == (36, 0, 36, None)


def test_ten_for_no_chows_only_where_a_chow_was_allowed():
    hand = {"sets": ["exposed pung 3B", "exposed pung 6C", "exposed pung 8D"], "tiles": "2C 2C 2C 7D 7D"}
    assert figures("western", hand, won("2C", "E"))[0] == 38
    assert figures("western", hand, won("2C", "E"), house_rules={"max_chows": 0})[0] == 28
    assert figures("western", hand, won("2C", "E"), goulash=True)[0] == 28


def test_more_chows_than_allowed_are_refused_and_a_chow_in_a_goulash():
    hand = {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D"}
    for context, why in (
        ({"house_rules": {"max_chows": 1}}, "too many chows: one chow at most in a Mah-jong."),
        ({"house_rules": {"max_chows": 0}}, "a chow: the house rules allow none in a Mah-jong."),
        ({"goulash": True}, "a chow: there are no chows in a goulash."),
    ):
        with pytest.raises(ScoringError) as raised:
            score("western", hand, won("4C", "E"), **context)
        assert (raised.value.seat, str(raised.value)) == ("S", f"South's hand has {why}")


def test_standing_and_dealt_and_going_out_bonuses():
    hand = {"sets": ["concealed pung 3B", "exposed kong 8D"], "tiles": "6C 7C 8C 2C 3C 4C 7D 7D"}
    # 4 + 8 + 20 + 2 drawn + 10 loose
    assert figures("western", hand, won("4C", "kong box")) == (44, 0, 44, None)
    assert figures("western", hand, won("4C", "kong box"), house_rules={"two_points_on_loose_tile": False})[0] == 42
    assert figures("western", hand, won("4C", "E", standing=True))[0] == 132


def test_suit_and_majors_doubles():
    # 4 x exposed major pungs 4 + honours: one suit and honours, ones and nines and honours, own wind; 16+20+10+2
    hand = {"sets": ["exposed pung 1C", "exposed pung 9C", "exposed pung S", "exposed pung N"], "tiles": "W W"}
    assert figures("western", hand, won("W", "E"), house_rules={"limit": 1000}) == (48, 3, 384, None)
    assert figures("western", hand, won("N", "E"), house_rules={"limit": 1000}) == (46, 3, 368, None)


def test_honours_alone_are_three_doubles_without_a_limit_and_the_limit_with_one():
    hand = {"sets": ["exposed pung W", "exposed pung N", "exposed pung R", "exposed pung G"], "tiles": "P P"}
    # 16 + 2 + 20 + 2 only piece + 10 = 50; two dragons, three for honours
    assert figures("western", hand, won("P", "E"), house_rules=NO_LIMIT) == (50, 5, 1600, None)
    assert figures("western", hand, won("P", "E"))[2:] == (600, "all_winds_and_dragons")
    assert figures("western", hand, won("P", "E"), house_rules={"limit": 1500})[2:] == (1500, "all_winds_and_dragons")


def test_other_limit_hands_without_a_limit_count_600_or_more_in_the_ordinary_way():
    dragons = {"sets": ["exposed pung R", "exposed pung G", "exposed pung P"], "tiles": "2C 3C 4C 7D 7D"}
    # 12 + 20 = 32, three doubles: 256
    assert figures("western", dragons, won("4C", "E"), house_rules=NO_LIMIT)[2:] == (600, "three_dragons")
    rich = {"sets": ["concealed kong R", "concealed kong G", "exposed kong P"], "tiles": "2C 3C 4C 7D 7D"}
    # 80 + 20 + 2 drawn = 102, three doubles
    assert figures("western", rich, won("4C"), house_rules=NO_LIMIT) == (102, 3, 816, None)


def test_a_losers_three_dragons_count_the_limit_and_more_where_nothing_is_cut():
    hand = {"sets": ["exposed pung R", "exposed pung G"], "tiles": "P P P P 2C"}
    assert figures("western", hand)[2:] == (600, "three_dragons")
    rich = {"sets": ["concealed kong R", "concealed kong G", "concealed kong P"]}
    assert figures("western", rich, house_rules={"limit_applies_to": "winner"}) == (96, 3, 768, None)
    assert figures("western", rich, house_rules=NO_LIMIT) == (96, 3, 768, None)
    assert figures("western", rich)[2:] == (600, "three_dragons")


def test_three_winds_need_the_pair_and_the_mah_jong():
    winds = {"sets": ["exposed pung E", "exposed pung S", "exposed kong W"], "tiles": "N N 3C 4C"}
    assert score("western", winds)["special"] is None
    full = {**winds, "tiles": "N N 3C 4C 5C"}
    assert figures("western", full, won("5C", "N"))[2:] == (600, "three_winds_and_pair")


def test_four_concealed_pungs_must_be_self_drawn_unless_the_club_says_otherwise():
    hand = {"sets": ["concealed kong 2B"], "tiles": "5C 5C 5C 7D 7D 7D S S S 9B 9B"}
    assert score("western", hand, won("9B"))["special"] == "concealed_pungs"
    assert score("western", hand, won("9B", "E"))["special"] is None
    assert score("western", hand, won("S", "E"))["special"] is None
    loose = {"house_rules": {"concealed_allows_last_claim": True}}
    assert score("western", hand, won("9B", "E"), **loose)["special"] == "concealed_pungs"
    assert score("western", hand, won("S", "E"), **loose)["special"] == "concealed_pungs"
    exposed = {**hand, "sets": ["exposed kong 2B"]}
    assert score("western", exposed, won("9B"))["special"] is None


def test_original_hand_is_for_every_seat():
    hand = {"tiles": "3B 3B 3B 6C 7C 8C 8D 8D 8D 2C 3C 4C 7D 7D"}
    for seat in "ES":
        found = score("western", hand, won("4C", by=seat, dealt=True), seat)
        assert (found["total"], found["special"]) == (600, "original_hand")
    # 8 + 20 + 2 = 30, three doubles
    assert figures("western", hand, won("4C", dealt=True), house_rules=NO_LIMIT) == (30, 3, 240, None)
    without_source = {"by": "S", "tile": "4C", "dealt": True}
    assert figures("western", hand, without_source, house_rules=NO_LIMIT) == (30, 3, 240, None)


def test_thirteenth_mah_jong_is_easts_and_exactly_the_thirteenth():
    hand = {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D"}
    assert score("western", hand, won("4C", "S", "E", consecutive=13), "E")["total"] == 600
    for number in (12, 14):
        assert score("western", hand, won("4C", "S", "E", consecutive=number), "E")["total"] == 24
    assert score("western", hand, won("4C", "E", consecutive=13))["total"] == 24


def test_first_discard_of_east():
    hand = {"tiles": "3B 3B 3B 6C 7C 8C 8D 8D 8D 2C 3C 4C 7D 7D"}
    assert figures("western", hand, won("4C", "E", first_discard=True))[2:] == (600, "first_discard")
    with pytest.raises(ScoringError):
        score("western", hand, won("4C", "W", first_discard=True))


def test_flowers_do_not_lift_a_limit_hand():
    hand = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P", "bonus": "F1 F2 F3 F4 S2"}
    assert figures("western", hand, won("P", "E"))[2] == 600
    assert figures("western", hand, won("P", "E"), house_rules=NO_LIMIT)[2] == 600


def test_limit_cuts_losers_or_not():
    hand = {"sets": ["concealed kong S", "concealed kong E", "concealed kong R"]}
    # 96, three doubles: 768
    assert figures("western", hand) == (96, 3, 600, None)
    assert score("western", hand)["limited"] is True
    assert figures("western", hand, house_rules={"limit_applies_to": "winner"})[2] == 768


def test_east_mode_score_doubles_inside_the_limit_and_limit_hands_outside_it():
    mode = {"east_mode": "score"}
    plain = {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D"}
    answer = played("western", plain, won("4C", "S", "E"), "E", house_rules=mode)
    assert answer["hands"]["E"]["total"] == 48
    assert answer["net"] == {"E": 144, "S": -48, "W": -48, "N": -48}
    majors = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}
    assert score("western", majors, won("P", "S", "E"), "E", house_rules=mode)["total"] == 1200
    rich = {"sets": ["exposed kong E", "concealed kong R", "exposed chow 2C", "exposed pung 3C"], "tiles": "7C 7C"}
    # 16 + 32 + 2 + 20 = 70 (+2 only piece), own and round wind, dragon, one suit and honours, East: 5 doubles
    assert score("western", rich, won("7C", "S", "E"), "E", house_rules=mode)["total"] == 600


def test_bouquet_may_include_the_own_one():
    assert figures("western", {"bonus": "F1 F2 F3 F4"}) == (16, 4, 256, None)
    among = {"bouquet_includes_own": True}
    assert figures("western", {"bonus": "F1 F2 F3 F4"}, house_rules=among) == (16, 3, 128, None)


def test_named_limit_hands():
    assert figures("western", {"special": "ones_and_nines", "exposed": True}, {"by": "S"}) == (
        None, None, 600, "ones_and_nines",
    )  # fmt: skip
    assert figures("western", {"special": "three_dragons"})[2:] == (600, "three_dragons")
    for hand in ({"special": "three_winds_and_pair"}, {"fishing_for": "three_dragons"}):
        with pytest.raises(ScoringError):
            score("western", hand)
    with pytest.raises(ScoringError):
        score("western", {"special": "concealed_pungs", "exposed": True}, {"by": "S"})


def test_clubs_own_hands():
    club_hands = [{"key": "dragons_tail", "name": "Dragon's Tail", "value": "half limit", "fishing": 100}]
    assert figures("western", {"special": "dragons_tail"}, {"by": "S"}, club_hands=club_hands)[2] == 300
    assert figures("western", {"fishing_for": "dragons_tail"}, club_hands=club_hands)[2] == 100
    long = [{"key": "long", "name": "Long", "value": 1000, "fishing": None}]
    assert figures("western", {"special": "long"}, {"by": "S"}, club_hands=long)[2] == 600
    assert figures("western", {"special": "long"}, {"by": "S"}, club_hands=long, house_rules=NO_LIMIT)[2] == 1000


def test_fishing_and_original_call_have_no_effect():
    hand = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P", "fishing": True, "original_call": True}
    assert figures("western", hand) == (0, 0, 0, None)


@pytest.mark.parametrize(("limit", "fine"), [(None, 300), (600, 300), (1000, 500)])
def test_false_mah_jong_costs_half_the_limit_or_300(limit, fine):
    given = {
        "rules": "western", "house_rules": {"limit": limit}, "hands": {wind: {} for wind in "ESWN"},
        "penalties": [{"kind": "false mahjong", "by": "S"}],
    }  # fmt: skip
    answer = score_hand_played(given)
    assert answer["net"] == {"E": fine, "S": -3 * fine, "W": fine, "N": fine}
    assert answer["east_stays"] is True
