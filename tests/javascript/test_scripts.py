"""The scripts without a browser: one run of `node --test` over the *.test.mjs beside this file, in a few seconds.

Their pages are those that the server draws. What needs fingers, layout, workers or a real database is in tests/browser.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.urls import reverse

from tests.conftest import missing
from tests.page_cast import logins, signed_in, table_in_play

HERE = Path(__file__).parent
PACKAGES = HERE.parent.parent / "tools" / "javascript" / "node_modules" / "jsdom"
WANTED = "Testing the scripts needs Node and npm: 'sudo apt install npm'. Then './run check' installs their packages."


@pytest.mark.one_database
def test_the_scripts(club, cast, tmp_path):
    if not shutil.which("node") or not PACKAGES.is_dir():
        missing(WANTED)
    keeper = signed_in(logins(club)["scorekeeper"])
    tables = [table_in_play(club, cast.all[:4], number) for number in (1, 2)]
    wanted = {"hand": ("hand-new", 0), "table": ("table", 0), "other table": ("table", 1), "paper": ("paper", 0)}
    wanted |= {"views": ("table-views", 0), "other views": ("table-views", 1)}
    pages = {}
    for name, (view, at) in wanted.items():
        address = reverse(view, args=[club.slug, tables[at].pk])
        pages[name] = {"address": address, "html": keeper.get(address).text}
    (tmp_path / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
    command = ["node", "--test", "--test-reporter", "tap", *map(str, sorted(HERE.glob("*.test.mjs")))]
    environment = {**os.environ, "CLUBSCORE_PAGES": str(tmp_path / "pages.json")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    # Without tests Node is content as well.
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
