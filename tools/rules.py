"""Remakes what is derived from the rules: the editions, what tests/data/rules.json keeps of the rows, and two prints.

`./run rules` calls it, after any change of a row. An edition is raised where a result may differ from the last commit.
"""

import argparse
import functools
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from clubscore.scoring.rules import By, Rule, RuleSet, SpecialHand
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.tiles import BONUS_TILES, tile_name

ROOT = Path(__file__).resolve().parents[1]
KEPT = "tests/data/rules.json"
TABLES = "clubscore/scoring/rulesets"
# The prints of the rules that are kept: those of the demonstration club, which plays the first rule set.
PRINTS = ("what-we-play", "rules-sheet")
# What players read; no result comes from it.
WORDS = frozenset(
    ("edition", "name", "sentence", "wording", "source", "called", "family")
    + ("examples", "because", "suit_names", "words")
)
Kept = dict[str, Any]
Rows = tuple[Rule | SpecialHand, ...]


def plain(value: Any, without: frozenset[str] = frozenset()) -> Any:
    """Return rows, their figures and the functions they ask as lists of words and numbers, always the same ones."""
    if is_dataclass(value):
        names = sorted(field.name for field in fields(value) if field.name not in without)
        return [type(value).__name__, *([name, plain(getattr(value, name), without)] for name in names)]
    if isinstance(value, functools.partial):
        return [plain(value.func), plain(value.args), plain(value.keywords)]
    if callable(value):
        held = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
        asks = value.__code__.co_names if value.__name__ == "<lambda>" else ()
        return [value.__qualname__, *asks, plain(held), plain(getattr(value, "__defaults__", None) or ())]
    if isinstance(value, Mapping):
        return sorted(([str(key), plain(inner, without)] for key, inner in value.items()), key=str)
    if isinstance(value, set | frozenset):
        return sorted((plain(inner, without) for inner in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(inner, without) for inner in value]
    if not isinstance(value, str | int | None):
        raise TypeError(f"A digest does not know what to make of {value!r}.")
    return value


def digest(rule_set: RuleSet, without: frozenset[str] = WORDS) -> str:
    """Return what differs as soon as a row differs, unless only its examples and words do."""
    return hashlib.sha256(json.dumps(plain(rule_set, without)).encode()).hexdigest()[:16]


def rows_of(rule_set: RuleSet) -> Rows:
    return (*rule_set.rules, *rule_set.special_hands)


def kept_of(rule_set: RuleSet) -> Kept:
    """Return what is kept of a rule set, apart from the names of its rows."""
    return {"edition": rule_set.edition, "digest": digest(rule_set), "switches": " ".join(sorted(rule_set.house_rules))}


def may_differ(rule_set: RuleSet, kept: Kept) -> bool:
    """Return whether a session played under the rule set that is kept may have another result today.

    Nobody could set a switch that is new, so it is taken at its value in the rules as they are.
    """
    new = {key: value for key, value in rule_set.house_rules.items() if key not in kept["switches"].split()}
    house = rule_set.house()

    def as_before(rows: Iterable[Any]) -> Iterable[Any]:
        for row in rows:
            if all(new[switch] in values for switch, values in row.when if switch in new):
                figures = {field.name: getattr(row, field.name) for field in fields(row)}
                figures = {
                    name: by.under(house) for name, by in figures.items() if isinstance(by, By) and by.switch in new
                }
                yield replace(row, when=tuple(asked for asked in row.when if asked[0] not in new), **figures)

    before = replace(
        rule_set,
        house_rules={key: value for key, value in rule_set.house_rules.items() if key not in new},
        rules=tuple(as_before(rule_set.rules)),
        special_hands=tuple(as_before(rule_set.special_hands)),
    )
    return bool(digest(before) != kept["digest"])


def names_now(rule_sets: Mapping[str, RuleSet]) -> dict[str, dict[str, str]]:
    """Return the names that results hold, by rule set and key of the row; of bonus tiles by their code."""
    names = {key: {row.key: row.name for row in rows_of(rule_set)} for key, rule_set in rule_sets.items()}
    return names | {"bonus tiles": {code: tile_name(code) for code in BONUS_TILES}}


def reworded(before: Kept, after: Kept) -> list[str]:
    """Return a sentence for each name that is no longer what stored results call it."""
    return [
        f"{where}: {key} is now called “{after[where][key]}”, and stored results call it “{name}”."
        for where, names in before.items()
        for key, name in names.items()
        if after.get(where, {}).get(key, name) != name
    ]


def remake(rule_sets: Mapping[str, RuleSet], kept: Kept, committed: Kept) -> tuple[Kept, list[str]]:
    """Return what is to be kept of rule sets, their editions raised where that is due, and a sentence for each change.

    `kept` is what is kept now, `committed` what the last commit has: until the next, an edition is raised once.
    """
    now, said = {}, []
    names = {where: rows | kept["names"].get(where, {}) for where, rows in names_now(rule_sets).items()}
    for key, rule_set in rule_sets.items():
        before = committed["sets"].get(key)
        edition = rule_set.edition
        if before and may_differ(rule_set, before):
            edition = max(edition, before["edition"] + 1)
        now[key] = kept_of(replace(rule_set, edition=edition))
        if now[key] != kept["sets"].get(key):
            new = [name for row, name in names[key].items() if row not in kept["names"].get(key, {})]
            rows = f"{', '.join(new)} added" if new else "rows changed"
            raised = (
                f"edition {edition}, was {rule_set.edition}"
                if edition > rule_set.edition
                else f"edition {edition} stays"
            )
            said.append(f"{rule_set.name}: {rows}; {raised}.")
    return {**kept, "sets": now, "names": names}, said


def shown(rule_set: RuleSet, pdf: Path) -> Kept:
    """Return what a print of a rule set shows, its edition and the digest of rows and words, and that of the PDF."""
    rows = digest(rule_set, frozenset(("examples", "because")))
    printed = hashlib.sha256(pdf.read_bytes()).hexdigest()[:16]
    return {"rules": rule_set.key, "edition": rule_set.edition, "digest": rows, "pdf": printed}


def prints_now(rule_set: RuleSet) -> Kept:
    return {name: shown(rule_set, ROOT / "docs" / "prints" / f"{name}.pdf") for name in PRINTS}


def read_kept() -> Kept:
    return dict(json.loads((ROOT / KEPT).read_text(encoding="utf-8")))


def read_committed() -> Kept | None:
    """Return what the last commit keeps; None without git, or where it keeps nothing yet."""
    try:
        found = subprocess.run(["git", "show", f"HEAD:{KEPT}"], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return dict(json.loads(found.stdout))


def write_kept(kept: Kept) -> None:
    (ROOT / KEPT).write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_edition(key: str, edition: int) -> None:
    """Put an edition into the table of its rule set."""
    for path in (ROOT / TABLES).glob("*.py"):
        text = path.read_text(encoding="utf-8")
        raised = re.sub(rf'(    key="{key}",\n.*?    edition=)\d+', rf"\g<1>{edition}", text, count=1, flags=re.DOTALL)
        if raised != text:
            path.write_text(raised, encoding="utf-8")


def main(argv: list[str] | None = None) -> str | None:
    """Remake it all, and say what changed; return what stands in the way."""
    parser = argparse.ArgumentParser(prog="run rules", description="Remake all that is derived from the rules.")
    parser.add_argument(
        "--same-results", action="store_true", help="rows changed, but no result can: keep the editions"
    )
    options = parser.parse_args(argv)
    kept = read_kept()
    if wrong := reworded(kept["names"], names_now(RULE_SETS)):
        return "\n".join([*wrong, "Keep the name; what players of a set read instead goes into its `words`."])
    committed = {"sets": {}} if options.same_results else read_committed() or kept
    now, said = remake(RULE_SETS, kept, committed)
    rule_sets = {key: replace(rule_set, edition=now["sets"][key]["edition"]) for key, rule_set in RULE_SETS.items()}
    for key, rule_set in rule_sets.items():
        if rule_set.edition != RULE_SETS[key].edition:
            write_edition(key, rule_set.edition)
    write_kept(now)
    first = next(iter(rule_sets.values()))
    if prints_now(first) != now["prints"]:
        if subprocess.call([sys.executable, "tools/prints.py", *PRINTS], cwd=ROOT) != 0:
            return "The two prints of the rules are still the old ones."
        write_kept(now | {"prints": prints_now(first)})
        said.append("The two prints in docs/prints are new.")
    print("\n".join(said) or "Nothing to do: all that is derived from the rules is as it should be.")
    return None


if __name__ == "__main__":
    sys.exit(main())
