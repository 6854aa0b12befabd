"""A loser's hand where chows score too: every way to read its loose tiles that may be the best."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from clubscore.scoring.arrangements import CHOW, PAIR, PUNG, Sets, loser_sets
from clubscore.scoring.tiles import EAST


def loser_ways(loose: dict[int, int]) -> list[Sets]:
    """Return the ways to read loose tiles as pungs, chows and pairs, each tile once.

    Only ways into which no further pung or chow fits: one more never scores less. Honours are pungs before pairs.
    """
    honours = {tile: count for tile, count in loose.items() if tile >= EAST}
    parts = [
        _suit_ways(tuple(loose.get(first + at, 0) for at in range(9)), first)
        for first in (0, 9, 18)
        if any(first <= tile < first + 9 for tile in loose)
    ]
    fixed = tuple(loser_sets(honours))
    return [tuple(played for part in ways for played in part) + fixed for ways in product(*parts)]


@lru_cache(maxsize=1 << 14)
def _suit_ways(counts: tuple[int, ...], first: int) -> tuple[Sets, ...]:
    """Return every full way to take pungs and chows from the nine counts of a suit; the rest makes pairs."""
    offered = [(PUNG[first + at], (at, at, at)) for at in range(9) if counts[at] >= 3]
    offered += [
        (CHOW[first + at], (at, at + 1, at + 2)) for at in range(7) if min(counts[at], counts[at + 1], counts[at + 2])
    ]
    found: set[Sets] = set()
    left = list(counts)

    def fits(places: tuple[int, int, int]) -> bool:
        return all(left[at] >= places.count(at) for at in places)

    def go(turn: int, sets: Sets) -> None:
        if turn == len(offered):
            if not any(fits(places) for _, places in offered):
                pairs = tuple(PAIR[first + at] for at in range(9) for _ in range(left[at] // 2))
                found.add(sets + pairs)
            return
        played, places = offered[turn]
        if fits(places):
            for at in places:
                left[at] -= 1
            go(turn, (*sets, played))
            for at in places:
                left[at] += 1
        go(turn + 1, sets)

    go(0, ())
    return tuple(sorted(found))
