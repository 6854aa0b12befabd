"""A small run of the benchmarks from beginning to end, on a database of its own."""

import subprocess
import sys

import pytest

from .benchmarks.report import Found, as_csv
from .postgres import ROOT

PARTS = "scoring,again,pages,plans,rescore,hall,backup"
SMALL = ["--small", "150", "--hands", "300", "--clubs", "2", "--players", "10", "--databases", "sqlite"]


def test_figures_that_were_not_measured_stay():
    head = "what,database,hands,p50_ms,p95_ms,p99_ms,goal_p95_ms\n"
    sheet, table = "sheet,PostgreSQL,300,14.0,15.6,15.6,\n", "record a hand,SQLite,300,11.8,13.9,19.7,25\n"
    found = Found(None)
    found.add_times("sqlite", 300, {"record a hand": {"p50": 9, "p95": 10.04, "p99": 12}})
    assert as_csv(found, head + sheet + table) == f"{head}{sheet}record a hand,SQLite,300,9.0,10.0,12.0,25\n"


@pytest.mark.long
def test_a_small_run(tmp_path):
    options = [*SMALL, "--rounds", "3", "--tables", "3", "--watchers", "6", "--seconds", "6"]
    options += ["--folder", str(tmp_path), "--print"]
    command = [sys.executable, "-m", "tests.benchmarks", *options, "--parts", PARTS]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, timeout=600).stdout
    headings = [line for line in printed.splitlines() if line.startswith("### ")]
    assert headings == [
        "### Whole hands scored, one process",
        "### British hands",
        "### Chinese Official and PyMahjongGB",
        "### Server times, SQLite",
        "### What was filled, and what the tables would have written",
        "### Plans",
        "### Stored hands scored again",
        "### A backup",
        "### 3 tables with a hand each every three minutes, 6 watchers polling",
        "### Populating",
    ]
    assert "| record a hand | " in printed
