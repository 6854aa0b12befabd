"""Typed totals that are unlikely under the rules: we ask about them once, and never refuse them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clubscore.scoring.rules import RuleSet
from clubscore.scoring.switches import HouseRules


@dataclass(frozen=True, kw_only=True)
class TotalQuery:
    """Why a typed total is unlikely; tablets get these rows too, to ask without the network."""

    question: str  # with a {total}
    above: int | None = None
    below: int | None = None
    odd: bool = False
    winner_only: bool = False

    def is_about(self, total: int, wins: bool) -> bool:
        """Whether the question is asked about a total of a player who `wins` or does not."""
        if self.winner_only and not wins:
            return False
        is_above = self.above is not None and total > self.above
        is_below = self.below is not None and total < self.below
        return is_above or is_below or (self.odd and total % 2 == 1)


def total_queries(rule_set: RuleSet, house: HouseRules) -> list[TotalQuery]:
    """Return what a table asks about typed totals, the most serious first."""
    limit, minimum, least = house.limit, house.minimum_points or 0, rule_set.winner_least
    found = []
    if limit is not None:
        alone, asked = house.limit_applies_to != "all", f"The limit is {limit:,}. Is {{total}} right?"
        found.append(TotalQuery(question=asked, above=limit, winner_only=alone))
    if minimum:
        asked = f"A winning hand needs {minimum:,} points. Is {{total}} right?"
        found.append(TotalQuery(question=asked, below=minimum, winner_only=True))
    if least:
        asked = f"A winner scores at least {least:,}. Is {{total}} right?"
        found.append(TotalQuery(question=asked, below=least, winner_only=True))
    if scores_even(rule_set):
        asked = f"{rule_set.family or 'These'} totals are even. Is {{total}} right?"
        found.append(TotalQuery(question=asked, odd=True))
    return found


def unlikely_total(rule_set: RuleSet, house: HouseRules, total: int, wins: bool) -> str | None:
    """Return the question about a total that a player typed; None if it is likely."""
    asked = (one.question for one in total_queries(rule_set, house) if one.is_about(total, wins))
    question = next(asked, None)
    return question and question.format(total=f"{total:,}")


def unlikely_totals(
    rule_set: RuleSet, house: HouseRules, hands: Mapping[str, Any], winners: Collection[str]
) -> dict[str, str]:
    """Return the questions about players' hands of the score format, by the keys they are given under."""
    found = {
        seat: unlikely_total(rule_set, house, hand["total"], seat in winners)
        for seat, hand in hands.items()
        if isinstance(hand, Mapping) and type(hand.get("total")) is int
    }
    return {seat: question for seat, question in found.items() if question is not None}


def scores_even(rule_set: RuleSet) -> bool:
    """Return whether every figure a rule set adds up is even, so that no hand can score an odd total."""
    points: Iterable[int] = [rule.points for rule in rule_set.rules if isinstance(rule.points, int)]
    return bool(points) and all(figure % 2 == 0 for figure in points)
