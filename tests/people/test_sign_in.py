"""Signing in and out, and where the front page leads."""

from urllib.parse import unquote

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from sessions_app.models import Membership, User
from tests.factories import house
from tests.logins import logins, signed_in


@pytest.fixture
def alice(club):
    user = logins(club)["member"]
    user.set_password("tea and tiles")
    user.save()
    return user


def sign_in(**fields):
    client = Client()
    return client, client.post(
        reverse("sign-in"), {"username": "bramley-member", "password": "tea and tiles", **fields}
    )


def test_the_password_is_kept_by_argon2(alice):
    assert alice.password.startswith("argon2$argon2id$")


def test_signing_in_leads_to_the_club(alice, club):
    client, answer = sign_in()
    assert answer.url == reverse("front")
    assert client.get(answer.url).url == reverse("club", args=[club.slug])


def test_signing_in_goes_on_to_where_one_was_going(alice, club):
    wanted = reverse("standings", args=[club.slug])
    assert Client().get(wanted).url == f"{reverse('sign-in')}?next={wanted}"
    assert sign_in(next=wanted)[1].url == wanted


@pytest.mark.parametrize(
    ("sent_from", "back"),
    [
        ("http://testserver/c/bramley/desk/?open=1#top", "/c/bramley/desk/%3Fopen%3D1"),
        ("https://example.org/c/bramley/desk/", "/"),
        ("http://testserver//example.org/", None),
        ("", "/"),
    ],
)
def test_whoever_sent_something_signed_out_comes_back_to_the_page_it_was_sent_from(club, alice, sent_from, back):
    headers = {"referer": sent_from} if sent_from else {}
    answer = Client().post(reverse("players", args=[club.slug]), {"full_name": "Bea"}, headers=headers)
    asked, _, following = answer.url.partition("?next=")
    assert asked == reverse("sign-in")
    if back:
        assert following == back
    else:
        assert sign_in(next=unquote(following))[1].url == reverse("front")


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_signing_in_never_leads_elsewhere(alice, elsewhere):
    assert sign_in(next=elsewhere)[1].url == reverse("front")


def test_a_wrong_password_is_said_and_the_name_stays(alice):
    _, answer = sign_in(password="wrong", next="/c/bramley/")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "<title>Error: Sign in" in text
    assert "Incorrect username or password. Enter both again." in text
    assert 'value="bramley-member"' in text
    assert 'name="next" value="/c/bramley/"' in text


@pytest.mark.parametrize("typed", ["Bramley-Member", "BRAMLEY-MEMBER", " bramley-member ", "ｂramley-member"])
def test_large_and_small_letters_of_a_username_are_one(alice, club, typed):
    client, answer = sign_in(username=typed)
    assert answer.status_code == 302
    assert client.get("/", follow=True).context["user"] == alice
    assert "Choose another username. This one is taken." in new_account(typed).content.decode()


@pytest.mark.parametrize(
    ("chosen", "typed"), [("Pat", "pat"), ("Émile", "émile"), ("zoë", "ZOË"), ("a.b+c@d", "A.B+C@D")]
)
def test_a_username_chosen_with_large_letters_signs_in_with_small_ones(db, chosen, typed):
    user = User.objects.create_user(chosen, password="tea and tiles")
    # Each sign in the name stands for itself.
    User.objects.create_user(chosen.replace(".", "x") + "x", password="tea and tiles")
    client, answer = sign_in(username=typed)
    assert answer.status_code == 302
    assert client.get(reverse("account")).context["user"] == user


def test_where_two_usernames_differ_in_their_case_alone_each_is_itself(db):
    """Two made at the same moment may."""
    users = [User.objects.create_user(name, password=f"tea and {name}") for name in ("pat", "Pat", "PAT")]
    for user in users:
        client, answer = sign_in(username=user.username, password=f"tea and {user.username}")
        assert client.get(reverse("account")).context["user"] == user


def test_commands_know_an_account_in_any_case(alice, club, capsys):
    call_command("recover_login", "Bramley-MEMBER")
    assert "/recover/" in capsys.readouterr().out
    call_command("give_login", club.slug, "BRAMLEY-member", "scorekeeper")
    assert Membership.objects.get(club=club, user=alice).role == "scorekeeper"
    call_command("erase_login", "BRAMLEY-member")
    assert "bramley-member is erased" in capsys.readouterr().out
    assert not User.objects.filter(username="bramley-member").exists()


def new_account(login):
    return Client().post(reverse("sign-up"), {"login": login})


def test_signing_out(alice, club):
    client, _ = sign_in()
    assert client.post(reverse("sign-out")).url == reverse("sign-in")
    assert client.get(reverse("club", args=[club.slug])).status_code == 302


def test_signing_out_takes_the_cookie_away_and_an_answer_to_a_sign_in_that_has_ended_does_not(alice, four):
    """The browser may have a newer one by then: of someone who signed in again in another window, or a moment ago."""
    client, _ = sign_in()
    earlier = client.cookies["sessionid"].value
    gone = client.post(reverse("sign-out")).cookies["sessionid"]
    assert (gone.value, gone["max-age"]) == ("", 0)
    late = Client()
    late.cookies["sessionid"] = earlier
    table = reverse("table", args=[four.club.slug, four.pk])
    door = reverse("commands", args=[four.club.slug, four.pk])
    answers = [late.get(table), late.get(table, {"rev": 1}), late.post(door)]
    assert all(answer.status_code in (302, 401, 403) for answer in answers)
    assert all("sessionid" not in answer.cookies for answer in answers)


def test_a_password_set_elsewhere_takes_no_cookie_away(alice, club):
    client, _ = sign_in()
    alice.set_password("pots of tea")
    alice.save()
    answer = client.get(reverse("club", args=[club.slug]))
    assert (answer.status_code, "sessionid" in answer.cookies) == (302, False)


def test_a_login_of_two_clubs_chooses(alice, club, other_club):
    Membership.objects.create(user=alice, club=other_club, role="secretary")
    text = signed_in(alice).get(reverse("front")).content.decode()
    assert [text.count(f"/c/{slug}/") for slug in ("bramley", "otley")] == [1, 1]


def test_htmx_without_a_sign_in_is_led_to_it_as_a_whole_page(club):
    answer = Client().get(reverse("club", args=[club.slug]), headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == reverse("sign-in")


def test_whoever_enters_a_hand_is_not_torn_away_from_it(client, four):
    headers = {"HX-Request": "true", "HX-Target": "score"}
    answer = client.post(reverse("hand-score", args=[four.club.slug, four.pk]), headers=headers)
    assert (answer.status_code, answer.headers.get("HX-Redirect")) == (401, None)


@pytest.mark.parametrize(
    ("field", "kept"), [("_auth_user_hash", "0" * 64), ("_auth_user_hash", ""), ("_auth_user_backend", "x")]
)
def test_a_sign_in_that_is_not_good_opens_no_page_of_the_club(alice, club, field, kept):
    client = signed_in(alice)
    page = reverse("players", args=[club.slug])
    assert client.get(page).status_code == 200
    session = client.session
    session[field] = kept
    session.save()
    answer = client.get(page)
    assert (answer.status_code, answer.url.partition("?")[0]) == (302, reverse("sign-in"))


def test_a_login_that_is_shut_opens_no_page_of_the_club(alice, club):
    client = signed_in(alice)
    type(alice).objects.filter(pk=alice.pk).update(is_active=False)
    answer = client.get(reverse("players", args=[club.slug]))
    assert (answer.status_code, answer.url.partition("?")[0]) == (302, reverse("sign-in"))


def test_a_sign_in_under_the_key_before_goes_on(alice, club, settings):
    client = signed_in(alice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key for tests only, of more than fifty characters"
    page = reverse("players", args=[club.slug])
    assert client.get(page).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert client.get(page).status_code == 200


def test_no_browser_keeps_what_a_sign_in_was_shown_of_the_club(club, cast):
    """After signing out, Back shows what the browser has kept."""
    at_home = house(club, cast.all[:4])
    secretary = signed_in(at_home.secretary)
    for name in ("club", "log", "players", "score-queries", "people", "data", "desk", "meetings", "late"):
        answer = secretary.get(reverse(name, args=[club.slug]))
        assert (name, answer.status_code, "no-store" in answer["Cache-Control"]) == (name, 200, True)
    assert secretary.get(reverse("account"))["Cache-Control"] == "private, no-store"
    # Kept, as it is spared while nothing changes: signing out takes it away.
    assert secretary.get(reverse("standings", args=[club.slug]))["Cache-Control"] == "private, no-cache"
    assert secretary.post(reverse("sign-out"))["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in secretary.get(reverse("front"))
    assert signed_in(at_home.secretary).post(reverse("sign-out-everywhere"))["Clear-Site-Data"] == '"cache"'
