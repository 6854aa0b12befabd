"""Random choices for made-up clubs."""

from random import Random
from typing import Any


class Luck:
    """Random choices, made with Random.random only, as its numbers are the same in every version of Python."""

    def __init__(self, seed: Any) -> None:
        self._random = Random(seed).random

    def chance(self, share: float) -> bool:
        return self._random() < share

    def one_of(self, choices: Any) -> Any:
        return choices[int(self._random() * len(choices))]

    def weighted(self, choices: tuple[Any, ...]) -> Any:
        """Choose among (choice, weight) pairs."""
        at = self._random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            at -= weight
            if at < 0:
                return choice
        return choices[-1][0]
