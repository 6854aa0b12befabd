"""A posted hand: the tablet's JSON and the plain fields make the same body; what cannot be read keeps its words."""

import json
import re
from types import SimpleNamespace

import pytest
from django.http import QueryDict

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from clubscore.scoring.words import in_words
from sessions_app.table.hand_form import read_posted_hand
from sessions_app.table.views.command_requests import build_command

SEATS = ["1", "2", "3", "4"]


KEY = "5a0a3e2c-0f2b-4a43-9b0e-0d8b0c8a7a11"


BODY = {
    "hands": {
        "1": {"sets": ["exposed pung E", "concealed kong 5B"], "tiles": "1C 2C 4C", "bonus": "F1 S3"},
        "2": {"total": 64},
        "3": {"points": 12, "doubles": 1},
        "4": {},
    },
    "mahjong": {"by": "2", "from": "3"},
}


PLAIN = {
    "form_1": "tiles", "sets_1": "exposed pung E, concealed  kong 5B", "tiles_1": "1C 2C 4C", "bonus_1": "F1 S3",
    "form_2": "total", "total_2": "64",
    "form_3": "points", "points_3": "12", "doubles_3": "1",
    "form_4": "nothing",
    "winner": "2", "from": "3", "plain_key": KEY,
}  # fmt: skip


def post(**fields):
    query = QueryDict(mutable=True)
    query.update({name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()})
    return query


def place_of_fault(posted):
    return (posted.error.seat, posted.error.field) if posted.error else None


def test_the_tablets_hand():
    seats = {"E": "1", "S": "2", "W": "3", "N": "4"}
    fields = post(body=BODY, key=KEY, after="", seats=seats, device="table 2", why="misheard")
    posted, sent = read_posted_hand(fields, SEATS), build_command(SimpleNamespace(POST=fields), "hand", BODY)
    assert (posted.body, sent["key"], sent["after"], sent["seats"]) == (BODY, KEY, None, seats)
    assert (sent["device"], sent["why"], posted.drawn, posted.error) == ("table 2", "misheard", False, None)


def test_the_plain_form_says_the_same():
    fields = post(**PLAIN)
    posted, sent = read_posted_hand(fields, SEATS), build_command(SimpleNamespace(POST=fields), "hand", BODY)
    assert (posted.body, sent["key"], posted.error) == (BODY, KEY, None)


@pytest.mark.parametrize(
    "sets", ["open peng E, closed kong 5B", "melded pung E; Concealed kong 5B", "Open Peng E\nclosed  kong 5B"]
)
def test_the_plain_form_understands_the_words_of_every_rule_set(sets):
    posted = read_posted_hand(post(**PLAIN | {"sets_1": sets}), SEATS)
    assert [one.lower() for one in posted.body["hands"]["1"]["sets"]] == ["exposed pung e", "concealed kong 5b"]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_the_hint_for_a_set_says_is_understood(rules):
    hand = {"rules": rules, "hands": {wind: {} for wind in "ESWN"}}
    with pytest.raises(ScoringError) as refused:
        score_hand_played(hand | {"hands": hand["hands"] | {"E": {"sets": ["pong of winds"]}}})
    hint = in_words(RULE_SETS[rules].vocabulary(), str(refused.value))
    posted = read_posted_hand(
        post(**PLAIN | {"sets_1": ", ".join(re.search(r"like '(.+)' or '(.+)'", hint).groups())}), SEATS
    )
    score_hand_played(hand | {"hands": hand["hands"] | {"E": posted.body["hands"]["1"]}})


def test_special_hands_in_the_plain_form():
    posted = read_posted_hand(post(**PLAIN | {
        "form_2": "special", "special_2": "purity", "exposed_2": "on", "bonus_2": "F2",
        "form_1": "special", "special_1": "", "fishing_for_1": "knitting", "bonus_1": "",
    }), SEATS)  # fmt: skip
    assert posted.body["hands"]["2"] == {"special": "purity", "exposed": True, "bonus": "F2"}
    assert posted.body["hands"]["1"] == {"fishing_for": "knitting"}


def test_ways_and_flags_in_the_plain_form():
    posted = read_posted_hand(post(**PLAIN | {
        "fishing_1": "on", "original_call_1": "on", "count_1": "too few", "how": "robbed_kong", "winning_tile": "5B",
        "penalty_kind": "fine", "penalty_by": "3", "penalty_to": "4", "penalty_amount": "30",
    }), SEATS)  # fmt: skip
    assert posted.body["hands"]["1"]["count"] == "too few"
    assert posted.body["hands"]["1"]["fishing"] is True
    assert posted.body["hands"]["1"]["original_call"] is True
    assert posted.body["mahjong"] == {"by": "2", "tile": "5B", "from": "3", "robbed_kong": True}
    assert posted.body["penalties"] == [{"kind": "fine", "by": "3", "to": "4", "amount": 30}]


def test_two_winners_in_the_plain_form():
    posted = read_posted_hand(post(**PLAIN | {"winner_2": "4"}), SEATS)
    assert posted.body["mahjong"] == [{"by": "2", "from": "3"}, {"by": "4", "from": "3"}]


@pytest.mark.parametrize(
    ("field", "value", "where", "kept"),
    [
        ("total_2", "64x", ("2", "total"), {"total": "64x"}),
        ("total_2", "", ("2", "total"), {"total": ""}),
        ("total_2", "-4", ("2", "total"), {"total": "-4"}),
        ("total_2", "٦٤", ("2", "total"), {"total": "٦٤"}),
    ],
)
def test_letters_for_a_total_stay_as_they_were_typed(field, value, where, kept):
    posted = read_posted_hand(post(**PLAIN | {field: value}), SEATS)
    assert place_of_fault(posted) == where
    assert posted.body["hands"]["2"] == kept
    assert posted.body["hands"]["3"] == {"points": 12, "doubles": 1}


def test_letters_for_doubles():
    posted = read_posted_hand(post(**PLAIN | {"doubles_3": "two"}), SEATS)
    assert (place_of_fault(posted), posted.body["hands"]["3"]) == (("3", "doubles"), {"points": 12, "doubles": "two"})


def test_blank_is_not_nothing():
    posted = read_posted_hand(post(**PLAIN | {"form_3": ""}), SEATS)
    assert place_of_fault(posted) == ("3", "hand")
    assert "3" not in posted.body["hands"]


def test_a_winner_is_never_taken_for_granted():
    assert place_of_fault(read_posted_hand(post(body=BODY | {"mahjong": None}), SEATS)) == (None, "mahjong")
    assert read_posted_hand(post(body=BODY | {"mahjong": None}, drawn="1"), SEATS).error is None


def test_a_false_mahjong_needs_neither_hands_nor_winner():
    void = {"hands": {}, "mahjong": None, "penalties": [{"kind": "false mahjong", "by": "3"}]}
    posted = read_posted_hand(post(body=void), SEATS)
    assert (posted.body, posted.error) == (void, None)


BROKEN = ["{", "[]", "null", "5", "[" * 9000, "{" * 30_000, '{"hands": 5, "mahjong": 7}']


@pytest.mark.parametrize("text", BROKEN)
def test_broken_json_is_one_sentence(text):
    posted = read_posted_hand(post(body=text), SEATS)
    assert posted.body == {"hands": {}, "mahjong": None}
    assert posted.error.message.endswith((".",))


def test_unknown_parts_of_a_body_are_left_out():
    posted = read_posted_hand(post(body=BODY | {"extra": 1, "beside": {"2": {"total": 60}}, "penalties": []}), SEATS)
    assert posted.body == BODY | {"beside": {"2": {"total": 60}}}
