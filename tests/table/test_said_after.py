"""What is said after a command, in one line: by the server that records it, and by a tablet that has not sent it."""

import pytest

from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session
from tests.afternoon import new_key, totals
from tests.factories import DAY
from tests.logins import logins, signed_in
from tests.table.test_table_page import asked, state_of

BY = Actor()


@pytest.fixture
def said_at(club):
    """Return what is said of a command at a table: by a tablet first, which is what the server says."""
    client = signed_in(logins(club)["scorekeeper"])

    def said(table, kind, body, key=None):
        command = {"key": key or new_key(), "kind": kind, "body": body}
        words = asked(table, state_of(client, table), [command])["said"]
        assert words == apply_command(table.pk, command, by=BY).message
        return words

    return said


def test_after_each_change_at_a_table_of_five(club, cast, said_at):
    """Alice is East and Fay sits out: who comes in is said, as the one who leaves is seen under the felt."""
    five, first, second = start_session(club, DAY, 1, cast.all, "bmja", {}, by=BY), new_key(), new_key()
    commands = [
        ("hand", totals("2", sat_out="5", s2=120), "Hand 1: Bob, 120. Bob is East; Fay comes in."),
        ("hand", totals(None, seats="2345"), "Hand 2: no winner. Bob stays East; goulash next."),
        ("fine", {"by": "3", "to": "2", "amount": 50}, "Carol pays a penalty of 50 to Bob."),
        ("fine", {"by": "3", "to": None, "amount": 1000}, "Carol pays a penalty of 1,000."),
        ("correct", {"entry": first, "body": totals("3", sat_out="5", s3=64)},
         "Hand 1 is changed: Carol, 64, not Bob."),
        ("undo", {}, "Change of hand 1 undone."),
        ("redo", {}, "Change of hand 1 redone."),
        ("take_out", {"entry": second}, "Hand 2 is removed. No goulash next."),
        ("put_back", {"entry": second}, "Hand 2 is restored: no winner. Goulash next."),
        ("insert", {"before": second, "kind": "hand", "body": totals("2", seats="2345", s2=20)},
         "Hand 2 is added: Bob, 20."),
        ("leave", {"seat": "2"}, "Bob has left the table. Alice comes in as East."),
        ("exchange", {"a": "1", "b": "3"}, "Alice and Carol have swapped seats. Carol is East."),
        ("finish", {}, "The table is finished."),
    ]  # fmt: skip
    keys = iter([first, second])
    said = [said_at(five, kind, body, next(keys, None) if kind == "hand" else None) for kind, body, _ in commands]
    assert said == [words for *_, words in commands]


def test_the_round_that_begins_is_said(club, cast, said_at):
    four = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY)
    said = [said_at(four, "hand", totals(winner, **{f"s{winner}": 20})) for winner in "2341"]
    assert said == [
        "Hand 1: Bob, 20. Bob is East.",
        "Hand 2: Carol, 20. Carol is East.",
        "Hand 3: Dave, 20. Dave is East.",
        "Hand 4: Alice, 20. Alice is East. The South round begins.",
    ]


def test_a_void_hand_and_two_winners(club, cast, said_at):
    four = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY)
    void = {**totals(None), "penalties": [{"kind": "false mahjong", "by": "2"}]}
    assert said_at(four, "hand", void) == "Hand 1: void. Alice stays East."
    four = start_session(club, DAY, 2, cast.all[:4], "western", {}, by=BY)
    assert said_at(four, "hand", totals("2", s2=8)) == "Hand 1: Bob, 8. Bob is East."
