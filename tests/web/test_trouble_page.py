"""What is answered when the database cannot work: by the kind of trouble, on a page, in a part of one, in JSON."""

import errno
import sqlite3

import psycopg
import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.test import RequestFactory

from clubscore.site.sqlite_file import FileGone
from sessions_app.models import User
from sessions_app.people.transactions import WritersBusy
from sessions_app.web.error_pages import SAFE, Trouble, fault, trouble, trouble_of


def of_sqlite(code, kind=OperationalError):
    """Return the error that Django makes of one of SQLite's."""
    cause = sqlite3.OperationalError("what it says is nobody’s business")
    cause.sqlite_errorcode = code
    return of(cause, kind)


def of(cause, kind=OperationalError):
    """Return the error that Django makes of another."""
    error = kind(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), Trouble.FULL),
        (of(psycopg.errors.DiskFull("could not extend file")), Trouble.FULL),
        (OSError(errno.ENOSPC, "No space left on device"), Trouble.FULL),
        (of_sqlite(sqlite3.SQLITE_READONLY), Trouble.READ_ONLY),
        (of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), Trouble.READ_ONLY),
        (of(psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT"), InternalError), Trouble.READ_ONLY),
        (OSError(errno.EROFS, "Read-only file system"), Trouble.READ_ONLY),
        (PermissionError(errno.EACCES, "Permission denied"), Trouble.READ_ONLY),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), Trouble.BROKEN),
        (of_sqlite(sqlite3.SQLITE_CORRUPT, DatabaseError), Trouble.BROKEN),
        (of_sqlite(sqlite3.SQLITE_NOTADB, DatabaseError), Trouble.BROKEN),
        (of(psycopg.errors.IoError("could not write block")), Trouble.BROKEN),
        (of(psycopg.errors.DataCorrupted("invalid page"), InternalError), Trouble.BROKEN),
        (of(FileGone("The database file is gone.")), Trouble.GONE),
        (of_sqlite(sqlite3.SQLITE_BUSY), Trouble.BUSY),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), Trouble.BUSY),
        (of_sqlite(sqlite3.SQLITE_LOCKED), Trouble.BUSY),
        (WritersBusy("held for too long"), Trouble.BUSY),
        (of(psycopg.errors.LockNotAvailable("canceling statement")), Trouble.BUSY),
        (of(psycopg.errors.DeadlockDetected("waits for another")), Trouble.BUSY),
        (of(psycopg.OperationalError("FATAL: sorry, too many clients already")), Trouble.BUSY),
        (of(psycopg.OperationalError("FATAL: remaining connection slots are reserved")), Trouble.BUSY),
        (of(psycopg.OperationalError("connection refused")), Trouble.AWAY),
        (of(psycopg.InterfaceError("the connection is closed"), InterfaceError), Trouble.AWAY),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), Trouble.AWAY),
        (IntegrityError("UNIQUE constraint failed"), None),
        (ProgrammingError("no such table"), None),
        (DataError("value too long"), None),
        (DatabaseError("something of our own making"), None),
        (DatabaseError("The hand was locked: read-only"), None),
        (FileNotFoundError(errno.ENOENT, "No such file"), None),
        (ValueError("locked"), None),
    ],
)
def test_trouble_is_known_by_its_code(error, expected):
    assert trouble_of(error) == expected


def test_a_page_says_it_without_asking_the_database():
    answer = trouble(RequestFactory().post("/c/bramley/"), Trouble.FULL)
    assert (answer.status_code, answer["Retry-After"]) == (503, "15")
    text = answer.content.decode()
    assert Trouble.FULL.sentence in text
    assert SAFE in text
    assert "<h1>Not available at the moment</h1>" in text
    assert SAFE not in trouble(RequestFactory().get("/"), Trouble.FULL).content.decode()


def test_a_part_of_a_page_gets_a_sentence_alone():
    answer = trouble(RequestFactory().post("/", headers={"HX-Request": "true"}), Trouble.BUSY)
    assert answer.content.decode().startswith(f'<p class="message error">{Trouble.BUSY.sentence} {SAFE}')


def test_json_stays_json():
    answer = trouble(RequestFactory().post("/", "{}", content_type="application/json"), Trouble.AWAY)
    assert answer["Content-Type"] == "application/json"
    assert Trouble.AWAY.sentence in answer.content.decode()


def test_a_fault_of_our_own_is_still_a_fault():
    try:
        raise ValueError("a fault")
    except ValueError:
        answer = fault(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL is asked again for each transaction")
def test_a_file_that_can_be_written_again_needs_no_new_start(client):
    User.objects.create_user("pat", password="plum orchid")
    connection.cursor().execute("PRAGMA query_only = 1")
    client.raise_request_exception = False
    login = {"username": "pat", "password": "plum orchid"}
    refused = client.post("/sign-in/", login)
    assert (refused.status_code, Trouble.READ_ONLY.sentence in refused.content.decode()) == (503, True)
    assert client.post("/sign-in/", login).status_code == 302
