"""SQLite to PostgreSQL and back in one command, every table the same; never over what is there."""

import sqlite3
from contextlib import closing

import psycopg
import pytest

from .installation import Installation


@pytest.mark.long
def test_there_and_back_again(rich, tmp_path, database):
    said = rich.manage("copy_database", "--to", database.url)
    assert said.splitlines()[0].endswith("tables were copied.")
    there = Installation(tmp_path / "there", database.url)
    assert there.files("demonstration") == rich.csv
    assert there.manage("reconcile") == ""
    assert there.python("tests.backups.undo_last", "demonstration") == "Change of player undone.\n"
    with psycopg.connect(database.url, autocommit=True) as connection, pytest.raises(psycopg.errors.IntegrityError):
        connection.execute("DELETE FROM sessions_app_change")
    there.manage("copy_database", "--to", f"sqlite:///{tmp_path}/back.sqlite3")
    back = Installation(tmp_path / "back", f"sqlite:///{tmp_path}/back.sqlite3")
    assert back.files("demonstration") == there.files("demonstration", "undone")
    with closing(sqlite3.connect(tmp_path / "back.sqlite3")) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute("DELETE FROM sessions_app_change")


def test_never_over_what_is_there(rich, made_once):
    live = rich.folder / "clubscore.sqlite3"
    target, before = f"sqlite:///{live}", live.read_bytes()
    assert "The other database is not empty, so nothing was copied." in made_once.manage(
        "copy_database", "--to", target, expect=1
    )
    assert live.read_bytes() == before


@pytest.mark.parametrize(
    "url", [pytest.param("nonsense", marks=pytest.mark.long), "postgresql://nobody@127.0.0.1:1/nothing"]
)
def test_an_address_that_leads_nowhere(made_once, url):
    assert "Traceback" not in made_once.manage("copy_database", "--to", url, expect=1)
