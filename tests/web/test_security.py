"""What every answer carries and every request must bring: headers, cookies, tokens, limits, redirects kept at home."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction
from django.templatetags.static import static
from django.test import Client, RequestFactory
from django.test.utils import override_settings
from django.urls import reverse

from sessions_app.models import Change, User
from sessions_app.people.models import unguessable_key
from sessions_app.web.middleware import CONTENT_SECURITY_POLICY, PERMISSIONS_POLICY
from tests import share
from tests.clubs import everything_of, furnished
from tests.factories import house
from tests.logins import logins, signed_in
from tests.web.test_other_clubs import arguments_of
from tests.web.test_walk import NO_GET, NO_POST, TABLE, with_cookies

ROOT = Path(__file__).parent.parent.parent

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


# Who reads a page of these notes that a tablet was here; nothing of the club's.
NOTED_BY_READING = {"device"}


# One address of another site, in the spellings that a browser understands, and a script.
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "https:evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
)
# An own address that no page leads to unless it is told to.
WITHIN = "/told/"


@pytest.fixture
def at_home(db):
    return furnished("Bramley")


def address(name, at_home):
    known = {"uidb64": "MQ", "token": at_home.token, "key": at_home.key}
    of_name = {"watch": "w" * 22, "watch-hall": "w" * 22, "by-key": at_home.scoring_key, "rule-set": "bmja"}
    of_name |= dict.fromkeys(("coming", "coming-calendar"), at_home.reply_key)
    arguments = {}
    for word in reverse_words(name):
        arguments[word] = known[word] if word in known else getattr(at_home, word)
    if name in of_name:
        arguments["key"] = of_name[name]
    return reverse(name, kwargs=arguments)


def reverse_words(name):
    return arguments_of(name, Words())


class Words:
    def __getattr__(self, name):
        return name


def reads():
    return [name for name, (get, _) in TABLE.items() if get != NO_GET]


def writes():
    return [name for name, (_, post) in TABLE.items() if post != NO_POST]


def missing_headers(answer):
    missing = [header for header, value in HEADERS.items() if answer.headers.get(header) != value]
    return missing if "Cache-Control" in answer.headers else [*missing, "Cache-Control"]


WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/"
IPAD = f"Mozilla/5.0 (iPad; CPU OS 15_8_3 like Mac OS X) {WEBKIT}{{}} Mobile/15E148 Safari/604.1"
MAC = f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {WEBKIT}{{}} Safari/605.1.15"
CHROME = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/115.0.0.0 Mobile Safari/537.36"
BROWSERS = [
    (IPAD.format("15.6.6"), "'unsafe-eval'"),
    (MAC.format("15.6.1"), "'unsafe-eval'"),
    (IPAD.format("16.0"), "'wasm-unsafe-eval'"),
    (MAC.format("17.15.1"), "'wasm-unsafe-eval'"),
    (CHROME, "'wasm-unsafe-eval'"),
    ("", "'wasm-unsafe-eval'"),
]


@pytest.mark.parametrize(("browser", "word"), BROWSERS)
def test_safari_15_has_another_word_for_webassembly_in_the_worker_alone(browser, word, client):
    pages = [reverse("sign-in"), static("table/engine/engine.js"), static("vendor/micropython/micropython.mjs")]
    worker, *others = [
        client.get(address, headers={"User-Agent": browser}) for address in (static("table/engine/worker.js"), *pages)
    ]
    scripts = re.findall("script-src ([^;]*);", worker["Content-Security-Policy"])
    assert scripts == [f"'self' {word}"]
    assert "User-Agent" in worker["Vary"]
    assert [answer["Content-Security-Policy"] for answer in others] == [CONTENT_SECURITY_POLICY] * 3


def test_reading_changes_nothing_and_every_answer_has_the_headers(at_home):
    """What the log says of a copy that was taken apart; an address that cannot be read has the headers too."""
    client = signed_in(at_home.secretary)
    before = everything_of(at_home.club)
    for name in TABLE:
        lines = Change.objects.count()
        assert missing_headers(client.get(address(name, at_home))) == [], name
        after = everything_of(at_home.club)
        changed = {table for table in before if before[table] != after[table]} - NOTED_BY_READING
        logged = set(Change.objects.order_by("pk").values_list("action", flat=True)[lines:])
        assert (name, changed, logged) in ((name, set(), set()), (name, {"change"}, {"export"}))
        before = after


def test_no_write_is_done_without_the_pages_token(at_home):
    client = Client(enforce_csrf_checks=True)
    client.force_login(at_home.secretary)
    before = everything_of(at_home.club)
    codes = {name: client.post(address(name, at_home)).status_code for name in writes()}
    assert {name: code for name, code in codes.items() if code != 403} == {}
    assert everything_of(at_home.club) == before


def test_cookies_are_kept_from_scripts_and_from_other_sites(at_home):
    client = Client()
    user = User.objects.create_user("ann", password="tea and tiles")
    answer = client.post(reverse("sign-in"), {"username": user.username, "password": "tea and tiles"})
    session = answer.cookies["sessionid"]
    assert (session["httponly"], session["samesite"], session["path"]) == (True, "Lax", "/")
    assert client.get(reverse("account")).cookies["csrftoken"]["samesite"] == "Lax"


@override_settings(SESSION_COOKIE_SECURE=True)
def test_every_cookie_of_a_site_with_https_is_secure(club, cast):
    """Those that remember how a page is looked at too."""
    at_home, given = house(club, cast.all[:4]), {}
    for name, fields in (("looks", {"turn": "large"}), ("learning", {"stage": "2"})):
        given |= Client().post(reverse(name), fields).cookies
    table = reverse("table", args=[at_home.club.slug, at_home.table_session.pk])
    client = signed_in(at_home.scorekeeper)
    given |= {**client.get(table, {"turn": "1"}).cookies, **client.get(table).cookies}
    assert len(given) >= 3
    assert {name: bool(cookie["secure"]) for name, cookie in given.items() if name != "csrftoken"} == {
        name: True for name in given if name != "csrftoken"
    }


def test_signing_in_gives_a_new_session_so_that_none_can_be_planted(db):
    user = User.objects.create_user("ann", password="tea and tiles")
    client = Client()
    client.get(reverse("join"))
    session = client.session
    session["joined"] = "BCDFGH"
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    client.post(reverse("sign-in"), {"username": user.username, "password": "tea and tiles"})
    assert client.session.session_key != planted
    assert not Client().session.get("_auth_user_id")


def test_no_answer_leads_to_another_site(at_home):
    """Every page is told to lead to an own address; those that do are asked with all spellings, with --long each is."""
    led_away, obedient = [], set()
    asked = [(name, "get") for name in reads()] + [(name, "post") for name in writes()]
    for who in (at_home.secretary, None):
        cookies = signed_in(who).cookies

        def target(name, method, where, cookies=cookies):
            fields = dict.fromkeys(("next", "back", "to", "return", "url", "redirect"), where)
            with transaction.atomic():
                answer = getattr(with_cookies(cookies), method)(address(name, at_home), fields)
                transaction.set_rollback(True)
            return answer.headers.get("Location", "") or answer.headers.get("HX-Redirect", "")

        for name, method in asked:
            if target(name, method, WITHIN).startswith(WITHIN):
                obedient.add((name, method))
            for where in ELSEWHERE if (name, method) in obedient or share.is_long else ():
                to = target(name, method, where)
                if to and not to.startswith("/") or to.startswith(("//", "/\\")):
                    led_away.append((who and who.username, name, method, where, to))
    assert led_away == []
    assert ("sign-out", "post") in obedient


def test_signing_in_and_out_never_leads_to_another_site(db):
    user = User.objects.create_user("ann", password="tea and tiles")
    for where in ELSEWHERE:
        fields = {"username": user.username, "password": "tea and tiles", "next": where}
        assert Client().post(reverse("sign-in"), fields).url == reverse("front")
        assert signed_in(user).post(reverse("sign-out"), {"next": where}).url == reverse("sign-in")
    assert signed_in(user).post(reverse("sign-out"), {"next": "/invite/x/"}).url == "/invite/x/"


@pytest.mark.parametrize(
    "body",
    [
        {"full_name": "a" * 2_550_000},
        {f"field{number}": "1" for number in range(12_001)},
    ],
    ids=["too large", "too many fields"],
)
def test_what_is_too_large_is_refused_before_it_is_read(at_home, body):
    client = signed_in(at_home.secretary)
    answer = client.post(reverse("players", args=[at_home.slug]), body)
    assert answer.status_code == 400
    assert "What you sent is too large, or was damaged on the way. Nothing was changed." in answer.content.decode()


class Untouched:
    """What a client sends and nobody may read."""

    def read(self, *size):
        raise AssertionError("the body was read")

    readline = read


@pytest.mark.parametrize("length", ["2700000", str(50 * 10**9), "9" * 400, "-1", "many"])
@pytest.mark.parametrize("name", ["sign-in", "take-in"])
def test_a_file_too_large_is_refused_before_anything_reads_it(at_home, name, length):
    """Django counts fields and not files: a stranger's could fill the disk while the form's token is looked for."""
    sent = {"wsgi.input": Untouched(), "CONTENT_LENGTH": length, "CONTENT_TYPE": "multipart/form-data; boundary=x"}
    for who in (at_home.secretary, None):
        answer = signed_in(who).generic("POST", address(name, at_home), **sent)
        assert answer.status_code == 413
        assert "What you sent is too large, or was damaged on the way. Nothing was changed." in answer.content.decode()
        assert "Content-Security-Policy" in answer.headers
    found = Client().generic("POST", address(name, at_home), **{**sent, "CONTENT_TYPE": "application/json"})
    assert (found.status_code, found.json()["message"]) == (413, "What you sent is too large.")


def test_a_body_without_a_length_is_not_read(at_home):
    """As it comes in pieces from a client that names no length."""
    sent = RequestFactory().post("/sign-in/", {"username": "ann"})
    environ = {name: value for name, value in sent.environ.items() if name != "CONTENT_LENGTH"}
    assert WSGIRequest({**environ, "HTTP_TRANSFER_ENCODING": "chunked"}).body == b""


def test_a_site_is_not_served_under_a_strangers_name(db):
    answer = Client(headers={"host": "evil.example"}).get("/")
    assert answer.status_code == 400
    assert "evil.example" not in answer.content.decode()


@override_settings(ALLOWED_HOSTS=["*"])
def test_a_strangers_name_for_the_site_stands_only_where_an_address_is_given_out(at_home):
    """And nowhere where the site has its own; of pages that show none, some are asked again, all with --long."""
    client = signed_in(at_home.secretary)

    def shown_on(names):
        host = {"host": "evil.example"}
        return {name for name in names if b"evil.example" in client.get(address(name, at_home), headers=host).content}

    shown = shown_on(reads())
    assert shown <= {
        "watching", "hall-watching", "scoring", "meeting", "meeting-labels", "invite-link", "joining", "coming",
        "reply-links", "practice",
    }  # fmt: skip
    with override_settings(SITE=urlsplit("https://scores.example")):
        assert shown_on({*shown, *share.shared(reads())}) == set()


def test_keys_in_addresses_have_128_bits_and_never_repeat(monkeypatch):
    asked = []
    monkeypatch.setattr(secrets, "token_bytes", lambda count: asked.append(count) or os.urandom(count))
    keys = {unguessable_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert set(asked) == {16}


def test_a_role_is_asked_for_on_every_request(club):
    users = logins(club)
    client = signed_in(users["secretary"])
    assert client.get(reverse("people", args=[club.slug])).status_code == 200
    users["secretary"].memberships.update(role="member")
    assert client.get(reverse("people", args=[club.slug])).status_code == 403
    users["secretary"].memberships.all().delete()
    assert client.get(reverse("people", args=[club.slug])).status_code == 404


def test_the_settings_of_production_pass_djangos_own_check(tmp_path):
    # A browser in the same process asks for this one, and no production ever has it.
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    environment = {
        **kept,
        "CLUBSCORE_VAR": str(tmp_path),
        "DATABASE_URL": "sqlite://:memory:",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "SITE_URL": "https://scores.example",
        "DEBUG": "0",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("System check identified no issues")
