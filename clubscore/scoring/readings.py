"""From a player's hand as entered to every reading of it: complete for a winner, as it stands for the others."""

from __future__ import annotations

from collections.abc import Iterator

from clubscore.scoring.arrangements import complete_readings, loser_sets
from clubscore.scoring.hands import Mahjong, PlayedSet, PlayersHand, PlayerWinds, ScoringError, one_tile
from clubscore.scoring.patterns import Reading
from clubscore.scoring.tiles import wind_name


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
    tile, who = win.tile, wind_name(win.by)
    if tile is None:
        raise ScoringError(f"Choose which tile completed {who}'s hand.", win.by, "mahjong")
    if win.source is None:
        raise ScoringError(
            f"Choose where {who}'s winning tile came from: the wall, the Kong box or a player.", win.by, "mahjong"
        )
    if tile in hand.loose:
        return
    holding = [played for played in hand.sets if _holds(played, tile)]
    if not holding:
        raise ScoringError(f"The winning tile, {one_tile(tile)}, is not in {who}'s hand.", win.by, "mahjong")
    finished = [played for played in holding if played.kind != "kong"]
    if not finished:
        raise ScoringError(f"The winning tile, {one_tile(tile)}, cannot be part of a kong.", win.by, "mahjong")
    if not win.is_claimed and all(played.exposed for played in finished):
        raise ScoringError(
            f"{who} drew the winning tile, {one_tile(tile)}, but it is only in an exposed set.", win.by, "mahjong"
        )


def set_readings(hand: PlayersHand, win: Mahjong, winds: PlayerWinds, goulash: bool) -> Iterator[Reading]:
    """Return every reading as four sets and a pair; entered sets stay as entered.

    The set that a claimed tile finished counts as exposed, whichever it may be (never a kong).
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
            yield Reading(finished, pair, {}, mask, winds, win, goulash, completed, exposed_before, hand.original_call)


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


def tiles_reading(hand: PlayersHand, win: Mahjong | None, winds: PlayerWinds, goulash: bool) -> Reading | None:
    """Return the hand as mere tiles, where nothing is exposed but what the claimed tile finished; else None."""
    counts = dict(hand.loose)
    exposed = 0
    for played in hand.sets:
        if played.kind == "kong":
            return None
        if played.exposed:
            exposed += 1
            finished = win is not None and win.is_claimed and win.tile is not None and _holds(played, win.tile)
            if exposed > 1 or not finished:
                return None
        for tile in played.kinds:
            counts[tile] = counts.get(tile, 0) + 1
    mask = mask_of_sets((), counts)
    return Reading((), None, counts, mask, winds, win, goulash, None, False, hand.original_call)


def loser_reading(hand: PlayersHand, winds: PlayerWinds, goulash: bool) -> Reading:
    """Return a hand that did not win as it stands: entered sets, and loose tiles as pungs and pairs."""
    sets = (*hand.sets, *loser_sets(hand.loose)) if hand.loose else hand.sets
    return Reading(sets, None, hand.loose, 0, winds, None, goulash, None, False, hand.original_call)
