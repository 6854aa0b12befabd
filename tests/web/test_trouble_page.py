"""What is answered when the database cannot work: by the kind of trouble, on a page, in a part of one, in JSON."""

import errno

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.test import RequestFactory

from sessions_app.models import User
from sessions_app.web.error_pages import AWAY, BROKEN, BUSY, FULL, READ_ONLY, SAFE, fault, trouble, trouble_of


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OperationalError("database or disk is full"), FULL),
        (OperationalError('could not extend file "base/5": No space left on device'), FULL),
        (OSError(errno.ENOSPC, "No space left on device"), FULL),
        (OperationalError("attempt to write a readonly database"), READ_ONLY),
        (DatabaseError("cannot execute INSERT in a read-only transaction"), READ_ONLY),
        (OSError(errno.EROFS, "Read-only file system"), READ_ONLY),
        (PermissionError(errno.EACCES, "Permission denied"), READ_ONLY),
        (OperationalError("disk I/O error"), BROKEN),
        (DatabaseError("database disk image is malformed"), BROKEN),
        (OperationalError("database is locked"), BUSY),
        (OperationalError("FATAL: sorry, too many clients already"), BUSY),
        (OperationalError("connection refused"), AWAY),
        (InterfaceError("the connection is closed"), AWAY),
        (OperationalError("unable to open database file"), AWAY),
        (IntegrityError("UNIQUE constraint failed"), None),
        (ProgrammingError("no such table"), None),
        (DataError("value too long"), None),
        (DatabaseError("something of our own making"), None),
        (FileNotFoundError(errno.ENOENT, "No such file"), None),
        (ValueError("locked"), None),
    ],
)
def test_trouble_is_known_by_what_is_said(error, sentence):
    assert trouble_of(error) == sentence


def test_a_page_says_it_without_asking_the_database():
    answer = trouble(RequestFactory().post("/c/bramley/"), FULL)
    assert (answer.status_code, answer["Retry-After"]) == (503, "15")
    text = answer.content.decode()
    assert FULL in text and SAFE in text and "<h1>Not possible at the moment</h1>" in text
    assert SAFE not in trouble(RequestFactory().get("/"), FULL).content.decode()


def test_a_part_of_a_page_gets_a_sentence_alone():
    answer = trouble(RequestFactory().post("/", headers={"HX-Request": "true"}), BUSY)
    assert answer.content.decode().startswith(f'<p class="message error">{BUSY} {SAFE}')


def test_json_stays_json():
    answer = trouble(RequestFactory().post("/", "{}", content_type="application/json"), AWAY)
    assert answer["Content-Type"] == "application/json"
    assert AWAY in answer.content.decode()


def test_a_fault_of_our_own_is_still_a_fault():
    try:
        raise ValueError("a fault")
    except ValueError:
        answer = fault(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something went wrong here" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL is asked anew for each transaction")
def test_a_file_that_can_be_written_again_needs_no_new_start(client):
    User.objects.create_user("pat", password="plum orchid")
    connection.cursor().execute("PRAGMA query_only = 1")
    client.raise_request_exception = False
    login = {"username": "pat", "password": "plum orchid"}
    refused = client.post("/sign-in/", login)
    assert (refused.status_code, READ_ONLY in refused.content.decode()) == (503, True)
    assert client.post("/sign-in/", login).status_code == 302
