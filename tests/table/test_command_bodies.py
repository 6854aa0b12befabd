"""What a tablet sends never becomes work: each kind of command has its keys, and each key its type and size."""

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from clubscore.play.command_kinds import AT_TABLE, KINDS, Value
from sessions_app.models import Command, Entry, Throttle
from sessions_app.table.command_bodies import FITS
from tests.factories import totals
from tests.logins import signed_in
from tests.reconciled import reconcile
from tests.share import shared

pytestmark = pytest.mark.slow

NOT_SAVED = "Something went wrong and this was not saved. Reload the page and try again."
OTHER_VERSION = "We could not read the other version of a player’s hand. Enter that player’s hand again."
# Written as JSON where Python would rather not.
ABSURD = [
    *("0", "-1", "1", "true", "null", "1.5", "1e308", "[]", "{}", '""'),
    *(str(2**31), str(2**63), str(-(2**63) - 1), str(10**30), str(10**39), str(-(10**4000))),
    *('"\\u0000"', '"\\ud800"', '"1\\u00002"', '"²"', '"٣"', '"9999999999999999999999"'),
    *('"' + "a" * 60_000 + '"', "[" + "[]," * 20_000 + "[]]", "[" * 900 + "]" * 900),
    "{" + ",".join(f'"{number}": {{}}' for number in range(9_000)) + "}",
    '{"1": {"1": {"1": [[[{}]]]}}}',
    '{"E": 1, "": "1", "\\u0000": "2"}',
    '[{"by": {"a": 1}}, 7, null]',
]
ANSWERS = {200, 201, 400, 403, 409, 422}
# What the largest body is that can be stored, in letters of its JSON; the hands of an afternoon take a few hundred.
LARGEST = 15_000


@pytest.fixture
def tablet(at_home):
    client = Client()
    client.get(reverse("by-key", args=[at_home.table_session.scoring_key]))
    return sender(client, at_home)


def sender(client, at_home):
    address = reverse("commands", args=[at_home.club.slug, at_home.table_session.pk])

    def send(kind, body, /, **more):
        """Send a command; `body` and `more` are JSON, unless they are values."""
        # As if a minute lay between any two.
        Throttle.objects.all().delete()
        parts = {"key": str(uuid.uuid4()), "kind": kind, "body": body, **more}
        written = ((name, value if isinstance(value, Raw) else json.dumps(value)) for name, value in parts.items())
        text = ",".join(f'"{name}": {value}' for name, value in written)
        answer = client.post(address, f"{{{text}}}", content_type="application/json")
        return answer.status_code, answer.json()

    return send


class Raw(str):
    """A value that is JSON already."""


# A body of each kind that is well-formed; KEY is that of the only hand.
GOOD = {
    "hand": {"hands": {}, "mahjong": None, "penalties": [], "beside": {}, "agreed": ""},
    "arrive": {"player": 1},
    "leave": {"seat": "4"},
    "seating": {"winds": {"E": "2", "S": "1", "W": "3", "N": "4"}, "out": [], "exchange": ["1", "2"]},
    "exchange": {"a": "1", "b": "2", "entry": "KEY"},
    "fine": {"by": "1", "to": "2", "amount": 10, "why": "late"},
    "note": {"text": "Tea.", "last": 3},
    "insert": {"kind": "hand", "before": "KEY", "body": {"hands": {}, "mahjong": None}},
    "correct": {"entry": "KEY", "version": 1, "body": {"hands": {}, "mahjong": None}, "keep_seats": True},
    "agree": {"entry": "KEY", "seat": "1"},
    "take_out": {"entry": "KEY", "version": 1},
    "put_back": {"entry": "KEY", "version": 1},
    "change_player": {"seat": "1", "player": 1},
    "finish": {},
    "reopen": {},
    "undo": {"of": "KEY"},
    "redo": {},
    "choose": {"keep": None, "drop": ["KEY"]},
}


def test_every_kind_and_every_key_is_walked():
    """What only the secretary does to a session has no body that a tablet sends."""
    assert {*GOOD} == AT_TABLE
    assert {kind: {*body} for kind, body in GOOD.items()} == {kind: {*KINDS[kind].body} for kind in AT_TABLE}
    assert {*FITS} == {*Value}


@pytest.mark.parametrize("kind", GOOD)
def test_absurd_values_of_every_key_are_answered_and_never_stored_whole(at_home, tablet, kind):
    answered = set()
    for turn, key in enumerate(GOOD[kind], list(GOOD).index(kind)):
        for absurd in shared(ABSURD, turn):
            body = {**json.loads(json.dumps(GOOD[kind]).replace("KEY", at_home.hand_key)), key: Raw(absurd)}
            text = ",".join(f'"{name}": {v if isinstance(v, Raw) else json.dumps(v)}' for name, v in body.items())
            answered.add(tablet(kind, Raw(f"{{{text}}}"))[0])
    assert answered <= ANSWERS
    assert max(len(json.dumps(body)) for body in Command.objects.values_list("body", flat=True)) < LARGEST
    assert max(len(json.dumps(body)) for body in Entry.objects.values_list("body", flat=True)) < LARGEST
    assert reconcile() == []


@pytest.mark.parametrize("name", ["key", "kind", "body", "device", "after", "seats", "why"])
def test_absurd_values_of_everything_around_a_body_are_answered(at_home, tablet, name):
    # Nested about as deep as Python reads and writes lists, which it does not do equally deep.
    deep = ["[" * depth + "]" * depth for depth in range(850, 1001, 3)]
    for absurd in shared(ABSURD + deep, len(name)):
        assert tablet("note", {"text": "Tea."}, **{name: Raw(absurd)})[0] in ANSWERS
    assert max(len(json.dumps(seats)) for seats in Command.objects.values_list("seats", flat=True)) < 100


def test_absurd_totals_that_a_tablet_says_it_showed_are_answered(at_home, tablet):
    deep = ["[" * depth + "]" * depth for depth in range(850, 1001, 3)]
    for absurd in shared(ABSURD + [f'{{"1": {value}}}' for value in ABSURD + deep]):
        body = totals(at_home.table_session, 1, seat1=40)
        assert tablet("hand", body, shown=Raw(absurd))[0] in ANSWERS


BIG = {str(number): {"total": 0} for number in range(9_000)}


@pytest.mark.parametrize(
    "body",
    [
        {"hands": BIG, "mahjong": None},
        {"hands": {"1": {"tiles": "", "x" * 50_000: 0}}, "mahjong": None},
        {"hands": {}, "mahjong": None, "penalties": [{"kind": "fine", "by": "1", "amount": 1, "why": "x" * 50_000}]},
        {"hands": {}, "mahjong": None, "more": "x" * 50_000},
        {"hands": {}, "mahjong": None, "agreed": "x" * 50_000},
    ],
    ids=["many hands", "a long key", "a long penalty", "an unknown key", "a long answer"],
)
def test_a_hand_that_nobody_won_is_no_larger_than_others(tablet, body):
    """It is right in any seating, so its tiles are not scored."""
    assert tablet("hand", body)[1]["message"] == NOT_SAVED
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"tiles": "HELLO"},
        {"tiles": "1C 1C 1C F1"},
        {"sets": ["foo"]},
        {"sets": ["pung"]},
        {"sets": [""]},
        {"sets": ["concealed chow 9C"]},
        {"bonus": "ZZ"},
        {"total": "many"},
        {"total": 10**30},
        {"figure": 1},
        {"tiles": "1C " * 1_000},
        {"special": "x" * 2_000},
    ],
    ids=lambda other: str(other)[:30],
)
@pytest.mark.parametrize("kind", ["hand", "insert", "correct"])
def test_another_version_that_cannot_be_read_is_refused_in_a_sentence(at_home, tablet, kind, other):
    body = {**totals(at_home.table_session, 1, seat1=40), "beside": {"2": other}}
    if kind != "hand":
        body = {"before" if kind == "insert" else "entry": at_home.hand_key, "body": body}
    status, answer = tablet(kind, body)
    assert (status, answer["outcome"], answer["message"]) == (422, "invalid", OTHER_VERSION)
    assert Entry.objects.get().body["hands"]["1"] == {"total": 100}


def test_another_version_that_waits_for_a_choice_is_read_as_well(at_home, tablet):
    body = {**totals(at_home.table_session, 1, seat1=40), "beside": {"2": {"tiles": "HELLO"}}}
    assert tablet("hand", body, seats={"E": "1", "S": "2", "W": "3", "N": "4"})[1]["message"] == OTHER_VERSION
    assert tablet("finish", {})[0] == 200
    assert tablet("hand", body)[1]["message"] == OTHER_VERSION


@pytest.mark.parametrize(
    "beside",
    [
        {"2": {"sets": ["exposed pung 5B", "pair R"], "tiles": "1C 2C", "bonus": "F1 S3"}, "unsure": {"1": ["from"]}},
        {"1": {"total": 64}, "2": {"points": 36, "doubles": 2}, "3": {"special": "gates_of_heaven"}, "4": {}},
        {"unsure": {"1": ["from", "tile", "any tile"], "2": ["exposed pung 5B"]}},
    ],
)
def test_other_versions_as_hand_entry_sends_them_are_kept(at_home, tablet, beside):
    body = {**totals(at_home.table_session, 1, seat1=40), "beside": beside}
    status, answer = tablet("hand", body)
    assert (status, Entry.objects.get(key=answer["entry"]).body["beside"]) == (201, beside)


def test_what_a_kind_does_not_have_is_left_out(at_home, tablet):
    assert tablet("note", {"text": "Tea.", "more": "x" * 9_000})[0] == 201
    assert tablet("finish", {"of": "KEY", "hands": {}})[0] == 200
    assert list(Command.objects.order_by("pk").values_list("body", flat=True))[-2:] == [{"text": "Tea."}, {}]


def test_a_command_that_comes_again_with_more_in_it_is_the_same(at_home, tablet):
    key = str(uuid.uuid4())
    assert tablet("note", {"text": "Tea."}, key=key)[0] == 201
    assert tablet("note", {"text": "Tea.", "more": 1}, key=key)[1]["outcome"] == "again"


def test_a_page_says_so_too(at_home):
    body = {**totals(at_home.table_session, 1, seat1=40), "beside": {"2": {"tiles": "HELLO"}}}
    address = reverse("hand-record", args=[at_home.club.slug, at_home.table_session.pk])
    page = signed_in(at_home.scorekeeper).post(address, {"key": str(uuid.uuid4()), "body": json.dumps(body)})
    assert (page.status_code, OTHER_VERSION in page.text) == (422, True)
