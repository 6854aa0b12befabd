"""The score while a hand is entered: each player by themselves first, everything with payments once it is whole."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from clubscore.play.scoring_by_seat import score_by_seat
from clubscore.scoring import RULE_SETS, ScoringError
from sessions_app.table.hand_form import FieldError
from sessions_app.table.sessions import current_seating, start_session
from sessions_app.table.views.hand_entry_page import HandEntryPage, score_page
from tests.conftest import AFTERNOON
from tests.factories import BY, record
from tests.logins import logins, signed_in

PUNGS = {"sets": ["exposed pung 2B", "exposed pung 3B"], "bonus": "S3"}


SETS = ["exposed pung 2D", "exposed pung 5B", "concealed pung 1D", "concealed pung 2C", "pair 9B"]


WINNER = {"sets": SETS, "bonus": "F2"}


SELF_DRAWN = {"by": "1", "tile": "9B", "from": "wall"}


URLS = {"score": "/score/", "save": "/save/", "back": "/table/"}


def scored(session, body, **more):
    return score_page(session, current_seating(session), body, **more)["scored"]


def totals(found):
    return {player["number"]: player["total"] for player in found["players"]}


def test_nothing_entered(four):
    found = scored(four, {"hands": {}, "mahjong": None})
    assert (found["state"], found["error"], found["payments"]) == ("empty", None, [])
    assert [player["entered"] for player in found["players"]] == [False] * 4


@pytest.mark.parametrize(
    ("rules", "mahjong", "count"),
    [
        ("bmja", {"by": "2"}, [True] * 4),
        ("chinese_official", None, [True] * 4),
        ("chinese_official", {"by": "2"}, [False, True, False, False]),
    ],
)
def test_where_the_winner_alone_scores_the_winners_hand_counts_and_no_other(club, cast, rules, mahjong, count):
    found = scored(start_session(club, AFTERNOON, 1, cast.all[:4], rules, {}, by=BY), {"hands": {}, "mahjong": mahjong})
    assert [player["counts"] for player in found["players"]] == count


def test_a_loser_read_out_first_has_a_score(four):
    found = scored(four, {"hands": {"2": PUNGS}, "mahjong": None})
    assert found["state"] == "part"
    assert totals(found) == {"1": None, "2": 8, "3": None, "4": None}
    bob = found["players"][1]
    assert [line["worth"] for line in bob["lines"]] == ["2 points", "2 points", "4 points"]


def test_a_pair_that_is_both_winds_says_which_line_is_for_which(four):
    found = scored(four, {"hands": {"1": {"sets": ["pair E"]}}, "mahjong": None})
    assert [(line["name"], line["worth"]) for line in found["players"][0]["lines"]] == [
        ("Pair of East Winds, own wind", "2 points"),
        ("Pair of East Winds, wind of the round", "2 points"),
    ]


def test_the_same_hand_of_another_player_or_in_another_round_is_scored_again(four):
    east = {"hands": {"1": {"sets": ["pair E"]}}, "mahjong": None}
    south = {"hands": {"2": {"sets": ["pair E"]}}, "mahjong": None}
    seating = current_seating(four)
    later = replace(seating, wind_of_round="S")
    for _ in range(2):
        assert totals(scored(four, east))["1"] == 4
        assert totals(scored(four, south))["2"] == 2
        assert totals(score_page(four, later, east)["scored"])["1"] == 2
        assert totals(score_page(four, later, south)["scored"])["2"] == 0


def test_the_page_of_a_saved_hand_has_each_line_of_the_score(four, club):
    key = record(four, {"hands": {"1": WINNER, "2": {}, "3": {}, "4": {}}, "mahjong": SELF_DRAWN}).entry
    page = signed_in(logins(club)["member"]).get(reverse("hand", args=[club.slug, four.pk, key])).text
    lines = re.findall(r'<a href="[^"]*#rule-[^"]*">([^<]*)</a></th><td class="num">(\d+) points', page)
    assert lines == [
        ("Pung of 2 Circles, exposed", "2"),
        ("Pung of 5 Bamboos, exposed", "2"),
        ("Pung of 1 Circles, concealed", "8"),
        ("Pung of 2 Characters, concealed", "4"),
        ("Flower 2 (Orchid)", "4"),
        ("Going Mah-jong", "20"),
        ("Winning tile from the wall", "2"),
    ]


LOWEST = "This is the lowest score, until you choose the last tile."


AS_A_DISCARD = "Scored as a discard, until you choose where the last tile came from."


def last_tile(session, mahjong, hand=WINNER):
    found = scored(session, {"hands": {"1": hand}, "mahjong": mahjong})
    alice = found["players"][0]
    assert (found["error"], alice["note"]) == (None, "")
    return alice["total"], alice["finished"], alice["asks_tile"], alice["unsure"]


def test_a_winner_without_a_last_tile_has_the_lowest_score_and_is_not_nagged(four):
    # A claimed 1 Circles leaves that pung exposed: 2 + 2 + 4 + 4 for the pungs, 4 and 20: 36, doubled for no chows.
    assert last_tile(four, {"by": "1"}) == (72, "1D", True, [AS_A_DISCARD, LOWEST])
    assert last_tile(four, {"by": "1", "from": "2"}) == (72, "1D", True, [LOWEST])


def test_the_last_tile_is_asked_only_where_the_score_depends_on_it(four):
    # Of four exposed pungs only the pair can be drawn; a discard may be any, and is worth the same.
    exposed = {"sets": ["exposed pung 2D", "exposed pung 5B", "exposed pung 1D", "exposed pung 2C", "pair 9B"]}
    total, finished, asks, unsure = last_tile(four, {"by": "1", "from": "wall"}, exposed)
    assert (finished, asks, unsure) == ("9B", False, [])
    # Drawn it may have been any of three here, with the same score.
    assert last_tile(four, {"by": "1", "from": "wall"})[2:] == (False, [])


def test_a_last_tile_that_was_chosen_stays(four):
    assert last_tile(four, {"by": "1", "from": "2", "tile": "5B"}) == (80, "", True, [])


def test_a_hand_without_all_its_tiles_has_no_lowest_score_yet(four):
    assert last_tile(four, {"by": "1"}, {"sets": SETS[:3]}) == (None, "", None, [])


def test_a_whole_hand_that_is_refused_asks_for_its_last_tile(four):
    """BMJA: one chow at most in a Mah-jong."""
    two_chows = {"sets": ["exposed chow 1C", "exposed chow 4C", *SETS[1:3], SETS[4]]}
    assert scored(four, {"hands": {"1": two_chows}, "mahjong": {"by": "1"}})["players"][0]["asks_tile"] is True


def test_a_winner_has_a_score_before_the_others_are_entered(four):
    # 2 + 2 + 8 + 4 for the pungs, 4 for the flower, 20 and 2: 42, doubled for having no chows.
    found = scored(four, {"hands": {"1": WINNER}, "mahjong": SELF_DRAWN})
    assert (found["state"], totals(found)["1"]) == ("part", 84)


def test_the_whole_hand(four):
    found = scored(four, {"hands": {"1": WINNER, "2": PUNGS, "3": {"total": 20}, "4": {}}, "mahjong": SELF_DRAWN})
    assert found["state"] == "whole"
    assert totals(found) == {"1": 84, "2": 8, "3": 20, "4": 0}
    assert [player["net"] for player in found["players"]] == [504, -172, -136, -196]
    paid = [(one["from"]["name"], one["to"]["name"], one["amount"]) for one in found["payments"]]
    assert paid == [
        ("Bob", "Alice", 168), ("Carol", "Alice", 168), ("Dave", "Alice", 168),
        ("Bob", "Carol", 12), ("Dave", "Bob", 8), ("Dave", "Carol", 20),
    ]  # fmt: skip
    assert (found["next_east"], found["east_stays"], found["goulash_next"]) == ("Alice", True, False)


def test_who_is_east_next_and_who_sits_out_at_five(five):
    found = scored(five, {"hands": {"1": {}, "2": {"total": 64}, "3": {}, "4": {}}, "mahjong": {"by": "2"}})
    assert (found["next_east"], found["east_stays"], found["next_out"]) == ("Bob", False, ["Alice"])


def test_a_drawn_hand_is_followed_by_a_goulash(four):
    hands = {"1": {}, "2": {}, "3": {}, "4": {}}
    assert scored(four, {"hands": hands, "mahjong": None})["state"] == "part"
    found = scored(four, {"hands": hands, "mahjong": None}, drawn=True)
    assert (found["state"], found["goulash_next"], found["payments"]) == ("whole", True, [])


def test_a_false_mahjong_voids_the_hand(four):
    body = {"hands": {"1": {}, "2": {}, "3": {}, "4": {}}, "mahjong": None}
    found = scored(four, body | {"penalties": [{"kind": "false mahjong", "by": "3"}]})
    assert (found["void"], found["next_east"], found["goulash_next"]) == (True, "Alice", False)
    assert [one["amount"] for one in found["payments"]] == [500, 500, 500]


def test_an_error_of_the_rules_names_the_player(four):
    chows = {"sets": ["exposed chow 1C", "exposed chow 4C", "exposed pung 4B", "exposed pung 6B", "pair 9C"]}
    body = {"hands": {"1": {}, "2": chows, "3": {}, "4": {}}, "mahjong": {"by": "2", "tile": "6B", "from": "1"}}
    found = scored(four, body)
    assert (found["state"], found["error"]["seat"], found["error"]["name"]) == ("part", "2", "Bob")
    assert found["error"]["message"].endswith("too many chows: one chow at most in a Mah-jong.")


@pytest.mark.parametrize("body", [
    {}, {"hands": None}, {"hands": {"9": {"total": 4}}, "mahjong": {"by": "9"}}, {"hands": {"1": {"total": "lots"}}},
    {"hands": {"1": {"sets": ["nonsense"]}}, "mahjong": {"by": "1", "tile": "9B", "from": "wall"}},
])  # fmt: skip
def test_bad_bodies_never_raise(four, body):
    assert scored(four, body)["state"] in ("empty", "part")


def test_the_page_offers_what_the_rules_know(four):
    data = HandEntryPage(four, current_seating(four), number=1, urls=URLS).context()["entry"]
    assert [seat["name"] for seat in data["seats"]] == ["Alice", "Bob", "Carol", "Dave"]
    # Purity has no value of its own.
    by_name = [hand["key"] for hand in data["special_hands"]]
    assert sorted([*by_name, "purity"]) == sorted({hand.key for hand in RULE_SETS["bmja"].special_hands})
    assert all(len(hand["picture"]) >= 14 for hand in data["special_hands"])
    assert data["offers"]["doubles"]
    assert data["offers"]["fishing"]
    assert not data["offers"]["two_winners"]
    assert data["save_words"] == "Save hand 1"


def test_the_page_keeps_what_was_typed_and_says_where(four):
    body = {"hands": {"2": {"total": "lots"}}, "mahjong": None}
    error = FieldError("Type the total in figures.", "2", "total")
    context = HandEntryPage(four, current_seating(four), number=1, urls=URLS, body=body, error=error).context()
    assert (context["entry"]["body"], context["entry"]["error"]) == (body, {"seat": "2", "field": "total"})
    assert context["error_name"] == "Bob"
    assert context["plain"]["seats"][1]["hand"]["total"] == "lots"


def test_a_special_hand_by_name_says_what_it_is_worth(four):
    page = HandEntryPage(four, current_seating(four), number=1, urls=URLS).context()
    worth = {hand["key"]: (hand["worth"], hand["fishing_worth"]) for hand in page["entry"]["special_hands"]}
    assert worth["knitting"] == ("half the limit, 500", "200")
    assert worth["gates_of_heaven"] == ("the limit, 1,000", "400")
    assert worth["heavens_blessing"] == ("the limit, 1,000", "")
    pictures = {hand["key"]: len(hand["picture"]) for hand in page["entry"]["special_hands"]}
    # Three dragon pungs, another and a pair; four kongs and a pair.
    assert (pictures["three_great_scholars"], pictures["fourfold_plenty"]) == (14, 18)


def test_a_typed_total_that_the_rules_make_unlikely_is_asked_about(four):
    hands = {"1": {"total": 4}, "2": {"total": 33}, "3": {"total": 5001}, "4": {"total": 8}}
    found = scored(four, {"hands": hands, "mahjong": {"by": "1"}})
    assert [player["question"] for player in found["players"]] == [
        "A winner scores at least 20. Is 4 right?",
        "British totals are even. Is 33 right?",
        "The limit is 1,000. Is 5,001 right?",
        "",
    ]
    assert (found["state"], totals(found)["3"]) == ("whole", 5001)


def test_the_tablet_has_the_questions_about_totals_to_ask_without_the_network(four):
    data = HandEntryPage(four, current_seating(four), number=1, urls=URLS).context()["entry"]
    assert data["offers"]["total_questions"] == [
        {"question": "The limit is 1,000. Is {total} right?", "above": 1000, "below": None, "odd": False,
         "winner_only": False},
        {"question": "A winner scores at least 20. Is {total} right?", "above": None, "below": 20, "odd": False,
         "winner_only": True},
        {"question": "British totals are even. Is {total} right?", "above": None, "below": None, "odd": True,
         "winner_only": False},
    ]  # fmt: skip


def test_a_false_mahjong_alone_shows_what_it_costs_and_that_the_hand_is_played_again(four):
    found = scored(four, {"hands": {}, "mahjong": None, "penalties": [{"kind": "false mahjong", "by": "2"}]})
    assert found["state"] == "whole"
    # "The hand is void and replayed; the caller pays each other player half a limit": 500 of 1,000.
    assert [(paid["from"]["number"], paid["to"]["number"], paid["amount"]) for paid in found["payments"]] == [
        ("2", "1", 500),
        ("2", "3", 500),
        ("2", "4", 500),
    ]
    assert (found["void"], found["next_east"], found["east_stays"]) == (True, "Alice", True)


PAIRS = {"sets": [f"pair {code}" for code in ("1C", "9C", "1B", "9D", "E", "R")], "tiles": "P"}


@pytest.mark.parametrize(
    ("hand", "fishes"),
    [
        (PAIRS, {"name": "All Pair Honours", "total": "200"}),
        ({**PAIRS, "fishing": True}, None),
        ({**PAIRS, "tiles": ""}, None),
        ({**PAIRS, "tiles": "4C"}, None),
    ],
    ids=["thirteen tiles", "said already", "twelve tiles", "of no special hand"],
)
def test_thirteen_tiles_that_fish_for_a_special_hand_are_suggested_as_such(four, hand, fishes):
    found = scored(four, {"hands": {"3": hand}, "mahjong": {"by": "1"}})
    assert {player["number"]: player["fishes"] for player in found["players"]} == {
        **dict.fromkeys("124"),
        "3": fishes,
    }


SITS_OUT = "Someone sitting out has tiles entered{}. Correct who sat where, or change the hand."


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ({"1": {"total": 20}, "3": {}, "4": {}}, "Enter South’s tiles or total, or choose “Nothing to score”."),
        ({"1": {"total": 20}, "2": {}, "3": {}, "5": {}}, SITS_OUT.format(", and North has none")),
        ({"1": {"total": 20}, "4": {}, "5": {}}, SITS_OUT.format(", and South and West have none")),
        ({"1": {"total": 20}, "2": {}, "3": {}, "4": {}, "5": {}}, SITS_OUT.format("")),
    ],
)
def test_a_hand_that_is_missing_or_too_many_is_named_by_its_wind(five, hands, sentence):
    with pytest.raises(ScoringError) as raised:
        score_by_seat({"hands": hands, "mahjong": {"by": "1"}}, current_seating(five), five)
    assert str(raised.value) == sentence
