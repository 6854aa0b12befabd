"""Every reading of a winner's hand for fans: sets, knitted straight, seven pairs, singles (orphans, knitted honors)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from clubscore.scoring.hands import PlayedSet, PlayersHand
from clubscore.scoring.patterns_fans import CLOSED, EDGE, FOURS, KNITTED, KNITTED_COUNTS, ONCE, SINGLE, UNIT

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
    if sum(1 for ways in parts if ways[0][2] >= 0) > 1:  # in each part, either all ways have a pair or none has
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
    """Return whether a suit reads as sets, and as sets and a pair, and the tiles (9 bits) that would make it each."""
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
    """Return the kinds, as bits, any of which would make these tiles sets and a pair, even if held four times."""
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


SETS, KNITTED_STRAIGHT, PAIRS, SINGLES = "sets", "knitted", "pairs", "singles"

# One way to read a hand: its form, chows (lowest tiles) and pungs with kongs in order, the pair (else -1), how many
# pungs are concealed, and the wait as in Finish
FanReading = tuple[str, Tiles, Tiles, int, int, int]


class Entered(NamedTuple):
    """A winner's hand as entered, counts packed three bits a kind: all its tiles, the loose ones, and the `freed` ones.

    Freed are those neither melded nor in kongs. `free_chows` and `free_pungs` were entered as concealed; `melded` sets
    were claimed before the winning tile; `finished` is the exposed set which the claim completed, if it was one.
    """

    kinds: int
    counts: int
    fours: int  # kinds held four times without being a kong
    loose: int
    freed: int
    chows: Tiles
    pungs: Tiles
    free_chows: Tiles
    free_pungs: Tiles
    pairs: Tiles
    melded: int
    kongs_melded: int
    kongs_concealed: int
    finished: PlayedSet | None

    @property
    def all_loose(self) -> bool:
        """Whether nothing is melded and there is no kong."""
        return not self.melded and not self.kongs_concealed


def entered_hand(hand: PlayersHand) -> Entered:
    """Gather a hand's sets and loose tiles."""
    kinds = loose = 0
    for tile, number in hand.loose.items():
        kinds |= 1 << tile
        loose += number * UNIT[tile]
    if not hand.sets:
        return Entered(kinds, loose, loose & FOURS, loose, loose, (), (), (), (), (), 0, 0, 0, None)
    return _with_sets(hand.sets, kinds, loose)


def _with_sets(sets: tuple[PlayedSet, ...], kinds: int, loose: int) -> Entered:
    chows: list[int] = []
    pungs: list[int] = []
    free_chows: list[int] = []
    free_pungs: list[int] = []
    pairs: list[int] = []
    melded = kongs_melded = kongs_concealed = kongs = 0
    counts = freed = loose
    for kind, tile, exposed in sets:
        if kind == "chow":
            kinds |= 0b111 << tile
            tiles = 0o111 << 3 * tile
            chows.append(tile)
        else:
            kinds |= 1 << tile
            tiles = UNIT[tile] * (3 if kind == "pung" else 4 if kind == "kong" else 2)
            (pairs if kind == "pair" else pungs).append(tile)
        counts += tiles
        if kind == "kong":
            kongs |= tiles
            kongs_melded += exposed
            kongs_concealed += not exposed
            melded += exposed
        elif exposed:
            melded += 1
        else:
            freed += tiles
            if kind != "pair":
                (free_chows if kind == "chow" else free_pungs).append(tile)
    chows.sort()
    pungs.sort()
    return Entered(
        kinds,
        counts,
        counts & FOURS & ~kongs,
        loose,
        freed,
        tuple(chows),
        tuple(pungs),
        tuple(free_chows),
        tuple(free_pungs),
        tuple(pairs),
        melded,
        kongs_melded,
        kongs_concealed,
        None,
    )


def possible_finishes(entered: Entered, sets: tuple[PlayedSet, ...], tile: int, claimed: bool) -> list[Entered]:
    """Return the hand as entered; if the claimed tile is only in exposed sets, the hand for each it may complete."""
    if not claimed or entered.freed >> 3 * tile & 7:
        return [entered]
    finished = {
        played: sum([UNIT[one] for one in played.kinds])
        for played in sets
        if played.exposed and played.kind != "kong" and tile in played.kinds
    }
    return [
        entered._replace(freed=entered.freed + counts, melded=entered.melded - 1, finished=played)
        for played, counts in finished.items()
    ]


def fan_readings(entered: Entered, tile: int, claimed: bool) -> list[FanReading]:
    """Return every reading of the 14 tiles won with this one."""
    readings = _as_sets(entered, tile, claimed)
    if entered.melded + entered.kongs_concealed <= 1:
        readings += _as_tiles(entered, tile, claimed)
    return readings


# Four sets and a pair


def _as_sets(entered: Entered, tile: int, claimed: bool) -> list[FanReading]:
    """Every reading as four sets and a pair, and for each how many pungs a claim leaves concealed; sets as entered."""
    found: list[FanReading] = []
    pairs = entered.pairs
    if len(pairs) > 1:
        return found
    only_wait = -1  # not asked yet
    for chows, pungs, pair in ways_to_read(entered.loose):
        if (pair < 0) != bool(pairs):
            continue
        if pairs:
            pair = pairs[0]
        concealed = entered.kongs_concealed + len(entered.free_pungs) + len(pungs)
        fits, wait = _waits_outside_pungs(entered, chows, pair, tile)
        if wait:
            if only_wait < 0:
                only_wait = _is_only_wait(entered.freed - UNIT[tile], entered.all_loose)
            wait = wait if only_wait else 0
        all_chows = tuple(sorted(entered.chows + chows)) if entered.chows else chows
        all_pungs = tuple(sorted(entered.pungs + pungs)) if entered.pungs else pungs
        if fits or not claimed:
            found.append((SETS, all_chows, all_pungs, pair, concealed, wait))
        if claimed and entered.finished is None and (tile in pungs or tile in entered.free_pungs):
            found.append((SETS, all_chows, all_pungs, pair, concealed - 1, 0))
    return found


def _waits_outside_pungs(entered: Entered, chows: Tiles, pair: int, tile: int) -> tuple[bool, int]:
    """Return whether the winning tile can be outside a concealed pung, and the waits of these places."""
    finished = entered.finished
    if finished is not None:
        return True, _wait_in(tile, (finished.tile,), -1)[1] if finished.kind == "chow" else 0
    return _wait_in(tile, chows + entered.free_chows if entered.free_chows else chows, pair)


def _wait_in(tile: int, chows: Tiles, pair: int) -> tuple[bool, int]:
    """Return whether the tile is in a chow or the pair, and its possible waits; the pair only if no chow waited."""
    fits, wait = pair == tile, 0
    for chow in chows:
        place = tile - chow
        if 0 <= place <= 2:
            fits = True
            if place == 1:
                wait |= CLOSED
            elif chow % 9 == (0 if place else 6):
                wait |= EDGE
    return fits, wait or (SINGLE if pair == tile else 0)


def _is_only_wait(counts: int, pairs_too: bool) -> bool:
    """Return whether one kind of tile alone completes the tiles, as sets and a pair or (all loose) as seven pairs."""
    waits = kinds_that_complete(counts)
    if pairs_too:
        odd = counts & ONCE
        if odd.bit_count() == 1:
            waits |= 1 << (odd.bit_length() - 1) // 3
    return waits.bit_count() == 1


# Other hands than four sets and a pair: concealed sets are just tiles


def _as_tiles(entered: Entered, tile: int, claimed: bool) -> list[FanReading]:
    found: list[FanReading] = []
    freed = entered.freed
    kinds = (freed | freed >> 1 | freed >> 2) & ONCE
    number = kinds.bit_count()
    if number >= 9:
        for at, counts in enumerate(KNITTED_COUNTS):
            if kinds & counts == counts:
                found += _as_knitted(entered, freed - counts, tile, claimed, tile in KNITTED[at])
    if entered.all_loose:
        if number <= 7 and not freed & ONCE:
            found.append((PAIRS, (), (), -1, 0, 0))
        if number >= 13:
            found.append((SINGLES, (), (), -1, 0, 0))
    return found


def _as_knitted(entered: Entered, rest: int, tile: int, claimed: bool, among_nine: bool) -> list[FanReading]:
    """A knitted straight with one set and a pair; the winning tile belongs to the rest where it may."""
    found: list[FanReading] = []
    in_rest = rest >> 3 * tile & 7 > 0
    fixed_chows, fixed_pungs = _fixed_sets(entered)
    for chows, pungs, pair in ways_to_read(rest):
        if pair < 0:
            continue
        wait = _wait_in(tile, chows, pair)[1] if in_rest else 0
        if wait and kinds_that_complete(rest - UNIT[tile]).bit_count() > 1:
            wait = 0
        melds_pung = claimed and not among_nine and tile in pungs
        concealed = entered.kongs_concealed + len(pungs) - melds_pung
        found.append((KNITTED_STRAIGHT, fixed_chows + chows, fixed_pungs + pungs, pair, concealed, wait))
    return found


def _fixed_sets(entered: Entered) -> tuple[Tiles, Tiles]:
    """Return the chow or the pung that is melded or a kong; at most one set is."""
    chows, pungs = list(entered.chows), list(entered.pungs)
    for chow in entered.free_chows:
        chows.remove(chow)
    for pung in entered.free_pungs:
        pungs.remove(pung)
    if entered.finished is not None:
        (chows if entered.finished.kind == "chow" else pungs).remove(entered.finished.tile)
    return tuple(chows), tuple(pungs)
