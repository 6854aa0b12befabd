"""Practice: the same seed deals the same hand, each one can be counted, and the page says where a count went wrong."""

import json
import re
import subprocess
import sys
from collections import Counter
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from clubscore.engine.answers import answer
from clubscore.play.drawn_hands import tile_groups, with_winning_tile
from clubscore.play.practice import (
    DOUBLES,
    EVERYTHING,
    POINTS,
    Dealt,
    asked_figures,
    deal,
    not_scored,
    tiles_of,
    verdict,
)
from clubscore.scoring import RULE_SETS, score_hand_played
from clubscore.scoring.tiles import BONUS_TILES, TILES
from tests.share import shared

pytestmark = pytest.mark.slow

SEEDS = range(1, 60)


# South's hand in the East round: 4 (pung of red dragons) + 4 (own wind's pung, exposed) + 2 + 20 + 2 drawn = 32;
# red dragons and own wind double twice: 128. British: one chow, so no more.
HAND = {"sets": ["exposed pung R", "exposed pung S", "exposed pung 5B", "concealed chow 2C", "pair 7D"], "bonus": ""}


WIN = {"by": "S", "tile": "7D", "from": "wall"}


def dealt(hand=None, win=WIN, rules="bmja"):
    hands = {"E": {"total": 20} if win["by"] == "E" else {}, "S": hand or HAND, "W": {}, "N": {}}
    played = {"rules": rules, "wind_of_round": "E", "hands": hands, "mahjong": win}
    return Dealt(played, "S", score_hand_played(played)["hands"]["S"])


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("special", [False, True])
def test_every_seed_deals_a_hand_that_the_rule_set_counts(rules, special):
    for seed in SEEDS:
        one = deal(rules, seed, special)
        assert score_hand_played(one.played)["hands"][one.seat] == one.scored
        if RULE_SETS[rules].winner_alone_scores:
            assert one.win
        if not special:
            assert one.scored["special"] is None


def test_hands_are_like_those_of_real_games():
    hands = [deal("bmja", seed) for seed in range(1, 200)]
    won = [one for one in hands if one.win]
    assert 60 < len(won) < 140
    assert {one.win["from"] in ("wall", "kong box") for one in won} == {True, False}
    sets = [text for one in hands for text in one.form["sets"]]
    assert {text.split()[-2] for text in sets} == {"pung", "kong", "chow", "pair"}
    assert {text.split()[0] for text in sets} == {"exposed", "concealed", "pair"}
    assert {code for one in hands for code in one.form["bonus"].split()} == set(BONUS_TILES)
    assert len({one.scored["total"] for one in hands}) > 30
    assert {one.played["wind_of_round"] for one in hands} == {one.seat for one in hands} == set("ESWN")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_set_is_labelled_as_it_is_scored(rules):
    """A pung that a claim completed is exposed, in its label as in its line."""
    compared = 0
    for seed in range(1, 300):
        one = deal(rules, seed)
        claimed = one.win and one.win["from"] in "ESWN"
        named = [
            line["name"]
            for line in one.scored["lines"]
            if re.match(r"(Pung|Kong) of .*, (concealed|exposed)", line["name"])
        ]
        said = [text for text in one.form["sets"] if " pung " in text or " kong " in text]
        if claimed and len(named) == len(said):
            labels = Counter((text.split()[1].capitalize(), text.split()[0]) for text in said)
            assert Counter((name.split()[0], name.rsplit(", ", 1)[1]) for name in named) == labels, one
            compared += 1
        if claimed:
            holding = [text for text in one.form["sets"] if one.win["tile"] in tiles_of(text) and " kong " not in text]
            assert [text for text in holding if not text.startswith("concealed")], one
    assert compared or RULE_SETS[rules].doubling != "doubles"


def test_now_and_then_a_special_hand_among_everything():
    found = {deal("bmja", seed, special=True).scored["special"] for seed in range(1, 200)} - {None}
    assert len(found) > 8
    assert {deal("bmja", seed).scored["special"] for seed in range(1, 200)} == {None}


def test_a_seed_deals_the_same_hand_in_another_process():
    here = [deal("western", seed).played for seed in (1, 2, 3)]
    code = (
        "import json; from clubscore.play.practice import deal; "
        "print(json.dumps([deal('western', seed).played for seed in (1, 2, 3)]))"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(there.stdout) == here


def test_the_sets_of_a_hand_are_codes_of_tiles():
    for seed in SEEDS:
        assert {text.split()[-1] for text in deal("bmja", seed).form["sets"]} <= set(TILES)


# What is right, and where a count parts from it


def test_the_example_of_these_tests():
    assert (dealt().scored["points"], dealt().scored["doubles"], dealt().scored["total"]) == (32, 2, 128)


@pytest.mark.parametrize(
    ("rules", "stage", "asked"),
    [
        ("bmja", POINTS, ("points",)),
        ("bmja", DOUBLES, ("points", "doubles", "total")),
        ("bmja", EVERYTHING, ("points", "doubles", "total")),
        ("chinese_official", POINTS, ("total",)),
        ("baggaley", DOUBLES, ("total",)),
    ],
)
def test_what_is_asked(rules, stage, asked):
    assert asked_figures(deal(rules, 1), stage) == asked


RED = "Did you leave this out? Pung of Red Dragons, exposed, 4 points."


@pytest.mark.parametrize(
    ("stage", "counted", "is_right", "expected"),
    [
        (POINTS, {"points": 32}, True, []),
        (POINTS, {"points": 28}, False, [f"Points: you entered 28. The answer is 32 (4 too few). {RED}"]),
        (POINTS, {"points": 12}, False,
         ["Points: you entered 12. The answer is 32 (20 too few). Did you leave this out? Going Mah-jong, 20 points."]),
        (POINTS, {"points": 34}, False,
         ["Points: you entered 34. The answer is 32 (2 too many). Did you score this twice? "
          "Pung of 5 Bamboos, exposed, 2 points."]),
        (POINTS, {"points": 99}, False, ["Points: you entered 99. The answer is 32 (67 too many)."]),
        (DOUBLES, {"total": 128}, True, []),
        (DOUBLES, {"points": 32, "doubles": 2, "total": 128}, True, []),
        (DOUBLES, {"points": 32, "doubles": 1, "total": 64}, False,
         ["Doubles: you entered 1. The answer is 2 (1 too few). Did you leave this out? Pung of dragons, 1 double.",
          "Total: you entered 64. The answer is 128."]),
        (DOUBLES, {"points": 32, "doubles": 2, "total": 96}, False,
         ["Your points and doubles are right, but the total is not. It is 32, 64, 128, not 96."]),
        (DOUBLES, {"points": 32}, False, ["You left out the total: 128."]),
        # 120 is what it comes to when the last tile was claimed: 30 points.
        (DOUBLES, {"total": 120}, False,
         ["Total: you entered 120. The answer is 128. That would be right if the winning tile had been claimed from "
          "a discard."]),
        # With the dragons concealed the pung counts 8, so 36 points.
        (DOUBLES, {"total": 144}, False,
         ["Total: you entered 144. The answer is 128. That would be right if the pung of Red Dragons were concealed."]),
    ],
)  # fmt: skip
def test_where_a_count_went_wrong(stage, counted, is_right, expected):
    found = verdict(dealt(), stage, counted)
    assert (found.is_right, list(found.sentences)) == (is_right, expected)


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        ({"points": 28, "doubles": 3, "total": 224},
         ["Points: 28 is too few.", "Doubles: 3 is too many.", "Total: 224 is too high."]),
        ({"points": 32, "doubles": 2, "total": 96},
         ["Your points and doubles are right, but the total is not. Multiply by 2 for each double."]),
        ({"total": 64}, ["Total: 64 is too low."]),
        ({"points": 32}, ["You left out the total."]),
        ({"total": 128}, []),
    ],
)  # fmt: skip
def test_the_first_try_gives_no_figure_away(counted, expected):
    found = verdict(dealt(), DOUBLES, counted, is_first=True)
    assert (found.is_right, list(found.sentences)) == (not expected, expected)


PAIR_OF_CIRCLES = "Pair of 7 Circles: nothing. Only pairs of dragons and of the winds that count score."


@pytest.mark.parametrize(
    ("hand", "win", "rules", "expected"),
    [
        (HAND, WIN, "bmja", ["A chow scores nothing.", PAIR_OF_CIRCLES]),
        # South's own wind, and the wind of the round, in pairs; North is neither.
        ({"sets": ["pair S", "pair E"], "tiles": "1B"}, {"by": "E"}, "bmja", ["Single tiles score nothing."]),
        ({"sets": ["pair N"]}, {"by": "E"}, "bmja", [PAIR_OF_CIRCLES.replace("7 Circles", "North Winds")]),
        # Baggaley's chow scores 2.
        (HAND, WIN, "baggaley", [PAIR_OF_CIRCLES]),
        ({"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}, {"by": "S", "tile": "P", "from": "E"}, "bmja", []),
    ],
)  # fmt: skip
def test_what_scores_nothing_is_said(hand, win, rules, expected):
    assert not_scored(dealt(hand, win, rules)) == expected


def test_flowers_left_out_are_named():
    one = dealt({**HAND, "bonus": "F1 S2"})  # 32 + 8 points, three doubles: 320
    assert one.scored["total"] == 320
    [found] = verdict(one, DOUBLES, {"total": 128}).sentences
    assert (
        found
        == "Total: you entered 128. The answer is 320. That would be right if the flowers and seasons did not count."
    )


def test_a_special_hand_needs_its_total_alone():
    one = dealt({"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}, {"by": "S", "tile": "P", "from": "E"})
    assert verdict(one, EVERYTHING, {"points": 4, "doubles": 0, "total": 1000}).is_right
    assert verdict(one, EVERYTHING, {"total": 500}).sentences == ("Total: you entered 500. The answer is 1,000.",)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_any_count_of_any_hand_is_answered(rules):
    for seed in shared(SEEDS, list(RULE_SETS).index(rules)):
        for stage in (POINTS, DOUBLES, EVERYTHING):
            one = deal(rules, seed, stage == EVERYTHING)
            for figure in (0, 1, one.scored["total"] * 2 + 1, 999_999_999):
                found = verdict(one, stage, dict.fromkeys(asked_figures(one, stage), figure))
                assert found.is_right == (not found.sentences)
                assert all(sentence.endswith(".") for sentence in found.sentences)
                assert found.is_right is False or figure < 2


# The page


def page(**query):
    return Client().get(reverse("practice"), {"rules": "bmja", "stage": "doubles", "hand": 7, **query})


def test_without_a_number_a_hand_is_drawn_by_lot_and_has_its_own_address(db):
    answer = Client().get(reverse("practice"), {"rules": "western", "stage": "points"})
    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer.url).query)
    assert (query["rules"], query["stage"]) == (["western"], ["points"])
    assert 1 <= int(query["hand"][0]) <= 999_999
    assert Client().get(answer.url).status_code == 200


@pytest.mark.parametrize(
    ("form", "win", "group"),
    [
        ({"sets": ["concealed pung 5B", "exposed chow 4B"], "tiles": "5B"}, {"tile": "5B", "from": "E"}, 1),
        ({"sets": ["exposed chow 4B", "concealed chow 5B", "pair R"]}, {"tile": "5B", "from": "wall"}, 1),
        ({"sets": ["exposed chow 4B", "pair 5B"]}, {"tile": "5B", "from": "kong box"}, 1),
        ({"sets": ["concealed kong 5B"], "tiles": "4B 5B"}, {"tile": "5B", "from": "E"}, 1),
    ],
)
def test_the_winning_tile_is_marked_where_it_can_have_come_last(form, win, group):
    groups = with_winning_tile(tile_groups(form), form, win)
    marked = [(at, [one.tiles[place] for place in one.marked]) for at, one in enumerate(groups) if one.marked]
    assert marked == [(group, ["5B"])]


def test_the_page_marks_the_winning_tile_and_that_alone(db):
    for seed in range(1, 40):
        text = page(hand=seed).content.decode()
        won = bool(deal("bmja", seed).win)
        assert (text.count("is-marked"), text.count("(the winning tile)")) == (won, won)


def test_the_page_explains_only_what_was_asked_for(db):
    assert "verdict" not in page().content.decode()
    shown = page(show=1).content.decode()
    assert "How it is scored" in shown
    assert "data-right" not in shown


def test_right_and_wrong_are_told_and_named_for_the_device(db):
    one = deal("bmja", 7)
    right = page(total=one.scored["total"]).content.decode()
    assert 'data-hand="bmja/doubles/7" data-right="yes"' in right
    first = page(total=one.scored["total"] + 1).content.decode()
    assert 'data-hand="bmja/doubles/7" data-right="no"' in first
    assert '<input type="hidden" name="again" value="1">' in first
    assert "What scores" not in first
    wrong = page(total=one.scored["total"] + 1, again=1).content.decode()
    assert 'data-hand="bmja/doubles/7" data-right="no"' in wrong
    assert f"make {one.scored['total']:,}." in wrong
    # One button is the main one: after a right count the next hand, else trying again.
    assert [re.findall(r'class="button-main"[^>]*>([^<]+)<', text) for text in (right, wrong)] == [
        ["Next hand"],
        ["Check my answer"],
    ]


@pytest.mark.parametrize("typed", ["some", "-4", "1.5", "9" * 15, "²", "1e3"])
def test_a_figure_that_is_none_is_refused_and_kept(db, typed):
    text = page(total=typed).content.decode()
    assert "Enter the total as a whole number. For example, 28." in text
    assert f'value="{typed}"' in text
    assert "data-right" not in text


def test_the_stage_of_the_device_is_taken(db):
    client = Client()
    client.cookies["learning"] = "points"
    assert "stage=points" in client.get(reverse("practice"), {"rules": "bmja"}).url
    assert 'name="stage" value="points"' in client.get(reverse("practice")).text


# The tablet without a network


def asked_as_the_script_does(page, **asked):
    """Return what static/rules/practice.js asks of the rules on the tablet, of the page that is kept there."""
    known = json.loads(page.split('<script id="practice-data" type="application/json">')[1].split("</script>")[0])
    practice = f"http://testserver{known['look']['practice']}"
    look = {**known["look"], "practice": practice, "page": f"{reverse('practice')}?{urlencode(asked)}"}
    return {"ask": "practice", "asked": asked, "usual": known["usual"], "another": 5, "look": look}


@pytest.mark.parametrize(
    "query",
    [{}, {"show": "1"}, {"total": "3"}, {"total": "<b>", "points": "8"}, {"rules": "turner", "total": "3"}],
)
def test_the_tablet_draws_what_the_server_draws(db, query):
    asked = {"rules": "bmja", "stage": "doubles", "hand": "7", **query}
    theirs = page(**asked).text
    ours = answer(asked_as_the_script_does(Client().get(reverse("practice")).text, **asked))
    # Only the next hand is drawn by lot.
    assert re.sub(r"hand=\d+\">Next", 'hand=5">Next', theirs).count(ours["html"]) == 1
    assert ("<title>Error: " in theirs) == ours["is_wrong"] == (query.get("total") == "<b>")
    assert "practice-data" not in theirs


@pytest.mark.parametrize("name", ["rules", "stage", "hand", "points", "doubles", "total", "show", "back"])
@pytest.mark.parametrize("text", ["", "\x00", "x" * 5000, "🀄", "-1", "0", "null", "<script>", "1000000", "٣"])
def test_no_input_breaks_the_page(db, name, text):
    assert page(**{name: text}).status_code in (200, 302)
