"""What generated requests have broken once: each stays mended."""

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import totals
from tests.logins import signed_in

UNREADABLE = "Something went wrong and this was not saved. Reload the page and try again."


def sent(at_home, kind, body, **more):
    """Send a command as a tablet's outbox does; the tablet knew of nothing at this table."""
    command = {"key": str(uuid.uuid4()), "kind": kind, "body": body, "seats": {"E": "1", "S": "2", "W": "3", "N": "4"}}
    address = reverse("commands", args=[at_home.club.slug, at_home.table_session.pk])
    client = signed_in(at_home.scorekeeper)
    answer = client.post(address, json.dumps({**command, **more}), content_type="application/json")
    return client, answer.status_code, answer.json()["message"]


@pytest.mark.parametrize("kind", [["hand"], {"hand": 1}, 7, None, True])
def test_a_command_whose_kind_is_no_word(at_home, kind):
    _, code, message = sent(at_home, kind, {})
    assert (code, message) == (422, f"There is no command {str(kind)[:40]!r}.")


GOOD = {"1": {"total": 40}, "2": {}, "3": {}, "4": {}}


@pytest.mark.parametrize(
    "wrong",
    [
        {"hands": {**GOOD, "2": {"sets": [["1B"], "pair 2B"]}}},
        {"hands": {**GOOD, "2": {"sets": {"pung": 1}}}},
        {"hands": {**GOOD, "2": {"tiles": ["1B", "2B"]}}},
        {"hands": {**GOOD, "2": {"bonus": {"F": 1}}}},
        {"hands": {**GOOD, "2": "64"}},
        {"hands": {**GOOD, "2": [64]}},
        {"hands": GOOD, "mahjong": "1"},
        {"hands": GOOD, "mahjong": ["1"]},
        {"hands": GOOD, "penalties": ["false mahjong"]},
        {"hands": GOOD, "penalties": {"kind": "cannon"}},
        {"hands": GOOD, "beside": [1]},
    ],
    ids=str,
)
def test_a_second_record_of_a_hand_that_nobody_could_read_is_no_record(at_home, wrong):
    client, code, message = sent(at_home, "hand", wrong)
    assert (code, message) == (422, UNREADABLE)
    table = client.get(reverse("table", args=[at_home.club.slug, at_home.table_session.pk]))
    assert table.status_code == 200
    assert list(table.context["waiting"]) == []


def test_a_second_record_with_figures_that_cannot_be_is_kept_and_shown(at_home):
    client, code, _ = sent(at_home, "hand", {**totals(at_home.table_session, 1), "penalties": [{"kind": []}]})
    table = client.get(reverse("table", args=[at_home.club.slug, at_home.table_session.pk]))
    assert (code, table.status_code, len(table.context["waiting"])) == (409, 200, 1)


@pytest.mark.parametrize("where", ["3", "=fz(1)", "front", "é" * 81, "c/bramley/", "?next=/", "http:/c/"])
def test_a_way_on_that_is_no_address_leads_to_the_front_page(at_home, where):
    at_home.member.set_password("tea and tiles")
    at_home.member.save()
    fields = {"username": at_home.member.username, "password": "tea and tiles", "next": where}
    client = Client()
    assert client.post(reverse("sign-in"), fields).url == reverse("front")
    assert client.post(reverse("sign-out"), {"next": where}).url == reverse("sign-in")


@pytest.mark.parametrize(
    ("name", "method", "fields", "status"),
    [
        ("session-start", "get", {"again": "9" * 5000}, 200),
        ("log", "get", {"last": "9999-12-31"}, 422),
        ("log", "get", {"first": "0001-01-01"}, 422),
        ("log-csv", "get", {"last": "9999-12-31"}, 200),
    ],
    ids=str,
)
def test_numbers_and_days_beyond_all_measure(at_home, name, method, fields, status):
    at_home.club.time_zone = "Asia/Tokyo"
    at_home.club.save()
    answer = getattr(signed_in(at_home.secretary), method)(reverse(name, args=[at_home.club.slug]), fields)
    assert answer.status_code == status
