"""A small run of the benchmarks from beginning to end, on a database of its own."""

import subprocess
import sys

import pytest

from .benchmarks.report import BEGIN, END, Found, written
from .postgres import ROOT

PARTS = "scoring,again,pages,plans,rescore,hall,backup"
SMALL = ["--small", "150", "--hands", "300", "--clubs", "2", "--players", "10", "--databases", "sqlite"]


def test_tables_that_were_not_measured_stay():
    old = f"Words.\n\n{BEGIN}\n\nOn a machine.\n\n### Plans\n\n| one |\n\n### A backup\n\n| two |\n\n{END}\n\nMore.\n"
    found = Found(None)
    found.filled = {"sqlite 1000": 3.2}
    given = {"seconds": 61.4, "restoring": 59.6, "size": 2_400_000, "shown": "2,000 of 2,400"}
    found.others["backup"] = {"sqlite 1000": given}
    lines = written(found, old).splitlines()
    assert [line for line in lines if line.startswith("### ")] == ["### Plans", "### A backup", "### Populating"]
    assert lines[:3] == ["Words.", "", BEGIN]
    assert lines[-3:] == [END, "", "More."]
    assert "| one |" in lines
    assert "| two |" not in lines
    assert "| SQLite, 1,000 hands | 61 s | 60 s | 2 MB | 2,000 of 2,400 |" in lines


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
