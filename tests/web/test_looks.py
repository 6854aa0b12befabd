"""Large type, high contrast, left hand: kept by the device, on every page, without an account."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.logins import signed_in


def turn(client, key, back="/"):
    return client.post(reverse("looks"), {"turn": key, "next": back})


def root_of(answer):
    text = answer.content.decode()
    return text[text.index("<html") : text.index(">", text.index("<html")) + 1]


def test_nothing_is_on_to_begin_with(db):
    assert root_of(Client().get("/sign-in/")) == '<html lang="en-GB">'


def test_each_switch_goes_on_and_off_by_itself(db):
    client = Client()
    for key, kept in (("left", "left"), ("large", "large.left"), ("contrast", "large.contrast.left"),
                      ("large", "contrast.left")):  # fmt: skip
        turn(client, key)
        assert client.cookies["looks"].value == kept
    assert root_of(client.get("/sign-in/")) == '<html lang="en-GB" class="is-contrast is-left">'


@pytest.mark.parametrize("name", ["table", "hand-new", "session-sheet"])
def test_the_pages_at_the_table_follow(at_home, name):
    client = signed_in(at_home.scorekeeper)
    turn(client, "large")
    answer = client.get(reverse(name, args=[at_home.club.slug, at_home.table_session.pk]))
    assert root_of(answer) == '<html lang="en-GB" class="is-large">'


def test_the_cookie_is_the_devices_and_lasts_a_year(db):
    cookie = turn(Client(), "large").cookies["looks"]
    assert (cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (31_536_000, True, "Lax")


def test_one_comes_back_to_where_one_was(at_home):
    client = signed_in(at_home.scorekeeper)
    table = reverse("table", args=[at_home.club.slug, at_home.table_session.pk])
    assert f"/looks/?next={table}" in client.get(table).content.decode()
    answer = turn(client, "large", table)
    assert answer.status_code == 302
    assert f'href="{table}">Done</a>' in client.get(answer.url).content.decode()


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "javascript:alert(1)"])
def test_another_site_is_no_way_back(db, elsewhere):
    answer = Client().get(reverse("looks"), {"next": elsewhere})
    assert answer.context["back"] == "/"
    assert "example.org" not in turn(Client(), "large", elsewhere).url


def test_a_broken_cookie_is_no_cookie(db):
    client = Client()
    client.cookies["looks"] = 'large"><script>.left'
    assert root_of(client.get("/sign-in/")) == '<html lang="en-GB" class="is-left">'
    turn(client, "nothing of the kind")
    assert client.cookies["looks"].value == "left"
