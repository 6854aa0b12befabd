"""The demonstration club: loads through the door, has a table in play, and is never loaded twice."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from sessions_app.models import Club, Hand, Player, Session, Tally, User
from tests.reconciled import reconcile


def check_what_is_there(club):
    assert club.name == "Demonstration Mah-jong Club"
    assert Player.objects.of_club(club).count() == 14
    states = list(Session.objects.of_club(club).values_list("state", flat=True))
    assert (states.count("finished"), states.count("open")) == (8, 1)
    assert Session.objects.get(state="open").seats.count() == 5
    assert Hand.objects.exclude(question="").count() == 0
    # The table of three is an afternoon that was worked out apart from this code.
    nets = Tally.objects.filter(session__table=3).values_list("player__full_name", "net")
    assert dict(nets) == {"Maureen Dale": 4411, "Alan Cooper": -2253, "Barbara Field": -2158}
    assert list(reconcile()) == []


def check_logins(club, printed):
    table = reverse("table", args=[club.slug, Session.objects.get(state="open").pk])
    for role in ("secretary", "scorekeeper", "member"):
        client = Client()
        answer = client.post(reverse("sign-in"), {"username": f"demo-{role}", "password": f"demo-{role}"})
        assert answer.status_code == 302
        assert client.get(table).status_code == 200
        assert f"demo-{role}" in printed
    own = client.get(reverse("me", args=[club.slug])).content.decode()
    assert "You play as <b>Jean Atkins</b>" in own
    assert "member, who is Jean Atkins" in printed


@pytest.mark.django_db
def test_the_demonstration_club(capsys):
    call_command("load_demo")
    club = Club.objects.get(slug="demonstration")
    check_what_is_there(club)
    check_logins(club, capsys.readouterr().out)
    call_command("load_demo")
    assert capsys.readouterr().out == "The demonstration club is there already; nothing was changed.\n"
    assert Session.objects.count() == 9


@pytest.mark.django_db
def test_passwords_that_everyone_knows_are_not_accepted_over_https():
    call_command("load_demo")
    fields = {"username": "demo-secretary", "password": "demo-secretary"}
    for username in ("demo-secretary", "Demo-Secretary"):
        answer = Client().post(reverse("sign-in"), {**fields, "username": username}, secure=True)
        assert answer.status_code == 422
        assert "Everyone knows this password" in answer.content.decode()
    secretary = User.objects.get(username="demo-secretary")
    secretary.set_password("tea and tiles")
    secretary.save()
    fields["password"] = "tea and tiles"
    assert Client().post(reverse("sign-in"), fields, secure=True).status_code == 302
