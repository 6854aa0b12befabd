"""The two prints of the rules that are kept as PDFs show the rules of today."""

import json

import pytest

from tests.rule_digests import KEPT_PRINTS, PRINTED, shown

PRINT_AGAIN = f".venv/bin/python tools/prints.py {' '.join(KEPT_PRINTS)}"


@pytest.mark.parametrize("name", KEPT_PRINTS)
def test_a_print_of_the_rules_is_no_older_than_the_rules(name):
    printed = json.loads(PRINTED.read_text(encoding="ascii"))
    assert printed.get(name) == shown(name), f"Print it once more: {PRINT_AGAIN}"
