"""The switches of a rule set as a page shows them: standard value, the club's, and what each value changes."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from clubscore.scoring import RULE_SETS
from clubscore.scoring.switch_outcomes import SWITCH_EXAMPLES, worked
from clubscore.scoring.switches import GROUPS, SWITCHES, HouseRules, Switch, SwitchExample
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.table.drawn_hands import Group, tile_groups


def token(value: object) -> str:
    """Write a value as it stands in a form: true is not 1."""
    return value if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True)
class ExampleRow:
    """What comes of an example with one value of the switch."""

    value: str
    outcome: str
    is_sources: bool
    is_clubs: bool


@dataclass(frozen=True)
class ShownExample:
    """The example of a switch: the sentence, the tiles of who is in it, and what each value makes of it."""

    sentence: str
    hands: tuple[tuple[str, tuple[Group, ...]], ...]
    rows: tuple[ExampleRow, ...]


@dataclass(frozen=True)
class ShownSwitch:
    """One switch with the source's value and the club's; `difference` says how they differ, empty where not."""

    words: Switch
    sentence: str
    source_value: object
    value: object
    difference: str
    examples: tuple[ShownExample, ...]

    @property
    def key(self) -> str:
        return self.words.key

    @property
    def now(self) -> str:
        return self.words.label(self.value)

    @property
    def source_label(self) -> str:
        return self.words.label(self.source_value)

    @property
    def source_token(self) -> str:
        return token(self.source_value)


def shown_switches(rules: str, house: HouseRules) -> list[tuple[str, list[ShownSwitch]]]:
    """Return the switches of a rule set under these house rules, in groups: (title, switches)."""
    shown = [shown_switch(rules, key, house.of(key)) for key in RULE_SETS[rules].standard]
    groups = [(title, [one for one in shown if one.words.group == group]) for group, title in GROUPS]
    return [(title, switches) for title, switches in groups if switches]


def shown_switch(rules: str, key: str, value: int | str | None) -> ShownSwitch:
    """Return one switch at this value."""
    source_value, words = RULE_SETS[rules].standard[key], RULE_SETS[rules].switches[key]
    return ShownSwitch(
        words=words,
        sentence=words.sentence,
        source_value=source_value,
        value=value,
        difference=differs_told(rules, key, value),
        examples=tuple(
            _shown(example, rules, source_value, value) for example in words.examples if rules in example.rules
        ),
    )


def differs_told(rules: str, key: str, value: int | str | None) -> str:
    """Return how a club's value differs: "The BMJA plays a limit of 1,000; your club plays without a limit."."""
    source = RULE_SETS[rules]
    words, source_value = source.switches[key], source.standard[key]
    if same(value, source_value):
        return ""
    return f"{source.called} plays {words.plays(source_value)}; your club plays {words.plays(value)}."


def differences_told(rules: str, overrides: dict[str, Any]) -> list[str]:
    """Return every difference of a club's rules from their source, a sentence each."""
    order = list(RULE_SETS[rules].standard)
    return [differs_told(rules, key, overrides[key]) for key in sorted(overrides, key=order.index)]


def changes_told(rules: str, before: dict[str, int], after: dict[str, Any]) -> list[str]:
    """Return what changed between two versions: "Limit: 600 (was: 1,000)"."""
    source, switches = RULE_SETS[rules].standard, RULE_SETS[rules].switches
    old, new = {**source, **before}, {**source, **after}
    return [
        f"{words.name}: {words.label(new[key])} (was: {words.label(old[key])})"
        for key, words in switches.items()
        if not same(old[key], new[key])
    ]


def same(one: int | str | None, other: int | str | None) -> bool:
    """Return whether two values of a switch are the same; true is not 1."""
    return type(one) is type(other) and one == other


def _shown(example: SwitchExample, rules, source_value, value):
    words = SWITCHES[example.switch]
    values = [source_value, value, *example.values]
    if not words.is_figure:
        values = [one for one, _, _ in words.values]
    rows = {words.label(one): one for one in values}
    return ShownExample(
        sentence=example.sentence,
        hands=tuple(
            (WIND_NAMES[seat], tile_groups(example.hands[seat])) for seat in example.of if _drawn(example, seat)
        ),
        rows=tuple(
            ExampleRow(label, _worked(example, rules, one), same(one, source_value), same(one, value))
            for label, one in rows.items()
            if example.tells != "nothing"
        ),
    )


def _drawn(example, seat):
    return {"sets", "tiles", "bonus"} & set(example.hands.get(seat, {}))


def _worked(example, rules, value):
    return _worked_once(SWITCH_EXAMPLES.index(example), rules, value, type(value))


@lru_cache(maxsize=2048)
def _worked_once(place, rules, value, kind):
    return worked(SWITCH_EXAMPLES[place], rules, value)
