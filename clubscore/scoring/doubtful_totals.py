"""Typed totals that the rules make unlikely: asked about once, never refused."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from clubscore.scoring.rules import RuleSet
from clubscore.scoring.switches import HouseRules


class Doubt(Enum):
    """Why a total may be mistyped."""

    OVER_LIMIT = "over limit"
    BELOW_MINIMUM = "below minimum"  # the house rule's fewest points for a Mah-jong
    BELOW_WINNER = "below winner"  # less than any winner scores under these rules
    ODD = "odd"


QUESTIONS = {
    Doubt.OVER_LIMIT: "The limit is {bound:,}. Is {total:,} right?",
    Doubt.BELOW_MINIMUM: "A winning hand needs {bound:,} points. Is {total:,} right?",
    Doubt.BELOW_WINNER: "A winner scores at least {bound:,}. Is {total:,} right?",
    Doubt.ODD: "{family} totals are even. Is {total:,} right?",
}


@dataclass(frozen=True)
class DoubtfulTotal:
    """A typed total and what speaks against it; `bound` is the limit or the minimum."""

    doubt: Doubt
    total: int
    bound: int = 0
    family: str = ""

    @property
    def question(self) -> str:
        return QUESTIONS[self.doubt].format(bound=self.bound, total=self.total, family=self.family or "These")


def doubtful_total(rule_set: RuleSet, house: HouseRules, total: int, wins: bool) -> DoubtfulTotal | None:
    """Return the first thing that speaks against a total a player typed; None where nothing does."""
    limit, minimum = house.limit, house.minimum_points or 0
    if limit is not None and total > limit and (wins or house.limit_applies_to == "all"):
        return DoubtfulTotal(Doubt.OVER_LIMIT, total, limit)
    if wins and total < minimum:
        return DoubtfulTotal(Doubt.BELOW_MINIMUM, total, minimum)
    if wins and total < rule_set.winner_least:
        return DoubtfulTotal(Doubt.BELOW_WINNER, total, rule_set.winner_least)
    if total % 2 and scores_even(rule_set):
        return DoubtfulTotal(Doubt.ODD, total, family=rule_set.family)
    return None


def doubtful_totals(
    rule_set: RuleSet, house: HouseRules, hands: Mapping[str, Any], winners: Collection[str]
) -> dict[str, DoubtfulTotal]:
    """Return the doubtful totals among players' hands of the score format, by the keys they are given under."""
    found = {
        seat: doubtful_total(rule_set, house, hand["total"], seat in winners)
        for seat, hand in hands.items()
        if isinstance(hand, Mapping) and type(hand.get("total")) is int
    }
    return {seat: doubt for seat, doubt in found.items() if doubt is not None}


def scores_even(rule_set: RuleSet) -> bool:
    """Say whether every figure a rule set adds up is even, so that no hand can score an odd total."""
    points: Iterable[int] = [rule.points for rule in rule_set.rules if isinstance(rule.points, int)]
    return bool(points) and all(figure % 2 == 0 for figure in points)
