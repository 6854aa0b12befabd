"""The command line as a shell sees it: other processes, real pipes, a database which is not there yet."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HANDS = ROOT / "tests" / "data" / "random-hands.jsonl"


def manage(*words, database):
    settings = {**os.environ, "DATABASE_URL": f"sqlite:///{database}"}
    return subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=settings, capture_output=True, text=True)


@pytest.mark.parametrize("words", [("reconcile",), ("load_demo",), ("make_club", "Purbeck", "--secretary", "pat")])
def test_a_database_without_tables_is_answered_in_a_sentence(words, tmp_path):
    printed = manage(*words, database=tmp_path / "new.sqlite3")
    assert printed.returncode == 1
    assert printed.stdout == ""
    assert printed.stderr.strip() == (
        "CommandError: The database is not ready for this version: run './run upgrade' first."
    )


def test_a_database_which_cannot_be_opened_is_answered_in_a_sentence(tmp_path):
    printed = manage("reconcile", database=tmp_path / "no such folder" / "new.sqlite3")
    assert printed.returncode == 1
    assert printed.stderr.startswith("CommandError: The database cannot be opened: ")
    assert "Traceback" not in printed.stderr


def test_a_reader_that_stops_early_is_no_error(tmp_path):
    line = HANDS.read_text().splitlines()[0]
    many = tmp_path / "many.jsonl"
    many.write_text(f"{line}\n" * 3000)
    pipe = f"{sys.executable} manage.py score_hands {many} | head -n 1"
    printed = subprocess.run(pipe, cwd=ROOT, shell=True, capture_output=True, text=True)
    assert printed.stdout.count("\n") == 1
    assert printed.stderr == ""
