"""What people typed stays as typed, whatever the words of the table: names, notes, fines, the club's own hands."""

import re

import pytest

from clubscore.play.entered_hand import EnteredHand
from sessions_app.models import Player
from sessions_app.table.board import session_board
from sessions_app.table.sessions import current_seating, start_session
from sessions_app.table.views.hand_entry_page import HandEntryPage
from sessions_app.table.watching import watched_session
from tests.afternoon import send
from tests.conftest import AFTERNOON
from tests.logins import logins, signed_in

NAMES = ("Bamboo", "Pung", "Mah-jong", "Exposed")
NOTE = "Bamboo plate broken; exposed wiring"


@pytest.fixture
def people(club):
    return [Player.objects.create(club=club, full_name=name, short_name=name) for name in NAMES]


@pytest.fixture
def turner(club, people, secretary):
    return start_session(club, AFTERNOON, 1, people, "turner", {}, by=secretary)


def no_hands():
    return {str(seat): {} for seat in range(1, 5)}


def lines(table_session):
    return [row.words for row in session_board(table_session).rows()]


def test_the_sheet_keeps_names_notes_and_fines(turner):
    send(turner, "hand", {"hands": no_hands(), "mahjong": {"by": "3", "from": "1"}})
    send(turner, "note", {"text": NOTE})
    send(turner, "fine", {"by": "1", "to": "2", "amount": 10, "why": "exposed a pung of Circles"})
    assert lines(turner) == [
        "Mah-jong goes Mah-Jongg",
        NOTE,
        "Bamboo pays a penalty of 10 to Pung: exposed a pung of Circles",
    ]
    assert watched_session(turner, "full")["watched"].last.words == "Mah-jong goes Mah-Jongg"


def test_what_is_said_after_a_note_keeps_its_braces(turner):
    assert send(turner, "note", {"text": "Rule {1} of {{2}}"}).message == "Noted: Rule {1} of {{2}}."


def test_the_page_of_a_hand_keeps_names(turner, club):
    answer = send(turner, "hand", {"hands": no_hands(), "mahjong": {"by": "3", "from": "1"}})
    changed = {"hands": no_hands(), "mahjong": {"by": "4", "from": "1"}}
    send(turner, "correct", {"entry": answer.entry, "body": changed})
    page = signed_in(logins(club)["scorekeeper"]).get(f"/c/bramley/sessions/{turner.pk}/hands/{answer.entry}/")
    # What a script carries for the tablet is no text: it has the rule set's words next to the club's.
    # Nor do the other views of the table belong to this page.
    text = re.sub("<(script|template).*?</\\1>", "", page.content.decode(), flags=re.S)
    assert "Discarded by Bamboo." in text
    assert "Mah-jong goes Mah-Jongg; then Exposed goes Mah-Jongg" in text
    assert "Sticks" not in text
    assert "Open Mah-Jongg" not in text


def test_what_waits_keeps_names(turner, club):
    body = {"hands": no_hands(), "mahjong": {"by": "3", "from": "1"}}
    send(turner, "hand", body)
    assert send(turner, "hand", body, seats={"E": "1"}).outcome == "contested"
    page = signed_in(logins(club)["scorekeeper"]).get(f"/c/bramley/sessions/{turner.pk}/table/")
    assert page.content.decode().count("<b>Mah-jong goes Mah-Jongg</b>") == 2


def test_a_refusal_says_a_typed_set_as_it_was_typed(club, people, secretary):
    table = start_session(club, AFTERNOON, 1, people, "baggaley", {}, by=secretary)
    hands = {**no_hands(), "1": {"sets": ["exposed pung bamboo"], "tiles": ""}}
    answer = send(table, "hand", {"hands": hands, "mahjong": {"by": "1", "from": "wall"}})
    assert answer.message == "East's set has an unknown tile: BAMBOO."
    hands["1"] = {"sets": ["an exposed pung"]}
    answer = send(table, "hand", {"hands": hands, "mahjong": {"by": "1", "from": "wall"}})
    assert "East's set an exposed pung is not understood" in answer.message


def test_a_hand_of_the_clubs_own_keeps_its_name(club, people, secretary):
    own = {"key": "own", "name": "Mah-jong in Circles", "value": 100, "fishing": None}
    table = start_session(club, AFTERNOON, 1, people, "beginners", {}, by=secretary)
    table.club_hands = [own]
    seats = [{"number": str(number), "name": name, "wind": "ESWN"[number - 1]} for number, name in enumerate(NAMES, 1)]
    body = {"hands": {**no_hands(), "1": {"special": "own"}}, "mahjong": {"by": "1", "from": "wall"}}
    shown = EnteredHand(table, current_seating(table), body, seats, []).shown()
    assert shown["players"][0]["lines"][0]["name"] == "Mah-jong in Circles"
    offered = HandEntryPage(
        table, current_seating(table), number=1, urls={"score": "", "save": "", "back": ""}
    ).context()
    assert offered["entry"]["special_hands"][-1]["name"] == "Mah-jong in Circles"
