"""Every reading of a winner's hand for fans: sets, knitted straight, seven pairs, singles (orphans, knitted honors)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from clubscore.scoring.arrangements_fans import Tiles, kinds_that_complete, ways_to_read
from clubscore.scoring.hands import Mahjong, PlayedSet, PlayersHand
from clubscore.scoring.patterns_fans import CLOSED, EDGE, KNITTED, KNITTED_COUNTS, ONCE, SINGLE, UNIT

SETS, KNITTED_STRAIGHT, PAIRS, SINGLES = "sets", "knitted", "pairs", "singles"


class FanReading(NamedTuple):
    """One way to read a hand: its `form`, chows (lowest tiles) and pungs with kongs in order, the pair (else -1).

    `melded` sets were claimed before the winning tile; `wait` as in Finish; `all_loose`: nothing melded, no kong.
    """

    form: str
    chows: Tiles
    pungs: Tiles
    pair: int
    melded: int
    concealed_pungs: int
    wait: int
    all_loose: bool


class Base(NamedTuple):
    """A hand with the sets that stand fast. `finished` is the exposed set the claim completed, if it was one of them.

    `free_chows` and `free_pungs` were entered as concealed; `freed` counts all tiles neither melded nor in kongs.
    """

    chows: Tiles
    pungs: Tiles
    free_chows: Tiles
    free_pungs: Tiles
    pairs: Tiles
    melded: int
    kongs: int
    loose: int
    freed: int
    finished: PlayedSet | None


def fan_readings(hand: PlayersHand, loose: int, win: Mahjong) -> Iterator[FanReading]:
    """Give every reading of the 14 tiles; `loose` are the counts of the hand's loose tiles."""
    tile, claimed = win.tile, win.is_claimed
    assert tile is not None
    for base in _bases(hand.sets, loose, tile, claimed):
        if win.last_of_kind and base.freed >> 3 * tile & 7 > 1:
            continue
        yield from _as_sets(base, tile, claimed)
        if base.melded + base.kongs <= 1:
            yield from _as_tiles(base, tile, claimed)


def _bases(sets: tuple[PlayedSet, ...], loose: int, tile: int, claimed: bool) -> list[Base]:
    """The hand as entered; where the claimed tile stands in exposed sets alone, the hand for each it may complete."""
    base = _base(sets, loose, -1)
    if not claimed or base.freed >> 3 * tile & 7:
        return [base]
    finished = {
        played: at
        for at, played in enumerate(sets)
        if played.exposed and played.kind != "kong" and tile in played.kinds
    }
    return [_base(sets, loose, at) for at in finished.values()]


def _base(sets: tuple[PlayedSet, ...], loose: int, finished_at: int) -> Base:
    if not sets:
        return Base((), (), (), (), (), 0, 0, loose, loose, None)
    chows: list[int] = []
    pungs: list[int] = []
    free_chows: list[int] = []
    free_pungs: list[int] = []
    pairs: list[int] = []
    melded = kongs = 0
    freed = loose
    for at, played in enumerate(sets):
        kind, tile, exposed = played
        if kind == "chow":
            chows.append(tile)
        elif kind == "pair":
            pairs.append(tile)
        else:
            pungs.append(tile)
        if exposed and at != finished_at:
            melded += 1
        elif kind == "kong":
            kongs += 1
        else:
            freed += sum([UNIT[one] for one in played.kinds])
            if not exposed and kind != "pair":
                (free_chows if kind == "chow" else free_pungs).append(tile)
    return Base(tuple(sorted(chows)), tuple(sorted(pungs)), tuple(free_chows), tuple(free_pungs), tuple(pairs), melded,
                kongs, loose, freed, sets[finished_at] if finished_at >= 0 else None)  # fmt: skip


# Four sets and a pair


def _as_sets(base: Base, tile: int, claimed: bool) -> Iterator[FanReading]:
    """Every reading as four sets and a pair, and for each how many pungs a claim leaves concealed; sets as entered."""
    if len(base.pairs) > 1:
        return
    all_loose = not base.melded and not base.kongs
    only_wait = -1  # not asked yet
    for chows, pungs, pair in ways_to_read(base.loose):
        if (pair < 0) != bool(base.pairs):
            continue
        pair = base.pairs[0] if base.pairs else pair
        concealed = base.kongs + len(base.free_pungs) + len(pungs)
        fits, wait = _places(base, chows, pair, tile)
        if wait:
            if only_wait < 0:
                only_wait = _is_only_wait(base.freed - UNIT[tile], all_loose)
            wait = wait if only_wait else 0
        all_chows = tuple(sorted(base.chows + chows)) if base.chows else chows
        all_pungs = tuple(sorted(base.pungs + pungs)) if base.pungs else pungs
        if fits or not claimed:
            yield FanReading(SETS, all_chows, all_pungs, pair, base.melded, concealed, wait, all_loose)
        if claimed and base.finished is None and (tile in pungs or tile in base.free_pungs):
            yield FanReading(SETS, all_chows, all_pungs, pair, base.melded, concealed - 1, 0, all_loose)


def _places(base: Base, chows: Tiles, pair: int, tile: int) -> tuple[bool, int]:
    """Tell whether the winning tile may stand where it melds no concealed pung, and which waits these places are."""
    if base.finished is not None:
        return True, _wait_in(tile, (base.finished.tile,), -1) if base.finished.kind == "chow" else 0
    places = chows + base.free_chows if base.free_chows else chows
    fits = pair == tile or any([chow <= tile <= chow + 2 for chow in places])
    return fits, _wait_in(tile, places, pair) if fits else 0


def _wait_in(tile: int, chows: Tiles, pair: int) -> int:
    """Say as what the tile may have been waited for; as the pair's only where no chow waited for it."""
    wait = 0
    for chow in chows:
        place = tile - chow
        if place == 1:
            wait |= CLOSED
        elif (place == 2 and chow % 9 == 0) or (place == 0 and chow % 9 == 6):
            wait |= EDGE
    return wait or (SINGLE if pair == tile else 0)


def _is_only_wait(counts: int, pairs_too: bool) -> bool:
    """Tell whether one kind of tile alone completes the tiles, as sets and a pair or (all loose) as seven pairs."""
    waits = kinds_that_complete(counts)
    if pairs_too:
        odd = counts & ONCE
        if odd.bit_count() == 1:
            waits |= 1 << (odd.bit_length() - 1) // 3
    return waits.bit_count() == 1


# What is not four sets and a pair: concealed sets are just tiles


def _as_tiles(base: Base, tile: int, claimed: bool) -> Iterator[FanReading]:
    freed = base.freed
    kinds = (freed | freed >> 1 | freed >> 2) & ONCE
    for tiles, counts in zip(KNITTED, KNITTED_COUNTS, strict=True):
        if kinds & counts == counts:
            yield from _as_knitted(base, freed - counts, tile, claimed, tile in tiles)
    if base.melded or base.kongs:
        return
    if not freed & ONCE:
        yield FanReading(PAIRS, (), (), -1, 0, 0, 0, True)
    if kinds.bit_count() >= 13:
        yield FanReading(SINGLES, (), (), -1, 0, 0, 0, True)


def _as_knitted(base: Base, rest: int, tile: int, claimed: bool, among_nine: bool) -> Iterator[FanReading]:
    """A knitted straight with one set and a pair; the winning tile belongs to the rest where it may."""
    in_rest = rest >> 3 * tile & 7 > 0
    all_loose = not base.melded and not base.kongs
    fast_chows, fast_pungs = _fast_sets(base)
    for chows, pungs, pair in ways_to_read(rest):
        if pair < 0:
            continue
        wait = _wait_in(tile, chows, pair) if in_rest else 0
        if wait and kinds_that_complete(rest - UNIT[tile]).bit_count() > 1:
            wait = 0
        melds_pung = claimed and not among_nine and tile in pungs
        concealed = base.kongs + len(pungs) - melds_pung
        all_chows, all_pungs = fast_chows + chows, fast_pungs + pungs
        yield FanReading(KNITTED_STRAIGHT, all_chows, all_pungs, pair, base.melded, concealed, wait, all_loose)


def _fast_sets(base: Base) -> tuple[Tiles, Tiles]:
    """Give the chow or the pung that is melded or a kong; at most one set is."""
    chows, pungs = list(base.chows), list(base.pungs)
    for chow in base.free_chows:
        chows.remove(chow)
    for pung in base.free_pungs:
        pungs.remove(pung)
    if base.finished is not None:
        (chows if base.finished.kind == "chow" else pungs).remove(base.finished.tile)
    return tuple(chows), tuple(pungs)
