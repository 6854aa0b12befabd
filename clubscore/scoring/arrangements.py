"""Every way to read loose tiles as sets. Counts are per kind; nothing here knows what a set is worth."""

from __future__ import annotations

from functools import lru_cache

from clubscore.scoring.hands import PlayedSet
from clubscore.scoring.tiles import EAST, KINDS

PUNG = tuple(PlayedSet("pung", tile, False) for tile in range(KINDS))
CHOW = tuple(PlayedSet("chow", tile, False) for tile in range(EAST))
PAIR = tuple(PlayedSet("pair", tile, False) for tile in range(KINDS))

Sets = tuple[PlayedSet, ...]


@lru_cache(maxsize=1 << 16)
def _suit_readings(counts: tuple[int, ...], first: int) -> tuple[tuple[Sets, PlayedSet | None], ...]:
    """Return every way to read the nine counts of a suit (its 1 is kind `first`) as sets with at most one pair.

    Each way is found once: the lowest tile left is a pung, the pair or the start of a chow, and pungs, pair
    and chows of one kind are always taken in this order.
    """
    found = []

    def go(left: list[int], at: int, sets: Sets, pair: PlayedSet | None) -> None:
        while at < 9 and not left[at]:
            at += 1
        if at == 9:
            found.append((tuple(sorted(sets)), pair))
            return
        if left[at] >= 3:
            left[at] -= 3
            go(left, at, (*sets, PUNG[first + at]), pair)
            left[at] += 3
        if left[at] >= 2 and pair is None:
            left[at] -= 2
            go(left, at, sets, PAIR[first + at])
            left[at] += 2
        if at < 7 and left[at + 1] and left[at + 2]:
            for step in range(3):
                left[at + step] -= 1
            go(left, at, (*sets, CHOW[first + at]), pair)
            for step in range(3):
                left[at + step] += 1

    go(list(counts), 0, (), None)
    return tuple(sorted(set(found), key=lambda way: (way[0], way[1] or PAIR[0], way[1] is not None)))


def _honour_readings(tile: int, count: int) -> tuple[tuple[Sets, PlayedSet | None], ...]:
    """Return every way to read `count` equal honours as pungs with at most one pair (five and more in a goulash)."""
    pungs, rest = divmod(count, 3)
    if rest == 0:
        return (((PUNG[tile],) * pungs, None),)
    if rest == 2:
        return (((PUNG[tile],) * pungs, PAIR[tile]),)
    return ()


def complete_readings(loose: dict[int, int], pair_needed: bool) -> list[tuple[Sets, PlayedSet | None]]:
    """Return every way to read all loose tiles as pungs and chows, with one pair if `pair_needed`, else none."""
    total = sum(loose.values())
    if total % 3 != (2 if pair_needed else 0):
        return []
    parts = []
    suits: list[list[int] | None] = [None, None, None]
    for tile, count in loose.items():
        if tile >= EAST:
            ways = _honour_readings(tile, count)
            if not ways:
                return []
            parts.append(ways)
        else:
            suit = tile // 9
            counts = suits[suit]
            if counts is None:
                counts = suits[suit] = [0] * 9
            counts[tile - 9 * suit] = count
    for suit, counts in enumerate(suits):
        if counts is not None:
            ways = _suit_readings(tuple(counts), 9 * suit)
            if not ways:
                return []
            parts.append(ways)
    readings: list[tuple[Sets, PlayedSet | None]] = [((), None)]
    for ways in parts:
        readings = [
            (sets + more, pair or new) for sets, pair in readings for more, new in ways if pair is None or new is None
        ]
    if pair_needed:
        return [way for way in readings if way[1] is not None]
    return [way for way in readings if way[1] is None]


def loser_sets(loose: dict[int, int]) -> list[PlayedSet]:
    """Read loose tiles that need not be complete as pungs and pairs, each tile once, pungs before pairs."""
    sets = []
    for tile in sorted(loose):
        count = loose[tile]
        while count >= 3:
            sets.append(PUNG[tile])
            count -= 3
        if count == 2:
            sets.append(PAIR[tile])
    return sets
