"""What the tables' pages carry for the tablet's queue: the state of the table, and forms that name their command."""

import html
import json
import re

import pytest
from django.urls import reverse

from tests.factories import totals
from tests.logins import signed_in

STATE = re.compile(r'<script id="table-state" type="application/json">(.*?)</script>', re.S)


ENGINE = re.compile(r'<script id="engine-data" type="application/json">(.*?)</script>', re.S)


OTHER_VIEWS = re.compile(r"<template data-view.*?</template>", re.S)


FORM = re.compile(r'<form [^>]*data-outbox="([a-z_-]+)"')


BODY = re.compile(r'data-body="([^"]*)" data-words="([^"]*)"')


@pytest.fixture
def look(at_home):
    client = signed_in(at_home.scorekeeper)

    def page(name, *more):
        return client.get(reverse(name, args=["bramley", at_home.table_session.pk, *more])).content.decode()

    return page


def state_in(page):
    return json.loads(STATE.search(page)[1])


def test_hands_of_the_list_can_be_changed_offline_whichever_page_was_loaded(at_home, look):
    """The page that is loaded first says where, for all that is shown afterwards without loading."""
    session = at_home.table_session
    entry = reverse("hand-new", args=["bramley", session.pk])
    pages = [
        ("table",),
        ("hand-new",),
        ("hand-change", at_home.hand_key),
        ("hand", at_home.hand_key),
        ("session-sheet",),
    ]
    for page in pages:
        found = ENGINE.search(look(*page))
        assert json.loads(found[1])["table"]["look"]["hand_entry_page"] == entry, page


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("table", ["hand", "undo", "redo", "note", "finish"]),
        ("seating", ["seating", "exchange", "change_player"]),
        ("arrive", ["arrive"]),
        ("leave", ["leave"]),
        ("hand-new", []),
    ],
)
def test_each_page_names_its_commands_and_carries_the_state(at_home, look, name, commands):
    page = look(name)
    found = FORM.findall(OTHER_VIEWS.sub("", page))
    assert [kind for kind in dict.fromkeys(found)] == commands
    state = state_in(page)
    # Alice, East, won the first hand and deals again.
    assert (state["session"], state["number"], state["last"]) == (at_home.table_session.pk, 2, at_home.hand_key)
    assert (state["chairs"]["winds"], state["chairs"]["kept"]) == ([1, 2, 3, 4], 1)
    assert state["urls"]["commands"] == f"/c/bramley/sessions/{at_home.table_session.pk}/commands/"
    assert re.search(r'id="saved"[^>]* role="status"', page)


def test_the_table_page_and_state_json_tell_the_same(at_home, look):
    answer = signed_in(at_home.member).get(reverse("table-state", args=["bramley", at_home.table_session.pk])).json()
    on_page = state_in(look("table"))
    assert on_page == {name: answer[name] for name in on_page}


def test_a_correction_looked_at_carries_what_is_to_be_kept(at_home):
    client = signed_in(at_home.scorekeeper)
    address = reverse("hand-preview", args=["bramley", at_home.table_session.pk, at_home.hand_key])
    body = totals(at_home.table_session, 2, seat2=64)
    page = client.post(address, {"body": json.dumps(body), "seats": "{}"}).content.decode()
    kept, words = BODY.search(page).groups()
    assert FORM.findall(page) == ["correct"]
    assert words == "Correction of hand 1"
    answer = json.loads(html.unescape(kept))
    assert (answer["entry"], answer["body"]["mahjong"]) == (at_home.hand_key, {"by": "2"})
