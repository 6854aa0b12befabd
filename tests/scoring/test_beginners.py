"""The beginners' sheet beyond its printed examples; expectations worked out from the sheet's text, part B2."""

import pytest

from clubscore.scoring import ScoringError, score_hand_played
from tests.scoring.playing import figures, played, rows, score, won

PLAIN = ["exposed pung 3B", "exposed chow 6C", "exposed pung 8D"]  # 4 points


def test_trebles_multiply_after_doubles_and_may_mean_eight():
    # 4 x 4 + 2 pair + 20 + 2 only piece + 10 no chows = 50; two dragons, treble for honours
    hand = {"sets": ["exposed pung W", "exposed pung N", "exposed pung R", "exposed pung G"], "tiles": "P P"}
    assert figures("beginners", hand, won("P", "E")) == (50, 2, 600, None)
    assert figures("beginners", hand, won("P", "E"), house_rules={"treble_means": 8}) == (50, 2, 1600, None)
    assert score("beginners", hand, won("P", "E"))["times"] == 12


def test_two_trebles():
    # 16 flowers + 4 pung 1 + 4 pung 9 + 20 = 44; one suit x3, four flowers x3, own flower x2
    hand = {"sets": ["exposed pung 1C", "exposed chow 6C", "exposed pung 9C"], "tiles": "2C 3C 4C 5C 5C",
            "bonus": "F1 F2 F3 F4"}  # fmt: skip
    assert figures("beginners", hand, won("4C", "E")) == (44, 1, 792, None)
    assert score("beginners", hand, won("4C", "E"))["times"] == 18


def test_bouquet_that_includes_the_own_one_is_the_treble_alone():
    assert figures("beginners", {"bonus": "S1 S2 S3 S4"}) == (16, 1, 96, None)
    among = {"bouquet_includes_own": True}
    assert figures("beginners", {"bonus": "S1 S2 S3 S4"}, house_rules=among) == (16, 0, 48, None)
    both = {"bonus": "F1 F2 F3 F4 S1 S2 S3 S4"}
    assert figures("beginners", both) == (32, 2, 1152, None)


def test_ones_and_nines_are_doubled_with_and_without_honours_but_honours_alone_are_not():
    terminals = {"sets": ["exposed pung 1C", "exposed pung 9C", "exposed pung 1D", "exposed pung 9B"], "tiles": "9D 9D"}
    # 16 + 20 + 2 only piece + 10
    assert figures("beginners", terminals, won("9D", "E")) == (48, 1, 96, None)
    honours = {"sets": ["exposed pung W", "exposed pung N", "exposed pung 1D", "exposed pung 9D"], "tiles": "E E"}
    # 16 + 2 + 20 + 2 + 10; one suit and honours, ones and nines and honours
    assert figures("beginners", honours, won("E", "W")) == (50, 2, 200, None)
    alone = {"sets": ["exposed pung W", "exposed pung N", "exposed pung R", "exposed pung G"], "tiles": "P P"}
    assert not rows("beginners", alone, won("P", "E")) & {"ones_and_nines", "one_suit_and_honours"}


def test_original_hand_is_a_treble_and_no_special_hand():
    hand = {"tiles": "3B 3B 3B 6C 7C 8C 8D 8D 8D 2C 3C 4C 7D 7D"}
    # 8 + 20 + 2
    for seat in "ES":
        assert figures("beginners", hand, won("4C", by=seat, dealt=True), seat) == (30, 0, 90, None)


def test_what_the_sheet_does_not_know_has_no_effect():
    hand = {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D"}
    assert figures("beginners", hand, won("4C", "E", robbed_kong=True)) == (24, 0, 24, None)
    assert figures("beginners", hand, won("4C", "E", standing=True)) == (24, 0, 24, None)
    # 8 + 20 for three pungs, one of them claimed
    concealed = {"tiles": "3B 3B 3B 5C 5C 5C 8D 8D 8D 2C 3C 4C 7D 7D"}
    assert figures("beginners", concealed, won("4C", "E", first_discard=True)) == (32, 0, 32, None)
    assert figures("beginners", hand, won("4C", "S", "E", consecutive=13), "E") == (24, 0, 24, None)
    dragons = {"sets": ["exposed pung R", "exposed pung G", "exposed pung P"]}
    assert figures("beginners", dragons) == (12, 3, 96, None)


def test_bonuses_are_the_winners_alone():
    assert figures("beginners", {"sets": ["exposed pung 2B", "exposed pung 3B"]}) == (4, 0, 4, None)
    # loose tile for a flower: 4 + 4 + 20 + 2 + 10
    hand = {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D", "bonus": "S1"}
    assert figures("beginners", hand, won("4C", "kong box", replacement_for="flower")) == (40, 0, 40, None)


@pytest.mark.parametrize(
    ("house_rules", "value"),
    [({}, 600), ({"special_value": 350}, 350), ({"limit": 200}, 200), ({"limit": 500, "special_value": 900}, 500)],
)
def test_the_two_special_hands_have_one_value_flowers_or_not(house_rules, value):
    majors = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P", "bonus": "F2 S2"}
    assert figures("beginners", majors, won("P", "E"), house_rules=house_rules)[2:] == (value, "thirteen_odd_majors")
    named = {"special": "calling_nine_tile", "bonus": "F1"}
    assert figures("beginners", named, {"by": "S"}, house_rules=house_rules)[2:] == (value, "calling_nine_tile")


def test_nine_tile_hand_counts_in_the_ordinary_way_where_that_is_more():
    # 1-1-1 2-3-4 5-6-7 8-8 9-9-9: 8 + 8 + 20 + 2 = 38 trebled
    hand = {"tiles": "1C 1C 1C 2C 3C 4C 5C 6C 7C 8C 8C 9C 9C 9C"}
    assert figures("beginners", hand, won("8C"), house_rules={"special_value": 100}) == (38, 0, 114, None)
    assert figures("beginners", hand, won("8C"), house_rules={"special_value": 114})[3] == "calling_nine_tile"


def test_every_two_settle_the_difference_and_east_may_pay_double():
    others = {"E": {"total": 40}, "W": {"total": 10}, "N": {"points": 5, "doubles": 2}}
    answer = played("beginners", {"total": 30}, {"by": "S"}, others=others)
    # E 40, S 30 (winner), W 10, N 20
    assert answer["net"] == {"E": 10 + 30 + 20, "S": -10 + 20 + 10, "W": -30 - 20 - 10, "N": -20 - 10 + 10}
    double = played("beginners", {"total": 30}, {"by": "S"}, others=others, house_rules={"east_mode": "settlement"})
    assert double["net"] == {"E": 120, "S": -20 + 30, "W": -60 - 30, "N": -40}


def test_east_mode_score_doubles_the_winner_alone():
    hand = {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D"}
    mode = {"east_mode": "score"}
    assert figures("beginners", hand, won("4C", "S", "E"), "E", house_rules=mode) == (24, 1, 48, None)
    assert figures("beginners", {"sets": ["exposed pung R"]}, None, "E", house_rules=mode) == (4, 1, 8, None)
    assert figures("beginners", {"points": 24, "doubles": 0}, {"by": "E"}, "E", house_rules=mode)[2] == 24
    majors = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}
    assert score("beginners", majors, won("P", "S", "E"), "E", house_rules={**mode, "limit": 500})["total"] == 1000


def test_limit_cuts_everybody_or_the_winner_alone():
    rich = {"sets": ["concealed kong S", "concealed kong E"]}
    # 64, two doubles
    assert figures("beginners", rich)[2] == 256
    assert figures("beginners", rich, house_rules={"limit": 100})[2] == 100
    assert figures("beginners", rich, house_rules={"limit": 100, "limit_applies_to": "winner"})[2] == 256


def test_double_wind_pair():
    assert figures("beginners", {"tiles": "S S"}, wind_of_round="S")[0] == 4
    assert figures("beginners", {"tiles": "S S"}, wind_of_round="S", house_rules={"double_wind_pair": 2})[0] == 2
    assert figures("beginners", {"tiles": "E E"}, wind_of_round="E", house_rules={"double_wind_pair": 2})[0] == 2


def test_clean_only_refuses_mixed_suits_but_no_special_hand():
    with pytest.raises(ScoringError):
        score("beginners", {"sets": PLAIN, "tiles": "2C 3C 4C 7D 7D"}, won("4C", "E"), house_rules={"clean_only": True})
    majors = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}
    assert score("beginners", majors, won("P", "E"), house_rules={"clean_only": True})["total"] == 600


def test_a_mixed_finish_is_no_other_piece_where_hands_must_be_clean():
    # 7 7 and N N: either finishes; with 2-3-4 of circles and bamboos nothing does.
    hand = {"sets": ["exposed pung 3B", "exposed chow 6B", "exposed pung 8B"], "tiles": "7B 7B N N N"}
    assert "only_piece" not in rows("beginners", hand, won("N", "E"), house_rules={"clean_only": True})
    lone = {"sets": ["exposed pung 3B", "exposed chow 6B", "exposed pung 8B"], "tiles": "1B 1B N N N"}
    assert "only_piece" in rows("beginners", {**lone, "tiles": "1B 2B 3B N N"}, won("3B", "E"))


def test_straight_recording_adds_the_own_score():
    straight = {"recording": "straight"}
    answer = played("beginners", {"total": 30}, {"by": "S"}, others={"N": {"total": 6}}, house_rules=straight)
    assert (answer["net"], answer["payments"]) == ({"E": 0, "S": 30, "W": 0, "N": 6}, [])


def test_cannon_is_paid_as_the_sum_of_the_differences():
    given = {
        "rules": "beginners", "hands": {"E": {"total": 24}, "S": {"total": 100}, "W": {"total": 10}, "N": {"total": 4}},
        "mahjong": {"by": "S", "from": "W"}, "penalties": [{"kind": "cannon", "by": "W"}],
    }  # fmt: skip
    answer = score_hand_played(given)
    assert answer["payments"] == [{"from": "W", "to": "S", "amount": 76 + 90 + 96, "why": "penalty"}]
