"""Checks across the hands of one table: forms that suit the winner, and no tile more often than there is."""

from __future__ import annotations

from collections.abc import Mapping

from clubscore.scoring.hands import ClubHand, HandPlayed, PlayersHand, ScoringError, one_tile
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.tiles import BONUS_TILES, KINDS, tile_name, wind_name
from clubscore.scoring.words import say_value


def check_forms(played: HandPlayed, rule_set: RuleSet) -> None:
    """Raise ScoringError where a form does not suit the rule set or who won."""
    winners = {win.by for win in played.mahjong}
    for seat, hand in played.hands.items():
        if hand.entered_as == "tiles":
            if hand.count and seat in winners:
                raise ScoringError(f"{wind_name(seat)} has {hand.count} tiles and cannot go Mah-jong.", seat, "count")
        elif hand.entered_as == "points" and hand.doubles and _has_no_doubles(rule_set, seat in winners):
            raise ScoringError(f"There are no doubles in {rule_set.name}.", seat, "doubles")
        elif hand.entered_as == "special":
            _check_special(hand, seat, seat in winners, bool(winners), rule_set, played.club_hands)


def _has_no_doubles(rule_set: RuleSet, wins: bool) -> bool:
    return rule_set.doubling == "points" or (rule_set.doubling == "fans" and wins)


def _check_special(
    hand: PlayersHand, seat: str, wins: bool, anybody: bool, rule_set: RuleSet, club_hands: Mapping[str, ClubHand]
) -> None:
    key, who = hand.special or hand.fishing_for, wind_name(seat)
    named = [special for special in rule_set.special_hands if special.key == key]
    if not named and key not in club_hands:
        sentence = f"There is no special hand {{typed}} in {rule_set.name}."
        raise ScoringError(sentence, seat, "special", typed=say_value(key))
    if hand.fishing_for and wins:
        raise ScoringError(f"{who} went Mah-jong and is no longer fishing.", seat, "special")
    for_losers = any(special.to != "winner" for special in named)
    if hand.special and anybody and not wins and not for_losers:
        raise ScoringError(
            f"{who} did not go Mah-jong. For a special hand that is not complete, choose fishing.", seat, "special"
        )


def check_copies(played: HandPlayed) -> None:
    """Raise ScoringError for a fifth copy of a tile at the table (a goulash has four jokers) or a flower twice."""
    held = [0] * KINDS
    bonus = 0
    for seat, hand in played.hands.items():
        if hand.bonus:
            if bonus & hand.bonus:
                number = (bonus & hand.bonus).bit_length() - 1
                raise ScoringError(f"{tile_name(BONUS_TILES[number])} is at the table twice.", seat, "bonus")
            bonus |= hand.bonus
        for tile, count in hand.loose.items():
            held[tile] += count
        for entered in hand.sets:
            if entered.kind == "chow":
                for tile in entered.kinds:
                    held[tile] += 1
            else:
                held[entered.tile] += {"pung": 3, "kong": 4, "pair": 2}[entered.kind]
    if max(held) > 4:
        _refuse_copies(played, held)


def _refuse_copies(played: HandPlayed, held: list[int]) -> None:
    if len(played.mahjong) == 2 and played.mahjong[0].tile is not None and _both_hold(played):
        held[played.mahjong[0].tile] -= 1
    extra = sum(count - 4 for count in held if count > 4)
    if extra <= (4 if played.goulash else 0):
        return
    tile = next(tile for tile, count in enumerate(held) if count > 4)
    seat = next(seat for seat in reversed(played.hands) if _held_by(played.hands[seat], tile))
    if played.goulash:
        raise ScoringError(
            f"There are {extra} tiles too many at the table, {one_tile(tile)} among them: four jokers allow four.",
            seat,
            "tiles",
        )
    raise ScoringError(f"{one_tile(tile)} is at the table {held[tile]} times; there are only four.", seat, "tiles")


def _both_hold(played: HandPlayed) -> bool:
    tile = played.mahjong[0].tile
    return tile is not None and all(_held_by(played.hands[win.by], tile) for win in played.mahjong)


def _held_by(hand: PlayersHand, tile: int) -> bool:
    return tile in hand.loose or any(tile in entered.kinds for entered in hand.sets)
