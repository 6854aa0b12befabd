"""Whether the winning tile was the only kind of tile that could have finished the hand."""

from __future__ import annotations

from clubscore.scoring.hands import Mahjong, PlayedSet, PlayersHand
from clubscore.scoring.patterns import Reading
from clubscore.scoring.table import RuleTable
from clubscore.scoring.waits import Waiting


def mark_only_pieces(table: RuleTable, hand: PlayersHand, readings: list[Reading], win: Mahjong) -> None:
    """Mark the readings of a Mah-jong which no other kind of tile would have finished.

    The winning tile is taken away; concealed sets and the set it finished are loose again, kongs and other exposed
    sets stay. What the tile finished differs between readings.
    """
    answers: dict[tuple[PlayedSet, ...], bool] = {}
    for reading in readings:
        fixed = _fixed_sets(hand, reading.completed)
        if fixed not in answers:
            answers[fixed] = not _has_another_finish(table, _without_winning_tile(hand, fixed, win), reading, win)
        reading.only_piece = answers[fixed]


def _fixed_sets(hand: PlayersHand, completed: PlayedSet | None) -> tuple[PlayedSet, ...]:
    fixed = [played for played in hand.sets if played.kind == "kong" or played.exposed]
    if completed is not None and completed.exposed and completed in fixed:
        fixed.remove(completed)
    return tuple(fixed)


def _without_winning_tile(hand: PlayersHand, fixed: tuple[PlayedSet, ...], win: Mahjong) -> PlayersHand:
    loose, left = dict(hand.loose), list(fixed)
    for played in hand.sets:
        if played in left:
            left.remove(played)
            continue
        for tile in played.kinds:
            loose[tile] = loose.get(tile, 0) + 1
    assert win.tile is not None
    loose[win.tile] -= 1
    if not loose[win.tile]:
        del loose[win.tile]
    return PlayersHand("tiles", fixed, loose)


def _has_another_finish(table: RuleTable, hand: PlayersHand, reading: Reading, win: Mahjong) -> bool:
    waiting = Waiting(hand, reading.winds, reading.goulash)
    return any(tile != win.tile for tile in waiting.finishing_tiles(table))
