"""Forms with an old token, or from a browser without cookies: nothing typed is lost, and nothing is sent unasked."""

from html.parser import HTMLParser

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from sessions_app.models import Player, User
from tests.factories import house
from tests.people.test_people import text_of

OWN = {"origin": "http://testserver"}
PASSWORD = "three tall cranes"
NOT_OURS = ["https://evil.example", "null", "http://testserver.evil.example", "https://testserver", None]


class Forms(HTMLParser):
    """The forms of a page that post: their address, and what is in them."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and given.get("method") == "post":
            self.found.append((given["action"], []))
        elif tag == "input" and given.get("name") and self.found:
            self.found[-1][1].append((given["name"], given.get("value", "")))

    def to(self, address):
        [fields] = [fields for action, fields in self.found if action == address]
        return fields


@pytest.fixture
def at_home(club, cast):
    at_home = house(club, cast.all[:4])
    for user in (at_home.secretary, at_home.member):
        user.set_password(PASSWORD)
        user.save()
    return at_home


def token(client, page):
    return dict(Forms(client.get(page).content.decode()).found[-1][1])["csrfmiddlewaretoken"]


def enter(client, user, *, at=None, **headers):
    fields = {"username": user.username, "password": PASSWORD, "csrfmiddlewaretoken": at or token(client, "/sign-in/")}
    return client.post(reverse("sign-in"), fields, headers={**OWN, **headers})


@pytest.fixture
def browser(at_home):
    """A browser whose page of players was opened before its user signed in again in another tab."""
    client = Client(enforce_csrf_checks=True)
    assert enter(client, at_home.secretary).status_code == 302
    client.old = token(client, players(at_home))
    assert enter(client, at_home.secretary).status_code == 302
    return client


def players(at_home):
    return reverse("players", args=[at_home.club.slug])


def press(client, answer, address):
    """Press the button of the page: what a browser then sends."""
    fields = {}
    for name, value in Forms(answer.content.decode()).to(address):
        fields.setdefault(name, []).append(value)
    return client.post(address, fields, headers=OWN)


TYPED = {"full_name": 'Old "Form" <b>', "short_name": "Oldie", "guest": "on"}


def test_what_was_typed_is_shown_and_saved_by_one_more_press(browser, at_home):
    answer = browser.post(players(at_home), {**TYPED, "csrfmiddlewaretoken": browser.old}, headers=OWN)
    page = answer.content.decode()
    assert (answer.status_code, "Please send that once more" in page) == (403, True)
    assert "You are signed in as bramley-secretary" in text_of(answer)
    assert "<li>Old &quot;Form&quot; &lt;b&gt;</li>" in page
    assert "<li>Oldie</li>" in page
    assert not Player.objects.filter(short_name="Oldie").exists()
    assert browser.old not in page
    assert press(browser, answer, players(at_home)).status_code == 302
    saved = Player.objects.get(short_name="Oldie")
    assert (saved.full_name, saved.guest) == ('Old "Form" <b>', True)


def test_every_value_of_a_field_and_the_query_are_kept(browser, at_home):
    """Several ticks of one name, and where the page leads back to."""
    address = f"{reverse('players', args=[at_home.club.slug])}?back=/c/bramley/"
    sent = {"listed": ["3", "5"], "full_name": "Two Ticks", "csrfmiddlewaretoken": browser.old}
    answer = browser.post(address, sent, headers=OWN)
    fields = Forms(answer.content.decode()).to(address)
    assert [pair for pair in fields if pair[0] != "csrfmiddlewaretoken"] == [
        ("listed", "3"), ("listed", "5"), ("full_name", "Two Ticks"),
    ]  # fmt: skip


@pytest.mark.parametrize("origin", NOT_OURS)
def test_a_form_of_another_site_is_shown_to_nobody(browser, at_home, origin):
    headers = {"origin": origin} if origin else {}
    for sent in ({"csrfmiddlewaretoken": browser.old}, {}):
        answer = browser.post(players(at_home), {**TYPED, **sent}, headers=headers)
        assert answer.status_code == 403
        assert b"Oldie" not in answer.content
        assert b"Send it again" not in answer.content
    without_cookies = Client(enforce_csrf_checks=True)
    answer = without_cookies.post(players(at_home), TYPED, headers=headers)
    assert (answer.status_code, b"Oldie" in answer.content) == (403, False)


@pytest.mark.parametrize("headers", [{"sec-fetch-mode": "cors"}, {"hx-request": "true"}])
def test_a_script_gets_no_form(browser, at_home, headers):
    sent = {**TYPED, "csrfmiddlewaretoken": browser.old}
    answer = browser.post(players(at_home), sent, headers={**OWN, **headers})
    assert (answer.status_code, b"Oldie" in answer.content) == (403, False)


def test_no_password_is_ever_shown(browser, at_home):
    sent = {"name": "Pat Green", "email": "pat@example.org", "password": PASSWORD}
    answer = browser.post(reverse("account"), {**sent, "csrfmiddlewaretoken": browser.old}, headers=OWN)
    fields = dict(Forms(answer.content.decode()).to(reverse("account")))
    assert (fields["name"], fields["email"], "password" in fields) == ("Pat Green", "pat@example.org", False)
    assert PASSWORD not in answer.content.decode()
    again = press(browser, answer, reverse("account"))
    assert (again.status_code, 'value="Pat Green"' in again.content.decode()) == (422, True)

    words = {"old_password": PASSWORD, "new_password1": "four tall cranes", "new_password2": "four tall cranes"}
    answer = browser.post(reverse("account-password"), {**words, "csrfmiddlewaretoken": browser.old}, headers=OWN)
    assert (answer.status_code, b"cranes" in answer.content) == (403, False)
    assert "Open the page again" in text_of(answer)


def test_a_file_has_to_be_chosen_again(browser, at_home):
    address = reverse("import-players", args=[at_home.club.slug])
    sent = {"file": SimpleUploadedFile("players.csv", b"Ann Abel\n"), "csrfmiddlewaretoken": browser.old}
    answer = browser.post(address, sent, headers=OWN)
    assert (answer.status_code, "Open the page again" in text_of(answer)) == (403, True)


def test_without_cookies_the_page_says_so_and_how_to_allow_them(at_home):
    client = Client(enforce_csrf_checks=True)
    sent = {"username": "bramley-member", "password": PASSWORD, "csrfmiddlewaretoken": "x" * 64, "next": "/words/"}
    answer = client.post(reverse("sign-in"), sent, headers=OWN)
    said = text_of(answer)
    assert answer.status_code == 403
    assert "This browser does not accept cookies from Clubscore" in said
    assert "Block All Cookies" in said
    assert PASSWORD not in answer.content.decode()
    # It was only that they had been deleted: the next press is heard.
    again = press(client, answer, reverse("sign-in"))
    assert (again.status_code, "Enter your password." in text_of(again)) == (422, True)
    assert 'value="bramley-member"' in again.content.decode()


class TestTwoTabs:
    """Both opened before anyone had signed in."""

    @pytest.fixture
    def tabs(self, at_home):
        client = Client(enforce_csrf_checks=True)
        client.old = token(client, "/sign-in/")
        assert enter(client, at_home.member, at=client.old).status_code == 302
        return client

    def send(self, client, **fields):
        return client.post(
            reverse("sign-in"), {"password": PASSWORD, "csrfmiddlewaretoken": client.old, **fields}, headers=OWN
        )

    @pytest.mark.parametrize("typed", ["bramley-member", "Bramley-MEMBER"])
    def test_signing_in_in_both_ends_signed_in(self, tabs, typed):
        assert self.send(tabs, username=typed).url == reverse("front")
        assert self.send(tabs, username=typed, next="/account/").url == "/account/"
        assert self.send(tabs, username=typed, next="https://evil.example/").url == reverse("front")
        assert tabs.get(reverse("account")).status_code == 200

    def test_another_account_types_its_password_again(self, tabs, at_home):
        answer = self.send(tabs, username="bramley-secretary", next="/account/")
        page = answer.content.decode()
        assert answer.status_code == 403
        assert "You opened this page before you last signed in or out. Enter your password again." in text_of(answer)
        assert 'value="bramley-secretary"' in page
        assert PASSWORD not in page
        assert tabs.get(reverse("account")).context["user"] == at_home.member
        fields = dict(Forms(page).to(reverse("sign-in")))
        assert fields["next"] == "/account/"
        assert tabs.post(reverse("sign-in"), {**fields, "password": PASSWORD}, headers=OWN).url == "/account/"
        assert tabs.get(reverse("account")).context["user"] == at_home.secretary

    def test_another_site_signs_nobody_in(self, tabs, at_home):
        for origin in NOT_OURS:
            headers = {"origin": origin} if origin else {}
            sent = {"username": "bramley-secretary", "password": PASSWORD, "csrfmiddlewaretoken": tabs.old}
            answer = tabs.post(reverse("sign-in"), sent, headers=headers)
            assert (answer.status_code, b"bramley-secretary" in answer.content) == (403, False)
        assert tabs.get(reverse("account")).context["user"] == at_home.member

    def test_signing_out_in_both_ends_signed_out(self, tabs):
        old = token(tabs, reverse("account"))
        assert tabs.post(reverse("sign-out"), {"csrfmiddlewaretoken": old}, headers=OWN).status_code == 302
        token(tabs, "/sign-in/")
        tabs.cookies["csrftoken"] = "y" * 32
        again = tabs.post(reverse("sign-out"), {"csrfmiddlewaretoken": old}, headers=OWN)
        assert (again.status_code, again.url) == (302, reverse("sign-in"))


def test_who_is_signed_out_signs_in_in_another_tab_and_sends_then(browser, at_home):
    browser.post(reverse("sign-out"), {"csrfmiddlewaretoken": token(browser, reverse("account"))}, headers=OWN)
    browser.cookies["csrftoken"] = "y" * 32
    answer = browser.post(players(at_home), {**TYPED, "csrfmiddlewaretoken": browser.old}, headers=OWN)
    assert "sign in in another tab" in text_of(answer)
    enter(browser, User.objects.get(username="bramley-secretary"))
    # Signing in has made another token once more.
    again = press(browser, answer, players(at_home))
    assert again.status_code == 403
    assert press(browser, again, players(at_home)).status_code == 302
    assert Player.objects.filter(short_name="Oldie").exists()
