"""Every row of every rule set says what it is in a sentence, where it stands, and an example that is true."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from clubscore.play.practice import tiles_of
from clubscore.scoring import HOUSE_RULE_SWITCHES, RULE_SETS, house_rules, score_hand_played
from clubscore.scoring.rules import By, LimitShare, Rule
from clubscore.scoring.switches import HouseRules
from tests.scoring.printed_rules import stated_total

ROWS = [(rule_set, row) for rule_set in RULE_SETS.values() for row in (*rule_set.rules, *rule_set.special_hands)]
EXAMPLES = [(rule_set, row, example) for rule_set, row in ROWS for example in row.examples]


def hand_played(rule_set, example):
    """Give the hand played that an example means: its player at `seat`, someone else the winner where it says none."""
    hands = {wind: {} for wind in "ESWN"} | {example.seat: dict(example.hand)}
    mahjong = example.mahjong
    if mahjong is None:
        hands[example.winner] = {"total": 20}
        mahjong = {"by": example.winner}
    return {
        "rules": rule_set.key, "house_rules": dict(example.house_rules), "wind_of_round": example.wind_of_round,
        "goulash": example.goulash, "hands": hands, "mahjong": dict(mahjong),
    }  # fmt: skip


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_example_scores_to_its_total_and_shows_its_row(key):
    """A set's limit may be changed without its examples: at 800 each is right unless it names a limit itself."""
    wrong = []
    for rule_set, row, example in EXAMPLES:
        if rule_set.key != key:
            continue
        played = hand_played(rule_set, example)
        hand = score_hand_played(played)["hands"][example.seat]
        if hand["total"] != stated_total(rule_set, example):
            wrong.append((row.key, example, hand["total"]))
        counts_nothing = isinstance(row, Rule) and row.points == 0
        if example is row.examples[0] and not counts_nothing and row.key not in rules_of(hand):
            wrong.append((row.key, "its first example does not show it", rules_of(hand)))
        if "limit" in rule_set.house_rules:
            played["house_rules"] = {"limit": 800, **played["house_rules"]}
            hand = score_hand_played(played)["hands"][example.seat]
            if hand["total"] != stated_total(rule_set, example, limit=800):
                wrong.append((row.key, "at a limit of 800", example, hand["total"]))
    assert wrong == []


def rules_of(hand):
    return [line["rule"] for line in hand["lines"]]


def one_tile_short(example):
    """Give the example's hand without the tile it was completed by."""
    sets, tiles = list(example.hand.get("sets", ())), example.hand.get("tiles", "").split()
    tile = example.mahjong["tile"]
    if tile in tiles:
        tiles.remove(tile)
    else:
        sets.remove(f"pair {tile}")
        tiles.append(tile)
    return {**example.hand, "sets": sets, "tiles": " ".join(tiles), "fishing": True}


@pytest.mark.parametrize(
    ("rule_set", "row", "example"),
    [
        pytest.param(rule_set, row, example, id=f"{rule_set.key}-{row.key}")
        for rule_set, row, example in EXAMPLES
        if getattr(row, "fishing", None) is not None
    ],
)
def test_a_hand_that_can_be_fished_for_is_found_one_tile_short(rule_set, row, example):
    played = hand_played(rule_set, replace(example, hand=one_tile_short(example), mahjong=None))
    if "best_of_special" in rule_set.house_rules:
        played["house_rules"]["best_of_special"] = "none"
    is_exposed = any(held.startswith("exposed") for held in example.hand.get("sets", ()))
    share = row.fishing_exposed if is_exposed else row.fishing
    if isinstance(share, By):
        share = share.under(rule_set.house(example.house_rules))
    stated = stated_total(rule_set, replace(example, total=LimitShare(share)))
    hand = score_hand_played(played)["hands"][example.seat]
    assert (hand["total"], hand["fishing_for"]) == (stated, row.key)


# What hand entry asks for a mark of a Mah-jong; the last tile is another question for a discard.
QUESTIONS = {
    **{mark: mark for mark in ("robbed_kong", "dealt", "first_discard", "second_kong", "standing", "first_round")},
    "last_of_kind": "last_of_kind", "consecutive": "thirteenth", "last_tile": "last_of_wall",
    "replacement_for": "flower_replaced",
}  # fmt: skip


def without_each_answer(played, seat):
    """Give the hand played without each thing that hand entry asks about a Mah-jong, and the name of the question."""
    mahjong = played["mahjong"]
    for mark in mahjong.keys() & QUESTIONS.keys():
        question = "last_discard" if mark == "last_tile" and mahjong["from"] in "ESWN" else QUESTIONS[mark]
        yield question, {**played, "mahjong": {key: value for key, value in mahjong.items() if key != mark}}
    if mahjong.get("from") == "kong box":
        drawn = {key: value for key, value in mahjong.items() if key not in ("replacement_for", "second_kong")}
        yield "loose_tile", {**played, "mahjong": {**drawn, "from": "wall"}}
    if played["hands"][seat].get("original_call"):
        hand = {key: value for key, value in played["hands"][seat].items() if key != "original_call"}
        yield "original_call", {**played, "hands": {**played["hands"], seat: hand}}


def not_asked(rule_set, row, example):
    """Return the questions without whose answers the row does not count, and which it does not ask."""

    def counts(played):
        return row.key in rules_of(score_hand_played(played)["hands"][example.seat])

    played = hand_played(rule_set, example)
    if rule_set.any_mahjong_counts:
        played["house_rules"] |= rule_set.any_mahjong_counts
    if not counts(played):
        return set()
    asks = row.asks if isinstance(row, Rule) else row.made.asks
    return {question for question, without in without_each_answer(played, example.seat) if not counts(without)} - {
        *asks
    }


def test_every_row_asks_for_what_it_counts_nothing_without():
    """Else hand entry would not ask: it offers what the rows in force ask for."""
    found = {(one[0].key, one[1].key): not_asked(*one) for one in EXAMPLES}
    assert {row: questions for row, questions in found.items() if questions} == {}


FANS = RULE_SETS["chinese_official"].rules


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row.key}-{at}") for at, row in enumerate(FANS)])
def test_a_fan_is_shown_with_few_others_and_its_tiles_marked(row):
    example = row.examples[0]
    scored = score_hand_played(hand_played(RULE_SETS["chinese_official"], example))["hands"][example.seat]
    if not example.house_rules:
        assert len(scored["lines"]) <= 4
    if row.of in ("chows", "pungs") and row.key not in ("three_suited_terminal_chows", "pure_terminal_chows"):
        assert example.shows
    held = Counter(example.hand["tiles"].split())
    for text in example.hand["sets"]:
        held.update(tiles_of(text))
    assert not Counter(example.shows.split()) - held


@pytest.mark.parametrize(
    ("key", "alone", "shows"),
    [
        ("short_straight", ["last_tile_claim", "short_straight"], 6),
        ("dragon_pung", ["dragon_pung", "melded_hand"], 3),
        ("tile_hog", ["melded_hand", "tile_hog"], 4),
        ("knitted_straight", ["knitted_straight"], 9),
        ("full_flush", ["full_flush"], 0),
        ("mixed_straight", ["mixed_straight"], 9),
    ],
)
def test_a_fan_is_shown_alone_where_that_can_be(key, alone, shows):
    example = next(row for row in FANS if row.key == key).examples[0]
    scored = score_hand_played(hand_played(RULE_SETS["chinese_official"], example))["hands"][example.seat]
    assert sorted(line["rule"] for line in scored["lines"]) == alone
    assert len(example.shows.split()) == shows


def test_every_row_has_a_sentence_a_source_an_example_and_a_rule_exactly_one_figure():
    wrong = []
    for rule_set, row in ROWS:
        is_whole = row.sentence.strip().endswith(".") and row.source.strip() and row.name.strip() and row.examples
        figures = [1]
        if isinstance(row, Rule):
            figures = [figure for figure in (row.points, row.doubles, row.times) if figure is not None]
            figures += [1] * bool(row.worked_out)
        if not is_whole or len(figures) != 1:
            wrong.append((rule_set.key, row.key))
    assert wrong == []


def choices(rule_set):
    """Give house rules with every combination of the switches on which rows of this rule set depend."""
    asked = sorted({switch for row in (*rule_set.rules, *rule_set.special_hands) for switch, _ in row.when})
    switches = {switch.key: switch for switch in HOUSE_RULE_SWITCHES}
    allowed = [switches[key].allowed or range(switches[key].least, switches[key].most + 1) for key in asked]
    for values in product(*allowed):
        yield house_rules(rule_set.key, dict(zip(asked, values, strict=True)))


@pytest.mark.parametrize("key", RULE_SETS)
def test_no_two_rows_in_force_have_one_key(key):
    rule_set = RULE_SETS[key]
    for house in choices(rule_set):
        for rows in (rule_set.rules, rule_set.special_hands):
            keys = Counter(row.key for row in rows if house.allows(row.when))
            assert max(keys.values(), default=0) <= 1


@pytest.mark.parametrize("key", RULE_SETS)
def test_rows_depend_on_switches_of_their_rule_set_and_shut_out_rows_that_are_there(key):
    rule_set = RULE_SETS[key]
    keys = {row.key for row in rule_set.rules}
    for row in (*rule_set.rules, *rule_set.special_hands):
        assert {switch for switch, _ in row.when} <= set(rule_set.house_rules)
        assert set(getattr(row, "excludes", ())) <= keys


@pytest.mark.parametrize("key", RULE_SETS)
def test_defaults_are_values_the_switches_allow(key):
    rule_set = RULE_SETS[key]
    assert house_rules(key, dict(rule_set.house_rules)) == house_rules(key) == HouseRules(
        rules=key, rotation=rule_set.rotation, **rule_set.house_rules
    )  # fmt: skip
