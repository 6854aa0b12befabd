"""Chinese Official compared with its pages: every fan and what it shuts out, printed examples, house rules, errors."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubscore.scoring import RULE_SETS, ScoringError, house_rules, score_hand_played
from tests.scoring.corpora import case_id, lines
from tests.scoring.fan_hands import CODES, SUIT_CODES, a_chow, random_hand
from tests.scoring.fan_tables import fans, named, printed
from tests.share import share_of

ROWS = fans()
POINTS = {name: points for name, points, _ in ROWS.values()}
CORPUS = [case for case in lines("chinese-official.jsonl") if not case.get("expect_error")]


def hand_played(hand, mahjong, house=None, others=None, **more):
    return {"rules": "chinese_official", "house_rules": house or {}, "mahjong": mahjong,
            "hands": {wind: {} for wind in "ESWN"} | (others or {}) | {mahjong["by"]: hand}, **more}  # fmt: skip


def won(tile, source="E", **marks):
    return {"by": "S", "tile": tile, "from": source, **marks}


def winner(hand, mahjong, house=None, **more):
    return score_hand_played(hand_played(hand, mahjong, house, **more))["hands"][mahjong["by"]]


def fans_of(score):
    return {line["name"]: line.get("count", 1) for line in score["lines"]}


def counted(hand, mahjong, house=None, **more):
    """Give the fans that count and how often, whatever the hand is worth."""
    return fans_of(winner(hand, mahjong, {"minimum_points": 0, **(house or {})}, **more))


def refused(hand, mahjong, house=None, **more):
    with pytest.raises(ScoringError) as raised:
        winner(hand, mahjong, house, **more)
    return raised.value


# The table


def test_all_81_fans_stand_in_printed_order_with_their_points_and_what_they_shut_out():
    house = house_rules("chinese_official")
    rows = [row for row in RULE_SETS["chinese_official"].rules if house.allows(row.when)]
    number = {row.key: at for at, row in enumerate(rows, start=1)}
    assert {at: (row.name, POINTS.get(row.name), sorted(number[key] for key in row.excludes))
            for at, row in enumerate(rows, start=1)} == ROWS  # fmt: skip
    assert [row.points for row in rows if isinstance(row.points, int)] == [
        points for name, points, _ in ROWS.values() if name != "Two Concealed Kongs"
    ]


def test_the_fans_are_those_of_the_example_hands():
    wrong = {}
    for case in CORPUS:
        got = score_hand_played(case["input"])["hands"][case["input"]["mahjong"]["by"]]
        fans = sorted((line["name"], line["points"], line.get("count", 1)) for line in got["lines"])
        if fans != sorted(tuple(fan) for fan in case["fans"]):
            wrong[case_id(case)] = fans
    assert wrong == {}


@pytest.mark.parametrize(
    ("sets", "tiles", "tile", "expected"), [pytest.param(*rest, id=f"example-{number}") for number, *rest in printed()]
)
def test_printed_examples(sets, tiles, tile, expected):
    score = winner({"sets": sets, "tiles": tiles}, won(tile))
    assert fans_of(score) == expected
    assert score["total"] == sum(POINTS[name] * often for name, often in expected.items())
    assert score["lines"] == sorted(score["lines"], key=lambda line: -line["points"])


# What is settled where the pages are silent

THREE = {"sets": ["exposed chow 1C", "exposed pung 5B"], "tiles": "7D 8D 9D 2D 4D 3D P P"}
KNITTED = {"tiles": "1C 4C 7C 2B 5B 8B 3D 6D 9D 4D 5D 6D 2B 2B"}


@pytest.mark.parametrize(("hand", "tile", "expected"), [
    (THREE, "3D", "Closed Wait"),
    (THREE, "7D", "Edge Wait"),
    (THREE, "P", "Single Wait"),
    (THREE, "2D", "Chicken Hand"),  # 3-4 waits for 2 and 5
    ({"sets": ["exposed chow 1C", "exposed pung 5B"], "tiles": "1D 2D 3D 4D 7B 8B 9B 1D"}, "1D", "No Honors"),
    ({"sets": ["exposed pung 5B", "exposed chow 6D"], "tiles": "2C 4C 4C 4C 3C 7B 8B 9B"}, "3C", "No Honors"),
    ({"sets": ["exposed chow 7B", "exposed pung 5D"], "tiles": "1C 2C 2C 3C 4C 3C P P"}, "3C", "Closed Wait"),
    ({"sets": ["exposed chow 6B", "exposed pung 5D", "exposed pung 8D"], "tiles": "1C 2C 3C 3C 3C"}, "3C",
     "Edge Wait; No Honors"),
    # all four 5s are held; they are waited for all the same
    ({"sets": ["exposed pung 5C", "exposed chow 6B", "exposed chow 1D"], "tiles": "2C 3C 4C 5C 2C"}, "2C",
     "Tile Hog; No Honors"),
    (KNITTED, "5D", "Knitted Straight; All Chows; Concealed Hand; Closed Wait"),
    (KNITTED, "2B", "Knitted Straight; All Chows; Concealed Hand; Single Wait"),
    (KNITTED, "1C", "Knitted Straight; All Chows; Concealed Hand"),
])  # fmt: skip
def test_waits(hand, tile, expected):
    assert counted(hand, won(tile)) == named(expected)


@pytest.mark.parametrize(("hand", "mahjong", "expected"), [
    # the tile that is drawn
    ({**THREE}, won("2D", "wall"), "Self-Drawn"),
    (THREE, won("2D", "wall", last_tile=True), "Last Tile Draw"),
    (THREE, won("2D", last_tile=True), "Last Tile Claim"),
    (THREE, won("2D", robbed_kong=True), "Robbing the Kong"),
    (THREE, won("2D", robbed_kong=True, last_of_kind=True), "Robbing the Kong"),
    (THREE, won("2D", last_of_kind=True), "Last Tile"),
    ({**THREE, "bonus": "F1"}, won("2D", "kong box", replacement_for="flower"), "Self-Drawn; Flower Tiles"),
    ({"sets": ["exposed kong 5B", "exposed chow 1C"], "tiles": "7D 8D 9D 2D 4D 3D P P"},
     won("2D", "kong box", last_tile=True), "Out with Replacement Tile; Last Tile Draw; Melded Kong"),
    ({"sets": ["concealed kong 5B"], "tiles": "1C 2C 3C 7D 8D 9D 2D 4D 3D P P"}, won("2D", "wall"),
     "Fully Concealed Hand; Concealed Kong"),
    ({"sets": ["concealed kong 5B"], "tiles": "1C 2C 3C 7D 8D 9D 2D 4D 3D P P"}, won("2D"),
     "Concealed Hand; Concealed Kong"),
    # the pung that a claim completes is melded, unless the tile can stand in a chow
    ({"sets": ["exposed chow 1D"], "tiles": "5C 5C 5C 8B 8B 8B 6C 7C 8C 9D 9D"}, won("5C"), "No Honors"),
    ({"sets": ["exposed chow 1D"], "tiles": "5C 5C 5C 8B 8B 8B 5C 6C 7C 9D 9D"}, won("5C"),
     "Two Concealed Pungs; Tile Hog; No Honors"),
    ({"tiles": "5C 5C 5C 8B 8B 8B 6C 6C 6C 2D 2D 2D 9D 9D"}, won("2D"),
     "Three Concealed Pungs; All Pungs; Concealed Hand; No Honors"),
    ({"tiles": "5C 5C 5C 8B 8B 8B 6C 6C 6C 2D 2D 2D 9D 9D"}, won("2D", "wall"),
     "Four Concealed Pungs; Self-Drawn; No Honors"),
    ({"sets": ["exposed pung 5C", "exposed chow 1D", "exposed chow 6B", "exposed pung R"], "tiles": "9D 9D"}, won("9D"),
     "Melded Hand; Dragon Pung"),
    # the winner's own exposed sets show the other three: the last of its kind, whether that is said or not
    ({"sets": ["exposed pung 4B", "exposed chow 1C", "exposed chow 7D"], "tiles": "3B 4B 5B 9C 9C"}, won("4B"),
     "Last Tile; Tile Hog; No Honors; Closed Wait"),
    ({"sets": ["exposed pung 4B", "exposed chow 1C", "exposed chow 7D"], "tiles": "3B 4B 5B 9C 9C"},
     won("4B", "wall", last_of_kind=False), "Last Tile; Tile Hog; No Honors; Closed Wait; Self-Drawn"),
    ({"sets": ["exposed chow 4B", "exposed chow 4B", "exposed chow 6B"], "tiles": "6B 7B 8B R R"}, won("6B"),
     "Last Tile; Tile Hog; Half Flush; Pure Double Chow 2"),
    # concealed ones are not in view: the pung next to the tile, or the two that the claim made a pung of
    ({"sets": ["concealed pung 4B", "exposed chow 1C", "exposed chow 7D"], "tiles": "3B 4B 5B 9C 9C"}, won("4B"),
     "Tile Hog; No Honors"),
    ({"sets": ["exposed pung 4B", "exposed chow 4B", "exposed chow 7D"], "tiles": "1C 2C 3C 9C 9C"}, won("9C"),
     "Mixed Straight; Tile Hog; No Honors; Single Wait"),
    # four equal tiles
    ({"sets": ["exposed pung 5C", "exposed chow 4C", "exposed chow 6B", "exposed pung R"], "tiles": "9D 9D"}, won("9D"),
     "Melded Hand; Dragon Pung; Tile Hog"),
    ({"sets": ["exposed kong 5C", "exposed chow 1D", "exposed chow 6B", "exposed pung R"], "tiles": "9D 9D"}, won("9D"),
     "Melded Hand; Dragon Pung; Melded Kong"),
    # concealed sets are just tiles for seven pairs; an exposed set is the completed one where the tile is in no other
    ({"sets": [f"pair {code}" for code in ("2C", "4C", "9C", "E", "S", "R", "P")]}, won("P"),
     "Seven Pairs; Half Flush"),
    ({"sets": ["exposed chow 2D"], "tiles": "7D 8D 9D 5B 5B 5B 1C 2C 3C P P"}, won("3D"),
     "Concealed Hand; Closed Wait"),
])  # fmt: skip
def test_the_winning_tile_and_what_it_completes(hand, mahjong, expected):
    assert counted(hand, mahjong) == named(expected)


@pytest.mark.parametrize(("chows", "expected"), [
    ("2C 2C 5C 5C", "Pure Double Chow 2; Short Straight"),  # three lines at most between four chows
    ("2C 2B 5C 5B", "Mixed Double Chow 2; Short Straight"),
    ("1C 7C 1B 7B", "Mixed Double Chow 2; Two Terminal Chows"),
    ("2C 2B 2D 2C", "Mixed Triple Chow; Pure Double Chow"),
    ("2C 2C 2C 5C", "Pure Triple Chow; Short Straight"),
    ("1C 4C 7C 4C", "Pure Straight; Pure Double Chow"),
    ("1C 4B 7D 1B", "Mixed Straight; Mixed Double Chow"),  # the fourth is joined once only
])  # fmt: skip
def test_a_chow_is_joined_once(chows, expected):
    sets = [f"exposed chow {code}" for code in chows.split()]
    score = counted({"sets": sets, "tiles": "8D 8D"}, won("8D", "wall"))
    also = {"Self-Drawn", "Single Wait", "All Chows", "All Simples", "One Voided Suit"}
    assert {name: often for name, often in score.items() if name not in also} == named(expected)


# House rules

BOTH_KONGS = {"sets": ["exposed kong 5B", "concealed kong 8C", "exposed chow 1D"], "tiles": "7D 8D 9D P P"}
CONCEALED_KONGS = {"sets": ["concealed kong 5B", "concealed kong 8C", "exposed chow 1D"], "tiles": "7D 8D 9D P P"}
FIVE_TYPES = {"tiles": "2C 2C 9C 9C 3B 3B 4D 4D E E E E R R"}
GATES = {"tiles": "1C 1C 1C 2C 3C 4C 5C 5C 6C 7C 8C 9C 9C 9C"}


@pytest.mark.parametrize(("hand", "tile", "house", "expected", "total"), [
    (BOTH_KONGS, "8D", {}, "Concealed Kong; Melded Kong; Closed Wait; Two Terminal Chows", 5),
    (BOTH_KONGS, "8D", {"concealed_and_melded_kong": 5},
     "Concealed Kong and Melded Kong; Closed Wait; Two Terminal Chows", 7),
    (BOTH_KONGS, "8D", {"concealed_and_melded_kong": 6},
     "Concealed Kong and Melded Kong; Closed Wait; Two Terminal Chows", 8),
    (CONCEALED_KONGS, "8D", {}, "Two Concealed Kongs; Closed Wait; Two Terminal Chows", 8),
    (CONCEALED_KONGS, "8D", {"two_concealed_kongs": 8}, "Two Concealed Kongs; Closed Wait; Two Terminal Chows", 10),
    (FIVE_TYPES, "R", {}, "Seven Pairs", 24),
    (FIVE_TYPES, "R", {"all_types_with_seven_pairs": True}, "Seven Pairs; All Types", 30),
    (FIVE_TYPES, "R", {"tile_hog_of_honors": True}, "Seven Pairs; Tile Hog", 26),
    (GATES, "5C", {}, "Nine Gates; Two Concealed Pungs", 90),
    (GATES, "5C", {"nine_gates_second_pung": True}, "Nine Gates; Two Concealed Pungs; Pung of Terminals or Honors", 91),
])  # fmt: skip
def test_house_rules(hand, tile, house, expected, total):
    score = winner(hand, won(tile), {"minimum_points": 0, **house})
    assert (fans_of(score), score["total"]) == (named(expected), total)


def test_flowers_count_after_everything_and_never_towards_the_minimum():
    flowers = {**THREE, "bonus": "F1 F2 F3 F4 S1 S2 S3 S4"}
    assert winner(flowers, won("2D"))["total"] == 16  # Chicken Hand and eight flowers
    error = refused(flowers, won("3D"))
    assert (error.seat, error.field) == ("S", "tiles")
    assert str(error) == "South's hand is worth 1 without the flowers: a Mah-jong needs at least 8."
    assert winner(flowers, won("3D"), {"minimum_points": 1})["total"] == 9


def test_the_minimum_is_a_house_rule():
    assert str(refused(FIVE_TYPES, won("R"), {"minimum_points": 25})) == (
        "South's hand is worth 24: a Mah-jong needs at least 25."
    )
    assert winner(FIVE_TYPES, won("R"), {"minimum_points": 24})["total"] == 24


# What is refused


@pytest.mark.parametrize(("hand", "mahjong", "sentence"), [
    ({"sets": ["exposed chow 1C"], "tiles": "7D 8D 9D 2D 4D 3D P P 5B 6B 8B"}, won("3D"), "are not a Mah-jong"),
    ({"tiles": "1C 4C 7C 2B 5B 8B 3D 6D E S W N R R"}, won("E"), "are not a Mah-jong"),
    # a knitted straight and five tiles that make neither a set and a pair nor Lesser Honors and Knitted Tiles
    ({"tiles": "1C 4C 7C 2B 5B 8B 3D 6D 9D 2C 9C 1B 9B 1D"}, won("1D"), "are not a Mah-jong"),
    ({"tiles": "1C 4C 7C 2B 5B 8B 3D 6D 9D E S W N 1D"}, won("1D"), "are not a Mah-jong"),
    ({"tiles": "1C 4C 7C 2B 5B 8B 3D 6D 9D E S W R R"}, won("R"), "are not a Mah-jong"),
    ({"tiles": "1C 4C 7C 2B 5B 8B 3D 6D 9D 9C 1B E R R"}, won("E"), "are not a Mah-jong"),
    ({"sets": ["exposed pung E"], "tiles": "2C 2C 4C 4C 6B 6B 8B 8B R R R"}, won("R"), "are not a Mah-jong"),
    ({**THREE, "tiles": "7D 8D 9D 2D 4D 3D P"}, won("3D"), "13 tiles"),
    (THREE, won("9C"), "is not in South's hand"),
    (THREE, won("1C", "wall"), "is only in an exposed set"),
    (THREE, won("2D", "kong box"), "replaced a kong, but South has none"),
    (THREE, won("2D", "kong box", replacement_for="flower"), "no flower or season is entered"),
    (THREE, won("P", robbed_kong=True), "the only one in South's hand"),
    (THREE, won("P", last_of_kind=True), "another one is concealed"),
    (THREE, won("5B", last_of_kind=True), "another one is concealed"),
    (THREE, won("2D", "wall", robbed_kong=True), "whose kong was robbed"),
    (THREE, won("2D", robbed_kong=True, last_tile=True), "last tile"),
    ({"points": 30, "doubles": 1}, won("2D"), "no doubles"),
    ({"special": "thirteen_orphans"}, won("2D"), "no special hand"),
    ({**THREE, "count": "too many"}, won("2D"), "cannot go Mah-jong"),
])  # fmt: skip
def test_what_cannot_be_is_said(hand, mahjong, sentence):
    error = refused(hand, mahjong, {"minimum_points": 0})
    assert sentence in str(error)
    assert error.seat == "S"


def test_a_copy_concealed_by_another_player_is_not_in_view():
    others = {"N": {"tiles": "2D 5C"}}
    assert "another one is concealed" in str(refused(THREE, won("2D", last_of_kind=True), others=others))
    shown = {"N": {"sets": ["exposed pung 2D"]}}
    assert counted(THREE, won("2D", last_of_kind=True), others=shown) == {"Last Tile": 1}


@pytest.mark.parametrize("change", [
    {"hands": {"E": {}, "S": THREE, "W": {}}},
    {"goulash": True},
    {"club_hands": []},
    {"mahjong": [won("2D"), {**won("2D"), "by": "W"}]},
    {"house_rules": {"limit": 1000}},
    {"house_rules": {"minimum_points": 89}},
    {"house_rules": {"two_concealed_kongs": 7}},
])  # fmt: skip
def test_what_this_rule_set_has_not_is_refused(change):
    with pytest.raises(ScoringError):
        score_hand_played({**hand_played(THREE, won("2D")), **change})


# Settling


def test_all_pay_eight_and_the_hand_when_it_is_drawn_and_the_discarder_alone_when_it_is_not():
    hand = {"rules": "chinese_official", "hands": {wind: {} for wind in "ESWN"} | {"E": FIVE_TYPES}}
    drawn = score_hand_played({**hand, "mahjong": {"by": "E", "tile": "R", "from": "wall"}})
    assert (drawn["net"], drawn["east_stays"]) == ({"E": 99, "S": -33, "W": -33, "N": -33}, False)
    claimed = score_hand_played({**hand, "mahjong": {"by": "E", "tile": "R", "from": "W"}})
    assert (claimed["net"], claimed["next_is_goulash"]) == ({"E": 48, "S": -8, "W": -32, "N": -8}, False)


def test_an_announced_total_is_kept_and_the_others_have_nothing_in_whatever_form():
    others = {"E": {"points": 12, "doubles": 2}, "W": {"total": 400}, "N": {"sets": ["exposed kong R"], "bonus": "S1"}}
    answer = score_hand_played(hand_played({"total": 20}, {"by": "S", "from": "W"}, others=others))
    assert answer["net"] == {"E": -8, "S": 44, "W": -28, "N": -8}
    assert [(answer["hands"][seat]["total"], answer["hands"][seat]["lines"]) for seat in "EWN"] == [(0, [])] * 3
    own = answer["hands"]["S"]
    assert (own["points"], own["doubles"], own["times"], own["total"]) == (20, None, None, 20)
    assert winner({"points": 24}, {"by": "S", "from": "W"})["total"] == 24


def test_who_did_not_win_has_at_most_thirteen_tiles_unless_the_count_was_wrong():
    fourteen = {"tiles": "1C 2C 3C 4C 5C 6C 7C 8C 9C 1D 1D 2D 3D 4D"}
    answer = hand_played({"total": 20}, {"by": "S", "from": "W"}, others={"N": fourteen})
    with pytest.raises(ScoringError, match="North has 14 tiles: at most 13") as raised:
        score_hand_played(answer)
    assert raised.value.seat == "N"
    answer["hands"]["N"] = {**fourteen, "count": "too many"}
    assert score_hand_played(answer)["hands"]["N"]["total"] == 0


def test_after_a_false_mahjong_the_hand_goes_on():
    false = {"penalties": [{"kind": "false mahjong", "by": "N"}]}
    won_later = score_hand_played(hand_played(FIVE_TYPES, won("R"), **false))
    assert won_later["net"] == {"E": -32 + 20, "S": 48 + 20, "W": -8 + 20, "N": -8 - 60}
    with pytest.raises(ScoringError):
        score_hand_played(hand_played(FIVE_TYPES, won("R"), penalties=[{"kind": "false mahjong", "by": "S"}]))


# What holds for every hand


@settings(max_examples=share_of(150), deadline=None)
@given(seed=st.integers(0, 2**40))
def test_a_flower_adds_exactly_one_and_order_changes_nothing(seed):
    rng = random.Random(seed)
    hand_given, _ = random_hand(rng)
    seat = hand_given["mahjong"]["by"]
    before, hand = score_hand_played(hand_given)["hands"][seat], hand_given["hands"][seat]
    tiles = hand["tiles"].split()
    changed = {"sets": rng.sample(hand["sets"], len(hand["sets"])), "tiles": " ".join(rng.sample(tiles, len(tiles)))}
    shuffled = {**hand_given, "hands": {**hand_given["hands"], seat: changed}}
    assert score_hand_played(shuffled)["hands"][seat] == before
    with_flower = {**hand_given, "hands": {**hand_given["hands"], seat: {**hand, "bonus": "S3"}}}
    after = score_hand_played(with_flower)["hands"][seat]
    assert after["total"] == before["total"] + 1
    assert after["lines"] == [*before["lines"], {"rule": "flower_tiles", "name": "Flower Tiles", "points": 1}]


def groupings(tiles):
    """Give every way to group all these tiles (in order) as concealed pungs, chows and pairs, naively."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    chow = a_chow(first) if first in SUIT_CODES and first[0] < "8" else [first] * 5
    for name, needed in (("concealed pung", [first] * 2), ("pair", [first]), ("concealed chow", chow[1:])):
        left = list(rest)
        if all(left.count(code) >= needed.count(code) for code in needed):
            for code in needed:
                left.remove(code)
            for others in groupings(left):
                yield [f"{name} {first}", *others]


@settings(max_examples=share_of(60), deadline=None)
@given(seed=st.integers(0, 2**40))
def test_no_naive_reading_is_worth_more_than_the_one_chosen(seed):
    hand_given, _ = random_hand(random.Random(seed))
    seat = hand_given["mahjong"]["by"]
    hand, best = hand_given["hands"][seat], score_hand_played(hand_given)["hands"][seat]["total"]
    found = []
    for sets in groupings(sorted(hand["tiles"].split(), key=CODES.index)):
        shown = {**hand, "sets": [*hand["sets"], *sets], "tiles": ""}
        if sum(one.startswith("pair") for one in sets) in (1, 7):
            answer = score_hand_played({**hand_given, "hands": {**hand_given["hands"], seat: shown}})
            found.append(answer["hands"][seat]["total"])
    assert max(found, default=best) == best
