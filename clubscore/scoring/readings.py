"""Every way to read a player's hand: as a complete hand for the winner, as far as it goes for the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from clubscore.scoring.hands import (
    NOT_WON,
    Mahjong,
    PlayedSet,
    PlayersHand,
    PlayerWinds,
    ScoringError,
    counts_with,
    kind_name,
)
from clubscore.scoring.patterns import Reading
from clubscore.scoring.tiles import EAST, KIND_COUNT, wind_name

PUNG = tuple(PlayedSet("pung", tile, False) for tile in range(KIND_COUNT))
CHOW = tuple(PlayedSet("chow", tile, False) for tile in range(EAST))
PAIR = tuple(PlayedSet("pair", tile, False) for tile in range(KIND_COUNT))

Sets = tuple[PlayedSet, ...]


@lru_cache(maxsize=1 << 16)
def _suit_readings(counts: tuple[int, ...], first: int) -> tuple[tuple[Sets, PlayedSet | None], ...]:
    """Return every way to read the nine counts of a suit (its 1 is kind `first`) as sets with at most one pair.

    Each way is found once: the lowest tile left is a pung, the pair or the start of a chow, and pungs, pair
    and chows of one kind always come in this order.
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
    return [way for way in readings if (way[1] is not None) == pair_needed]


def loser_sets(loose: dict[int, int]) -> list[PlayedSet]:
    """Read loose tiles that need not be complete as pungs and pairs, pungs before pairs."""
    sets = []
    for tile in sorted(loose):
        count = loose[tile]
        while count >= 3:
            sets.append(PUNG[tile])
            count -= 3
        if count == 2:
            sets.append(PAIR[tile])
    return sets


def loser_ways(loose: dict[int, int]) -> list[Sets]:
    """Return the ways to read loose tiles as pungs, chows and pairs, each tile once.

    Only ways to which no pung or chow can be added, as one more never scores less. Honours are pungs before pairs.
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
    """Return the ways to take as many pungs and chows as possible from the counts of a suit, with pairs of the rest."""
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


def mask_of_sets(sets: tuple[PlayedSet, ...], loose: dict[int, int]) -> int:
    """Return the kinds held, as bits."""
    mask = 0
    for played in sets:
        mask |= (0b111 if played.kind == "chow" else 1) << played.tile
    for tile in loose:
        mask |= 1 << tile
    return mask


def _holds(played: PlayedSet, tile: int) -> bool:
    if played.kind == "chow":
        return played.tile <= tile <= played.tile + 2
    return played.tile == tile


def check_winning_tile(hand: PlayersHand, win: Mahjong) -> None:
    """Raise ScoringError unless the winning tile can have finished something in the hand."""
    who = wind_name(win.by)
    if win.tile is None:
        raise ScoringError(f"Choose which tile completed {who}'s hand.", win.by, "mahjong")
    if win.source is None:
        sentence = f"Choose where {who}'s winning tile came from: the wall, the Kong box or a player."
        raise ScoringError(sentence, win.by, "mahjong")
    if win.tile in hand.loose:
        return
    holding = [played for played in hand.sets if _holds(played, win.tile)]
    finished = [played for played in holding if played.kind != "kong"]
    if not holding:
        sentence = f"The winning tile, {kind_name(win.tile)}, is not in {who}'s hand."
    elif not finished:
        sentence = f"The winning tile, {kind_name(win.tile)}, cannot be part of a kong."
    elif not win.is_claimed and all(played.exposed for played in finished):
        sentence = f"{who} drew the winning tile, {kind_name(win.tile)}, but it is only in an exposed set."
    else:
        return
    raise ScoringError(sentence, win.by, "mahjong")


def set_readings(hand: PlayersHand, win: Mahjong, winds: PlayerWinds, goulash: bool) -> Iterator[Reading]:
    """Return every reading as four sets and a pair; entered sets stay as entered.

    A claimed tile may have finished any set that holds it, except a kong; that set counts as exposed.
    """
    declared = tuple(played for played in hand.sets if played.kind != "pair")
    pairs = [played for played in hand.sets if played.kind == "pair"]
    if len(pairs) > 1 or len(declared) > 4:
        return
    mask = mask_of_sets(hand.sets, hand.loose)
    for more, loose_pair in complete_readings(hand.loose, not pairs):
        sets, pair = declared + more, pairs[0] if pairs else loose_pair
        if len(sets) != 4 or pair is None:
            continue
        for finished, completed, exposed_before in _finishes(sets, pair, win):
            yield Reading(winds, win, goulash, hand.original_call, {}, mask, finished, pair, completed, exposed_before)


def _finishes(
    sets: tuple[PlayedSet, ...], pair: PlayedSet, win: Mahjong
) -> Iterator[tuple[tuple[PlayedSet, ...], PlayedSet | None, bool]]:
    exposed = [played.exposed for played in sets]
    if not win.is_claimed:
        yield sets, None, any(exposed)
        return
    tile = win.tile
    assert tile is not None
    seen = set()
    for at, played in enumerate(sets):
        if played.kind == "kong" or played in seen or not _holds(played, tile):
            continue
        seen.add(played)
        finished = (*sets[:at], PlayedSet(played.kind, played.tile, True), *sets[at + 1 :])
        yield finished, played, any(exposed[:at]) or any(exposed[at + 1 :])
    if pair.tile == tile:
        yield sets, pair, any(exposed)


def tiles_reading(hand: PlayersHand, win: Mahjong, winds: PlayerWinds, goulash: bool) -> Reading | None:
    """Return the hand as tiles only; None if it has a kong or an exposed set that the claimed tile did not finish."""
    exposed = [played for played in hand.sets if played.exposed]
    if len(exposed) > 1 or any([played.kind == "kong" for played in hand.sets]):
        return None
    if exposed and not (win.is_claimed and win.tile is not None and _holds(exposed[0], win.tile)):
        return None
    counts = counts_with(hand.loose, hand.sets)
    mask = mask_of_sets((), counts)
    return Reading(winds, win, goulash, hand.original_call, counts, mask)


def loser_reading(hand: PlayersHand, winds: PlayerWinds, goulash: bool) -> Reading:
    """Return a hand that did not win: the sets as entered, and loose tiles as pungs and pairs."""
    sets = (*hand.sets, *loser_sets(hand.loose)) if hand.loose else hand.sets
    return Reading(winds, NOT_WON, goulash, hand.original_call, hand.loose, 0, sets)
