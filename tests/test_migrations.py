"""Migrations: an installation of before keeps its rows and its two guards, and loses the guards that are gone."""

import csv
import io
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from hashlib import blake2s
from uuid import uuid4
from zipfile import ZipFile

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from sessions_app.models import Change, Season
from sessions_app.models import Entry as NowEntry
from sessions_app.models import Import as NowImport
from sessions_app.models import Session as Now
from sessions_app.people.sign_ins import SessionStore
from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, private_server, server_binaries
from tests.test_run import ROOT, clean_environment

pytestmark = pytest.mark.slow

KEPT = {
    "sqlite": {
        *("guard_log_update", "guard_log_delete", "guard_log_replace"),
        *("guard_seasons_insert", "guard_seasons_update"),
    },
    "postgresql": {"guard_log", "guard_log_truncate"},
}
TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
}

# What an arrival left that was undone: a seat that nobody took, with an empty tally (0044).
NEVER_JOINED = (
    """
    INSERT INTO sessions_app_seat (club_id, session_id, player_id, chair, at_start)
    SELECT session.club_id, session.id, player.id, 9, false
    FROM sessions_app_session session, sessions_app_player player
    WHERE session.void AND player.full_name = 'Una Lee'
    """,
    """
    INSERT INTO sessions_app_tally
    (club_id, session_id, seat_id, player_id, season_id, hands, won, gained, lost, net, balance, best_hand, sticks)
    SELECT seat.club_id, seat.session_id, seat.id, seat.player_id, session.season_id, 0, 0, 0, 0, 0, 2000, 0, '{}'
    FROM sessions_app_seat seat JOIN sessions_app_session session ON session.id = seat.session_id WHERE chair = 9
    """,
)
EMPTY = "SELECT count(*) FROM sessions_app_tally tally JOIN sessions_app_seat seat ON seat.id = seat_id WHERE {} = {}"


def guards():
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS[connection.vendor])
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.postgres
def test_the_guards_stand_after_all_migrations(db):
    assert guards() == KEPT[connection.vendor]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_migration_that_remakes_a_table_leaves_it_guarded():
    if connection.vendor == "sqlite":
        with connection.schema_editor() as editor:
            editor._remake_table(Season)
            editor._remake_table(Change)
        assert guards() == set()
    call_command("migrate", verbosity=0)
    assert guards() == KEPT[connection.vendor]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_totals_that_were_corrected_are_one_table_again_and_the_last_hands_are_marked(club, cast):
    """A correction was a second table, beside the cancelled first; a chain of them pointed to the first (0056).

    The note “Last 3 hands” was known by its words (0059), and a tablet's seat was a chair (0060).
    """
    call_command("migrate", "sessions_app", "0055", verbosity=0)
    apps = MigrationExecutor(connection).loader.project_state(("sessions_app", "0055_imports")).apps
    names = ("Meeting", "Session", "Seat", "Tally", "Change", "Entry")
    Meeting, Session, Seat, Tally, OldChange, Entry = (apps.get_model("sessions_app", name) for name in names)
    meeting = Meeting.objects.create(club_id=club.pk, date="2026-01-22")
    facts = {"club_id": club.pk, "meeting": meeting, "date": "2026-01-22", "table": 1, "rules": "bmja"}
    facts |= {"state": "finished", "imported": True}
    first = None
    for net, is_void in ((300, True), (310, True), (320, False)):
        session = Session.objects.create(
            **facts, replaces=first, void=is_void, practice=is_void, scoring_key=f"s{net}", watching_key=f"w{net}"
        )
        first = first or session
        for seat_no, player, won in ((1, cast.alice, net), (2, cast.bob, -net)):
            seat = Seat.objects.create(club_id=club.pk, session=session, player_id=player.pk, seat_no=seat_no)
            Tally.objects.create(club_id=club.pk, session=session, seat=seat, player_id=player.pk, net=won)
    names = {f"who_{blake2s(b'Al', digest_size=6).hexdigest()}": f"who_{blake2s(b'Alice', digest_size=6).hexdigest()}"}
    OldChange.objects.create(
        club_id=club.pk,
        action="import totals",
        subject_type="club",
        subject_id=str(club.pk),
        after={"choices": {"rules": "bmja", "names": names}},
    )
    note = {"kind": "note", "body": {"text": "Last 3 hands"}}
    key = uuid4()
    Entry.objects.create(**note, session=first, key=key, position=1)
    logged = {"entries": {str(key): {**note, "taken_out": False}}}
    OldChange.objects.create(club_id=club.pk, session=first, action="note", subject_type="entry", after=logged)
    tablet = SessionStore()
    tablet["table_keys"] = {"1": {"key": "k", "chair": "3"}}
    tablet.save()
    call_command("migrate", verbosity=0)
    assert SessionStore(tablet.session_key)["table_keys"] == {"1": {"key": "k", "seat_no": "3"}}
    marked = {"text": "Last 3 hands", "last": 3}
    assert NowEntry.objects.get(key=key).body == marked
    assert Change.objects.get(action="note").after["entries"][str(key)]["body"] == marked
    now = Now.objects.get(club_id=club.pk)
    assert (now.pk, now.void, now.practice) == (first.pk, False, False)
    assert sorted(now.tallies.values_list("player__full_name", "net")) == [("Alice", 320), ("Bob", -320)]
    row = NowImport.objects.get()
    assert list(row.names.values()) == [{"player": cast.alice.pk}]
    assert not NowImport.objects.standing().exists()


def manage(url, *arguments):
    environment = clean_environment(DATABASE_URL=url, SECRET_KEY="k" * 60)
    command = [sys.executable, "manage.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


def cells(text, columns=None):
    """Return the columns of a CSV, or those that it shares with an older one; a sentence may be worded anew."""
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    columns = [column for column in columns or rows.fieldnames if column != "sentence"]
    return columns, [[row[column] for column in columns] for row in rows]


@pytest.mark.parametrize("vendor", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def test_an_installation_of_migration_0037_is_brought_up_to_date(tmp_path, vendor):
    """Its databases, with all the triggers of that time, and the CSV files that it exported are in tests/data."""
    with ExitStack() as stack:
        before = stack.enter_context(ZipFile(ROOT / "tests/data/installation-0037.zip"))
        if vendor == "sqlite":
            path = tmp_path / "clubscore.sqlite3"
            url = f"sqlite:///{path}"
        else:
            binaries = server_binaries()
            if binaries is None:
                missing(POSTGRES_WANTED)
            url = stack.enter_context(private_server(binaries))
        database = stack.enter_context(closing(sqlite3.connect(path) if vendor == "sqlite" else psycopg.connect(url)))
        run = database.executescript if vendor == "sqlite" else database.execute
        run(before.read(f"{vendor}.sql").decode())
        if vendor == "postgresql":
            database.execute("SET search_path TO public")
        database.commit()
        old_guards = {name for (name,) in database.execute(TRIGGERS[vendor])}
        assert len(old_guards - KEPT[vendor]) > 40
        for statement in NEVER_JOINED:
            database.execute(statement)
        assert database.execute(EMPTY.format("chair", 9)).fetchone() == (1,)
        database.commit()
        manage(url, "migrate", "-v0")
        # Someone who came for the hands to come keeps theirs.
        assert [database.execute(EMPTY.format("seat_no", seat)).fetchone() for seat in (6, 9)] == [(1,), (0,)]
        assert {name for (name,) in database.execute(TRIGGERS[vendor])} == KEPT[vendor]
        database.rollback()
        if vendor == "postgresql":
            functions = "SELECT proname FROM pg_proc WHERE proname LIKE 'guard%'"
            assert database.execute(functions).fetchall() == [("guard_log",)]
            overlap = "SELECT count(*) FROM pg_constraint WHERE conname = 'guard_seasons_overlap'"
            assert database.execute(overlap).fetchone() == (1,)
        assert manage(url, "reconcile") == ""
        files = [name for name in before.namelist() if name.endswith(".csv")]
        assert len(files) == 149
        for club in {name.split("/")[0] for name in files}:
            manage(url, "export_club", club, tmp_path / club)
        for name in files:
            columns, rows = cells(before.read(name).decode())
            now = cells((tmp_path / name).read_text(encoding="utf-8"), columns)
            # Names had the order of code points then: Zoe Late before Zoë K.
            if name.endswith("/players.csv"):
                rows, now = sorted(rows), (columns, sorted(now[1]))
            assert now == (columns, rows), name
