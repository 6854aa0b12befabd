"""What a hand one tile short waits for: the tiles that would make it a given special hand."""

from __future__ import annotations

from collections.abc import Iterator

from clubscore.scoring.arrangements import with_one_more
from clubscore.scoring.hands import Mahjong, Place, PlayersHand
from clubscore.scoring.patterns import Reading
from clubscore.scoring.readings import mask_of_sets, set_readings, tiles_reading
from clubscore.scoring.table import SpecialWorth
from clubscore.scoring.tiles import KINDS, WINDS


def possible_finishes(hand: PlayersHand, special: SpecialWorth, place: Place, goulash: bool) -> bool:
    """Tell whether one tile, drawn, would make these 13 the special hand.

    Nobody waits for a tile of which all four are in the own hand, but in a goulash.
    """
    mask = mask_of_sets(hand.sets, hand.loose)
    among = special.masks_holding(mask)
    if not among:
        return False
    held = _held(hand)
    for tile in range(KINDS):
        if not among >> tile & 1 or (held.get(tile, 0) >= 4 and not goulash):
            continue
        if any(special.fits(reading) for reading in _finished(hand, tile, special.shape, place, goulash)):
            return True
    return False


def _held(hand: PlayersHand) -> dict[int, int]:
    held = dict(hand.loose)
    for played in hand.sets:
        for tile in played.kinds:
            held[tile] = held.get(tile, 0) + 1
    return held


def _finished(hand: PlayersHand, tile: int, shape: str, place: Place, goulash: bool) -> Iterator[Reading]:
    """Finish the hand with a tile; concealed sets other than kongs are just tiles here."""
    win = Mahjong(WINDS[place.own], tile, "wall")
    kept = tuple(played for played in hand.sets if played.kind == "kong" or played.exposed)
    loose = _held(PlayersHand("tiles", tuple(played for played in hand.sets if played not in kept), hand.loose))
    whole = PlayersHand("tiles", kept, with_one_more(loose, tile))
    if shape == "sets":
        yield from set_readings(whole, win, place, goulash)
    else:
        reading = tiles_reading(whole, win, place, goulash)
        if reading is not None:
            yield reading
