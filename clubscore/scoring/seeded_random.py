"""Random choices that can be repeated: for the tables of a meeting, and hands to practise."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class SeededRandom:
    """Random numbers (Park and Miller's) that are the same for a seed in every Python, on a tablet too."""

    def __init__(self, seed: int) -> None:
        self.number = seed % 2147483646 + 1
        # Consecutive seeds give similar first numbers.
        for _ in range(4):
            self.below(2)

    def below(self, number: int) -> int:
        self.number = self.number * 16807 % 2147483647
        return self.number % number

    def sample(self, values: Iterable[Any], count: int) -> list[Any]:
        found = list(values)
        for at in range(count):
            other = at + self.below(len(found) - at)
            found[at], found[other] = found[other], found[at]
        return found[:count]

    def shuffled(self, values: Sequence[Any]) -> list[Any]:
        return self.sample(values, len(values))

    def choice(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def weighted_choice(self, choices: Sequence[tuple[Any, int]]) -> Any:
        """Choose from pairs of a value and its weight."""
        at = self.below(sum(weight for _, weight in choices))
        for choice, weight in choices:
            at -= weight
            if at < 0:
                return choice
