"""What happens between the devices of a table: undo and redo, hands for one place, hands that come late."""

import uuid

import pytest

from sessions_app.models import Change, Command, Entry, Seat, Session
from sessions_app.table.apply_command import apply_secretary_command
from tests.afternoon import BY, hand, nets, new_key, seating, send, totals
from tests.reconciled import reconcile


def test_undo_and_redo_walk_through_the_ledger(four):
    states = [nets(four)]
    first = hand(four, "2", s2=40)
    states.append(nets(four))
    send(four, "correct", {"entry": first, "body": totals("3", s3=10)})
    states.append(nets(four))
    send(four, "take_out", {"entry": first})
    states.append(nets(four))
    send(four, "finish")
    assert send(four, "undo").message == "Finish undone."
    assert Session.objects.get().state == "open"
    for state in (states[2], states[1], states[0]):
        assert send(four, "undo").outcome == "recorded"
        assert nets(four) == state
    assert send(four, "undo").message == "There is nothing to undo."
    steps = (
        "Hand 1 redone. Bob is East.",
        "Change of hand 1 redone.",
        "Removing hand 1 redone. Alice is East.",
        "Finish redone.",
    )
    for state, step in zip((states[1], states[2], states[3], states[3]), steps, strict=True):
        assert send(four, "redo").message == step
        assert nets(four) == state
    assert Session.objects.get().state == "finished"
    assert send(four, "redo").message == "There is nothing to redo."


def test_a_new_change_after_undoing_leaves_nothing_to_redo(four):
    hand(four, "2", s2=40)
    send(four, "undo")
    second = hand(four, "3", s3=10)
    assert send(four, "redo").outcome == "invalid"
    send(four, "undo")
    assert nets(four) == {"Alice": 0, "Bob": 0, "Carol": 0, "Dave": 0}
    assert Entry.objects.filter(removed=True, key=second).exists()


def test_undo_goes_back_behind_an_arrival_of_somebody_whose_seat_was_changed(four, cast):
    """It was Fay and not Alice; then Alice arrives. Undone, she has her own seat again."""
    hand(four, "1", s1=40)
    begin = nets(four)
    assert send(four, "change_player", {"seat": "1", "player": cast.fay.pk}).outcome == "recorded"
    assert send(four, "arrive", {"player": cast.alice.pk}).outcome == "recorded"
    for _ in range(2):
        assert (send(four, "undo").outcome, send(four, "undo").outcome) == ("recorded", "recorded")
        assert Seat.objects.get(session=four, seat_no=1).player == cast.alice
        assert nets(four) == begin
        assert reconcile() == []
        assert (send(four, "redo").outcome, send(four, "redo").outcome) == ("recorded", "recorded")
        assert nets(four) == begin | {"Alice": 0, "Fay": 240}
        assert reconcile() == []


def test_two_who_changed_seats_by_their_names_go_back_at_once(four, cast):
    """By way of Fay, Alice and Bob have each other's seat; the desk brings back how it was."""
    hand(four, "1", s1=40)
    begin, step = nets(four), Change.objects.latest("pk").pk
    for seat, player in (("1", cast.fay), ("2", cast.alice), ("1", cast.bob)):
        assert send(four, "change_player", {"seat": seat, "player": player.pk}).outcome == "recorded"
    swapped = nets(four)
    back = {"key": new_key(), "kind": "go_back", "body": {"change": step}}
    assert apply_secretary_command(four.pk, back, BY).outcome == "recorded"
    assert nets(four) == begin
    assert reconcile() == []
    send(four, "undo")
    assert nets(four) == swapped
    assert reconcile() == []


def test_another_hand_for_the_same_place_is_contested_until_somebody_chooses(four):
    standing = send(four, "hand", totals("2", s2=40), seats={"E": "1", "S": "2", "W": "3", "N": "4"}).entry
    key = new_key()
    body = totals("3", s3=10)
    answer = send(four, "hand", body, key=key, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    assert answer.outcome == "contested"
    assert send(four, "hand", body, key=key).outcome == "contested"
    assert Command.objects.get(key=key).outcome == "contested"
    assert nets(four)["Bob"] == 160
    chosen = send(four, "choose", {"keep": key, "drop": [standing]})
    assert chosen.outcome == "recorded"
    assert chosen.message == "Hand 1: Carol, 10. The other is under “Last changes”."
    assert nets(four) == {"Alice": -20, "Bob": -10, "Carol": 40, "Dave": -10}
    assert send(four, "hand", body, key=key).outcome == "again"
    send(four, "undo")
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "contested"


def test_what_was_chosen_and_undone_may_be_chosen_again(four):
    standing = hand(four, "2", s2=40)
    key = new_key()
    send(four, "hand", totals("3", s3=10), key=key, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    choice = {"keep": key, "drop": [standing]}
    for _ in range(3):
        assert send(four, "choose", choice).outcome == "recorded"
        assert nets(four) == {"Alice": -20, "Bob": -10, "Carol": 40, "Dave": -10}
        assert Command.objects.get(key=key).outcome == "applied"
        assert reconcile() == []
        send(four, "undo")
        assert nets(four)["Bob"] == 160
        assert Command.objects.get(key=key).outcome == "contested"
    send(four, "redo")
    assert nets(four)["Carol"] == 40


def test_the_standing_hand_may_be_chosen(four):
    standing = hand(four, "2", s2=40)
    key = new_key()
    send(four, "hand", totals("3", s3=10), key=key, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    chosen = send(four, "choose", {"keep": standing, "drop": [key]})
    assert chosen.outcome == "recorded"
    assert chosen.message == "Hand 1: Bob, 40. The other is under “Last changes”."
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "dropped"
    answer = send(four, "hand", totals("3", s3=10), key=key)
    assert answer.message.startswith("The other version of this hand was chosen")


def test_both_may_be_kept_when_they_were_two_hands(four):
    hand(four, "1", s1=40)
    key = new_key()
    send(four, "hand", totals("1", s1=10), key=key, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    send(four, "choose", {"keep": key})
    assert nets(four)["Alice"] == 240 + 60


def test_a_second_hand_of_a_device_that_was_contested_is_contested_too(four):
    first = hand(four, "1", s1=8)
    hand(four, "1", s1=40)
    key = new_key()
    assert send(four, "hand", totals("1", s1=10), key=key, after=first).outcome == "contested"
    assert send(four, "hand", totals("1", s1=12), after=key).outcome == "contested"


def test_only_corrections_came_between(five):
    seats = {"E": "1", "S": "2", "W": "3", "N": "4"}
    first = hand(five, "1", sat_out="5", s1=40)
    send(five, "correct", {"entry": first, "body": totals("1", sat_out="5", s1=50)})
    answer = send(five, "hand", totals("1", sat_out="5", s1=20), after=first, seats=seats)
    assert (answer.outcome, answer.message) == ("recorded", "Hand 2: Alice, 20. Alice stays East.")


def test_the_seats_changed_but_the_players_still_play(four):
    first = hand(four, "1", s1=40)
    send(four, "correct", {"entry": first, "body": totals("2", s2=40)})
    answer = send(four, "hand", totals("3", s3=20), after=first, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    assert answer.outcome == "recorded"
    assert answer.message == "Hand 2: Carol, 20. Carol is East. Something else has changed since."


def test_a_hand_of_players_who_no_longer_play_is_contested(five):
    first = hand(five, "1", sat_out="5", s1=40)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    answer = send(
        five, "hand", totals("1", sat_out="5", s1=20), after=first, seats={"E": "1", "S": "2", "W": "3", "N": "4"}
    )
    assert answer.outcome == "contested"


def test_what_comes_late_is_kept_and_can_be_taken_in(four):
    send(four, "finish")
    key = new_key()
    answer = send(four, "hand", totals("2", s2=40), key=key)
    assert answer.outcome == "late"
    assert nets(four)["Bob"] == 0
    assert send(four, "choose", {"keep": key}).outcome == "recorded"
    assert Session.objects.get().state == "finished"
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "applied"


def test_what_came_late_and_cannot_be_recorded_can_be_put_aside(four):
    send(four, "finish")
    key = new_key()
    assert send(four, "finish", key=key).outcome == "late"
    answer = send(four, "choose", {"keep": key})
    assert (answer.outcome, answer.message) == ("invalid", "This can no longer be saved. Leave it out.")
    assert send(four, "choose", {"drop": [key]}, why="The table had stopped already").outcome == "recorded"
    assert Command.objects.get(key=key).outcome == "dropped"
    assert Change.objects.last().why == "The table had stopped already"


def test_of_two_changes_of_one_hand_the_second_waits_beside_the_first(four):
    first = hand(four, "1", s1=40)
    version = Entry.objects.get(key=first).version
    changed = {"entry": first, "body": totals("2", s2=40), "version": version}
    assert send(four, "correct", changed, device="First tablet").outcome == "recorded"
    key = new_key()
    late = {"entry": first, "body": totals("3", s3=40), "version": version}
    answer = send(four, "correct", late, key=key, device="Second tablet")
    assert answer.outcome == "contested"
    assert answer.message == ("Someone else changed this first. Both versions are kept. Choose which one to use.")
    assert nets(four)["Bob"] == 160
    assert send(four, "correct", late, key=key, device="Second tablet").outcome == "contested"
    assert send(four, "choose", {"keep": key}).outcome == "recorded"
    assert (nets(four)["Bob"], nets(four)["Carol"]) == (-40, 160)
    send(four, "undo")
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "contested"


@pytest.mark.parametrize("kind", ["take_out", "correct"])
def test_what_is_there_no_more_as_it_was_known_is_not_written_over(four, kind):
    first = hand(four, "1", s1=40)
    send(four, "take_out", {"entry": first, "version": 1})
    body = {"entry": first, "version": 1, "body": totals("2", s2=40)}
    assert send(four, kind, body, device="Second tablet").outcome == "contested"


def test_a_tablet_knows_its_own_changes(four):
    """Three changes of one hand wait on one tablet, all made from the page that showed the first version."""
    first = hand(four, "1", s1=40)
    for seat in ("2", "3", "4"):
        changed = {"entry": first, "body": totals(seat, **{f"s{seat}": 40}), "version": 1}
        assert send(four, "correct", changed, device="First tablet").outcome == "recorded"
    undone = send(four, "undo", device="First tablet")
    assert undone.outcome == "recorded"
    assert send(four, "put_back", {"entry": first, "version": 1}, device="First tablet").outcome == "invalid"
    assert send(four, "take_out", {"entry": first, "version": 1}, device="First tablet").outcome == "recorded"
    assert send(four, "put_back", {"entry": first, "version": 1}, device="Second tablet").outcome == "contested"


def test_a_change_that_others_made_between_ones_own_is_not_ones_own(four):
    first = hand(four, "1", s1=40)
    for device in ("First tablet", "Second tablet", "First tablet"):
        send(four, "correct", {"entry": first, "body": totals("2", s2=40)}, device=device)
    changed = {"entry": first, "body": totals("3", s3=40), "version": 1}
    assert send(four, "correct", changed, device="First tablet").outcome == "contested"


@pytest.mark.parametrize("kind", ["correct", "take_out", "put_back"])
@pytest.mark.parametrize("version", [7, 0, -1, -(10**9), -(2**63) - 1, 2**63, 10**30])
def test_a_version_that_never_was_is_refused_without_counting_up_to_it(four, kind, version):
    first = hand(four, "1", s1=40)
    changed = {"entry": first, "body": totals("2", s2=40), "version": version}
    answer = send(four, kind, changed, device="First tablet")
    assert answer.outcome == "invalid"
    assert answer.message == (
        "We could not find the version that this change was made to. Reload the page and make the change again."
    )
    assert nets(four)["Alice"] == 240
    assert not Command.objects.filter(kind=kind).exists()


@pytest.mark.parametrize("version", [None, "1", True, 1.0])
def test_without_a_version_nothing_is_asked(four, version):
    first = hand(four, "1", s1=40)
    send(four, "correct", {"entry": first, "body": totals("2", s2=40)})
    changed = {"entry": first, "body": totals("3", s3=40), "version": version}
    assert send(four, "correct", changed).outcome == "recorded"


def test_a_hand_of_players_who_no_longer_play_is_recorded_as_they_really_sat(five):
    first = hand(five, "1", sat_out="5", s1=40)
    # With Bob's Mah-jong instead, the deal moves on and Alice sits out; the other tablet did not know that.
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    key, seats = new_key(), {"E": "1", "S": "2", "W": "3", "N": "4"}
    sent = totals("3", sat_out="5", s3=20)
    assert send(five, "hand", sent, key=key, after=first, seats=seats).outcome == "contested"
    assert send(five, "choose", {"keep": key}).outcome == "recorded"
    assert [entry.kind for entry in Entry.objects.order_by("position")] == ["hand", "seating", "hand"]
    assert seating(five) == [(1, (5,)), (1, (5,))]
    assert reconcile() == []
    send(five, "undo")
    assert [entry.kind for entry in Entry.objects.active()] == ["hand"]
    assert Command.objects.get(key=key).outcome == "contested"
    # Chosen again, both lines stand again where they stood.
    assert send(five, "choose", {"keep": key}).outcome == "recorded"
    assert [entry.kind for entry in Entry.objects.active().order_by("position")] == ["hand", "seating", "hand"]
    assert seating(five) == [(1, (5,)), (1, (5,))]
    assert reconcile() == []


@pytest.mark.parametrize(("kind", "body"), [("fine", {"by": "1", "amount": 10}), ("arrive", {"player": "Fay"}),
                                        ("exchange", {"a": "1", "b": "2"})])  # fmt: skip
def test_a_late_line_of_any_kind_may_be_chosen_again(four, cast, kind, body):
    hand(four, "2", s2=40)
    send(four, "finish")
    key = new_key()
    body = {**body, "player": cast.fay.pk} if kind == "arrive" else body
    assert send(four, kind, body, key=key).outcome == "late"
    for _ in range(2):
        assert send(four, "choose", {"keep": key}).outcome == "recorded"
        assert Entry.objects.active().filter(key=key).exists()
        assert reconcile() == []
        assert send(four, "undo").outcome == "recorded"
        assert not Entry.objects.active().filter(key=key).exists()


def test_the_key_of_an_active_entry_is_not_used_for_another(five):
    first = hand(five, "1", sat_out="5", s1=40)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    key, seats = uuid.uuid4(), {"E": "1", "S": "2", "W": "3", "N": "4"}
    sent = totals("3", sat_out="5", s3=20)
    assert send(five, "hand", sent, key=key, after=first, seats=seats).outcome == "contested"
    # A seating is put before this hand when it is chosen; its key follows from the hand's.
    assert send(five, "note", {"text": "Tea"}, key=uuid.uuid5(key, "seating")).outcome == "recorded"
    answer = send(five, "choose", {"keep": str(key)})
    assert (answer.outcome, answer.message) == (
        "invalid",
        "Something went wrong and this was not saved. Reload the page and try again.",
    )
    assert Entry.objects.get(kind="note").body == {"text": "Tea"}
