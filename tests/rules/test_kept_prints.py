"""The sheet of rules that is kept as a PDF shows the rules of today."""

import json
from pathlib import Path

from tests.rule_digests import shown

PRINTS = Path(__file__).parent.parent.parent / "docs" / "prints"


def test_the_sheet_of_rules_is_no_older_than_the_rules():
    printed = json.loads((PRINTS / "rules.json").read_text(encoding="ascii"))
    assert printed == shown(), "Print it once more: .venv/bin/python tools/prints.py"
