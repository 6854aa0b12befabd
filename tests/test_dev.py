"""What developers run: which tests on which database, what is checked, and how the code is counted."""

import re
import subprocess
import sys

import pytest

from clubscore.site import settings_file
from tests.test_run import ROOT, load_run
from tools import dev


def test_without_npm_the_scripts_are_left_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    assert dev.install_script_tools() is False
    assert "npm" in capsys.readouterr().out
    monkeypatch.setenv("CI", "true")
    with pytest.raises(SystemExit, match="npm is missing"):
        dev.install_script_tools()


def test_run_knows_every_command():
    assert set(load_run().DEVELOPERS) == set(dev.COMMANDS)


def test_two_documents_say_why_each_package_is_there():
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    table = re.findall(r"^\| ([^|]+) \|", text, re.M)
    named = {name.strip().lower() for row in table for name in re.sub(r"\(.*?\)", "", row).split(",")}
    wanted = {
        re.split(r"[=\[]", line)[0].lower()
        for file in ROOT.glob("requirements*.txt")
        for line in file.read_text().split("\n")
        if line and not line.startswith("-r ")
    }
    assert "django" in wanted
    assert wanted - named == set()


def test_an_installations_settings_are_left_out(monkeypatch):
    seen = {}
    monkeypatch.chdir(ROOT)
    for name in (*settings_file.NAMES, "CLUBSCORE_ENV"):
        monkeypatch.setenv(name, "a club's own")
    monkeypatch.setitem(dev.COMMANDS, "size", lambda argv: seen.update(dev.os.environ, argv=argv))
    assert dev.main(["size", "--some", "option"]) is None
    assert seen["CLUBSCORE_ENV"] == ""
    assert not set(settings_file.NAMES) & set(seen)
    assert seen["argv"] == ["--some", "option"]


MODULE = '''"""Two lines

of a docstring, with a blank one."""

import os
from json import (
    dumps,
)


class Hand:
    """Kept."""

    limit = """
    Four winds
    """


def text(tiles):
    # A comment.
    return dumps(tiles)  # This line is code.
'''


def test_the_size_of_a_checkout(tmp_path):
    for name, text in {
        "clubscore/hands.py": MODULE,
        "clubscore/__init__.py": "",
        "sessions_app/models.py": "import os\n\nA = 1\nB = 2\n",
        "sessions_app/migrations/0001_initial.py": "A = 1\n",
        "static/table/page.js": "const a = 1;\n\n// A comment.\n",
        "static/vendor/htmx.js": "const b = 1;\n",
        "tests/test_hands.py": "def test_one():\n    assert True\n",
        "tests/one.test.mjs": "test();\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "dev.py", "size", tmp_path], capture_output=True, text=True, check=True
    )
    # A blank line within a docstring counts twice.
    totals, rooms = done.stdout.split("\n\n")
    assert [int(line.split()[0]) for line in totals.splitlines()] == [6 + 2 - 1, 3 + 2, 3, 3]
    # Each with its aim, and its name.
    assert [line.split()[::2] for line in rooms.splitlines()[1:]] == [["5", "clubscore"], ["2", "sessions_app"]]
