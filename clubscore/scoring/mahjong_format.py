"""How someone went Mah-jong, read from the score format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.hands import Mahjong, PlayersHand, ScoringError
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.tiles import BONUS_NUMBER, TILE_NUMBER, WINDS, wind_name
from clubscore.scoring.words import say_value

PLACES = ("wall", "kong box")
TRUTHS = (
    "robbed_kong",
    "last_tile",
    "second_kong",
    "dealt",
    "first_discard",
    "first_round",
    "standing",
    "last_of_kind",
)
KEYS = frozenset(("by", "tile", "from", "replacement_for", "consecutive", *TRUTHS))


def read_mahjong(value: Any, hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> tuple[Mahjong, ...]:
    """Read who went Mah-jong and how; nobody gives an empty tuple."""
    if value is None:
        return ()
    if isinstance(value, list):
        return _two(value, hands, rule_set)
    return (_one(value, hands, rule_set),)


def _two(value: list[Any], hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> tuple[Mahjong, ...]:
    if not rule_set.two_may_win:
        raise ScoringError(f"Only one player can go Mah-jong in {rule_set.name}.", field="mahjong")
    if len(value) != 2:
        raise ScoringError("Exactly two players may go Mah-jong on one discard.", field="mahjong")
    first, second = (_one(one, hands, rule_set) for one in value)
    if first.by == second.by:
        raise ScoringError(f"{wind_name(first.by)} went Mah-jong twice.", first.by, "mahjong")
    if first.source != second.source or first.tile != second.tile:
        raise ScoringError("Two players go Mah-jong on the same discard of the same player.", second.by, "mahjong")
    if first.source in PLACES:
        raise ScoringError("Two players can only go Mah-jong on one discard.", second.by, "mahjong")
    return (first, second)


def _one(value: Any, hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> Mahjong:
    if not isinstance(value, dict):
        raise ScoringError("Mah-jong says by whom, with which tile and from where.", field="mahjong")
    if not set(value) <= KEYS:
        strange = sorted(key for key in value if key not in KEYS)[0]
        raise ScoringError("Mah-jong has an unknown key: {typed}.", field="mahjong", typed=say_value(strange))
    by = _seat(value.get("by"), hands, "Mah-jong is by")
    marks: dict[str, Any] = {key: _truth(value[key], key, by) for key in TRUTHS if key in value}
    win = Mahjong(by, _tile(value.get("tile"), by), _source(value, by, hands), **marks)
    if "replacement_for" in value:
        win = win._replace(replacement_for=_replacement(value["replacement_for"], by))
    if "consecutive" in value:
        win = win._replace(consecutive=_consecutive(value["consecutive"], by))
    _check_together(win, hands, rule_set)
    return win


def _seat(value: Any, hands: Mapping[str, PlayersHand], what: str) -> str:
    wind = value.upper() if isinstance(value, str) else ""
    if len(wind) != 1 or wind not in WINDS:
        raise ScoringError(f"{what} E, S, W or N, not {{typed}}.", field="mahjong", typed=say_value(value))
    if wind not in hands:
        raise ScoringError(f"{wind_name(wind)} is not at the table.", wind, "mahjong")
    return wind


def _tile(value: Any, by: str) -> int | None:
    if value is None:
        return None
    tile = TILE_NUMBER.get(value) if isinstance(value, str) else None
    if tile is None:
        bonus = isinstance(value, str) and value in BONUS_NUMBER
        why = "a flower or season does not complete a hand" if bonus else "unknown tile"
        raise ScoringError(f"The winning tile cannot be {{typed}}: {why}.", by, "mahjong", typed=say_value(value))
    return tile


def _source(value: Mapping[str, Any], by: str, hands: Mapping[str, PlayersHand]) -> str | None:
    source = value.get("from")
    if source is None:
        return "wall" if value.get("dealt") is True else None
    if isinstance(source, str) and source.lower() in PLACES:
        return source.lower()
    seat = _seat(source, hands, "The winning tile came from the wall, the Kong box,")
    if seat == by:
        raise ScoringError(f"{wind_name(by)} cannot win on their own discard.", by, "mahjong")
    return seat


def _truth(value: Any, key: str, by: str) -> bool:
    if not isinstance(value, bool):
        raise ScoringError(f"{key} is true or false, not {{typed}}.", by, "mahjong", typed=say_value(value))
    return value


def _replacement(value: Any, by: str) -> str:
    word = value.lower() if isinstance(value, str) else ""
    if word not in ("kong", "flower"):
        sentence = "A replacement tile is for a kong or a flower, not {typed}."
        raise ScoringError(sentence, by, "mahjong", typed=say_value(value))
    return word


def _consecutive(value: Any, by: str) -> int:
    if type(value) is not int or not 0 <= value <= 1000:
        raise ScoringError("consecutive is the number of hands East has won in a row.", by, "mahjong")
    return value


def _check_together(win: Mahjong, hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> None:
    """Refuse what cannot be true together."""
    who, loose = wind_name(win.by), win.source == "kong box"
    wrong = None
    if win.last_tile and (win.robbed_kong or (loose and not rule_set.last_tile_may_be_loose)):
        wrong = "The last tile is the wall's or the final discard, not a Kong box tile or a robbed one."
    elif win.dealt and win.is_claimed:
        wrong = f"{who} cannot win with the tiles as dealt and from a discard."
    elif win.robbed_kong and not win.is_claimed:
        wrong = "Choose whose kong was robbed."
    elif (win.replacement_for or win.second_kong) and not loose:
        wrong = "A replacement tile comes from the Kong box."
    elif win.second_kong and win.replacement_for == "flower":
        wrong = "The tile after a second kong replaces a kong, not a flower."
    elif win.second_kong and _has_too_few_kongs(hands[win.by], rule_set):
        wrong = f"{who} does not have two kongs."
    elif win.first_discard and (win.source != "E" or win.by == "E"):
        wrong = "East's first discard is claimed from East by another player."
    elif win.dealt and win.by != "E" and rule_set.dealt_is_for_east:
        wrong = "Only East can go Mah-jong with the tiles as dealt."
    if wrong is not None:
        raise ScoringError(wrong, win.by, "mahjong")


def _has_too_few_kongs(hand: PlayersHand, rule_set: RuleSet) -> bool:
    if hand.entered_as != "tiles" or not (rule_set.winner_needs_tiles or hand.sets or hand.loose):
        return False
    return sum(1 for played in hand.sets if played.kind == "kong") < 2
