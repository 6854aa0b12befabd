"""The worked examples of rules as hands played, so that they are scored like any other hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.rules import Example

WINDS = "ESWN"
WINNER_ELSEWHERE = 20  # what somebody else went Mah-jong with, where the example says of nobody that they did


def example_played(rules: str, example: Example, house_rules: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Give the hand played (score format) that an example means, under its own house rules or under these."""
    hands: dict[str, dict[str, Any]] = {wind: {} for wind in WINDS}
    hands[example.seat] = dict(example.hand)
    mahjong = example.mahjong
    if mahjong is None:
        hands[example.winner] = {"total": WINNER_ELSEWHERE}
        mahjong = {"by": example.winner}
    return {
        "rules": rules,
        "house_rules": dict(example.house_rules if house_rules is None else house_rules),
        "wind_of_round": example.wind_of_round,
        "goulash": example.goulash,
        "hands": hands,
        "mahjong": dict(mahjong),
    }
