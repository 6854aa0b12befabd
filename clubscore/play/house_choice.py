"""House rules as somebody chooses them in a form: what is typed becomes values, and each difference a sentence."""

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.switches import STANDARD, Switch

# The tick beside a figure that stands for none of it has the name of the switch and this.
NONE = "_none"
MAX_FIGURE = 1_000_000
# Far above what anybody plays, and low enough for the score to be stored when East pays it double.
MAX_FIGURES = {"east_max": 999}


def form_value(value: Any) -> str:
    """Return the value of a switch as a form sends it; True and 1 differ."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def is_same(value: Any, other: Any) -> bool:
    """Return whether two values of a switch are equal; True and 1 differ."""
    return type(value) is type(other) and value == other


def read_figure(switch: Switch, typed: str, is_none: bool) -> tuple[Any, str]:
    """Return the number typed, such as "1,000", or None where none is ticked; and what is wrong with it."""
    figure = typed.replace(",", "").replace("\u00a0", "").strip()
    if is_none:
        return None, f"Choose “{switch.label(None)}” or enter a number, not both." if figure else ""
    try:
        value: Any = int(figure) if figure.isascii() and figure.isdigit() else figure or STANDARD
        switch.check(value)
    except ScoringError:
        return None, switch.error
    is_too_much = isinstance(value, int) and value > MAX_FIGURES.get(switch.key, MAX_FIGURE)
    return (None, switch.error) if is_too_much else (value, "")


def read_choice(switch: Switch, token: str) -> tuple[Any, str]:
    """Return the value that was chosen; and what is wrong with it, if anything."""
    for value, _, _ in switch.values:
        if form_value(value) == token:
            return value, ""
    return None, f"Choose {'one of the options' if token else 'an option'} for “{switch.name}”."


def read_house_rules(rules: str, typed: Mapping[str, str]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the house rules of a form that differ from the rule set, and what is wrong, by the name of the field."""
    rule_set = RULE_SETS[rules]
    chosen, problems = {}, []
    for key, standard in rule_set.standard.items():
        switch, text = rule_set.switches[key], typed.get(key, "")
        value, problem = (
            read_figure(switch, text, (key + NONE) in typed) if switch.is_figure else read_choice(switch, text)
        )
        if problem:
            problems.append((key, problem))
        elif not is_same(value, standard):
            chosen[key] = value
    return chosen, problems


def describe_difference(rules: str, key: str, value: Any, who: str = "your club plays") -> str:
    """Return a sentence such as "The BMJA plays a limit of 1,000; your club plays without a limit."."""
    source = RULE_SETS[rules]
    words, source_value = source.switches[key], source.standard[key]
    if is_same(value, source_value):
        return ""
    return f"{source.called} plays {words.plays(source_value)}; {who} {words.plays(value)}."


def describe_differences(rules: str, overrides: Mapping[str, Any], who: str = "your club plays") -> list[str]:
    """Return one sentence for each switch in which house rules differ from the standard rules."""
    return [
        describe_difference(rules, key, overrides[key], who) for key in RULE_SETS[rules].standard if key in overrides
    ]
