"""The log as lines of JSON, and faults by mail."""

import io
import json
import logging
import os
import re
import sys
import time
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.module_loading import import_string

from clubscore.site.logs import FaultMail, JsonLines
from sessions_app.models import User
from tests.logins import logins


def record_of(message, *args, error=None, **more):
    caught = None
    if error:
        try:
            raise error
        except type(error):
            caught = sys.exc_info()
    made = logging.LogRecord("django.request", logging.ERROR, __file__, 1, message, args, caught)
    vars(made).update(more)
    return made


def test_a_line_is_one_object_whatever_is_in_it():
    request = RequestFactory().post("/c/bramley/")
    line = JsonLines().format(record_of("Not\nFound: %s", "/née/", request=request, status_code=404))
    assert "\n" not in line
    answer = json.loads(line)
    assert answer["at"].endswith("+00:00")
    assert {name: answer[name] for name in ("level", "logger", "message", "method", "status")} == {
        "level": "ERROR", "logger": "django.request", "message": "Not\nFound: /née/", "method": "POST", "status": 404,
    }  # fmt: skip


@pytest.fixture
def lines():
    """What the server writes of what is refused, as the settings say."""
    formatters = settings.LOGGING["formatters"]
    written = {name: logging.StreamHandler(io.StringIO()) for name in formatters}
    for name, handler in written.items():
        options = dict(formatters[name])
        handler.setFormatter(import_string(options.pop("()"))(options.get("format"), style=options.get("style", "%")))
        logging.getLogger().addHandler(handler)
    yield lambda name: written[name].stream.getvalue().splitlines()
    for handler in written.values():
        logging.getLogger().removeHandler(handler)


HALL = {"REMOTE_ADDR": "203.0.113.7"}


def test_a_sign_in_that_is_refused_says_of_which_account_and_from_where(lines, db, capsys):
    User.objects.create_user("Pat", password="tea and tiles")
    for username in ("Pat", "PAT", "quentin"):
        Client(**HALL).post(reverse("sign-in"), {"username": username, "password": "hush hush"})
    refused = [line.partition("Sign-in refused: ")[2] for line in lines("line") if "Sign-in refused" in line]
    accounts = [re.fullmatch(r"invalid_login \[account (\w{12}), 203\.0\.113\.7\]", line).group(1) for line in refused]
    assert accounts[0] == accounts[1] != accounts[2]
    as_json = [json.loads(line) for line in lines("json") if "Sign-in refused" in line]
    assert [(line["account"], line["address"]) for line in as_json] == [(one, "203.0.113.7") for one in accounts]
    everything = "\n".join(lines("line") + lines("json")).casefold()
    assert not any(word in everything for word in ("hush", "quentin", "account pat", '"pat"'))
    call_command("find_account", accounts[0])
    assert capsys.readouterr().out == "Pat\n"
    with pytest.raises(CommandError):
        call_command("find_account", accounts[2])


def test_whoever_tries_too_often_is_in_the_log(lines, db):
    for _ in range(9):
        Client(**HALL).post(reverse("sign-in"), {"username": "pat", "password": "hush hush"})
    assert [json.loads(line)["message"] for line in lines("json") if "Sign-in" in line][-2:] == [
        "Sign-in refused: invalid_login", "Sign-in refused: throttled",
    ]  # fmt: skip


def test_access_that_is_refused_says_who_asked_and_from_where(lines, club, other_club, capsys):
    member = logins(club)["member"]
    client = Client(**HALL)
    client.force_login(member)
    for address, said in (
        (reverse("people", args=[club.slug]), f"Forbidden (Permission denied): /c/{club.slug}/desk/people/"),
        (reverse("club", args=[other_club.slug]), f"Not Found: /c/{other_club.slug}/"),
    ):
        client.get(address)
        [line] = [line for line in lines("line") if said in line]
        account = re.search(r"\[account (\w{12}), 203\.0\.113\.7\]$", line).group(1)
        call_command("find_account", account)
        assert capsys.readouterr().out == f"{member.username}\n"
        assert member.username not in line
    Client(**HALL, enforce_csrf_checks=True).post(reverse("sign-in"), {"username": "pat", "password": "hush"})
    [line] = [line for line in lines("line") if "CSRF cookie not set" in line]
    assert line.endswith("[no account, 203.0.113.7]")


def test_a_fault_brings_where_it_happened():
    answer = json.loads(JsonLines().format(record_of("It broke", error=ValueError("too long"))))
    assert answer["fault"].splitlines()[0] == "Traceback (most recent call last):"
    assert answer["fault"].splitlines()[-1] == "ValueError: too long"


@pytest.fixture
def to_pat(tmp_path, settings):
    settings.VAR_DIR, settings.ADMINS = tmp_path, [("", "pat@club.example")]
    settings.SITE, settings.SERVER_EMAIL = urlsplit("https://scores.example"), "scores@club.example"


@pytest.mark.usefixtures("to_pat")
@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("No backup was made: the disk is full.", "No backup was made on scores.example: the disk is full."),
        ("The newest backup is older than two days.", "The newest backup is older than two days on scores.example"),
        # As PostgreSQL writes, which is no subject.
        ("The database is in trouble: gone\n\tfor good", "The database is in trouble on scores.example: gone for good"),
    ],
)
def test_the_mail_of_a_fault_says_first_what_happened_on_which_site(said, subject):
    FaultMail().handle(record_of(said))
    [sent] = mail.outbox
    assert (sent.subject, sent.body.splitlines()[0], sent.from_email) == (subject, subject, "scores@club.example")
    assert sent.message()["Message-ID"].endswith("@scores.example>")


@pytest.mark.usefixtures("to_pat")
@pytest.mark.parametrize("form", ["line", "json"])
def test_a_mail_that_cannot_be_sent_is_one_line_of_the_log(settings, lines, capsys, form):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    FaultMail().handle(record_of("No backup was made: the disk is full."))
    [line] = lines(form)
    said = json.loads(line) if form == "json" else {}
    assert said.get("level", "WARNING") == "WARNING"
    assert "The email of this fault could not be sent: Connection refused" in said.get("message", line)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("to_pat")
def test_a_fault_is_mailed_once_in_a_while_without_what_was_typed():
    handler = FaultMail()
    request = RequestFactory().post("/c/bramley/", {"name": "Alice Ashworth"})
    refused = ValueError("Key (name)=(Alice Ashworth) already exists.")
    refused.__cause__ = LookupError("Alice Ashworth")
    for _ in range(3):
        handler.handle(record_of("Internal Server Error: /c/bramley/", error=refused, request=request))
    handler.handle(record_of("Internal Server Error: /c/bramley/", error=KeyError("seat"), request=request))
    assert [(one.to, one.subject) for one in mail.outbox] == [
        (["pat@club.example"], "A page failed on scores.example: ValueError"),
        (["pat@club.example"], "A page failed on scores.example: KeyError"),
    ]
    body = mail.outbox[0].body
    assert body.startswith("A page failed on scores.example: ValueError\n\n")
    assert "ERROR django.request: Internal Server Error: /c/bramley/" in body
    assert ("in record_of" in body, "ValueError\n" in body, body.endswith("LookupError")) == (True, True, True)
    assert "Alice" not in mail.outbox[0].body


@pytest.mark.usefixtures("to_pat")
def test_a_fault_of_two_processes_is_mailed_once(tmp_path):
    for handler in (FaultMail(), FaultMail()):
        handler.handle(record_of("No backup was made: the disk is full."))
    assert len(mail.outbox) == 1
    # Ten minutes later, whichever process it is.
    [note] = (tmp_path / "said").glob("*.said")
    os.utime(note, (time.time() - 601,) * 2)
    FaultMail().handle(record_of("No backup was made: the disk is full."))
    assert len(mail.outbox) == 2


@pytest.mark.usefixtures("to_pat")
def test_the_mail_says_why_a_database_does_not_answer():
    url = "postgresql://clubscore:hush@127.0.0.1:1/clubscore"
    try:
        psycopg.connect(url)
    except psycopg.OperationalError as error:
        away = OperationalError(str(error))
        away.__cause__ = error
    FaultMail().handle(record_of("Internal Server Error: /", error=away))
    assert 'connection to server at "127.0.0.1", port 1 failed: Connection refused' in mail.outbox[0].body
    assert "hush" not in mail.outbox[0].body


def test_a_scanner_that_comes_by_address_is_no_fault(lines, client):
    assert client.get("/wp-login.php", headers={"host": "203.0.113.9"}).status_code == 400
    assert [re.search(r" ([A-Z]+) \S+: ", line)[1] for line in lines("line")] == ["INFO"]


def test_a_slow_request_is_a_line_with_its_route_its_club_and_its_number(lines, client, club, monkeypatch):
    # Below 0, as the clock of Windows has steps of 16 milliseconds.
    monkeypatch.setattr("sessions_app.web.middleware.SLOW", -1)
    answer = client.get(reverse("club", args=[club.slug]))
    number = answer["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{8}", number)
    [line] = [line for line in lines("line") if " took " in line]
    assert re.search(
        rf"GET /c/<slug:slug>/ of club bramley took \d+\.\d seconds \[request {number}\] \[no account", line
    )
    [as_json] = [json.loads(line) for line in lines("json") if " took " in line]
    assert as_json["request"] == number
    monkeypatch.setattr("sessions_app.web.middleware.SLOW", 60)
    client.get(reverse("club", args=[club.slug]))
    assert len([line for line in lines("line") if " took " in line]) == 1
