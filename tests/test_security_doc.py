"""docs/security.md names a test for every threat, and each of them is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent
TEXT = (ROOT.parent / "docs" / "security.md").read_text(encoding="utf-8")
# A threat is a heading of the third level; what follows it, up to the next heading, names its tests.
THREATS = dict(re.findall(r"^### (.+)\n((?:(?!#).*\n)*)", TEXT, re.M))
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def names_of_tests(path):
    return set(re.findall(r"^ *def (test_\w+)", path.read_text(encoding="utf-8"), re.M)) if path.is_file() else set()


def test_every_threat_names_a_test():
    assert len(THREATS) > 60
    assert [threat for threat, text in THREATS.items() if not NAMED.search(text)] == []


def test_every_test_named_is_there():
    named = set(NAMED.findall(TEXT))
    assert len(named) > 200
    tests = {file: names_of_tests(ROOT / file) for file, _ in named}
    assert [f"{file}::{test}" for file, test in sorted(named) if test not in tests[file]] == []
