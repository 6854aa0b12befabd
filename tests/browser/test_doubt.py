"""A member questions a hand on the phone; the secretary finds it on the desk, puts the hand right and answers."""

import uuid

import pytest
from playwright.sync_api import expect

from sessions_app.models import HandQuery
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command

from .conftest import login

PHONE = (390, 844)
BY = Actor(name="The test")
WORDS = "My total was 60, it was typed as 40."


def play(table, kind, body):
    answer = apply_command(table.pk, {"key": str(uuid.uuid4()), "kind": kind, "body": body}, BY)
    assert answer.is_done, answer.message
    return answer.entry


def totals(bob):
    return {"hands": {seat: {"total": bob if seat == "2" else 0} for seat in "1234"}, "mahjong": {"by": "2"}}


@pytest.mark.long
def test_a_hand_is_questioned_put_right_and_answered(tablet, club, table):
    key = play(table, "hand", totals(40))
    member, secretary = tablet(login(club.club, "member", "member"), size=PHONE), tablet(club.secretary)
    member.open(f"/c/bramley/sessions/{table.pk}/hands/{key}/")
    member.follow("Ask about this hand")
    member.page.get_by_label("What do you think is wrong?").fill(WORDS)
    member.tap("Ask the secretary")
    expect(member.page.get_by_text("The secretary has not answered yet.")).to_be_visible()

    secretary.open("/c/bramley/desk/")
    secretary.follow("1 score query to answer")
    expect(secretary.page.get_by_text(WORDS)).to_be_visible()
    secretary.follow("Answer member")
    expect(secretary.page.get_by_text("The hand is as it was when this was asked.")).to_be_visible()
    play(table, "correct", {"entry": key, "body": totals(60)})
    secretary.page.get_by_label("The hand has been corrected").check()
    secretary.page.get_by_label("Comment (optional)").fill("Thank you, it is 60.")
    secretary.tap("Send the answer")
    expect(secretary.page.get_by_text("Your answer now appears with the hand.")).to_be_visible()

    member.open(f"/c/bramley/sessions/{table.pk}/hands/{key}/")
    asked = member.page.get_by_role("region", name="Questions about this hand")
    expect(asked).to_contain_text("The hand has been corrected.")
    expect(asked).to_contain_text("Thank you, it is 60.")
    assert HandQuery.objects.get().outcome == "corrected"
