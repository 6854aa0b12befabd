"""Signing a club up: with a new login, with one's own, and not where one club alone is served."""

import pytest
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from sessions_app.models import Change, Club, Membership, User
from tests.logins import logins, signed_in
from tests.people.test_people import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CLUB = {"club_name": "Purbeck u3a", "slug": "", "time_zone": "Europe/London", "rules": "u3a"}

LOGIN = {
    "name": "Pat Green",
    "login": "pat",
    "email": "pat@example.org",
    "password": "three tall cranes",
    "password_again": "three tall cranes",
}


def test_a_club_with_its_secretary():
    client = Client()
    assert client.post(reverse("sign-up"), {**CLUB, **LOGIN}).url == reverse("desk", args=["purbeck-u3a"])
    club = Club.objects.get()
    assert (club.name, club.slug, club.rules, club.time_zone) == ("Purbeck u3a", "purbeck-u3a", "u3a", "Europe/London")
    membership = Membership.objects.get()
    assert (membership.club, membership.user.username, membership.role) == (club, "pat", "secretary")
    assert (membership.user.get_full_name(), membership.user.email) == ("Pat Green", "pat@example.org")
    assert client.get("/c/purbeck-u3a/desk/people/").status_code == 200
    assert [(change.action, change.user, change.name) for change in Change.objects.order_by("pk")] == [
        ("add", membership.user, "Pat Green"),
        ("role", membership.user, "Pat Green"),
    ]


def test_a_login_there_is_becomes_the_secretary_of_a_second_club(club):
    member = logins(club)["member"]
    client = signed_in(member)
    assert "You are signed in as bramley-member ." in text_of(client.get(reverse("sign-up")))
    assert client.post(reverse("sign-up"), {**CLUB, "slug": "Purbeck"}).url == reverse("desk", args=["purbeck"])
    assert set(Membership.objects.filter(user=member).values_list("club__slug", "role")) == {
        ("bramley", "member"),
        ("purbeck", "secretary"),
    }


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"slug": "bramley"}, "Choose another address. This one is taken."),
        ({"slug": "purbeck u3a!"}, "Enter small letters, numbers and hyphens only, for example “purbeck-u3a”."),
        ({"club_name": " "}, "Enter the name of the club."),
        ({"rules": "tennis"}, "Select a valid choice."),
        ({"time_zone": "Mars/Phobos"}, "Select a valid choice."),
        ({"login": "bramley-Member"}, "Choose another username. This one is taken."),
        ({"password_again": "something else"}, "Enter the same password twice. These two differ."),
        ({"password": "purbeck", "password_again": "purbeck"}, "This password is too short."),
        ({"email": "pat"}, "Enter your email address in full, for example pat@example.org."),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_made_or_lost(club, typed, sentence):
    logins(club)
    answer = Client().post(reverse("sign-up"), {**CLUB, **LOGIN, **typed})
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert 'value="Pat Green"' in answer.content.decode()
    assert not Club.objects.exclude(pk=club.pk).exists()
    assert not User.objects.filter(username="pat").exists()


@override_settings(SIGN_UP=False)
def test_an_installation_for_one_club_takes_no_other():
    client = Client()
    answers = [client.get(reverse("sign-up")), client.post(reverse("sign-up"), {})]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert reverse("sign-up") not in Client().get("/").content.decode()


def test_the_front_page_leads_there():
    assert f'href="{reverse("sign-up")}"' in Client().get("/").content.decode()


def test_signing_up_is_counted_by_address():
    answers = [Client().post(reverse("sign-up"), {}) for _ in range(31)]
    assert "Too many tries from this network. Try again in 60 minutes." in text_of(answers[30])
    assert "Too many tries" not in text_of(answers[29])
    assert "Too many tries" not in text_of(Client(REMOTE_ADDR="192.0.2.9").post(reverse("sign-up"), {}))


def test_whoever_tried_too_often_learns_of_no_login_or_address_whether_it_is_taken(club):
    logins(club)
    for _ in range(30):
        Client().post(reverse("sign-up"), {})
    for typed in ({}, {"login": "bramley-member"}, {"slug": "bramley"}, {"name": ""}):
        answer = Client().post(reverse("sign-up"), {**CLUB, **LOGIN, **typed})
        wait = "Too many tries from this network. Try again in 60 minutes."
        assert (answer.status_code, answer.context["form"].errors) == (422, {"__all__": [wait]})
        # What was typed stays, so that it can be sent later.
        assert 'value="pat@example.org"' in answer.content.decode()
    assert not User.objects.filter(username="pat").exists()
