"""Digests of the rule sets, kept beside their editions in tests/data/editions.json.

Run as a program, it keeps those of today. It refuses a rule set whose rows have changed while its edition has not,
unless --same-results says that no result can differ.
"""

import argparse
import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

from clubscore.scoring.rulesets import RULE_SETS

KEPT = Path(__file__).parent / "data" / "editions.json"
# What players read; no result comes from it.
WORDS = {"edition", "name", "sentence", "source", "called", "family", "examples", "suit_names", "words"}


def plain(thing, without=frozenset()):
    """Return rows, their figures and the functions they ask as lists of words and numbers, always the same ones."""
    if is_dataclass(thing):
        names = sorted(field.name for field in fields(thing) if field.name not in without)
        return [type(thing).__name__, *([name, plain(getattr(thing, name), without)] for name in names)]
    if isinstance(thing, functools.partial):
        return [plain(thing.func), plain(thing.args), plain(thing.keywords)]
    if callable(thing):
        held = [cell.cell_contents for cell in getattr(thing, "__closure__", None) or ()]
        asks = thing.__code__.co_names if thing.__name__ == "<lambda>" else ()
        return [thing.__qualname__, *asks, plain(held), plain(getattr(thing, "__defaults__", None) or ())]
    if isinstance(thing, Mapping):
        return sorted(([str(key), plain(value, without)] for key, value in thing.items()), key=str)
    if isinstance(thing, set | frozenset):
        return sorted((plain(one, without) for one in thing), key=str)
    if isinstance(thing, list | tuple):
        return [plain(one, without) for one in thing]
    if not isinstance(thing, str | int | None):
        raise TypeError(f"A digest does not know what to make of {thing!r}.")
    return thing


def digest(rule_set, without=WORDS):
    """Return what differs as soon as a row differs, unless told in its examples and words alone."""
    return hashlib.sha256(json.dumps(plain(rule_set, without)).encode()).hexdigest()[:16]


def shown():
    """Return what the demonstration club's sheet of rules shows: the edition, and the digest of rows and words."""
    rule_set = next(iter(RULE_SETS.values()))
    return {"rules": rule_set.key, "edition": rule_set.edition, "digest": digest(rule_set, {"examples"})}


def kept():
    """Return the editions and digests kept, by rule set."""
    return json.loads(KEPT.read_text(encoding="ascii"))


def now():
    """Return the editions and digests of today, by rule set."""
    return {key: {"edition": rule_set.edition, "digest": digest(rule_set)} for key, rule_set in RULE_SETS.items()}


def changed_without_an_edition(before, after):
    """Return the rule sets whose rows are others under the same number."""
    return [
        key
        for key, entry in after.items()
        if entry["edition"] == before.get(key, {}).get("edition") and entry["digest"] != before[key]["digest"]
    ]


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.rule_digests", description="Keep the digests of today.")
    parser.add_argument("--same-results", action="store_true", help="the rows changed, but no result can")
    options = parser.parse_args()
    wrong = changed_without_an_edition(kept(), now()) if KEPT.exists() and not options.same_results else []
    if wrong:
        raise SystemExit(f"Raise the edition of {', '.join(wrong)}: the rows have changed.")
    KEPT.write_text(json.dumps(now(), indent=2) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
