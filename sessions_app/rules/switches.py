"""The house-rule switches of a rule set as pages show them: standard value, the club's value, worked examples."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from clubscore.play.drawn_hands import Group, tile_groups
from clubscore.play.offered import describe_difference, form_value, is_same
from clubscore.scoring import RULE_SETS
from clubscore.scoring.switch_outcomes import SWITCH_EXAMPLES, worked
from clubscore.scoring.switches import GROUPS, SWITCHES, HouseRules, Switch
from clubscore.scoring.tiles import WIND_NAMES


@dataclass(frozen=True)
class ExampleRow:
    """The outcome of an example with one value of the switch."""

    value: str
    outcome: str
    is_sources: bool
    is_clubs: bool


@dataclass(frozen=True)
class ShownSwitchExample:
    """An example of a switch: its sentence, each player's tiles, and the outcome with each value."""

    sentence: str
    hands: tuple[tuple[str, tuple[Group, ...]], ...]
    rows: tuple[ExampleRow, ...]


@dataclass(frozen=True)
class ShownSwitch:
    """One switch with its standard value and the club's; `difference` is a sentence, empty if they are equal."""

    words: Switch
    sentence: str
    source_value: object
    value: object
    difference: str
    examples: tuple[ShownSwitchExample, ...]

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
        return form_value(self.source_value)


def shown_switches(rules: str, house: HouseRules) -> list[tuple[str, list[ShownSwitch]]]:
    """Return the switches of a rule set under these house rules, in groups: (title, switches)."""
    shown = [_shown_switch(rules, key, house.of(key)) for key in RULE_SETS[rules].standard]
    groups = [(title, [switch for switch in shown if switch.words.group == group]) for group, title in GROUPS]
    return [(title, switches) for title, switches in groups if switches]


def _shown_switch(rules: str, key: str, value: Any) -> ShownSwitch:
    words, source_value = RULE_SETS[rules].switches[key], RULE_SETS[rules].standard[key]
    return ShownSwitch(
        words=words,
        sentence=words.sentence,
        source_value=source_value,
        value=value,
        difference=describe_difference(rules, key, value),
        examples=tuple(
            _shown_example(example, rules, source_value, value) for example in words.examples if rules in example.rules
        ),
    )


def describe_changes(rules: str, before: dict[str, int], after: dict[str, Any]) -> list[str]:
    """Return what changed between two versions: "Limit: 600 (was: 1,000)"."""
    source, switches = RULE_SETS[rules].standard, RULE_SETS[rules].switches
    old, new = {**source, **before}, {**source, **after}
    return [
        f"{words.name}: {words.label(new[key])} (was: {words.label(old[key])})"
        for key, words in switches.items()
        if not is_same(old[key], new[key])
    ]


def _shown_example(example, rules, source_value, value):
    words = SWITCHES[example.switch]
    values = [source_value, value, *example.values] if words.is_figure else [choice for choice, _, _ in words.values]
    by_label = {words.label(choice): choice for choice in values} if example.shows != "nothing" else {}
    index = SWITCH_EXAMPLES.index(example)
    return ShownSwitchExample(
        sentence=example.sentence,
        hands=tuple(
            (WIND_NAMES[wind], tile_groups(example.hands[wind]))
            for wind in example.seats
            if {"sets", "tiles", "bonus"} & set(example.hands.get(wind, {}))
        ),
        rows=tuple(
            ExampleRow(label, _outcome(index, rules, choice), is_same(choice, source_value), is_same(choice, value))
            for label, choice in by_label.items()
        ),
    )


@lru_cache(maxsize=2048, typed=True)  # typed, as True and 1 differ
def _outcome(index: int, rules: str, value: Any) -> str:
    return worked(SWITCH_EXAMPLES[index], rules, value)
