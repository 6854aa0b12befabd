"""A club's own hands in the file of an afternoon: taken with the table or with a hand, kept by the session."""

import copy
import json

import pytest
from django.core.management import CommandError, call_command

from sessions_app.models import Session

TAIL = {"key": "dragons_tail", "name": "Dragon's Tail", "value": "half limit", "fishing": 150}
NO_AFTERNOON = "This is not the file of a meeting:"
PEACOCK = {"key": "peacock", "name": "Peacock", "value": 640, "fishing": None}

HANDS = [
    {"hands": {"E": {"special": "dragons_tail"}, "S": {"total": 20}, "W": {}}, "mahjong": {"by": "E", "from": "S"}},
    {"hands": {"E": {"total": 40}, "S": {"fishing_for": "dragons_tail"}, "W": {}}, "mahjong": {"by": "E", "from": "W"}},
]

FILE = {
    "club": "Bramley",
    "date": "2026-11-12",
    "tables": [{"table": 1, "players": ["Ann", "Bob", "Cat"], "club_hands": [TAIL],
                "hands": [{"input": hand} for hand in HANDS]}],
}  # fmt: skip


@pytest.fixture
def load(tmp_path, db):
    def loaded(data):
        file = tmp_path / "afternoon.json"
        file.write_text(json.dumps(data))
        call_command("load_club_night", str(file), "--json")

    return loaded


@pytest.fixture
def afternoon():
    return copy.deepcopy(FILE)


def test_hands_of_the_table_score_and_are_kept(load, afternoon):
    load(afternoon)
    session = Session.objects.get()
    assert session.club_hands == [TAIL]
    first, second = session.hands.order_by("number")
    # Half of 1000; East receives double from both; Bob pays Cat the difference of 20.
    assert {row.seat.seat_no: (row.total, row.net) for row in first.player_hands.all()} == {
        1: (500, 2000), 2: (20, -980), 3: (0, -1020),
    }  # fmt: skip
    assert second.player_hands.get(seat__seat_no=2).fishing_for == "dragons_tail"
    assert second.player_hands.get(seat__seat_no=2).total == 150


def test_hands_that_come_with_a_hand_are_the_tables_and_loading_again_changes_nothing(load, afternoon):
    table = afternoon["tables"][0]
    del table["club_hands"]
    table["hands"][0]["input"]["club_hands"] = [TAIL, PEACOCK]
    table["hands"][1]["input"]["club_hands"] = [TAIL]
    load(afternoon)
    load(afternoon)
    assert Session.objects.get().club_hands == [TAIL, PEACOCK]


@pytest.mark.parametrize(
    ("own", "rules", "sentence"),
    [
        ([{**TAIL, "value": "much"}], "bmja", "Table 1: A club's own hand counts a whole number, 'limit' or"),
        ([TAIL, {**TAIL, "value": 20}], "bmja", f"{NO_AFTERNOON} table 1: the club’s own hand 'dragons_tail'"),
        (
            [{**TAIL, "key": f"tail_{number}"} for number in range(51)],
            "bmja",
            f"{NO_AFTERNOON} table 1 has 51 of the club's own hands: at most 50.",
        ),
        (["tail"], "bmja", f"{NO_AFTERNOON} table 1: one of the club’s own hands has no “key”."),
        ([{**TAIL, "tiles": "1C"}], "bmja", "Table 1: A club's own hand has an unknown key: tiles."),
        ([TAIL], "turner", "Table 1: Turner simple scoring has no special hands of a club's own."),
    ],
)
def test_own_hands_that_cannot_be_are_refused(load, afternoon, own, rules, sentence):
    afternoon["tables"][0] |= {"club_hands": own, "rules": rules}
    with pytest.raises(CommandError) as refused:
        load(afternoon)
    assert str(refused.value).startswith(f"Nothing was loaded: {sentence}")
    assert not Session.objects.exists()
