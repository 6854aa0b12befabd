"""What developers run: which tests on which database, what is checked, and how the code is counted."""

import re
import subprocess
import sys

import pytest

from clubscore import settings_file
from tests.test_run import ROOT, load_run
from tools import dev


@pytest.mark.parametrize(("processors", "processes"), [(1, 2), (2, 3), (3, 4), (16, 4)])
def test_one_test_more_than_processors_goes_on_at_a_time(processors, processes):
    assert dev.test_processes(processors) == processes


ENDED_WHEN_STUCK = ["-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=true"]


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ([], [("pytest", []), ("tests.postgres", ["-m", "postgres"])]),
        (["--maxfail=1"], [("pytest", ["--maxfail=1"]), ("tests.postgres", ["--maxfail=1", "-m", "postgres"])]),
        (["--postgres"], [("tests.postgres", [])]),
    ],
)
def test_what_concerns_the_database_is_run_on_postgresql_too(monkeypatch, options, passes):
    monkeypatch.setattr(dev.os, "cpu_count", lambda: 2)
    side_by_side = [*ENDED_WHEN_STUCK, "-n", "3", "--maxschedchunk", "1"]
    assert dev.test_passes(options) == [[program, *side_by_side, *more] for program, more in passes]


def test_what_is_quick_is_run_once_by_a_process_for_each_processor(monkeypatch):
    monkeypatch.setattr(dev.os, "cpu_count", lambda: 2)
    assert dev.test_passes(["--quick"]) == [["pytest", *ENDED_WHEN_STUCK, "-n", "2", "--quick"]]


def test_paths_are_run_in_one_process_and_on_the_database_asked_for():
    assert dev.test_passes(["tests/web"]) == [["pytest", *ENDED_WHEN_STUCK, "tests/web"]]
    assert dev.test_passes(["--postgres", "tests/web"]) == [["tests.postgres", *ENDED_WHEN_STUCK, "tests/web"]]


def test_what_takes_longer_may_take_its_time():
    assert dev.test_passes(["--long", "tests/web"]) == [["pytest", "--long", "tests/web"]]


def test_with_long_everything_is_run_on_postgresql_too(monkeypatch):
    monkeypatch.setattr(dev.os, "cpu_count", lambda: 2)
    together = ["-n", "3", "--maxschedchunk", "1", "--long"]
    assert dev.test_passes(["--long"]) == [["pytest", *together], ["tests.postgres", *together]]


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


def test_the_readme_says_why_each_package_is_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| ([^|]+) \|", readme[readme.index("## What it is built on") :], re.M)
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
    figures = [line.split("  ")[-2:] for line in done.stdout.splitlines()]
    assert [int(figure.strip()) for figure, _ in figures] == [6 + 2 - 1, 3 + 2, 3, 3]
