"""What a switch changes: its examples, worked out by the scorer for any value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.rotation import HandOutcome, first_seating, next_seating
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.score import score_hand_played
from clubscore.scoring.switches import HOUSE_RULE_SWITCHES, SwitchExample
from clubscore.scoring.tiles import WINDS, wind_name
from clubscore.scoring.words import signed

SEATS = (1, 2, 3, 4)
SWITCH_EXAMPLES = tuple(example for switch in HOUSE_RULE_SWITCHES for example in switch.examples)


def worked(example: SwitchExample, rules: str, value: Any) -> str:
    """Return the outcome of an example under a rule set with this value of its switch."""
    house_rules = {**example.given, example.switch: value}
    try:
        return _OUTCOMES[example.shows](example, rules, house_rules)
    except ScoringError as error:
        return str(error)


def _totals(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    hands = score_hand_played(example.played(rules, house_rules))["hands"]
    return ", ".join(f"{wind_name(seat)} {hands[seat]['total']:,}" for seat in example.seats)


def _nets(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    net = score_hand_played(example.played(rules, house_rules))["net"]
    return ", ".join(f"{wind_name(seat)} {signed(net[seat])}" for seat in WINDS)


def _next(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    house = RULE_SETS[rules].house(house_rules)
    outcome = HandOutcome("won", SEATS[:1]) if example.east_wins else HandOutcome("drawn")
    after = next_seating(first_seating(SEATS, house), outcome, house)
    east = "East stays East" if after.east == SEATS[0] else "South is East next"
    return f"{east}, and a goulash is played" if after.goulash else east


def _deals(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    house = RULE_SETS[rules].house(house_rules)
    seating = first_seating(SEATS, house)
    for often in range(1, 21):
        seating = next_seating(seating, HandOutcome("won", (SEATS[0],)), house)
        if seating.east != SEATS[0]:
            return f"the deal passes after Mah-jong number {often}"
    return "East stays after every one of twenty"


def _start(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    return f"each begins with {RULE_SETS[rules].house(house_rules).starting_balance or 0:,}"


def _nothing(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    return ""


_OUTCOMES = {"totals": _totals, "nets": _nets, "next": _next, "deals": _deals, "start": _start, "nothing": _nothing}
