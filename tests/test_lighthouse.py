"""Lighthouse on the pages of a table, on slow 4G and a slow processor: the median of five, against what is wanted."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHROMIUM, missing

MEASURE = Path(__file__).parent.parent / "tools" / "lighthouse" / "measure.py"


@pytest.mark.long
def test_the_pages_of_a_table_are_what_lighthouse_wants():
    if not CHROMIUM or not shutil.which("npm"):
        missing("Lighthouse needs Chromium and npm: 'sudo apt install chromium npm' brings them.")
    done = subprocess.run([sys.executable, str(MEASURE), "--runs", "5"], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
