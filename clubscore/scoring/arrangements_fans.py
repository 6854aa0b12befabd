"""Every way to read loose tiles as sets, and what they wait for, from counts packed three bits a kind in one number."""

from __future__ import annotations

from functools import lru_cache

Tiles = tuple[int, ...]
Way = tuple[Tiles, Tiles, int]  # chows by their lowest tile, pungs, and the pair or -1

_SUIT_BITS = 27  # nine kinds; the honours follow the three suits
_SUIT = (1 << _SUIT_BITS) - 1
_HONOURS_AT = 3 * _SUIT_BITS
_NOTHING: tuple[Way, ...] = (((), (), -1),)


@lru_cache(maxsize=1 << 16)
def _suit_ways(counts: int, first: int) -> tuple[Way, ...]:
    """Return every way to read the counts of a suit (its 1 is kind `first`) as sets with at most one pair."""
    found: list[Way] = []

    def go(left: int, at: int, chows: Tiles, pungs: Tiles, pair: int) -> None:
        if not left:
            found.append((chows, pungs, pair))
            return
        while not left & 7:
            left >>= 3
            at += 1
        held = left & 7
        if held >= 3:
            go(left - 3, at, chows, (*pungs, at), pair)
        if held >= 2 and pair < 0:
            go(left - 2, at, chows, pungs, at)
        if left & 0o70 and left & 0o700 and at % 9 < 7:
            go(left - 0o111, at, (*chows, at), pungs, pair)

    go(counts, first, (), (), -1)
    return tuple(dict.fromkeys((tuple(sorted(chows)), tuple(sorted(pungs)), pair) for chows, pungs, pair in found))


@lru_cache(maxsize=1 << 14)
def _honour_ways(counts: int) -> tuple[Way, ...]:
    """Return the one way to read honours as pungs with at most one pair, if there is one."""
    pungs: Tiles = ()
    pair = -1
    for place in range(7):
        held = counts >> 3 * place & 7
        if held == 3:
            pungs += (27 + place,)
        elif held == 2 and pair < 0:
            pair = 27 + place
        elif held:
            return ()
    return (((), pungs, pair),)


def ways_to_read(counts: int) -> list[Way]:
    """Return every way to read all these tiles as sets with at most one pair."""
    parts = []
    for first in (0, 9, 18):
        suit = counts & _SUIT
        counts >>= _SUIT_BITS
        if suit:
            ways = _suit_ways(suit, first)
            if not ways:
                return []
            parts.append(ways)
    if counts:
        ways = _honour_ways(counts)
        if not ways:
            return []
        parts.append(ways)
    return _together(parts)


def _together(parts: list[tuple[Way, ...]]) -> list[Way]:
    if sum(1 for ways in parts if ways[0][2] >= 0) > 1:  # every way of one part has a pair, or none has
        return []
    ways = list(parts[0]) if parts else list(_NOTHING)
    for more in parts[1:]:
        ways = [
            (chows + chows2, pungs + pungs2, pair if pair >= 0 else pair2)
            for chows, pungs, pair in ways
            for chows2, pungs2, pair2 in more
        ]
    return ways


# What thirteen tiles wait for


@lru_cache(maxsize=1 << 16)
def _suit_facts(counts: int) -> tuple[bool, bool, int, int]:
    """Return for a suit: reads as sets; as sets and a pair; the tiles (9 bits) that would make it each of them."""
    left = sum(counts >> 3 * place & 7 for place in range(9)) % 3
    if left == 0:
        return _reads(counts), False, 0, 0
    fitting = sum(1 << place for place in range(9) if _reads(counts + (1 << 3 * place)))
    return (False, False, 0, fitting) if left == 1 else (False, _reads(counts), fitting, 0)


def _reads(counts: int) -> bool:
    return bool(_suit_ways(counts, 0))


@lru_cache(maxsize=1 << 14)
def _honour_facts(counts: int) -> tuple[bool, bool, int, int]:
    """Return the same for the honours (7 bits)."""
    ones = twos = 0
    for place in range(7):
        left = (counts >> 3 * place & 7) % 3
        ones |= (left == 1) << place
        twos |= (left == 2) << place
    pairs, singles = twos.bit_count(), ones.bit_count()
    if singles:
        return False, False, 0, ones if singles == 1 and not pairs else 0
    return not pairs, pairs == 1, twos if pairs == 1 else 0, twos if pairs == 2 else 0


def kinds_that_complete(counts: int) -> int:
    """Return the kinds, as bits, each of which would make these tiles sets and a pair; held four times or not."""
    parts = (
        _suit_facts(counts & _SUIT),
        _suit_facts(counts >> _SUIT_BITS & _SUIT),
        _suit_facts(counts >> 2 * _SUIT_BITS & _SUIT),
        _honour_facts(counts >> _HONOURS_AT),
    )
    unfinished = [at for at in range(4) if not parts[at][0]]
    if len(unfinished) == 1:
        return parts[unfinished[0]][3] << 9 * unfinished[0]
    if len(unfinished) != 2:
        return 0
    first, second = unfinished
    waits = 0
    if parts[second][1]:
        waits = parts[first][2] << 9 * first
    if parts[first][1]:
        waits |= parts[second][2] << 9 * second
    return waits
