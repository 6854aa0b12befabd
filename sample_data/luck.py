"""What is drawn by lot in made-up clubs."""

from random import Random
from typing import Any


class Luck:
    """What is drawn by lot; only Random.random, whose numbers are the same with every Python."""

    def __init__(self, seed: Any) -> None:
        self._random = Random(seed).random

    def chance(self, share: float) -> bool:
        return self._random() < share

    def one_of(self, choices: Any) -> Any:
        return choices[int(self._random() * len(choices))]

    def weighed(self, choices: tuple[Any, ...]) -> Any:
        """Choose among (choice, weight) pairs."""
        at = self._random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            at -= weight
            if at < 0:
                return choice
        return choices[-1][0]
