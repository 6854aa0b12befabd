"""Where nobody is sure the lower counts, and both the score and the hand's page say so."""

import pytest

from clubscore.play.one_hand import how_words, page_of
from clubscore.play.scoring_by_seat import unsure_of, with_lowest_tile
from sessions_app.table.board import session_board
from sessions_app.table.sessions import current_seating
from sessions_app.table.views.hand_entry_page import score_page
from tests.afternoon import send

SETS = ["exposed pung 2D", "exposed pung 5B", "concealed pung 1D", "concealed pung 2C", "pair 9B"]


BODY = {
    "hands": {"1": {"sets": SETS}, "2": {"sets": ["exposed kong R"]}, "3": {}, "4": {}},
    "mahjong": {"by": "1", "tile": "5B", "from": "2"},
    "beside": {"unsure": {"1": ["from"], "2": ["exposed kong R"]}},
}


FROM = "Nobody was sure, so the last tile is scored as a discard."


TILE = "Nobody was sure which group the last tile completed, so the lowest score is used."


KONG = "Kong of Red Dragon: nobody was sure, so it is scored as exposed."


def test_the_score_says_what_nobody_was_sure_of(four):
    scored = score_page(four, current_seating(four), BODY)["scored"]
    assert [player["unsure"] for player in scored["players"]] == [[FROM], [KONG], [], []]
    assert (scored["state"], scored["error"]) == ("whole", None)


def test_what_is_no_longer_so_is_not_said():
    drawn = {**BODY, "mahjong": {**BODY["mahjong"], "from": "wall"}}
    assert unsure_of(drawn) == {"2": ["exposed kong R"]}
    known = {**BODY, "hands": {**BODY["hands"], "2": {"sets": ["concealed kong R"]}}}
    assert unsure_of(known) == {"1": ["from"]}


def test_the_hand_is_recorded_and_its_page_names_no_discarder(four):
    answer = send(four, "hand", BODY)
    assert answer.outcome == "recorded"
    hand = four.hands.get()
    shown = page_of(session_board(four, {"turn": 0}), str(hand.entry.key))["players"]
    assert [player["unsure"] for player in shown] == [(FROM,), (KONG,), (), ()]
    assert how_words(hand.entry.body, {"2": "Bob"}, ()) == "With 5 Bamboo."


def test_the_last_tile_counts_where_it_is_worth_least(four):
    """Claimed, it makes a concealed pung an exposed one: of ones that is 4 points less, of twos 2, and a pair stays."""
    body = {**BODY, "mahjong": {"by": "1", "from": "2"}, "beside": {"unsure": {"1": ["tile"]}}}
    least = first_of(four, body)
    assert (least["finished"], least["unsure"]) == ("1D", [TILE])
    known = [first_of(four, said(tile)) for tile in ("1D", "2C", "9B")]
    assert [one["points"] - least["points"] for one in known] == [0, 2, 4]
    assert [one["finished"] for one in known] == ["", "", ""]


def first_of(session, body):
    return score_page(session, current_seating(session), body)["scored"]["players"][0]


def said(tile):
    return {**BODY, "mahjong": {"by": "1", "from": "2", "tile": tile}, "beside": {}}


def test_a_last_tile_nobody_was_sure_of_is_not_named(four):
    body = {**said("1D"), "beside": {"unsure": {"1": ["from", "tile"]}}}
    assert unsure_of(body) == {"1": ["from", "tile"]}
    assert how_words(body, {"2": "Bob"}, ()) == ""
    assert how_words({**body, "beside": {"unsure": {"1": ["tile"]}}}, {"2": "Bob"}, ()) == "Discarded by Bob."


def test_a_last_tile_that_nobody_chose_is_no_fact(four):
    """The format asks for one, even where any would do: it is kept, not named, and asked for where it matters."""
    body = {**said("1D"), "beside": {"unsure": {"1": ["any tile"]}}}
    assert unsure_of(body) == {}
    assert how_words(body, {"2": "Bob"}, ()) == "Discarded by Bob."
    asked = first_of(four, body)
    assert (asked["finished"], asked["asks_tile"], asked["not_chosen"]) == ("1D", True, ["tile"])


NONSENSE = [None, [], "from", {"1": "from"}, {"1": [3, None, {}]}, {"9": ["from"]}, {1: ["from"]}]


@pytest.mark.parametrize("unsure", NONSENSE)
def test_nonsense_is_left_alone(unsure):
    body = {**BODY, "beside": {"unsure": unsure}}
    assert unsure_of(body) == {}
    assert with_lowest_tile(body, None, {}) is body
