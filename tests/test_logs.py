"""The log as lines of JSON, and faults by mail."""

import json
import logging
import sys

from django.core import mail
from django.test import RequestFactory, override_settings

from clubscore.logs import FaultMail, JsonLines


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


def test_a_fault_brings_where_it_happened():
    answer = json.loads(JsonLines().format(record_of("It broke", error=ValueError("too long"))))
    assert answer["fault"].splitlines()[0] == "Traceback (most recent call last):"
    assert answer["fault"].splitlines()[-1] == "ValueError: too long"


@override_settings(ADMINS=[("", "pat@club.example")])
def test_a_fault_is_mailed_once_in_a_while_without_what_was_typed():
    handler = FaultMail()
    request = RequestFactory().post("/c/bramley/", {"name": "Alice Ashworth"})
    refused = ValueError("Key (name)=(Alice Ashworth) already exists.")
    refused.__cause__ = LookupError("Alice Ashworth")
    for _ in range(3):
        handler.handle(record_of("Internal Server Error: /c/bramley/", error=refused, request=request))
    handler.handle(record_of("Internal Server Error: /c/bramley/", error=KeyError("seat"), request=request))
    assert [(one.to, one.subject) for one in mail.outbox] == [
        (["pat@club.example"], "Clubscore: ERROR in django.request: ValueError"),
        (["pat@club.example"], "Clubscore: ERROR in django.request: KeyError"),
    ]
    body = mail.outbox[0].body
    assert "ERROR django.request: Internal Server Error: /c/bramley/" in body
    assert ("in record_of" in body, "ValueError\n" in body, body.endswith("LookupError")) == (True, True, True)
    assert "Alice" not in mail.outbox[0].body
