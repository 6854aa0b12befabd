"""Further questions about a hand, asked by the Western, beginners', Baggaley and Turner rule sets. No numbers here."""

from __future__ import annotations

from clubscore.scoring.hands import PlayedSet, PlayerWinds
from clubscore.scoring.patterns import (
    Reading,
    has_no_chow,
    has_one_suit,
    is_all_majors,
    is_drawn,
    is_east,
    is_loose_tile,
    kinds_of_sets_among,
)
from clubscore.scoring.tiles import EAST, HONOURS, TERMINALS, WIND_TILES


def is_open_kong(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "kong" and played.exposed


def is_closed_kong(played: PlayedSet, winds: PlayerWinds) -> bool:
    return played.kind == "kong" and not played.exposed


def is_not_drawn(reading: Reading) -> bool:
    return reading.win is not None and not is_drawn(reading)


def is_only_piece(reading: Reading) -> bool:
    """No other kind of tile would have finished the hand (asked only where a rule set has such a row)."""
    return reading.only_piece


def is_flower_replaced(reading: Reading) -> bool:
    return reading.win is not None and is_loose_tile(reading) and reading.win.replacement_for == "flower"


def is_kong_replaced(reading: Reading) -> bool:
    return is_loose_tile(reading) and not is_flower_replaced(reading)


def is_standing(reading: Reading) -> bool:
    return reading.win is not None and reading.win.standing


def is_dealt(reading: Reading) -> bool:
    """Mah-jong as dealt: East's fourteen tiles, or another's thirteen and the first draw."""
    return reading.win is not None and reading.win.dealt


def is_easts_thirteenth(reading: Reading) -> bool:
    return reading.win is not None and is_east(reading) and reading.win.consecutive == 13


def is_first_round_of_another(reading: Reading) -> bool:
    return reading.win is not None and reading.win.first_round and not is_east(reading)


def is_dealt_and_east(reading: Reading) -> bool:
    """East's Mah-jong as dealt, a kong and its loose tile among it."""
    return is_dealt(reading) and is_east(reading)


def has_one_suit_and_honours(reading: Reading) -> bool:
    return bool(reading.mask & HONOURS) and has_one_suit(reading)


def has_one_suit_alone(reading: Reading) -> bool:
    return reading.mask & HONOURS == 0 and has_one_suit(reading)


def has_only_honours(reading: Reading) -> bool:
    return reading.mask & ~HONOURS == 0


def has_majors_not_honours_alone(reading: Reading) -> bool:
    """Ones and nines, with or without honours; honours alone are another matter."""
    return bool(reading.mask & TERMINALS) and is_all_majors(reading)


def has_terminals_and_honours(reading: Reading) -> bool:
    return bool(reading.mask & HONOURS) and has_majors_not_honours_alone(reading)


def has_no_value(reading: Reading) -> bool:
    """No points from sets, pair, flowers or seasons (so no pung or kong)."""
    return reading.value == 0


def has_three_winds_and_pair(reading: Reading) -> bool:
    """Pungs or kongs of three winds and a pair of the fourth."""
    winds = kinds_of_sets_among(reading, WIND_TILES)
    return winds.bit_count() == 3 and reading.pair is not None and winds | 1 << reading.pair.tile == WIND_TILES


def is_four_concealed(reading: Reading) -> bool:
    """Four concealed pungs or kongs, whatever tile came last."""
    return has_no_chow(reading) and not reading.exposed_before


def is_four_concealed_and_drawn(reading: Reading) -> bool:
    return is_four_concealed(reading) and is_drawn(reading)


def _number_of(reading: Reading, *kinds: str) -> int:
    return sum(1 for played in reading.sets if played.kind in kinds)


def has_four_chows(reading: Reading) -> bool:
    return _number_of(reading, "chow") == 4


def has_four_kongs(reading: Reading) -> bool:
    return _number_of(reading, "kong") == 4


def has_four_pungs_or_kongs(reading: Reading) -> bool:
    return _number_of(reading, "pung", "kong") == 4


def _dragons(reading: Reading) -> list[bool]:
    """Return each 1-2-3, 4-5-6 and 7-8-9 that can be chosen together; true where all are of one suit."""
    suits: tuple[list[int], ...] = ([], [], [])
    for played in reading.sets:
        if played.kind == "chow" and played.tile % 3 == 0:
            suits[played.tile % 9 // 3].append(played.tile // 9)
    return [low == middle == high for low in suits[0] for middle in suits[1] for high in suits[2]]


def pure_dragons(reading: Reading) -> int:
    """How often 1 to 9 of one suit stands there as three chows, each choice of the chows once."""
    return _dragons(reading).count(True)


def mixed_dragons(reading: Reading) -> int:
    """How often 1 to 9 of two or three suits stands there as three chows, each choice of the chows once."""
    return _dragons(reading).count(False)


def is_orphan(reading: Reading) -> bool:
    """No two tiles alike, and at least two numbers between any two of one suit."""
    if any(count > 1 for count in reading.counts.values()):
        return False
    return all(
        not (near in reading.counts and near // 9 == tile // 9)
        for tile in reading.counts
        if tile < EAST
        for near in (tile + 1, tile + 2)
    )
