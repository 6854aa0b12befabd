"""The secretary finds one person on the list twice, joins them and takes it back; takes a list in and says who is who.

Alice wins 100 as East at table 1: Bob, Carol and Dave pay her 200 each. "Alyce", who is Alice, pays 100 at table 2.
"""

import uuid

import pytest
from playwright.sync_api import expect

from sessions_app.models import Player, Season, Tally
from sessions_app.people.players import add_player
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY, PEOPLE


def played(club, number, people, winner, points):
    session = start_session(club.club, AFTERNOON, number, people, "bmja", {}, by=BY)
    hands = {str(seat): {"total": points if seat == winner else 0} for seat in range(1, 5)}
    body = {"hands": hands, "mahjong": {"by": str(winner)}, "penalties": []}
    command = {"key": str(uuid.uuid4()), "kind": "hand", "body": body, "device": ""}
    assert apply_command(session.pk, command, BY).outcome == "recorded"


def row_of(page, name):
    return page.get_by_role("row", name=name, exact=False)


@pytest.mark.long
def test_one_person_twice_is_joined_and_taken_back(tablet, club):
    Season.objects.create(club=club.club, name="2026", starts_on="2026-01-01", ends_on="2026-12-31", rules=["bmja"])
    alyce = add_player(club.club, "Alyce", by=BY)
    others = [add_player(club.club, name, by=BY) for name in ("Gus", "Hal", "Ida")]
    played(club, 1, [club.players[name] for name in PEOPLE[:4]], 1, 100)
    played(club, 2, [others[0], alyce, *others[1:]], 3, 100)
    one = tablet(club.secretary)
    page = one.page
    one.open("/c/bramley/players/")
    page.get_by_role("link", name="Change Alyce").tap()
    page.get_by_role("link", name="Merge with another name").tap()
    # The nearest name stands first on the list.
    expect(page.get_by_label("The same person as").locator("option").nth(1)).to_have_text("Alice")
    page.get_by_label("The same person as").select_option(label="Alice")
    page.get_by_role("button", name="See what will change").tap()
    expect(row_of(page, "Alice, merged")).to_contain_text("+500")
    page.get_by_role("button", name="Merge these players").tap()
    expect(page.get_by_text("Alyce has been merged into Alice.")).to_be_visible()
    one.open("/c/bramley/standings/?method=total&minimum_sessions=1")
    expect(row_of(page, "Alice")).to_contain_text("500")
    expect(page.get_by_text("Alyce")).to_have_count(0)
    one.open(f"/c/bramley/players/{club.players['Alice'].pk}/change/")
    page.get_by_role("button", name="Undo the merge").tap()
    expect(page.get_by_text("Alyce and Alice are two people again.")).to_be_visible()
    nets = dict(Tally.objects.filter(hands__gt=0).values_list("player__full_name", "net"))
    assert (nets["Alice"], nets["Alyce"]) == (600, -100)


def test_a_list_with_doubtful_names_is_taken_in_when_each_is_answered(tablet, club):
    add_player(club.club, "Margaret Hughes", by=BY)
    add_player(club.club, "Jean Atkins", by=BY)
    one = tablet(club.secretary)
    page = one.page
    one.open("/c/bramley/desk/")
    page.get_by_role("link", name="Import Add players").tap()
    page.get_by_role("link", name="Players A list").tap()
    page.get_by_label("Paste the text here").fill("Maggie Hughes\nJean Atkin\nQuentin Quill")
    page.get_by_role("button", name="Check").tap()
    expect(page.get_by_role("heading", name="1 new player")).to_be_visible()
    maggie = page.get_by_label("Member or guest, Maggie Hughes")
    maggie.select_option("Same as Margaret Hughes")
    one.expect_status(422)
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.get_by_role("alert").get_by_text("Line 2: choose who Jean Atkin is.")).to_be_visible()
    assert not Player.objects.filter(full_name="Quentin Quill").exists()
    # What was answered already stands there still.
    expect(maggie.locator("option:checked")).to_have_text("Same as Margaret Hughes")
    page.get_by_label("Member or guest, Jean Atkin").select_option("Someone new: member")
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.get_by_text("2 players added.")).to_be_visible()
    names = set(Player.objects.values_list("full_name", flat=True))
    assert names == {*PEOPLE, "Margaret Hughes", "Jean Atkins", "Jean Atkin", "Quentin Quill"}
