"""Another player agrees to a hand: with the hand, later, or not at all; no hand is refused or lost for it."""

import uuid

import pytest

from sessions_app.models import Change, Entry, Hand, PlayerHand, Session
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command

BY = Actor(name="The test")


HAND = {
    "hands": {"1": {"total": 0}, "2": {"total": 40}, "3": {"total": 0}, "4": {"total": 0}},
    "mahjong": {"by": "2"},
}


def send(table_session, kind, body):
    return apply_command(table_session.pk, {"key": str(uuid.uuid4()), "kind": kind, "body": body}, by=BY)


def agreed(answer):
    return Entry.objects.get(key=answer.entry).body.get("agreed")


@pytest.mark.parametrize(
    ("sent", "kept"), [("3", "3"), (3, "3"), ("", ""), ("9", ""), (None, ""), ({"by": "3"}, ""), (["3"], "")]
)
def test_who_agreed_is_kept_with_the_hand_and_no_hand_is_refused_for_it(four, sent, kept):
    answer = send(four, "hand", {**HAND, "agreed": sent})
    assert answer.outcome == "recorded"
    assert agreed(answer) == kept
    assert four.tallies.get(seat__seat_no=2).net == 160


def test_a_hand_nobody_was_asked_about_says_nothing_of_it(four):
    assert "agreed" not in Entry.objects.get(key=send(four, "hand", HAND).entry).body


def test_a_hand_is_agreed_to_later_and_that_is_logged_and_undone(four):
    recorded = send(four, "hand", {**HAND, "agreed": ""})
    answer = send(four, "agree", {"entry": recorded.entry, "seat": "4"})
    assert (answer.outcome, answer.message) == ("recorded", "Hand 1 is agreed.")
    assert agreed(recorded) == "4"
    logged = Change.objects.filter(session=four).latest("pk")
    assert (logged.action, logged.name) == ("agree", "The test")
    assert logged.before["entries"][recorded.entry]["body"]["agreed"] == ""
    assert logged.after["entries"][recorded.entry]["body"]["agreed"] == "4"
    send(four, "undo", {})
    assert agreed(recorded) == ""
    assert Hand.objects.get(session=four).number == 1


def test_a_correction_asks_again(four):
    recorded = send(four, "hand", {**HAND, "agreed": "3"})
    send(four, "correct", {"entry": recorded.entry, "body": {**HAND, "mahjong": {"by": "3"}}})
    assert agreed(recorded) == ""
    send(four, "correct", {"entry": recorded.entry, "body": {**HAND, "agreed": "1"}})
    assert agreed(recorded) == "1"


def test_agreeing_scores_nothing_again(four):
    recorded = send(four, "hand", {**HAND, "agreed": ""})
    # As if the hand had been scored under an earlier edition of the rules, which gave another total.
    Session.objects.filter(pk=four.pk).update(edition=0)
    Hand.objects.filter(session=four).update(edition=0)
    PlayerHand.objects.filter(hand__session=four, seat__seat_no=2).update(total=44)
    send(four, "agree", {"entry": recorded.entry, "seat": "1"})
    send(four, "undo", {})
    assert PlayerHand.objects.get(hand__session=four, seat__seat_no=2).total == 44
    assert Hand.objects.get(session=four).edition == 0


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"seat": "9"}, "We could not find this seat at the table. Reload the page."),
        ({"seat": None}, "We could not find this seat at the table. Reload the page."),
        ({"entry": str(uuid.uuid4()), "seat": "1"}, "We could not find this entry. Reload the page."),
    ],
)
def test_what_cannot_be_agreed_to_is_said(four, body, sentence):
    recorded = send(four, "hand", HAND)
    answer = send(four, "agree", {"entry": recorded.entry, **body})
    assert (answer.outcome, answer.message) == ("invalid", sentence)


def test_only_a_hand_that_counts_can_be_agreed_to(four):
    recorded = send(four, "hand", HAND)
    send(four, "take_out", {"entry": recorded.entry})
    fined = send(four, "fine", {"by": "1", "to": "2", "amount": 5})
    for entry in (recorded.entry, fined.entry):
        answer = send(four, "agree", {"entry": entry, "seat": "1"})
        assert (answer.outcome, answer.message) == ("invalid", "Only a hand that counts can be agreed to.")
