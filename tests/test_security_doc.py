"""docs/security.md names a test for every threat, and each of them is there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT.parent / "docs" / "security.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][2:]
NAMED = re.compile(r"`([\w/]+\.py)(?:::(\w+))?`")


def names_of_tests(path):
    return {node.name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_test(node)}


def is_test(node):
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def test_every_test_named_is_there():
    named = {pair for *_, shown in ROWS for pair in NAMED.findall(shown)}
    missing = {file for file, _ in named if not (ROOT / file).is_file()}
    assert missing == set()
    assert {file for file, test in named if not test} == set()
    assert {f"{file}::{test}" for file, test in named if test and test not in names_of_tests(ROOT / file)} == set()
