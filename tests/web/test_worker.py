"""What lets a tablet open its tables without the server: the worker, the manifest, and the page of what waits."""

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from sessions_app.people.clubs import make_invite
from tests.factories import BY, house
from tests.logins import logins, signed_in

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


PASSWORD = "three tall cranes"


def enter(client, user):
    user.set_password(PASSWORD)
    user.save()
    return client.post(reverse("sign-in"), {"username": user.username, "password": PASSWORD}, follow=True)


def test_who_signs_in_after_somebody_of_another_club_has_the_kept_pages_forgotten(club, cast, other_club):
    at_home, eve = house(club, cast.all[:4]), logins(other_club)["secretary"]
    tablet = signed_in(at_home.secretary)
    tablet.get(reverse("club", args=[club.slug]))
    answer = enter(tablet, eve)
    assert [status for _, status in answer.redirect_chain] == [302, 302]
    assert answer.headers["Kept-Pages"] == "all"
    # Once is enough: later pages are kept again.
    assert "Kept-Pages" not in tablet.get(reverse("club", args=[other_club.slug])).headers


def test_a_part_of_a_page_does_not_take_the_word_away(club, cast, other_club):
    at_home, eve = house(club, cast.all[:4]), logins(other_club)["secretary"]
    tablet, address = signed_in(at_home.secretary), reverse("club", args=[other_club.slug])
    eve.set_password(PASSWORD)
    eve.save()
    tablet.post(reverse("sign-in"), {"username": eve.username, "password": PASSWORD})
    for headers in ({"hx-request": "true"}, {"sec-fetch-mode": "cors"}):
        assert "Kept-Pages" not in tablet.get(address, headers=headers).headers
    assert tablet.get(address, headers={"sec-fetch-mode": "navigate"}).headers["Kept-Pages"] == "all"


def test_a_tablet_with_another_clubs_code_forgets_too_and_one_with_the_clubs_own_does_not(club, cast, other_club):
    at_home = house(club, cast.all[:4])
    for user, forgets in ((logins(other_club)["secretary"], "all"), (at_home.scorekeeper, None)):
        tablet = Client()
        tablet.get(reverse("by-key", args=[at_home.table_session.scoring_key]))
        assert enter(tablet, user).headers.get("Kept-Pages") == forgets


def test_what_is_kept_of_a_club_stays_for_its_other_members(club, cast):
    """A tablet that the secretary made ready at home is the scorekeeper's in the hall."""
    at_home = house(club, cast.all[:4])
    tablet = signed_in(at_home.secretary)
    for user in (at_home.scorekeeper, at_home.scorekeeper, at_home.secretary):
        assert "Kept-Pages" not in enter(tablet, user).headers


def test_where_a_new_account_begins_what_is_kept_is_forgotten(club):
    invite = make_invite(club, "member", 7, True, by=BY)
    for address in (reverse("sign-up"), reverse("invite", args=[invite.token])):
        assert Client().get(address).headers["Kept-Pages"] == "all"
