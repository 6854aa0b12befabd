"""What happens between the devices of a table: undo and redo, hands for one place, hands that come late."""
from sessions_app.models import Command, Entry, Session

from .afternoon import hand, nets, new_key, send, totals


def test_undo_and_redo_walk_through_the_ledger(four):
    states = [nets(four)]
    first = hand(four, "2", s2=40)
    states.append(nets(four))
    send(four, "correct", {"entry": first, "body": totals("3", s3=10)})
    states.append(nets(four))
    send(four, "take_out", {"entry": first})
    states.append(nets(four))
    send(four, "finish")
    assert send(four, "undo").message == "The last change is undone."
    assert Session.objects.get().state == "open"
    for state in (states[2], states[1], states[0]):
        assert send(four, "undo").status == 200
        assert nets(four) == state
    assert send(four, "undo").message == "There is nothing to undo."
    for state in (states[1], states[2], states[3], states[3]):
        assert send(four, "redo").message == "The change is made again."
        assert nets(four) == state
    assert Session.objects.get().state == "finished"
    assert send(four, "redo").message == "There is nothing to do again."


def test_a_new_change_after_undoing_leaves_nothing_to_redo(four):
    hand(four, "2", s2=40)
    send(four, "undo")
    second = hand(four, "3", s3=10)
    assert send(four, "redo").status == 422
    send(four, "undo")
    assert nets(four) == {"Alice": 0, "Bob": 0, "Carol": 0, "Dave": 0}
    assert Entry.objects.filter(taken_out=True, key=second).exists()


def test_another_hand_for_the_same_place_is_contested_until_somebody_chooses(four):
    standing = send(four, "hand", totals("2", s2=40), seats={"E": "1", "S": "2", "W": "3", "N": "4"}).entry
    key = new_key()
    body = totals("3", s3=10)
    answer = send(four, "hand", body, key=key, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    assert (answer.status, answer.outcome) == (409, "contested")
    assert send(four, "hand", body, key=key).outcome == "contested"
    assert Command.objects.get(key=key).outcome == "contested"
    assert nets(four)["Bob"] == 160
    assert send(four, "choose", {"keep": key, "drop": [standing]}).status == 200
    assert nets(four) == {"Alice": -20, "Bob": -10, "Carol": 40, "Dave": -10}
    assert send(four, "hand", body, key=key).outcome == "again"
    send(four, "undo")
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "contested"


def test_the_standing_hand_may_be_chosen(four):
    standing = hand(four, "2", s2=40)
    key = new_key()
    send(four, "hand", totals("3", s3=10), key=key, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    assert send(four, "choose", {"keep": standing, "drop": [key]}).status == 200
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "dropped"
    assert send(four, "hand", totals("3", s3=10), key=key).message.startswith("This was not the one chosen")


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
    assert (answer.status, answer.message) == (201, "Hand 2 is recorded.")


def test_the_seats_changed_but_the_players_still_play(four):
    first = hand(four, "1", s1=40)
    send(four, "correct", {"entry": first, "body": totals("2", s2=40)})
    answer = send(four, "hand", totals("3", s3=20), after=first, seats={"E": "1", "S": "2", "W": "3", "N": "4"})
    assert (answer.status, answer.outcome) == (201, "recorded")
    assert answer.message == "Hand 2 is recorded. Something was changed meanwhile."
    assert answer.changes[0] == "Now East is Bob."


def test_a_hand_of_players_who_no_longer_play_is_contested(five):
    first = hand(five, "1", sat_out="5", s1=40)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    answer = send(
        five, "hand", totals("1", sat_out="5", s1=20), after=first, seats={"E": "1", "S": "2", "W": "3", "N": "4"}
    )
    assert (answer.status, answer.outcome) == (409, "contested")


def test_what_comes_late_is_kept_and_can_be_taken_in(four):
    send(four, "finish")
    key = new_key()
    answer = send(four, "hand", totals("2", s2=40), key=key)
    assert (answer.status, answer.outcome) == (409, "late")
    assert nets(four)["Bob"] == 0
    assert send(four, "choose", {"keep": key}).status == 422
    send(four, "reopen")
    assert send(four, "choose", {"keep": key}).status == 200
    assert nets(four)["Bob"] == 160
    assert Command.objects.get(key=key).outcome == "applied"
