"""What holds for every hand under every rule set."""

import random
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubscore.scoring import RULE_SETS, score_hand_played
from clubscore.scoring.seeded_random import SeededRandom
from tests.scoring.tables import BONUS, tables
from tests.share import share_of

ROWS_A_FLOWER_SPOILS = {"no_value"}
every_rule_set = pytest.mark.parametrize("key", RULE_SETS)


def often(examples):
    return settings(max_examples=share_of(examples), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def without_lines(answer):
    return {**answer, "hands": {seat: {**hand, "lines": None} for seat, hand in answer["hands"].items()}}


@every_rule_set
@often(60)
@given(data=st.data())
def test_payments_balance(key, data):
    given_hand = data.draw(tables(key))
    answer = score_hand_played(given_hand)
    house = {**RULE_SETS[key].house_rules, **given_hand["house_rules"]}
    if house["recording"] == "straight":
        assert answer["payments"] == []
        assert answer["net"] == {seat: hand["total"] for seat, hand in answer["hands"].items()}
        return
    assert sum(answer["net"].values()) == 0
    net = dict.fromkeys(answer["net"], 0)
    for payment in answer["payments"]:
        assert payment["amount"] > 0
        net[payment["from"]] -= payment["amount"]
        net[payment["to"]] += payment["amount"]
    assert net == answer["net"]


@every_rule_set
@often(60)
@given(data=st.data())
def test_order_of_sets_tiles_and_seats_changes_nothing(key, data):
    given_hand = data.draw(tables(key))
    rng = random.Random(data.draw(st.integers(0, 2**40)))
    seats = list(given_hand["hands"])
    rng.shuffle(seats)
    shuffled = {**given_hand, "hands": {seat: shuffled_hand(given_hand["hands"][seat], rng) for seat in seats}}
    assert without_lines(score_hand_played(shuffled)) == without_lines(score_hand_played(given_hand))


def shuffled_hand(hand, rng):
    sets, tiles, bonus = list(hand["sets"]), hand["tiles"].split(), hand.get("bonus", "").split()
    for parts in (sets, tiles, bonus):
        rng.shuffle(parts)
    return {"bonus": " ".join(bonus), "tiles": " ".join(tiles), "sets": sets}


@every_rule_set
@often(60)
@given(data=st.data())
def test_a_flower_never_lowers_a_score(key, data):
    given_hand = data.draw(tables(key))
    held = " ".join(hand.get("bonus", "") for hand in given_hand["hands"].values())
    code = data.draw(st.sampled_from([code for code in BONUS if code not in held] or [""]))
    seat = data.draw(st.sampled_from(sorted(given_hand["hands"])))
    before = score_hand_played(given_hand)["hands"][seat]
    hand = given_hand["hands"][seat]
    more = {**given_hand["hands"], seat: {**hand, "bonus": f"{hand.get('bonus', '')} {code}"}}
    after = score_hand_played({**given_hand, "hands": more})["hands"][seat]
    spoiled = {line["rule"] for line in before["lines"]} & ROWS_A_FLOWER_SPOILS
    assert after["total"] >= before["total"] or spoiled


@every_rule_set
@often(60)
@given(data=st.data())
def test_no_total_is_above_the_limit_where_it_applies(key, data):
    given_hand = data.draw(tables(key))
    house = {**RULE_SETS[key].house_rules, **given_hand["house_rules"]}
    limit = house.get("limit")
    for seat, hand in score_hand_played(given_hand)["hands"].items():
        wins = seat == given_hand["mahjong"]["by"]
        lifted = hand["special"] and (house.get("special_bonus_over_limit") or house.get("east_mode") == "score")
        if limit is not None and not lifted and (wins or house["limit_applies_to"] == "all"):
            assert hand["total"] <= limit
        if hand["limited"] and not hand["special"]:
            assert hand["total"] == limit


@every_rule_set
@often(25)
@given(data=st.data())
def test_no_arrangement_told_beats_the_one_chosen(key, data):
    """Every naive way to group loose tiles, entered as concealed sets, counts at most what the tiles alone count."""
    given_hand = data.draw(tables(key, most_loose=8))
    answer = score_hand_played(given_hand)["hands"]
    winner = given_hand["mahjong"]["by"]
    for seat, hand in given_hand["hands"].items():
        best = -1
        for sets, left in groupings(sorted(hand["tiles"].split()), all_of_them=seat == winner):
            changed = {**hand, "sets": [*hand["sets"], *sets], "tiles": " ".join(left)}
            hands = {**given_hand["hands"], seat: changed}
            best = max(best, score_hand_played({**given_hand, "hands": hands})["hands"][seat]["total"])
        assert best == answer[seat]["total"]


def groupings(tiles, all_of_them):
    """Give every way to group tiles as concealed pungs, chows and pairs: the sets' names, and the tiles left loose."""
    if not tiles:
        yield [], []
        return
    first, rest = tiles[0], tiles[1:]
    for size in (1, 2):
        for others in {tuple(sorted(some)) for some in combinations(rest, size)}:
            name = name_of([first, *others])
            if name is not None:
                left = list(rest)
                for code in others:
                    left.remove(code)
                for sets, loose in groupings(left, all_of_them):
                    if name.startswith("pair") and any(one.startswith("pair") for one in sets):
                        continue
                    yield [name, *sets], loose
    if not all_of_them:
        for sets, loose in groupings(rest, all_of_them):
            yield sets, [first, *loose]


def name_of(codes):
    """Name a set of two or three sorted tiles, None where they are none."""
    if len(set(codes)) == 1:
        return f"pair {codes[0]}" if len(codes) == 2 else f"concealed pung {codes[0]}"
    if len(codes) == 3 and len({code[1:] for code in codes}) == 1 and codes[0][1:]:
        first = int(codes[0][0])
        if [code[0] for code in codes] == [str(first), str(first + 1), str(first + 2)]:
            return f"concealed chow {codes[0]}"
    return None


def test_every_order_comes_up_about_as_often():
    found = [tuple(SeededRandom(seed).shuffled("abc")) for seed in range(6000)]
    assert len(set(found)) == 6
    assert all(900 < found.count(order) < 1100 for order in set(found))


def test_what_weighs_three_times_as_much_comes_up_three_times_as_often():
    lots = SeededRandom(1)
    found = [lots.weighted_choice([("light", 1), ("never", 0), ("heavy", 3)]) for _ in range(4000)]
    assert 900 < found.count("light") < 1100
    assert "never" not in found
    assert 900 < sum(lots.chance(25) for _ in range(4000)) < 1100
