"""What every answer carries, whether the site is able to work, and how long a sign-in lasts."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import SignIn
from tests.queries import at_most

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(client):
    user = get_user_model().objects.create_user("alice", password="a long pass phrase")
    client.force_login(user)
    return user


def end_of_sign_in():
    return SignIn.objects.get().expire_date


def test_the_site_says_that_it_is_well(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, b"ok\n", "text/plain")
    assert "no-store" in answer["Cache-Control"]
    assert client.post("/healthz").status_code == 405


def test_a_silent_database_is_told(client, caplog):
    def silent(execute, sql, params, many, context):
        raise OperationalError("gone")

    with connection.execute_wrapper(silent):
        answer, ready = client.get("/healthz"), client.get("/readyz")
    assert (ready.status_code, ready.content) == (503, b"The database does not answer; Clubscore's messages say why.\n")
    assert "The database does not answer: gone" in caplog.text
    # A new start would not help.
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_the_site_says_when_visitors_may_come(client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ready\n")


def test_a_database_of_an_older_version_is_told(client, caplog):
    newest = MigrationRecorder(connection).migration_qs.filter(app="sessions_app").latest("name")
    MigrationRecorder(connection).record_unapplied("sessions_app", newest.name)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    wanted = f"The database is not ready for this version: run './run upgrade'. It lacks {newest.name}.\n"
    assert answer.content.decode() == wanted
    assert [record.getMessage() for record in caplog.records] == [wanted.strip()]


def test_a_database_of_a_newer_version_is_told(client):
    MigrationRecorder(connection).record_applied("sessions_app", "9999_later")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.content.startswith(b"The database was made by a newer version of Clubscore than this one, ")
    # What another package has applied, or had once, is not ours to judge.
    MigrationRecorder(connection).record_unapplied("sessions_app", "9999_later")
    MigrationRecorder(connection).record_applied("another", "0001_initial")
    assert client.get("/readyz").status_code == 200


def test_a_column_that_is_not_there_is_told_though_every_migration_is(client):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE sessions_app_throttle RENAME COLUMN count TO later")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.content.startswith(b"The database lacks sessions_app_throttle.count. Restore a backup with ")


@pytest.mark.parametrize("address", ["/healthz", "/no-such-page/"])
def test_headers_are_strict(client, address):
    headers = client.get(address).headers
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    assert "screen-wake-lock=(self)" in headers["Permissions-Policy"]
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


def test_signing_in_lasts_eight_weeks(client, alice):
    client.get("/healthz")
    left = end_of_sign_in() - timezone.now()
    assert timedelta(days=55, hours=23) < left <= timedelta(days=56)


def test_signing_in_forgets_what_ended_long_ago(client, alice):
    """Of a tablet without an account at once: what it still sends would not be kept."""
    ends = {"old": -91, "late": -89, "new": 1, "newer": 50}
    for user in (alice, None):
        for key, days in ends.items():
            at = timezone.now() + timedelta(days=days)
            SignIn.objects.create(session_key=f"{key} {user}", expire_date=at, user=user)
    client.force_login(alice)
    left = SignIn.objects.filter(pk__contains=" ").values_list("pk", flat=True)
    assert set(left) == {"late alice", "new alice", "newer alice", "new None", "newer None"}


@pytest.mark.parametrize("days", [60, 200, 3650])
def test_a_clock_ahead_while_some_sign_in_ends_no_sign_in_of_the_others(club, alice, monkeypatch, days):
    now, others = timezone.now(), [Client() for _ in range(5)]
    for other in others:
        other.force_login(alice)
    with monkeypatch.context() as ahead:
        ahead.setattr(timezone, "now", lambda: now + timedelta(days=days))
        for _ in range(3):
            Client().force_login(alice)
    assert [other.get(reverse("account")).status_code for other in others] == [200] * 5


def test_each_day_of_use_starts_the_weeks_anew(client, alice):
    SignIn.objects.update(expire_date=timezone.now() + timedelta(days=3))
    client.get("/healthz")
    assert end_of_sign_in() - timezone.now() < timedelta(days=4)

    session = client.session
    session["last_used"] = "2026-01-01"
    session.save()
    SignIn.objects.update(expire_date=timezone.now() + timedelta(days=3))
    client.get("/healthz")
    assert end_of_sign_in() - timezone.now() > timedelta(days=55)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL is made read-only under a server of its own")
def test_the_first_page_of_a_day_can_be_read_where_nothing_can_be_written(client, alice):
    session = client.session
    session["last_used"] = "2026-01-01"
    session.save()
    ask = connection.cursor().execute
    ask("PRAGMA query_only = 1")
    try:
        assert client.get("/account/").status_code == 200
    finally:
        ask("PRAGMA query_only = 0")
    assert client.session["last_used"] == "2026-01-01"
    client.get("/account/")
    assert client.session["last_used"] == timezone.now().date().isoformat()


def test_a_second_page_of_the_day_writes_nothing(client, alice):
    with at_most(2) as asked:
        client.get("/healthz")
    assert all(query["sql"].startswith("SELECT") for query in asked.captured_queries)


def test_nobody_gets_no_session(client):
    assert client.get("/healthz").cookies == {}
