"""One player's hand read from the score format: by its tiles, points, total or the name of a special hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from clubscore.scoring.hands import PlayedSet, PlayersHand, ScoringError, kind_name
from clubscore.scoring.tiles import BONUS_NUMBER, EAST, TILE_NUMBER, WINDS, tile_name, wind_name
from clubscore.scoring.words import HIGHEST, say_value

MAX_DOUBLES = 40
FORMS = {
    "tiles": frozenset(("sets", "tiles", "bonus", "fishing", "original_call", "count")),
    "points": frozenset(("points", "doubles")),
    "total": frozenset(("total",)),
    "special": frozenset(("special", "fishing_for", "exposed", "bonus")),
}


def read_hand(value: Any, seat: str) -> PlayersHand:
    """Read the hand of the player at a wind; ScoringError says what to fix."""
    if not isinstance(value, dict):
        raise ScoringError(f"{wind_name(seat)}'s hand is an object.", seat, "hands")
    if not value:
        return PlayersHand("tiles", {})
    entered_as = "tiles"
    for key in ("total", "points", "special", "fishing_for"):
        if key in value:
            entered_as = "special" if key == "fishing_for" else key
            break
    if not set(value) <= FORMS[entered_as]:
        _refuse_keys(value, entered_as, seat)
    return _READERS[entered_as](value, seat)


def kinds_held(hand: Mapping[str, Any]) -> set[int]:
    """Return the kinds of tile (0 to 33) in a hand given by its tiles; ScoringError if it cannot be read."""
    read = _by_tiles(hand, WINDS[0])
    return {kind for played in read.sets for kind in played.kinds} | set(read.loose)


def check_keys(data: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    """Raise ScoringError if there are keys besides those known."""
    if not set(data) <= known:
        raise ScoringError(f"{what} has an unknown key: {{typed}}.", typed=say_value(unknown_key(data, known)))


def unknown_key(data: Mapping[str, Any], known: frozenset[str]) -> str:
    """Return the first key in alphabetical order that is not known."""
    return sorted(key for key in data if key not in known)[0]


def read_truth(data: Mapping[str, Any], key: str, seat: str | None, field: str = "") -> bool:
    """Return a mark, false if it is not there; `field` is what an error is about, the key itself if not given."""
    value = data.get(key, False)
    if value is not False and value is not True:
        raise ScoringError(f"{key} is true or false, not {{typed}}.", seat, field or key, typed=say_value(value))
    return value


def _refuse_keys(value: Mapping[str, Any], entered_as: str, seat: str) -> None:
    who, strange = wind_name(seat), unknown_key(value, FORMS[entered_as])
    if not any(strange in keys for keys in FORMS.values()):
        raise ScoringError(f"{who}'s hand has an unknown key: {{typed}}.", seat, typed=say_value(strange))
    if entered_as == "tiles":
        raise ScoringError(f"{who}'s hand has {strange} without what it belongs to.", seat, strange)
    raise ScoringError(f"{who}'s hand is given by its {entered_as}: {strange} cannot be given as well.", seat, strange)


def _by_points(value: Mapping[str, Any], seat: str) -> PlayersHand:
    points = _whole(value["points"], seat, "points")
    return PlayersHand(
        "points", {}, points=points, doubles=_whole(value.get("doubles", 0), seat, "doubles", MAX_DOUBLES)
    )


def _by_total(value: Mapping[str, Any], seat: str) -> PlayersHand:
    return PlayersHand("total", {}, total=_whole(value["total"], seat, "total"))


def _whole(value: Any, seat: str, field: str, most: int = HIGHEST) -> int:
    what = f"{wind_name(seat)}'s {field}"
    if type(value) is not int:
        raise ScoringError(f"{what} must be a whole number, not {{typed}}.", seat, field, typed=say_value(value))
    if value < 0:
        raise ScoringError(f"{what} cannot be below 0.", seat, field)
    if value > most:
        raise ScoringError(f"{what} is too large: at most {most}.", seat, field)
    return value


def _by_name(value: Mapping[str, Any], seat: str) -> PlayersHand:
    bonus = _bonus(value, seat)
    if "special" in value and "fishing_for" in value:
        raise ScoringError(f"{wind_name(seat)} either has a special hand or is fishing for one.", seat, "special")
    special, fishing_for = value.get("special", ""), value.get("fishing_for", "")
    if not (isinstance(special, str) and isinstance(fishing_for, str)):
        raise ScoringError(f"{wind_name(seat)}'s special hand is named by its key.", seat, "special")
    if not (special or fishing_for):
        raise ScoringError(f"{wind_name(seat)}'s special hand has no name.", seat, "special")
    exposed = read_truth(value, "exposed", seat)
    return PlayersHand(
        "special", {}, bonus=bonus, special=special.lower(), fishing_for=fishing_for.lower(), exposed=exposed
    )


def _by_tiles(value: Mapping[str, Any], seat: str) -> PlayersHand:
    sets = _sets(value.get("sets"), seat)
    hand = PlayersHand("tiles", _loose(value.get("tiles"), seat), sets, _bonus(value, seat))
    hand.fishing = read_truth(value, "fishing", seat)
    hand.original_call = read_truth(value, "original_call", seat)
    if "count" in value:
        hand.count = value["count"].lower() if isinstance(value["count"], str) else ""
        if hand.count not in ("too few", "too many"):
            raise ScoringError(f"{wind_name(seat)}'s count is 'too few' or 'too many'.", seat, "count")
    return hand


_READERS = {"tiles": _by_tiles, "points": _by_points, "total": _by_total, "special": _by_name}


def _sets(value: Any, seat: str) -> tuple[PlayedSet, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ScoringError(f"{wind_name(seat)}'s sets are a list.", seat, "sets")
    if len(value) > 7:
        raise ScoringError(f"{wind_name(seat)}'s hand has {len(value)} sets: no hand has so many.", seat, "sets")
    return tuple([_set(entry if isinstance(entry, str) else say_value(entry), seat) for entry in value])


@lru_cache(maxsize=4096)
def _set(entry: str, seat: str) -> PlayedSet:
    """Read "exposed pung 5B", "concealed chow 2C" or "pair R"."""
    who = wind_name(seat)
    words = entry.lower().split() if len(entry) < 60 else []
    is_pair = words[:1] == ["pair"]
    if is_pair:
        words = ["concealed", *words]
    if len(words) != 3 or words[0] not in ("exposed", "concealed") or words[1] not in ("pung", "kong", "chow", "pair"):
        sentence = f"{who}'s set {{typed}} is not understood: write it like 'exposed pung 5B' or 'pair R'."
        raise ScoringError(sentence, seat, "sets", typed=say_value(entry))
    exposed, kind, code = words[0] == "exposed", words[1], say_value(words[2].upper())
    if kind == "pair" and not is_pair:
        sentence = f"{who}'s pair is neither exposed nor concealed: write 'pair {{typed}}'."
        raise ScoringError(sentence, seat, "sets", typed=code)
    tile = TILE_NUMBER.get(words[2])
    if tile is None:
        raise ScoringError(f"{who}'s set has an unknown tile: {{typed}}.", seat, "sets", typed=code)
    if kind == "chow" and (tile >= EAST or tile % 9 > 6):
        raise ScoringError(f"{who} cannot have a chow from {kind_name(tile)}.", seat, "sets")
    return PlayedSet(kind, tile, exposed)


def _loose(value: Any, seat: str) -> dict[int, int]:
    loose: dict[int, int] = {}
    for code in _codes(value, seat, "tiles"):
        tile = TILE_NUMBER.get(code)
        if tile is None:
            raise _unknown_tile(code, seat)
        loose[tile] = loose.get(tile, 0) + 1
    return loose


def _unknown_tile(code: str, seat: str) -> ScoringError:
    who = wind_name(seat)
    if code in BONUS_NUMBER:
        sentence = f"{tile_name(code)} is a flower or season: enter it among {who}'s bonus tiles."
        return ScoringError(sentence, seat, "tiles")
    return ScoringError(f"{who}'s hand has an unknown tile: {{typed}}.", seat, "tiles", typed=say_value(code))


def _bonus(value: Mapping[str, Any], seat: str) -> int:
    mask = 0
    for code in _codes(value.get("bonus"), seat, "bonus"):
        number = BONUS_NUMBER.get(code)
        if number is None:
            sentence = f"{wind_name(seat)} has an unknown flower or season: {{typed}}."
            raise ScoringError(sentence, seat, "bonus", typed=say_value(code))
        if mask >> number & 1:
            raise ScoringError(f"{tile_name(code)} appears twice, and there is only one.", seat, "bonus")
        mask |= 1 << number
    return mask


def _codes(value: Any, seat: str, field: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, str):
        raise ScoringError(f"{wind_name(seat)}'s {field} are one text with blanks between them.", seat, field)
    if len(value) > 200:
        raise ScoringError(f"{wind_name(seat)} has more {field} than a hand can hold.", seat, field)
    return value.split()
