"""What a switch changes: its examples, worked out by the scorer for any value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.rotation import Outcome, first_chairs, next_chairs
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.scored import score_hand_played
from clubscore.scoring.switches import HOUSE_RULE_SWITCHES, SWITCHES, SwitchExample
from clubscore.scoring.tiles import WINDS, wind_name

SEATS = (1, 2, 3, 4)
SWITCH_EXAMPLES = tuple(example for switch in HOUSE_RULE_SWITCHES for example in switch.examples)


def worked(example: SwitchExample, rules: str, value: Any) -> str:
    """Return the outcome of an example under a rule set with this value of its switch."""
    house_rules = {**example.given, example.switch: value}
    try:
        return _TOLD[example.tells](example, rules, house_rules)
    except ScoringError as error:
        return str(error)


def examples_of(switch: str, rules: str) -> list[SwitchExample]:
    """Return the examples of a switch in a rule set."""
    return [example for example in SWITCHES[switch].examples if rules in example.rules]


def _totals(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    hands = score_hand_played(example.played(rules, house_rules))["hands"]
    return ", ".join(f"{wind_name(seat)} {hands[seat]['total']:,}" for seat in example.of)


def _nets(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    net = score_hand_played(example.played(rules, house_rules))["net"]
    return ", ".join(f"{wind_name(seat)} {_signed(net[seat])}" for seat in WINDS)


def _signed(amount: int) -> str:
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def _next(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    house = RULE_SETS[rules].house(house_rules)
    after = next_chairs(first_chairs(SEATS, house), example.outcome, house)
    east = "East stays East" if after.east == SEATS[0] else "South is East next"
    return f"{east}, and a goulash is played" if after.goulash else east


def _deals(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    house = RULE_SETS[rules].house(house_rules)
    chairs = first_chairs(SEATS, house)
    for often in range(1, 21):
        chairs = next_chairs(chairs, Outcome("won", (SEATS[0],)), house)
        if chairs.east != SEATS[0]:
            return f"the deal passes after Mah-jong number {often}"
    return "East stays after every one of twenty"


def _start(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    return f"each begins with {RULE_SETS[rules].house(house_rules).starting_balance or 0:,}"


def _nothing(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    return ""


_TOLD = {"totals": _totals, "nets": _nets, "next": _next, "deals": _deals, "start": _start, "nothing": _nothing}
