"""Bad hands at the table: one sentence at the right place, and everything typed still there."""

import json
import re

import pytest
from django.urls import reverse

from tests.factories import record
from tests.logins import signed_in

WINNER = {"sets": ["exposed pung 2B", "exposed pung 3B", "exposed pung 4B", "exposed pung 6B", "pair 9C"]}


CLAIMED = {"by": "1", "tile": "6B", "from": "2"}


TWO_CHOWS = {"sets": ["exposed chow 1C", "exposed chow 4C", "exposed pung 4B", "exposed pung 6B", "pair 9C"]}


BAD = {
    "fifth copy": (WINNER, {"tiles": "2B 2B"}, CLAIMED, "Bob: 2 Bamboo is at the table 5 times; there are only four."),
    "no Mah-jong": (
        {"tiles": "1C 2C 4C 9D E"},
        {},
        {"by": "1", "tile": "E", "from": "2"},
        "Alice: East has 5 tiles. A Mah-jong has 14.",
    ),
    "two chows": (
        TWO_CHOWS,
        {},
        CLAIMED,
        "Alice: East's hand has too many chows: one chow at most in a Mah-jong.",
    ),
    "winning tile missing": (
        WINNER,
        {},
        {"by": "1", "tile": "7B", "from": "2"},
        "Alice: The winning tile, 7 Bamboo, is not in East's hand.",
    ),
    "letters for a total": (
        {"total": "lots"},
        {},
        {"by": "1"},
        "Alice: East's total must be a whole number, not lots.",
    ),
}  # fmt: skip


def post(at_home, fields, name="hand-record"):
    client = signed_in(at_home.scorekeeper)
    return client.post(reverse(name, args=[at_home.club.slug, at_home.table_session.pk]), fields)


def fields(at_home, body):
    return {
        "body": json.dumps(body),
        "key": "1f0c3d54-6f5e-4a9f-8f0b-0c8de2f6b001",
        "after": at_home.hand_key,
        "seats": json.dumps({"E": "1", "S": "2", "W": "3", "N": "4"}),
    }


def summary(answer):
    """The words of the error summary, tags taken off."""
    text = answer.content.decode()
    found = re.search(r'id="error-summary".*?<ul><li>(.*?)</li></ul>', text, re.S)
    return re.sub(r"<[^>]*>", "", found.group(1)).replace("&#x27;", "'")


@pytest.mark.parametrize("name", BAD)
def test_a_bad_hand_is_answered_with_its_sentence_and_kept(at_home, name):
    winner, loser, mahjong, sentence = BAD[name]
    body = {"hands": {"1": winner, "2": loser, "3": {"total": 12}, "4": {}}, "mahjong": mahjong}
    answer = post(at_home, fields(at_home, body))
    assert answer.status_code == 422
    assert summary(answer) == sentence
    assert "<title>Error: Hand 2, table 1" in answer.content.decode()
    assert answer.context["entry"]["body"] == body
    assert answer.context["entry"]["key"] == "1f0c3d54-6f5e-4a9f-8f0b-0c8de2f6b001"
    assert at_home.table_session.hands.count() == 1


def test_letters_for_a_total_in_the_plain_form_stay_in_their_field(at_home):
    typed = {
        "form_1": "total", "total_1": "sixty", "form_2": "nothing", "form_3": "nothing",
        "form_4": "tiles", "tiles_4": "1C 1C", "winner": "1",
    }  # fmt: skip
    answer = post(at_home, typed)
    assert answer.status_code == 422
    assert summary(answer) == "Alice: “sixty” is not a whole number. Enter the total in figures, for example 64."
    assert 'name="total_1" value="sixty"' in answer.content.decode()
    assert 'name="tiles_4" value="1C 1C"' in answer.content.decode()


def test_a_hand_for_a_finished_session_is_kept_and_said(at_home):
    record(at_home.table_session, {}, kind="finish")
    body = {"hands": {"1": WINNER, "2": {}, "3": {}, "4": {}}, "mahjong": CLAIMED}
    answer = post(at_home, fields(at_home, body))
    assert answer.status_code == 422
    assert (
        summary(answer)
        == "This table has finished. You have not lost anything. What you sent is kept for the secretary to check. "
        "You need do nothing more."
    )
    assert answer.context["entry"]["body"] == body
    table = signed_in(at_home.secretary).get(reverse("table", args=[at_home.club.slug, at_home.table_session.pk]))
    assert [card.words for card in table.context["waiting"]] == ["A hand: Alice goes Mah-jong"]


def test_the_same_hand_sent_twice_is_one_hand(at_home):
    body = {"hands": {"1": WINNER, "2": {}, "3": {}, "4": {}}, "mahjong": CLAIMED}
    answers = [post(at_home, fields(at_home, body)) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert at_home.table_session.hands.count() == 2


def test_the_score_so_far_says_what_is_wrong_and_never_fails(at_home):
    winner, loser, mahjong, _ = BAD["fifth copy"]
    body = {"hands": {"1": winner, "2": loser, "3": {}, "4": {}}, "mahjong": mahjong}
    answer = post(at_home, fields(at_home, body), "hand-score")
    assert answer.status_code == 200
    assert re.findall('<p class="field-error[^>]*>([^<]*)</p>', answer.json()["html"]) == [
        "Bob: 2 Bamboo is at the table 5 times; there are only four."
    ]


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"hands": 3}', '{"hands": {"1": []}, "mahjong": [1]}'])
def test_what_cannot_be_read_is_said(at_home, body):
    answer = post(at_home, {**fields(at_home, {}), "body": body})
    assert answer.status_code == 422
    assert at_home.table_session.hands.count() == 1


BY_TOTALS = {f"form_{seat}": "nothing" for seat in "124"} | {"form_3": "total", "total_3": "33", "winner": "1"}


def plain_part(answer):
    return answer.text[answer.text.index('class="plain-hand"') :]


def test_a_typed_total_is_asked_about_once_on_the_plain_page(at_home):
    typed = {**BY_TOTALS, "form_1": "total", "total_1": "100", "plain_key": "1f0c3d54-6f5e-4a9f-8f0b-0c8de2f6b001"}
    answer = post(at_home, typed)
    assert (answer.status_code, at_home.table_session.hands.count()) == (200, 1)
    page = plain_part(answer)
    assert re.findall(r'class="please-check">([^<]*)<', page) == ["British totals are even. Is 33 right?"]
    assert "Carol: British totals are even. Is 33 right?</a> If it is right, press “Save hand 2” again." in page
    assert 'name="total_3" value="33"' in page
    has_asked = dict(re.findall(r'name="(asked_\d)" value="([^"]*)"', page))
    assert has_asked == {"asked_1": "100", "asked_3": "33"}
    # Another figure is another question; the same one is believed.
    assert "Is 35 right?" in post(at_home, {**typed, **has_asked, "total_3": "35"}).text
    assert post(at_home, {**typed, **has_asked}).status_code == 302
    assert at_home.table_session.hands.count() == 2


def test_a_tablet_that_has_asked_itself_is_not_asked_again(at_home):
    body = {"hands": {"1": {"total": 100}, "2": {}, "3": {"total": 33}, "4": {}}, "mahjong": {"by": "1"}}
    assert post(at_home, fields(at_home, body)).status_code == 302


@pytest.mark.parametrize("name", ["hand-preview", "hand-insert"])
def test_a_change_on_the_plain_page_asks_beside_what_it_changes(at_home, name):
    client = signed_in(at_home.scorekeeper)
    address = reverse(name, args=[at_home.club.slug, at_home.table_session.pk, at_home.hand_key])
    text = client.post(address, {**BY_TOTALS, "form_1": "total", "total_1": "100"}).text
    question = "Carol: British totals are even. Is 33 right?"
    assert re.findall(r'class="please-check">([^<]*)<', text) == [question]
