"""What developers run, and that what they need is said."""

import re

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
