"""What a hand one tile short waits for, and whether the winning tile was the only kind that could finish it."""

from __future__ import annotations

from collections.abc import Iterator

from clubscore.scoring.hands import NOT_WON, Mahjong, PlayedSet, PlayersHand, PlayerWinds, counts_with
from clubscore.scoring.patterns import Reading
from clubscore.scoring.readings import loser_reading, mask_of_sets, set_readings
from clubscore.scoring.rule_table import RuleTable, SpecialWorth
from clubscore.scoring.tiles import EAST, KIND_COUNT, WINDS


class Waiting:
    """A hand of thirteen tiles, and what it needs for a special hand or any Mah-jong.

    Concealed sets other than kongs are just tiles here. No one waits for a tile of which they hold all four, except
    in a goulash.
    """

    def __init__(self, hand: PlayersHand, winds: PlayerWinds, goulash: bool) -> None:
        self._winds = winds
        self._goulash = goulash
        self._fixed = _fixed_sets(hand)
        self._loose = counts_with(hand.loose, [played for played in hand.sets if played not in self._fixed])
        self._mask = mask_of_sets(self._fixed, self._loose)
        held = counts_with(self._loose, self._fixed)
        self._full = [] if goulash else [tile for tile, count in held.items() if count >= 4]
        self._as_sets: list[Reading] | None = None

    def as_loser(self) -> Reading:
        """Return the hand as a loser's with its concealed sets freed; a fishing score is worked out from this."""
        return loser_reading(PlayersHand("tiles", self._loose, self._fixed), self._winds, self._goulash)

    def is_for(self, special: SpecialWorth) -> bool:
        """Return whether one tile more, drawn, would make the hand this special hand."""
        among = special.masks_holding(self._mask)
        if not among:
            return False
        if special.shape == "sets":
            if self._as_sets is None:
                self._as_sets = self._finished_sets()
            return any(special.fits(reading) for reading in self._as_sets)
        return not self._fixed and self._finishes_tiles(special, among)

    def finishing_tiles(self, table: RuleTable) -> Iterator[int]:
        """Return every kind of tile that, drawn, would make the hand a Mah-jong by this table."""
        completing = _completing(self._loose)
        among = 0 if self._fixed else table.kinds_for_tiles(self._mask)
        for tile in range(KIND_COUNT):
            if tile in self._full:
                continue
            if (tile in completing and self._finishes_sets(table, tile)) or (
                among >> tile & 1 and table.is_mahjong_as_tiles(self._as_tiles(tile))
            ):
                yield tile

    def _finishes_sets(self, table: RuleTable, tile: int) -> bool:
        readings = set_readings(self._whole(tile), self._drawn(tile), self._winds, self._goulash)
        return any(table.is_mahjong(reading) for reading in readings)

    def _as_tiles(self, tile: int) -> Reading:
        counts = self._whole(tile).loose
        mask = self._mask | 1 << tile
        return Reading(self._winds, self._drawn(tile), self._goulash, False, counts, mask)

    def _finished_sets(self) -> list[Reading]:
        readings: list[Reading] = []
        for tile in _completing(self._loose):
            if tile not in self._full:
                readings += set_readings(self._whole(tile), self._drawn(tile), self._winds, self._goulash)
        return readings

    def _whole(self, tile: int) -> PlayersHand:
        return PlayersHand("tiles", {**self._loose, tile: self._loose.get(tile, 0) + 1}, self._fixed)

    def _drawn(self, tile: int) -> Mahjong:
        return Mahjong(WINDS[self._winds.own], tile, "wall")

    def _finishes_tiles(self, special: SpecialWorth, among: int) -> bool:
        counts = dict(self._loose)
        reading = Reading(self._winds, NOT_WON, self._goulash, False, counts)
        for tile in range(KIND_COUNT):
            if not among >> tile & 1 or tile in self._full:
                continue
            before = counts.get(tile, 0)
            counts[tile] = before + 1
            reading.mask = self._mask | 1 << tile
            if special.question(reading):
                return True
            if before:
                counts[tile] = before
            else:
                del counts[tile]
        return False


def _completing(loose: dict[int, int]) -> list[int]:
    """Return the kinds that may complete loose tiles as sets and one pair, by how many tiles are left over from threes.

    The tiles of a suit, and those of one honour, make sets alone, or sets and the pair. So one group alone may be one
    tile over (it takes a tile and holds the pair), or two groups two over (either takes a tile, the other holds the
    pair); nothing else is one tile short.
    """
    sizes: dict[int, int] = {}
    for tile, count in loose.items():
        group = tile // 9 if tile < EAST else tile
        sizes[group] = sizes.get(group, 0) + count
    one_over = [group for group, size in sizes.items() if size % 3 == 1]
    two_over = [group for group, size in sizes.items() if size % 3 == 2]
    if len(one_over) == 1 and not two_over:
        groups = one_over
    elif len(two_over) == 2 and not one_over:
        groups = sorted(two_over)
    else:
        return []
    return [
        tile
        for group in groups
        for tile in (range(9 * group, 9 * group + 9) if group < 3 else (group,))
        if _has_neighbour(loose, tile)
    ]


def _has_neighbour(loose: dict[int, int], tile: int) -> bool:
    if tile in loose:
        return True
    return tile < EAST and any(
        near in loose and near // 9 == tile // 9 for near in (tile - 2, tile - 1, tile + 1, tile + 2)
    )


def mark_only_pieces(table: RuleTable, hand: PlayersHand, readings: list[Reading], win: Mahjong) -> None:
    """Mark the readings of a Mah-jong which no other kind of tile would have finished.

    The winning tile is taken away; concealed sets and the set it finished are loose again, kongs and other exposed
    sets stay. What the tile finished differs between readings.
    """
    answers: dict[tuple[PlayedSet, ...], bool] = {}
    for reading in readings:
        fixed = list(_fixed_sets(hand))
        if reading.completed is not None and reading.completed.exposed and reading.completed in fixed:
            fixed.remove(reading.completed)
        key = tuple(fixed)
        if key not in answers:
            waiting = Waiting(_without_winning_tile(hand, key, win), reading.winds, reading.goulash)
            answers[key] = all(tile == win.tile for tile in waiting.finishing_tiles(table))
        reading.only_piece = answers[key]


def _fixed_sets(hand: PlayersHand) -> tuple[PlayedSet, ...]:
    return tuple([played for played in hand.sets if played.kind == "kong" or played.exposed])


def _without_winning_tile(hand: PlayersHand, fixed: tuple[PlayedSet, ...], win: Mahjong) -> PlayersHand:
    left, freed = list(fixed), []
    for played in hand.sets:
        if played in left:
            left.remove(played)
        else:
            freed.append(played)
    loose = counts_with(hand.loose, freed)
    assert win.tile is not None
    loose[win.tile] -= 1
    if not loose[win.tile]:
        del loose[win.tile]
    return PlayersHand("tiles", loose, fixed)
