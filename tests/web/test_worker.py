"""What lets a tablet open its tables without the server: the worker, the manifest, and the page of what waits."""

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.page_cast import house, signed_in

pytestmark = pytest.mark.django_db


def test_the_worker_is_asked_for_anew_each_time_and_may_look_after_every_page(client):
    answer = client.get("/sw.js")
    assert (answer.status_code, answer["Content-Type"], answer["Service-Worker-Allowed"]) == (
        200,
        "text/javascript",
        "/",
    )
    assert "no-store" in answer["Cache-Control"]
    shell = json.loads(re.search(r"^const SHELL = (.*);$", answer.content.decode(), re.M)[1])
    assert shell["static"] == "/static/"
    assert re.fullmatch(r"[0-9a-f]{12}", shell["version"])


def test_the_manifest_names_icons_that_are_there(client):
    answer = client.get("/manifest.webmanifest")
    found = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert (found["name"], found["start_url"], found["scope"], found["display"]) == (
        "Clubscore",
        "/",
        "/",
        "standalone",
    )
    assert [icon["sizes"] for icon in found["icons"]] == ["192x192", "512x512", "512x512"]
    assert [icon["purpose"] for icon in found["icons"]] == ["any", "any", "maskable"]
    for icon in found["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))


def test_every_page_names_the_manifest_and_the_policy_lets_it_and_the_worker_in(client):
    answer = client.get("/sign-in/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in answer.content.decode()
    policy = answer["Content-Security-Policy"]
    for allowed in ("worker-src 'self'", "manifest-src 'self'", "connect-src 'self'"):
        assert allowed in policy


def test_the_page_of_what_waits_is_the_same_for_everybody_and_asks_for_no_sign_in(client):
    page = client.get("/outbox/").content.decode()
    assert "Hands that have not been sent yet" in page
    assert "needs JavaScript" in page


def test_a_tablet_is_told_which_of_its_kept_pages_are_not_for_it(club, cast):
    at_home = house(club, cast.all[:4])
    table = reverse("table", args=[at_home.club.slug, at_home.table_session.pk])
    assert [Client().get(page).headers.get("Kept-Pages") for page in ("/", "/sign-in/", "/rules/")] == [
        "all", "all", None,
    ]  # fmt: skip
    member, by_code = signed_in(at_home.member), Client()
    by_code.get(reverse("by-key", args=[at_home.table_session.scoring_key]))
    for client in (member, by_code):
        assert [client.get(page).headers.get("Kept-Pages") for page in ("/sign-in/", table)] == [None, None]
    signed_in(at_home.secretary).post(reverse("scoring-new-key", args=[at_home.club.slug, at_home.table_session.pk]))
    assert by_code.get(table).headers["Kept-Pages"] == "this"
