"""Digests of the rule sets, kept with their editions in tests/data/editions.json, and the names of their rows.

Run as a program, it keeps those of today. It refuses a rule set whose rows have changed while its edition has not,
unless --same-results says that no result can differ. A name that is kept stays as it is: stored results hold it.
"""

import argparse
import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.tiles import BONUS_TILES, tile_name

KEPT = Path(__file__).parent / "data" / "editions.json"
KEPT_NAMES = KEPT.with_name("rule_names.json")
DOCS = Path(__file__).parent.parent / "docs"
# The prints of the rules that are kept, by the names that tools/prints.py has for them, and what they showed when made.
KEPT_PRINTS = {"what-we-play": DOCS / "what-we-play.pdf", "rules-sheet": DOCS / "prints" / "rules-sheet.pdf"}
PRINTED = DOCS / "prints" / "rules.json"
# What players read; no result comes from it.
WORDS = {
    "edition",
    "name",
    "sentence",
    "wording",
    "source",
    "called",
    "family",
    "examples",
    "because",
    "suit_names",
    "words",
}


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
    """Return what differs as soon as a row differs, unless only its examples and words do."""
    return hashlib.sha256(json.dumps(plain(rule_set, without)).encode()).hexdigest()[:16]


def shown(name):
    """Return what a print of the demonstration club's rules shows today, and the digest of the PDF that is kept.

    What it shows is the edition, and the digest of rows and words.
    """
    rule_set = next(iter(RULE_SETS.values()))
    rows, pdf = digest(rule_set, {"examples", "because"}), hashlib.sha256(KEPT_PRINTS[name].read_bytes())
    return {"rules": rule_set.key, "edition": rule_set.edition, "digest": rows, "pdf": pdf.hexdigest()[:16]}


def keep_print(name):
    """Keep what a print shows, once it has been made."""
    printed = json.loads(PRINTED.read_text(encoding="ascii"))
    PRINTED.write_text(json.dumps(printed | {name: shown(name)}, indent=1) + "\n", encoding="ascii")


def kept():
    """Return the editions and digests kept, by rule set."""
    return json.loads(KEPT.read_text(encoding="ascii"))


def now():
    """Return the editions and digests of today, by rule set."""
    return {key: {"edition": rule_set.edition, "digest": digest(rule_set)} for key, rule_set in RULE_SETS.items()}


def kept_names():
    """Return the names that stored results may hold, by rule set and key of the row; of bonus tiles by their code."""
    return json.loads(KEPT_NAMES.read_text(encoding="utf-8"))


def names_now():
    """Return today's names in the same shape."""
    rows = {key: (*rule_set.rules, *rule_set.special_hands) for key, rule_set in RULE_SETS.items()}
    names = {key: {row.key: row.name for row in some} for key, some in rows.items()}
    return names | {"bonus tiles": {code: tile_name(code) for code in BONUS_TILES}}


def reworded(before, after):
    """Return a sentence for each name that is no longer what stored results call it."""
    return [
        f"{where}: {key} is now called “{after[where][key]}”, and stored results call it “{name}”."
        for where, names in before.items()
        for key, name in names.items()
        if after.get(where, {}).get(key, name) != name
    ]


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
    before = kept_names() if KEPT_NAMES.exists() else {}
    names = {where: rows | before.get(where, {}) for where, rows in names_now().items()}
    KEPT_NAMES.write_text(json.dumps(names, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{KEPT.name} and {KEPT_NAMES.name} are written.")


if __name__ == "__main__":
    main()
