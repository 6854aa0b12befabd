"""The league's figures from an empty database by the command line alone, on SQLite and on PostgreSQL.

The same tables are held against the queries in tests/league/test_export_standings.py, quickly; here every
one is a process of its own, as a secretary would call it, after a second import which must change nothing.
"""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import missing
from .migrated_file import copy_migrated
from .postgres import POSTGRES_WANTED, private_server, server_binaries

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
TABLES = json.loads((DATA / "season-standings.json").read_text(encoding="utf-8"))
OPTIONS = {
    "from": "--from", "to": "--to", "rules": "--rules", "recording": "--recording", "method": "--method",
    "minimum_sessions": "--minimum-sessions", "best": "--best",
}  # fmt: skip

pytestmark = pytest.mark.long


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    if request.param == "sqlite":
        copy_migrated(tmp_path / "empty.sqlite3")
        yield f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    elif binaries := server_binaries():
        with private_server(binaries) as url:
            yield url
    else:
        missing(POSTGRES_WANTED)


def manage(database, *words):
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "DATABASE_URL": database}, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8-sig")


def words_of(args):
    for name, value in args.items():
        if name == "previous":
            yield from ("--previous-from", value["from"], "--previous-to", value["to"])
        else:
            yield from (OPTIONS[name], str(value))


def test_every_table_agrees(database):
    manage(database, "migrate", "--verbosity", "0")
    for _ in range(2):
        manage(database, "import_totals", str(DATA / "season-totals.csv"), "--club", "bars")
    agree = 0
    for table in TABLES:
        printed = manage(database, "export_standings", "--club", "bars", *words_of(table["args"]))
        agree += list(csv.DictReader(io.StringIO(printed, newline=""))) == table["rows"]
    assert (agree, len(TABLES)) == (36, 36)
