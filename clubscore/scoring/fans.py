"""A winner's hand counted in fans: what cannot be true refused, the best reading counted, the minimum held."""

from __future__ import annotations

from collections.abc import Mapping

from clubscore.scoring.fan_table import fans_of
from clubscore.scoring.hands import Mahjong, PlayersHand, PlayerWinds, ScoringError, one_tile
from clubscore.scoring.table import RuleTable, ScoreLine
from clubscore.scoring.tiles import wind_name


def count_fans(
    table: RuleTable, hands: Mapping[str, PlayersHand], win: Mahjong, winds: PlayerWinds
) -> tuple[int, tuple[ScoreLine, ...]]:
    """Count a winner's fans: points with flowers, and the lines; ScoringError where it is no Mah-jong."""
    hand, who = hands[win.by], wind_name(win.by)
    _check_marks(hands, win, who)
    fans = fans_of(table)
    best = fans.best(hand, win, winds)
    if best is None:
        raise ScoringError(
            f"{who}'s tiles are not a Mah-jong: they make neither four sets and a pair nor seven pairs, "
            "knitted tiles or thirteen orphans.",
            win.by,
            "tiles",
        )
    points, lines = best
    more, flowers = fans.flowers(hand.bonus)
    least = table.house.minimum_points or 0
    if points < least:
        aside = " without the flowers" if flowers else ""
        raise ScoringError(
            f"{who}'s hand is worth {points}{aside}: a Mah-jong needs at least {least}.", win.by, "tiles"
        )
    return points + more, lines + flowers


def _check_marks(hands: Mapping[str, PlayersHand], win: Mahjong, who: str) -> None:
    """Refuse what the tiles show cannot be true of the winning tile."""
    if not (win.source == "kong box" or win.robbed_kong or win.last_of_kind):
        return
    hand, wrong = hands[win.by], None
    assert win.tile is not None
    if win.source == "kong box" and win.replacement_for == "flower":
        if not hand.bonus:
            wrong = f"{who}'s winning tile replaced a flower, but no flower or season is entered."
    elif win.source == "kong box" and all(played.kind != "kong" for played in hand.sets):
        wrong = f"{who}'s winning tile replaced a kong, but {who} has none."
    elif win.robbed_kong and _copies(hand, win.tile, exposed_too=True) > 1:
        wrong = f"A robbed {one_tile(win.tile)} is the only one in {who}'s hand."
    if wrong is None and win.last_of_kind and _others_hidden(hands, win):
        wrong = f"{one_tile(win.tile)} was not the last of its kind in view: another one is concealed."
    if wrong is not None:
        raise ScoringError(wrong, win.by, "mahjong")


def _others_hidden(hands: Mapping[str, PlayersHand], win: Mahjong) -> bool:
    """Return whether anyone holds a concealed copy of the winning tile besides that one."""
    assert win.tile is not None
    hidden = sum(_copies(hand, win.tile, exposed_too=False) for hand in hands.values())
    if _copies(hands[win.by], win.tile, exposed_too=False):
        return hidden > 1
    finished = [one for one in hands[win.by].sets if one.kind != "kong" and win.tile in one.kinds]
    return hidden > 0 or all(one.kind != "chow" for one in finished)


def _copies(hand: PlayersHand, tile: int, exposed_too: bool) -> int:
    sets = [played for played in hand.sets if exposed_too or not played.exposed]
    return hand.loose.get(tile, 0) + sum(played.kinds.count(tile) for played in sets)
