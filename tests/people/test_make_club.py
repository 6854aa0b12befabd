"""The command line makes a club and lets logins in."""

import pytest
from django.core.management import CommandError, call_command

from sessions_app.models import Change, Club, Membership, User

pytestmark = pytest.mark.django_db


def out_of(capsys, *command, **options):
    call_command(*command, **options)
    return capsys.readouterr().out


def test_a_club_with_its_secretary_can_be_entered(client, capsys):
    printed = out_of(capsys, "make_club", "Purbeck u3a", secretary="pat")
    password = printed.rsplit(" ", 1)[1].strip()
    assert printed.startswith("Purbeck u3a is at /c/purbeck-u3a/.\nSign in as pat with the password ")
    assert client.login(username="pat", password=password)
    assert client.get("/c/purbeck-u3a/").status_code == 200
    assert list(Change.objects.values_list("action", flat=True).order_by("pk")) == ["add", "role"]


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
    assert not Club.objects.exists() and not User.objects.exists()


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
