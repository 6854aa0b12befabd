"""The command line makes a club and lets logins in."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from sessions_app.models import Change, Club, Membership, Player, User
from sessions_app.people.accounts import recovery_path

pytestmark = pytest.mark.django_db

OWN = "three tall cranes"


def out_of(capsys, *command, **options):
    call_command(*command, **options)
    return capsys.readouterr().out


def test_a_club_with_its_secretary_can_be_entered(client, capsys):
    printed = out_of(capsys, "make_club", "Purbeck u3a", secretary="pat")
    password = printed.rsplit(" ", 1)[1].strip()
    assert printed.startswith("Purbeck u3a is at /c/purbeck-u3a/.\nSign in as pat with the password ")
    sign_in(client, "pat", password)
    change_password(client, password, OWN)
    assert client.get("/c/purbeck-u3a/").status_code == 200
    assert list(Change.objects.values_list("action", flat=True).order_by("pk")) == ["add", "role", "new password"]


def test_two_clubs_of_one_long_name_have_addresses_of_at_most_sixty_letters(capsys):
    for secretary in ("pat", "kim"):
        call_command("make_club", "Mah-jong " * 8, secretary=secretary)
    first, second = Club.objects.order_by("pk").values_list("slug", flat=True)
    assert second == f"{first}-2"
    assert len(second) <= 60


def sign_in(client, login, password):
    return client.post(reverse("sign-in"), {"username": login, "password": password})


def change_password(client, old, new):
    fields = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post(reverse("account-password"), fields)


def test_a_printed_password_opens_only_the_page_to_change_it(client, capsys):
    """Whoever saw the output of the command, or the note it was passed on with, knows it too."""
    call_command("make_club", "Purbeck u3a", secretary="pat")
    password = capsys.readouterr().out.rsplit(" ", 1)[1].strip()
    assert sign_in(client, "pat", password).status_code == 302
    held = reverse("account-password")
    for name, *args in (("front",), ("account",), ("rule-sets",), ("club", "purbeck-u3a"), ("desk", "purbeck-u3a")):
        answer = client.get(reverse(name, args=args))
        assert (name, answer.status_code, answer.get("Location")) == (name, 302, held)
    assert client.post(reverse("players", args=["purbeck-u3a"]), {"full_name": "Bea"}).url == held
    assert Player.objects.count() == 0
    assert "Someone else made the password you have just signed in with" in client.get(held).text
    assert client.get(reverse("healthz")).status_code == 200


def test_the_same_password_again_is_no_new_one(client, capsys):
    call_command("make_club", "Purbeck u3a", secretary="pat")
    password = capsys.readouterr().out.rsplit(" ", 1)[1].strip()
    sign_in(client, "pat", password)
    answer = change_password(client, password, password)
    assert (answer.status_code, "Choose a password that differs from your current one." in answer.text) == (422, True)
    assert client.get("/c/purbeck-u3a/").status_code == 302
    assert change_password(client, password, OWN).url == reverse("front")
    assert client.get("/c/purbeck-u3a/").status_code == 200
    other = Client()
    sign_in(other, "pat", OWN)
    assert other.get("/c/purbeck-u3a/").status_code == 200


def test_a_password_chosen_by_a_link_is_ones_own(client, capsys):
    call_command("make_club", "Purbeck u3a", secretary="pat")
    link = recovery_path(User.objects.get(username="pat"))
    form = client.get(link, follow=True).request["PATH_INFO"]
    assert client.post(form, {"new_password1": OWN, "new_password2": OWN}).status_code == 302
    sign_in(client, "pat", OWN)
    assert client.get("/c/purbeck-u3a/").status_code == 200


def test_a_role_in_another_club_leaves_the_password_as_it_is(client):
    call_command("make_club", "Purbeck u3a", secretary="pat")
    pat = User.objects.get(username="pat")
    pat.set_password(OWN)
    pat.must_change_password = False
    pat.save()
    call_command("make_club", "Wool", secretary="pat")
    sign_in(client, "pat", OWN)
    assert client.get("/c/wool/").status_code == 200


def test_two_clubs_of_one_name_have_two_addresses(capsys):
    for login in ("pat", "kim"):
        call_command("make_club", "Purbeck u3a", secretary=login)
    assert sorted(Club.objects.values_list("slug", flat=True)) == ["purbeck-u3a", "purbeck-u3a-2"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"name": "  ", "secretary": "pat"}, "Enter the name of the club."),
        ({"name": "Purbeck", "secretary": "no good!"}, "Enter a valid username"),
        ({"name": "Purbeck", "secretary": "pat", "rules": "tennis"}, "Choose one of these rules: bmja, "),
    ],
)
def test_what_cannot_be_is_said_and_makes_nothing(arguments, sentence):
    name = arguments.pop("name")
    with pytest.raises(CommandError, match=sentence):
        call_command("make_club", name, **arguments)
    assert not Club.objects.exists()
    assert not User.objects.exists()


def test_a_login_is_let_in_and_its_role_changed(capsys):
    call_command("make_club", "Purbeck u3a", secretary="pat")
    capsys.readouterr()
    first = out_of(capsys, "give_login", "purbeck-u3a", "kim", "member")
    again = out_of(capsys, "give_login", "purbeck-u3a", "kim", "scorekeeper")
    assert first.startswith("kim is member of Purbeck u3a and signs in with the password ")
    assert again == "kim is scorekeeper of Purbeck u3a and signs in with the same password as before\n"
    assert Membership.objects.get(user__username="kim").role == "scorekeeper"


def test_unknown_club_and_role_are_sentences():
    with pytest.raises(CommandError, match="There is no club at /c/nowhere/."):
        call_command("give_login", "nowhere", "kim", "member")
    call_command("make_club", "Purbeck u3a", secretary="pat")
    with pytest.raises(CommandError, match="Choose one of these roles: secretary, scorekeeper, member."):
        call_command("give_login", "purbeck-u3a", "kim", "king")
