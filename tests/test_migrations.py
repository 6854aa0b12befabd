"""Migrations: an installation of before keeps its rows and its two guards, and loses the guards that are gone."""

import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from sessions_app.models import Change, Season
from tests.conftest import missing
from tests.postgres import POSTGRES_WANTED, private_server, server_binaries
from tests.test_run import ROOT, clean_environment

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


def migrate(url, *to):
    command = [sys.executable, "manage.py", "migrate", "-v0", *to]
    environment = clean_environment(DATABASE_URL=url, SECRET_KEY="k" * 60)
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_an_installation_of_migration_0037_is_brought_up_to_date(tmp_path, vendor):
    """Its 75 triggers on SQLite, or 44 on PostgreSQL, are in tests/data as that version made them."""
    old_guards = (ROOT / f"tests/data/guards-0037.{vendor}.sql").read_text()
    with ExitStack() as stack:
        if vendor == "sqlite":
            path = tmp_path / "clubscore.sqlite3"
            url = f"sqlite:///{path}"
        else:
            binaries = server_binaries()
            if binaries is None:
                missing(POSTGRES_WANTED)
            url = stack.enter_context(private_server(binaries))
        migrate(url, "sessions_app", "0037")
        database = stack.enter_context(closing(sqlite3.connect(path) if vendor == "sqlite" else psycopg.connect(url)))
        run = database.executescript if vendor == "sqlite" else database.execute
        run(old_guards)
        database.commit()
        before = {name for (name,) in database.execute(TRIGGERS[vendor])}
        assert len(before - KEPT[vendor]) == {"sqlite": 75, "postgresql": 44}[vendor]
        migrate(url)
        assert {name for (name,) in database.execute(TRIGGERS[vendor])} == KEPT[vendor]
        database.rollback()
        if vendor == "postgresql":
            functions = "SELECT proname FROM pg_proc WHERE proname LIKE 'guard%'"
            assert database.execute(functions).fetchall() == [("guard_log",)]
            overlap = "SELECT count(*) FROM pg_constraint WHERE conname = 'guard_seasons_overlap'"
            assert database.execute(overlap).fetchone() == (1,)
