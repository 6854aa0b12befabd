"""A small run of the benchmarks from beginning to end, on a database of its own."""

import subprocess
import sys

import pytest

from .postgres import ROOT

PARTS = "scoring,pages,rescore,hall,backup"
SMALL = ["--small", "150", "--hands", "300", "--clubs", "2", "--players", "10", "--databases", "sqlite"]


@pytest.mark.long
def test_a_small_run(tmp_path):
    options = [*SMALL, "--rounds", "3", "--tables", "3", "--watchers", "6", "--seconds", "6"]
    options += ["--folder", str(tmp_path), "--print"]
    command = [sys.executable, "-m", "tools.benchmarks", *options, "--parts", PARTS]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, timeout=600).stdout
    headings = [line for line in printed.splitlines() if line.startswith("### ")]
    assert headings == [
        "### British hands",
        "### Server times, SQLite",
        "### Stored hands scored again",
        "### A backup",
        "### 3 tables with a hand each every three minutes, 6 watchers polling",
        "### Populating",
    ]
    assert "| record a hand | " in printed
