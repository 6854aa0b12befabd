"""The score format: a hand played read from plain JSON values, and the scored hand written back.

Words may come in any letter case; numbers are whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clubscore.scoring.between_hands import check_copies, check_forms
from clubscore.scoring.hands import ClubHand, HandPlayed, PlayedSet, PlayersHand, ScoringError, one_tile
from clubscore.scoring.mahjong_format import read_mahjong
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.tiles import BONUS_NUMBER, EAST, TILE_NUMBER, WINDS, tile_name, wind_name
from clubscore.scoring.words import HIGHEST, say_value

MAX_DOUBLES = 40
TOP_KEYS = frozenset(
    ("id", "rules", "house_rules", "wind_of_round", "goulash", "hands", "mahjong", "club_hands", "penalties")
)
TILE_KEYS = frozenset(("sets", "tiles", "bonus", "fishing", "original_call", "count"))
FORMS = {
    "tiles": TILE_KEYS,
    "points": frozenset(("points", "doubles")),
    "total": frozenset(("total",)),
    "special": frozenset(("special", "fishing_for", "exposed", "bonus")),
}
COUNTS = ("too few", "too many")


def read_hand_played(data: Any) -> HandPlayed:
    """Read one hand played; ScoringError says the seat and what to fix."""
    if not isinstance(data, dict):
        raise ScoringError("A hand played is a JSON object.")
    _check_keys(data, TOP_KEYS, "The hand played")
    rule_set = _rule_set(data.get("rules", "bmja"))
    house = house_rules(rule_set.key, data.get("house_rules"))
    goulash = _truth(data, "goulash", None)
    if goulash and not rule_set.has_goulash:
        raise ScoringError(f"There is no goulash in {rule_set.name}.", field="goulash")
    club_hands = _club_hands(data.get("club_hands"), rule_set)
    hands = _hands(data.get("hands"), rule_set)
    mahjong = read_mahjong(data.get("mahjong"), hands, rule_set)
    penalties = data.get("penalties")
    if penalties is not None and not isinstance(penalties, list):
        raise ScoringError("The penalties are a list.", field="penalties")
    played = HandPlayed(
        _id(data.get("id")),
        rule_set.key,
        house,
        _wind_of_round(data.get("wind_of_round", "E")),
        goulash,
        hands,
        mahjong,
        club_hands,
        penalties or [],
    )
    check_forms(played, rule_set)
    check_copies(played)
    return played


def _id(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ScoringError("The id is a text.", field="id")
    if isinstance(value, str) and not value.isascii() and any(0xD800 <= ord(letter) <= 0xDFFF for letter in value):
        raise ScoringError("The id holds half a character.", field="id")
    return value


def _check_keys(data: Mapping[str, Any], known: frozenset[str], what: str, seat: str | None = None) -> None:
    if not set(data) <= known:
        strange = sorted(key for key in data if key not in known)[0]
        raise ScoringError(f"{what} has an unknown key: {{typed}}.", seat, typed=say_value(strange))


def _rule_set(key: Any) -> RuleSet:
    found = RULE_SETS.get(key) if isinstance(key, str) else None
    if found is None and isinstance(key, str):
        found = RULE_SETS.get(key.lower())
    if found is None:
        sentence = f"There are no rules called {{typed}}; there are {', '.join(RULE_SETS)}."
        raise ScoringError(sentence, field="rules", typed=say_value(key))
    return found


_HOUSES: dict[tuple[Any, ...], HouseRules] = {}


def house_rules(key: str, overrides: Mapping[str, Any] | None = None) -> HouseRules:
    """Return a rule set's house rules with these switches changed; ScoringError for what it does not offer."""
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ScoringError("The house rules are an object.", field="house_rules")
    changed = tuple((switch, type(value), value) for switch, value in (overrides or {}).items())
    try:
        found = _HOUSES.get((key, changed))
    except TypeError:
        found = None  # a list or an object as a value: the switch will refuse it
    if found is None:
        found = _rule_set(key).house(overrides)
        if len(_HOUSES) > 2000:
            _HOUSES.clear()
        _HOUSES[(key, changed)] = found
    return found


def _wind_of_round(value: Any) -> int:
    wind = value.upper() if isinstance(value, str) else ""
    if len(wind) != 1 or wind not in WINDS:
        sentence = "The wind of the round is E, S, W or N, not {typed}."
        raise ScoringError(sentence, field="wind_of_round", typed=say_value(value))
    return WINDS.index(wind)


def _truth(data: Mapping[str, Any], key: str, seat: str | None) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise ScoringError(f"{key} is true or false, not {{typed}}.", seat, key, typed=say_value(value))
    return value


def _whole(value: Any, seat: str, field: str, most: int = HIGHEST) -> int:
    if type(value) is int and 0 <= value <= most:
        return value
    what = f"{wind_name(seat)}'s {field}"
    if type(value) is not int:
        raise ScoringError(f"{what} must be a whole number, not {{typed}}.", seat, field, typed=say_value(value))
    if value < 0:
        raise ScoringError(f"{what} cannot be below 0.", seat, field)
    raise ScoringError(f"{what} is too large: at most {most}.", seat, field)


# Hands


def _hands(value: Any, rule_set: RuleSet) -> dict[str, PlayersHand]:
    if not isinstance(value, dict):
        raise ScoringError("The hands are an object with a hand for each wind.", field="hands")
    entered: dict[str, Any] = {}
    for key, hand in value.items():
        seat = key.upper()
        if len(seat) != 1 or seat not in WINDS:
            raise ScoringError("The hands are named E, S, W and N, not {typed}.", field="hands", typed=say_value(key))
        if seat in entered:
            raise ScoringError(f"{wind_name(seat)} has two hands.", seat, "hands")
        entered[seat] = hand
    if "E" not in entered:
        raise ScoringError("Choose who is East.", "E", "hands")
    if len(entered) not in (3, 4) or len(entered) not in rule_set.players:
        allowed = "three or four players" if 3 in rule_set.players else "four players"
        raise ScoringError(
            f"Enter the hands of {allowed}. {rule_set.name} is scored for no other number.", field="hands"
        )
    return {seat: _hand(entered[seat], seat) for seat in WINDS if seat in entered}


def _hand(value: Any, seat: str) -> PlayersHand:
    if not isinstance(value, dict):
        raise ScoringError(f"{wind_name(seat)}'s hand is an object.", seat, "hands")
    if not value:
        return PlayersHand()
    entered_as = "tiles"
    for key in ("total", "points", "special", "fishing_for"):
        if key in value:
            entered_as = "special" if key == "fishing_for" else key
            break
    if not set(value) <= FORMS[entered_as]:
        _refuse_keys(value, entered_as, seat)
    return _READERS[entered_as](value, seat)


def _refuse_keys(value: Mapping[str, Any], entered_as: str, seat: str) -> None:
    who, strange = wind_name(seat), sorted(key for key in value if key not in FORMS[entered_as])[0]
    if not any(strange in keys for keys in FORMS.values()):
        raise ScoringError(f"{who}'s hand has an unknown key: {{typed}}.", seat, typed=say_value(strange))
    if entered_as == "tiles":
        raise ScoringError(f"{who}'s hand has {strange} without what it belongs to.", seat, strange)
    raise ScoringError(f"{who}'s hand is given by its {entered_as}: {strange} cannot be given as well.", seat, strange)


def _by_tiles(value: Mapping[str, Any], seat: str) -> PlayersHand:
    hand = PlayersHand("tiles", _sets(value.get("sets"), seat), _loose(value.get("tiles"), seat), _bonus(value, seat))
    if len(value) > 2 or "fishing" in value or "original_call" in value or "count" in value:
        hand.fishing = _truth(value, "fishing", seat)
        hand.original_call = _truth(value, "original_call", seat)
        if "count" in value:
            count = value["count"].lower() if isinstance(value["count"], str) else ""
            if count not in COUNTS:
                raise ScoringError(f"{wind_name(seat)}'s count is 'too few' or 'too many'.", seat, "count")
            hand.count = count
    return hand


def kinds_held(hand: Mapping[str, Any]) -> set[int]:
    """Return the kinds of tile (0 to 33) in a hand given by its tiles; ScoringError where it cannot be read."""
    read = _by_tiles(hand, WINDS[0])
    return {kind for played in read.sets for kind in played.kinds} | set(read.loose)


def _by_points(value: Mapping[str, Any], seat: str) -> PlayersHand:
    hand = PlayersHand("points")
    hand.points = _whole(value["points"], seat, "points")
    hand.doubles = _whole(value.get("doubles", 0), seat, "doubles", MAX_DOUBLES)
    return hand


def _by_total(value: Mapping[str, Any], seat: str) -> PlayersHand:
    hand = PlayersHand("total")
    hand.total = _whole(value["total"], seat, "total")
    return hand


def _by_name(value: Mapping[str, Any], seat: str) -> PlayersHand:
    hand = PlayersHand("special", bonus=_bonus(value, seat))
    if "special" in value and "fishing_for" in value:
        raise ScoringError(f"{wind_name(seat)} either has a special hand or is fishing for one.", seat, "special")
    for key in ("special", "fishing_for"):
        if key in value:
            if not isinstance(value[key], str):
                raise ScoringError(f"{wind_name(seat)}'s special hand is named by its key.", seat, "special")
            setattr(hand, key, value[key].lower())
    if not (hand.special or hand.fishing_for):
        raise ScoringError(f"{wind_name(seat)}'s special hand has no name.", seat, "special")
    hand.exposed = _truth(value, "exposed", seat)
    return hand


_READERS = {"tiles": _by_tiles, "points": _by_points, "total": _by_total, "special": _by_name}
_SET_CACHE: dict[str, PlayedSet] = {}


def _sets(value: Any, seat: str) -> tuple[PlayedSet, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ScoringError(f"{wind_name(seat)}'s sets are a list.", seat, "sets")
    if len(value) > 7:
        raise ScoringError(f"{wind_name(seat)}'s hand has {len(value)} sets: no hand has so many.", seat, "sets")
    sets = []
    for entry in value:
        played = _SET_CACHE.get(entry) if isinstance(entry, str) else None
        sets.append(played or _set(entry, seat))
    return tuple(sets)


def _set(entry: Any, seat: str) -> PlayedSet:
    """Read "exposed pung 5B", "concealed chow 2C" or "pair R"; remembered, for they are few."""
    who = wind_name(seat)
    words = entry.lower().split() if isinstance(entry, str) and len(entry) < 60 else []
    if words and words[0] == "pair":
        words = ["concealed", *words]
    if len(words) != 3 or words[0] not in ("exposed", "concealed") or words[1] not in ("pung", "kong", "chow", "pair"):
        raise ScoringError(
            f"{who}'s set {{typed}} is not understood: write it like 'exposed pung 5B' or 'pair R'.",
            seat,
            "sets",
            typed=say_value(entry),
        )
    if words[1] == "pair" and entry.lower().split()[0] != "pair":
        raise ScoringError(
            f"{who}'s pair is neither exposed nor concealed: write 'pair {{typed}}'.",
            seat,
            "sets",
            typed=say_value(words[2].upper()),
        )
    tile = TILE_NUMBER.get(words[2])
    if tile is None:
        raise ScoringError(
            f"{who}'s set has an unknown tile: {{typed}}.", seat, "sets", typed=say_value(words[2].upper())
        )
    if words[1] == "chow" and (tile >= EAST or tile % 9 > 6):
        raise ScoringError(f"{who} cannot have a chow from {one_tile(tile)}.", seat, "sets")
    played = PlayedSet(words[1], tile, words[0] == "exposed")
    if len(_SET_CACHE) < 5000:
        _SET_CACHE[entry] = played
    return played


def _loose(value: Any, seat: str) -> dict[int, int]:
    if value is None:
        return {}
    loose: dict[int, int] = {}
    for code in _codes(value, seat, "tiles"):
        tile = TILE_NUMBER.get(code)
        if tile is None:
            _refuse_tile(code, seat)
        else:
            loose[tile] = loose.get(tile, 0) + 1
    return loose


def _codes(value: Any, seat: str, field: str) -> list[str]:
    if not isinstance(value, str):
        raise ScoringError(f"{wind_name(seat)}'s {field} are one text with blanks between them.", seat, field)
    if len(value) > 200:
        raise ScoringError(f"{wind_name(seat)} has more {field} than a hand can hold.", seat, field)
    return value.split()


def _refuse_tile(code: str, seat: str) -> None:
    who = wind_name(seat)
    if code in BONUS_NUMBER:
        raise ScoringError(
            f"{tile_name(code)} is a flower or season: enter it among {who}'s bonus tiles.", seat, "tiles"
        )
    raise ScoringError(f"{who}'s hand has an unknown tile: {{typed}}.", seat, "tiles", typed=say_value(code))


def _bonus(value: Mapping[str, Any], seat: str) -> int:
    if value.get("bonus") is None:
        return 0
    mask = 0
    for code in _codes(value["bonus"], seat, "bonus"):
        number = BONUS_NUMBER.get(code)
        if number is None:
            sentence = f"{wind_name(seat)} has an unknown flower or season: {{typed}}."
            raise ScoringError(sentence, seat, "bonus", typed=say_value(code))
        if mask >> number & 1:
            raise ScoringError(f"{tile_name(code)} appears twice, and there is only one.", seat, "bonus")
        mask |= 1 << number
    return mask


def check_club_hands(key: str, club_hands: Any) -> None:
    """Raise ScoringError where a club's own hands (score format) cannot be played under a rule set."""
    _club_hands(club_hands, _rule_set(key))


def _club_hands(value: Any, rule_set: RuleSet) -> dict[str, ClubHand]:
    if value is None:
        return {}
    if not rule_set.takes_club_hands:
        raise ScoringError(f"{rule_set.name} has no special hands of a club's own.", field="club_hands")
    if not isinstance(value, list):
        raise ScoringError("The club's own hands are a list.", field="club_hands")
    hands = [_club_hand(entry) for entry in value]
    by_key = {hand.key.lower(): hand for hand in hands}
    if len(by_key) < len(hands):
        raise ScoringError("Two of the club's own hands have one key.", field="club_hands")
    return by_key


def _club_hand(entry: Any) -> ClubHand:
    def refuse(what: str) -> ScoringError:
        return ScoringError(f"A club's own hand {what}.", field="club_hands")

    if not isinstance(entry, dict):
        raise refuse("has a key, a name, a value and a fishing value")
    _check_keys(entry, frozenset(("key", "name", "value", "fishing")), "A club's own hand")
    key, name = entry.get("key"), entry.get("name", entry.get("key"))
    if not isinstance(key, str) or not key or not isinstance(name, str):
        raise refuse("has a key and a name, both texts")
    value, fishing = entry.get("value"), entry.get("fishing")
    if isinstance(value, str) and value.lower() in ("limit", "half limit"):
        value = value.lower()
    elif type(value) is not int or not 0 <= value <= HIGHEST:
        raise refuse("counts a whole number, 'limit' or 'half limit'")
    if fishing is not None and (type(fishing) is not int or not 0 <= fishing <= HIGHEST):
        raise refuse("has a whole number or null for fishing")
    return ClubHand(key, name, value, fishing)
