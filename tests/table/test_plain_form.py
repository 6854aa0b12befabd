"""The hand form without JavaScript: opened and saved again, it loses nothing that was entered."""

import json
import uuid
from html.parser import HTMLParser

import pytest
from django.http import QueryDict

from sessions_app.table.hand_form import read_posted_hand
from sessions_app.table.sessions import start_session
from tests.afternoon import send
from tests.conftest import AFTERNOON
from tests.logins import logins, signed_in

TOTALS = {"1": {"total": 40}, "2": {"total": 20}, "3": {"total": 20}, "4": {}}
FINES = [
    {"kind": "fine", "by": "1", "to": "2", "amount": 20},
    {"kind": "fine", "by": "4", "amount": 30},
    {"kind": "fine", "by": "1", "to": "3", "amount": 10},
]


class PlainForm(HTMLParser):
    """Collects in `fields` what a browser would send of the form without JavaScript if nothing is changed."""

    def __init__(self, text):
        super().__init__()
        self.fields, self._select, self._chosen = QueryDict(mutable=True), "", None
        self.feed(text[text.index('class="plain-hand"') :].partition("</form>")[0])

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
            self.fields.appendlist(given["name"], given.get("value") or "")
        elif tag == "select":
            self._select, self._chosen = given["name"], None
        elif tag == "option" and ("selected" in given or self._chosen is None):
            self._chosen = given.get("value", "")

    def handle_endtag(self, tag):
        if tag == "select":
            self.fields.appendlist(self._select, self._chosen)


@pytest.mark.parametrize(
    ("rules", "mahjong", "penalties"),
    [
        ("western", {"by": "1", "from": "wall", "last_tile": True, "standing": True, "consecutive": 13}, FINES),
        ("bmja", {"by": "2", "from": "1", "first_discard": True, "last_tile": True}, FINES[:1]),
        ("baggaley", [{"by": "2", "from": "1", "first_round": True}, {"by": "3", "from": "1"}], []),
        ("baggaley", [{"by": "2", "from": "1"}, {"by": "3", "from": "1", "first_round": True}], []),
    ],
)
def test_a_hand_opened_and_saved_again_is_the_same(club, cast, secretary, rules, mahjong, penalties):
    four = start_session(club, AFTERNOON, 1, cast.all[:4], rules, {}, by=secretary)
    body = {"hands": TOTALS, "mahjong": mahjong, **({"penalties": penalties} if penalties else {})}
    answer = send(four, "hand", body)
    assert answer.outcome == "recorded", answer.message
    client = signed_in(logins(club)["scorekeeper"])
    page = client.get(f"/c/{club.slug}/sessions/{four.pk}/hands/{four.entries.get().key}/change/").text
    assert read_posted_hand(PlainForm(page).fields, ["1", "2", "3", "4"]).body == body


def test_a_correction_keeps_what_nobody_was_sure_of_and_the_tiles_of_a_total(club, cast, secretary):
    four = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)
    beside = {"2": {"sets": ["exposed pung 5B"], "tiles": "1C"}, "unsure": {"1": ["from"]}}
    send(four, "hand", {"hands": TOTALS, "mahjong": {"by": "1", "from": "2"}, "beside": beside})
    client, hand = signed_in(logins(club)["scorekeeper"]), four.entries.get()
    here = f"/c/{club.slug}/sessions/{four.pk}/hands/{hand.key}"
    fields = PlainForm(client.get(f"{here}/change/").text).fields
    fields["total_3"] = "12"
    sent = client.post(f"{here}/preview/", fields.dict()).context["sent"]
    client.post(f"{here}/correct/", {"confirmed": "1", "key": sent["key"], "body": json.dumps(sent["body"]["body"])})
    hand.refresh_from_db()
    assert (hand.body["hands"]["3"], hand.body["beside"]) == ({"total": 12}, beside)


def test_a_hand_that_is_refused_keeps_them_too(club, cast, secretary):
    four = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)
    client = signed_in(logins(club)["scorekeeper"])
    beside = {"2": {"tiles": "1C"}, "unsure": {"1": ["tile"]}}
    page = client.post(
        f"/c/{club.slug}/sessions/{four.pk}/hands/record/", {"form_1": "total", "beside": json.dumps(beside)}
    )
    assert page.status_code == 422
    assert json.loads(PlainForm(page.text).fields["beside"]) == beside


def test_the_last_tile_and_the_last_discard_are_one_choice_in_one_sentence(club, cast, secretary):
    session = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)
    client = signed_in(logins(club)["scorekeeper"])
    page = client.get(f"/c/{club.slug}/sessions/{session.pk}/hands/new/").content.decode()
    assert "> Last tile of the wall or the last discard</label>" in page


@pytest.mark.parametrize("beside", [{"2": {"sets": [{"pung": "1B"}]}}, {"2": {"tiles": ["1C"]}}, {"2": 5}], ids=str)
def test_another_version_that_nobody_could_show_is_refused(club, cast, secretary, beside):
    four = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=secretary)
    body = {"hands": TOTALS, "mahjong": {"by": "1", "from": "2"}}
    client = signed_in(logins(club)["scorekeeper"])
    record = f"/c/{club.slug}/sessions/{four.pk}/hands/record/"
    refused = client.post(record, {"key": str(uuid.uuid4()), "body": json.dumps({**body, "beside": beside})})
    assert (refused.status_code, four.entries.count()) == (422, 0)
    client.post(record, {"key": str(uuid.uuid4()), "body": json.dumps(body)})
    assert four.entries.count() == 1
