"""A table as a tablet has it that undoes its last changes without the network is the table once they are undone."""

import uuid

import pytest

from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command, apply_secretary_command
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, record, totals
from tests.logins import logins, signed_in
from tests.table.test_table_page import asked, state_of

pytestmark = pytest.mark.slow

SECRETARY = Actor(name="The secretary")


@pytest.fixture
def at(club, cast):
    """Seat players at a table of some rule set; give the session and a look at its state."""
    client = signed_in(logins(club)["scorekeeper"])

    def seat(players, rules="bmja", **more):
        table = start_session(club, DAY, 1, cast.all[:players], rules, {}, by=BY, **more)
        return table, lambda: state_of(client, table)

    return seat


def won(table, seat):
    assert record(table, totals(table, seat, **{f"seat{seat}": 64})).outcome == "recorded"


def nobody(table):
    assert record(table, {"hands": {}, "mahjong": None}).outcome == "recorded"


def false_mahjong(table, seat):
    body = totals(table, None) | {"penalties": [{"kind": "false mahjong", "by": str(seat)}]}
    assert record(table, body).outcome == "recorded"


def line(table, kind, **body):
    assert record(table, body, kind=kind).outcome == "recorded"


def expect_undos_as_foreseen(table, look, steps):
    """Undo one change after the other: each time the table is as a tablet has it that undoes without the network."""
    before = look()
    undo = {"kind": "undo", "body": {}}
    for back in range(1, steps + 1):
        found = asked(table, before, [{**undo, "key": str(number)} for number in range(back)])
        assert (found["known"], found["refused"]) == (True, {}), back
        assert record(table, {}, kind="undo").outcome == "recorded"
        state = look()
        assert [found[name] for name in ("number", "is_open", "chairs", "balances")] == [
            state[name] for name in ("number", "open", "chairs", "balances")
        ], back


def test_at_a_table_of_five_undo_says_the_seats_before_the_last_hand(at):
    table, look = at(5)
    won(table, 2)
    # Bob won, so Alice, who was East, sits out.
    state = look()
    assert (state["number"], state["chairs"]["winds"], state["chairs"]["out"]) == (2, [2, 3, 4, 5], [1])
    before = asked(table, look(), [{"key": "undo", "kind": "undo", "body": {}}])
    assert (before["number"], before["is_open"], before["out"]) == (1, True, ["5"])
    assert before["seats"] == {"E": "1", "S": "2", "W": "3", "N": "4"}


def test_hands_of_every_kind_are_taken_back_one_after_the_other(at):
    table, look = at(5)
    won(table, 1)
    won(table, 1)
    nobody(table)
    won(table, 3)
    false_mahjong(table, 2)
    won(table, 4)
    expect_undos_as_foreseen(table, look, 6)


def test_who_came_who_left_and_who_changed_places_is_taken_back(at, cast):
    table, look = at(5)
    won(table, 2)
    line(table, "exchange", a="3", b="1")
    line(table, "leave", seat="4")
    line(table, "arrive", player=cast.all[3].pk)
    line(table, "seating", winds={"E": "5", "S": "1", "W": "2", "N": "3"}, out=["4"])
    expect_undos_as_foreseen(table, look, 5)


def test_a_line_before_the_first_hand_is_taken_back(at):
    table, look = at(4)
    line(table, "seating", winds={"E": "2", "S": "1", "W": "3", "N": "4"}, out=[])
    line(table, "note", text="Tea at four.")
    expect_undos_as_foreseen(table, look, 2)


def test_a_table_of_three_and_its_empty_chair_are_taken_back(at):
    table, look = at(3)
    won(table, 2)
    line(table, "fine", by="1", to="2", amount=50)
    won(table, 3)
    line(table, "fine", by="1", to=None, amount=20)
    won(table, 1)
    expect_undos_as_foreseen(table, look, 5)


def test_the_change_of_seats_between_two_rounds_is_taken_back(at):
    table, look = at(4, rules="chinese_official")
    for winner in (2, 3, 4, 1):
        hands = {str(seat): {"points": 8} if seat == winner else {} for seat in (1, 2, 3, 4)}
        line(table, "hand", hands=hands, mahjong={"by": str(winner), "from": "wall"})
    assert look()["chairs"]["wind_of_round"] == "S"
    expect_undos_as_foreseen(table, look, 4)


def test_a_new_game_is_taken_back(at):
    table, look = at(3)
    for _ in range(4):
        for winner in (2, 3, 1):
            won(table, winner)
    assert look()["chairs"]["game"] == 2
    expect_undos_as_foreseen(table, look, 12)


def test_the_end_of_the_session_is_taken_back(at):
    table, look = at(5)
    won(table, 2)
    line(table, "finish")
    assert look()["open"] is False
    expect_undos_as_foreseen(table, look, 2)


def test_what_was_undone_already_is_passed_over(at):
    table, look = at(5)
    won(table, 2)
    won(table, 3)
    record(table, {}, kind="undo")
    won(table, 4)
    record(table, {}, kind="undo")
    record(table, {}, kind="redo")
    expect_undos_as_foreseen(table, look, 2)


def test_a_session_void_and_counting_again_is_passed_over(at):
    table, look = at(5)
    won(table, 2)
    for kind in ("void", "count_again"):
        command = {"key": str(uuid.uuid4()), "kind": kind, "body": {}, "why": "A fire drill"}
        assert apply_secretary_command(table.pk, command, SECRETARY).outcome == "recorded"
    expect_undos_as_foreseen(table, look, 1)


def test_a_correction_is_taken_back_with_what_came_before_it(at):
    table, look = at(5)
    won(table, 2)
    first = str(table.entries.get().key)
    line(table, "correct", entry=first, body=totals_of_the_first(1))
    won(table, 3)
    expect_undos_as_foreseen(table, look, 3)


def totals_of_the_first(winner):
    hands = {seat: {"total": 64 if seat == str(winner) else 0} for seat in "1234"}
    return {"hands": hands, "mahjong": {"by": str(winner)}, "penalties": []}


def another_first_hand(table):
    """Send what another tablet has of the first hand; it waits for someone's choice. Return its key."""
    seats = {"E": "1", "S": "2", "W": "3", "N": "4"}
    late = {"key": str(uuid.uuid4()), "kind": "hand", "body": totals_of_the_first(3), "after": None, "seats": seats}
    assert apply_command(table.pk, late, BY).outcome == "contested"
    return late["key"]


def test_what_waits_for_a_choice_is_no_change_yet(at):
    table, look = at(5)
    won(table, 2)
    another_first_hand(table)
    expect_undos_as_foreseen(table, look, 1)


def test_what_somebody_chose_is_for_the_server_to_take_back(at):
    table, look = at(5)
    won(table, 2)
    first = str(table.entries.get().key)
    line(table, "choose", keep=another_first_hand(table), drop=[first])
    assert asked(table, look(), [{"key": "undo", "kind": "undo", "body": {}}])["refused"].keys() == {"undo"}
