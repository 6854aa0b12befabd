"""The score format: a hand played read from plain JSON values.

Words may come in any letter case; numbers are whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from clubscore.scoring.hands import ClubHand, HandPlayed, Mahjong, PlayersHand, ScoringError, kind_name
from clubscore.scoring.read_hand import check_keys, read_hand, read_truth, unknown_key
from clubscore.scoring.rules import RuleSet, SpecialHand
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.tiles import (
    BONUS_NUMBER,
    BONUS_TILES,
    KIND_COUNT,
    TILE_NUMBER,
    WIND_NAMES,
    WINDS,
    tile_name,
    wind_name,
)
from clubscore.scoring.words import HIGHEST, say_value

KEYS = frozenset(
    ("id", "rules", "house_rules", "wind_of_round", "goulash", "hands", "mahjong", "club_hands", "penalties")
)
DRAWN_FROM = ("wall", "kong box")
MARKS = ("robbed_kong", "last_tile", "second_kong", "dealt", "first_discard", "first_round", "standing", "last_of_kind")
MAHJONG_KEYS = frozenset(("by", "tile", "from", "replacement_for", "consecutive", *MARKS))


def read_hand_played(data: Any) -> HandPlayed:
    """Read one hand played; ScoringError says the seat and what to fix."""
    if not isinstance(data, dict):
        raise ScoringError("A hand played is a JSON object.")
    check_keys(data, KEYS, "The hand played")
    rule_set = _rule_set(data.get("rules", "bmja"))
    house = house_rules(rule_set.key, data.get("house_rules"))
    goulash = read_truth(data, "goulash", None)
    if goulash and not rule_set.has_goulash:
        raise ScoringError(f"There is no goulash in {rule_set.name}.", field="goulash")
    club_hands = _club_hands(data.get("club_hands"), rule_set)
    hands = _hands(data.get("hands"), rule_set)
    mahjong = _mahjongs(data.get("mahjong"), hands, rule_set)
    penalties = data.get("penalties")
    if penalties is not None and not isinstance(penalties, list):
        raise ScoringError("The penalties are a list.", field="penalties")
    played_id = _id(data.get("id"))
    round_wind = WINDS.index(_wind(data.get("wind_of_round", "E"), "The wind of the round is", "wind_of_round"))
    played = HandPlayed(
        played_id, rule_set.key, house, round_wind, goulash, hands, mahjong, club_hands, penalties or []
    )
    _check_forms(played, rule_set)
    if not goulash:
        _check_robbed(played)
    _check_copies(played)
    return played


def house_rules(key: str, overrides: Mapping[str, Any] | None = None) -> HouseRules:
    """Return a rule set's house rules with these switches changed; ScoringError for what it does not offer."""
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ScoringError("The house rules are an object.", field="house_rules")
    # The types are part of the key, as 1 equals true.
    changed = tuple((switch, type(value), value) for switch, value in (overrides or {}).items())
    try:
        return _house_rules(key, changed)
    except TypeError:
        # A list or an object as a value has no hash: the switch refuses it.
        return _rule_set(key).house(overrides)


@lru_cache(maxsize=2000)
def _house_rules(key: str, changed: tuple[tuple[str, type, Any], ...]) -> HouseRules:
    return _rule_set(key).house({switch: value for switch, _, value in changed})


def check_club_hands(key: str, club_hands: Any) -> None:
    """Raise ScoringError if club hands (score format) cannot be played under a rule set."""
    _club_hands(club_hands, _rule_set(key))


def _id(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ScoringError("The id is a text.", field="id")
    if isinstance(value, str) and not value.isascii() and any(0xD800 <= ord(letter) <= 0xDFFF for letter in value):
        raise ScoringError("The id holds half a character.", field="id")
    return value


def _rule_set(key: Any) -> RuleSet:
    if isinstance(key, str) and key.lower() in RULE_SETS:
        return RULE_SETS[key.lower()]
    sentence = f"There are no rules called {{typed}}; there are {', '.join(RULE_SETS)}."
    raise ScoringError(sentence, field="rules", typed=say_value(key))


def _wind(value: Any, what: str, field: str) -> str:
    wind = value.upper() if isinstance(value, str) else ""
    if wind not in WIND_NAMES:
        raise ScoringError(f"{what} E, S, W or N, not {{typed}}.", field=field, typed=say_value(value))
    return wind


def _hands(value: Any, rule_set: RuleSet) -> dict[str, PlayersHand]:
    if not isinstance(value, dict):
        raise ScoringError("The hands are an object with a hand for each wind.", field="hands")
    entered: dict[str, Any] = {}
    for key, hand in value.items():
        seat = key.upper()
        if seat not in WIND_NAMES:
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
    return {seat: read_hand(entered[seat], seat) for seat in WINDS if seat in entered}


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
    check_keys(entry, frozenset(("key", "name", "value", "fishing")), "A club's own hand")
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


# How someone went Mah-jong


def _mahjongs(value: Any, hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> tuple[Mahjong, ...]:
    """Read who went Mah-jong and how: no one, one player, or two on one discard."""
    if value is None:
        return ()
    if not isinstance(value, list):
        return (_mahjong(value, hands, rule_set),)
    if not rule_set.two_may_win:
        raise ScoringError(f"Only one player can go Mah-jong in {rule_set.name}.", field="mahjong")
    if len(value) != 2:
        raise ScoringError("Exactly two players may go Mah-jong on one discard.", field="mahjong")
    first, second = (_mahjong(one, hands, rule_set) for one in value)
    if first.by == second.by:
        raise ScoringError(f"{wind_name(first.by)} went Mah-jong twice.", first.by, "mahjong")
    if first.source != second.source or first.tile != second.tile:
        raise ScoringError("Two players go Mah-jong on the same discard of the same player.", second.by, "mahjong")
    if first.source in DRAWN_FROM:
        raise ScoringError("Two players can only go Mah-jong on one discard.", second.by, "mahjong")
    return (first, second)


def _mahjong(value: Any, hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> Mahjong:
    if not isinstance(value, dict):
        raise ScoringError("Mah-jong says by whom, with which tile and from where.", field="mahjong")
    if not set(value) <= MAHJONG_KEYS:
        strange = say_value(unknown_key(value, MAHJONG_KEYS))
        raise ScoringError("Mah-jong has an unknown key: {typed}.", field="mahjong", typed=strange)
    by = _seat(value.get("by"), hands, "Mah-jong is by")
    marks: dict[str, Any] = {key: read_truth(value, key, by, "mahjong") for key in MARKS if key in value}
    win = Mahjong(by, _winning_tile(value.get("tile"), by), _source(value, by, hands), **marks)
    if "replacement_for" in value:
        win = win._replace(replacement_for=_replacement(value["replacement_for"], by))
    if "consecutive" in value:
        win = win._replace(consecutive=value["consecutive"])
        if type(win.consecutive) is not int or not 0 <= win.consecutive <= 1000:
            raise ScoringError("consecutive is the number of hands East has won in a row.", by, "mahjong")
    _check_together(win, hands, rule_set)
    return win


def _seat(value: Any, hands: Mapping[str, PlayersHand], what: str) -> str:
    wind = _wind(value, what, "mahjong")
    if wind not in hands:
        raise ScoringError(f"{wind_name(wind)} is not at the table.", wind, "mahjong")
    return wind


def _winning_tile(value: Any, by: str) -> int | None:
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
    if isinstance(source, str) and source.lower() in DRAWN_FROM:
        return source.lower()
    seat = _seat(source, hands, "The winning tile came from the wall, the Kong box,")
    if seat == by:
        raise ScoringError(f"{wind_name(by)} cannot win on their own discard.", by, "mahjong")
    return seat


def _replacement(value: Any, by: str) -> str:
    word = value.lower() if isinstance(value, str) else ""
    if word not in ("kong", "flower"):
        sentence = "A replacement tile is for a kong or a flower, not {typed}."
        raise ScoringError(sentence, by, "mahjong", typed=say_value(value))
    return word


def _check_together(win: Mahjong, hands: Mapping[str, PlayersHand], rule_set: RuleSet) -> None:
    """Raise ScoringError for marks that contradict each other."""
    hand = hands[win.by]
    wrong = _wrong_source(win, rule_set) or _wrong_replacement(win, hand, rule_set)
    if wrong is None and (win.dealt or win.first_discard):
        wrong = _why_not_at_once(win, hand, rule_set)
    if wrong is not None:
        raise ScoringError(wrong, win.by, "mahjong")


def _wrong_source(win: Mahjong, rule_set: RuleSet) -> str | None:
    if win.last_tile and (win.robbed_kong or (win.source == "kong box" and not rule_set.last_tile_may_be_loose)):
        return "The last tile is the wall's or the final discard, not a Kong box tile or a robbed one."
    if win.dealt and win.is_claimed:
        return f"{wind_name(win.by)} cannot win with the tiles as dealt and from a discard."
    if win.robbed_kong and not win.is_claimed:
        return "Choose whose kong was robbed."
    return None


def _wrong_replacement(win: Mahjong, hand: PlayersHand, rule_set: RuleSet) -> str | None:
    if (win.replacement_for or win.second_kong) and win.source != "kong box":
        return "A replacement tile comes from the Kong box."
    if win.second_kong and win.replacement_for == "flower":
        return "The tile after a second kong replaces a kong, not a flower."
    if win.second_kong and _has_too_few_kongs(hand, rule_set):
        return f"{wind_name(win.by)} does not have two kongs."
    return None


def _why_not_at_once(win: Mahjong, hand: PlayersHand, rule_set: RuleSet) -> str | None:
    """Return why nobody wins with the tiles as dealt, or with East's first discard, like this; None if they may."""
    who = wind_name(win.by)
    if win.first_discard and (win.source != "E" or win.by == "E" or win.robbed_kong):
        return "East's first discard is claimed from East by another player."
    if win.dealt and win.by != "E" and rule_set.dealt_is_for_east:
        return f"Only East can go Mah-jong with the tiles as dealt, not {who}."
    how = "the tiles as dealt" if win.dealt else "East's first discard"
    if win.dealt and win.last_tile:
        return f"{who} cannot win with {how} and with the last tile of the wall."
    if win.second_kong or win.replacement_for == "kong" or any([played.kind == "kong" for played in hand.sets]):
        return f"{who} has a kong, so it was no win with {how}. Correct the kong, or how {who} won."
    exposed = [played for played in hand.sets if played.exposed]
    # A claimed tile exposes the set that it completes.
    if win.is_claimed and any([win.tile is None or win.tile in played.kinds for played in exposed]):
        exposed.pop()
    if exposed or hand.exposed:
        return f"{who} has exposed sets, so it was no win with {how}. Correct the sets, or how {who} won."
    return None


def _has_too_few_kongs(hand: PlayersHand, rule_set: RuleSet) -> bool:
    if hand.entered_as != "tiles" or not (rule_set.winner_needs_tiles or hand.sets or hand.loose):
        return False
    return sum(1 for played in hand.sets if played.kind == "kong") < 2


# What must be true across the hands


def _check_forms(played: HandPlayed, rule_set: RuleSet) -> None:
    """Raise ScoringError if the way a hand was entered does not suit the rule set or who won."""
    winners = {win.by for win in played.mahjong}
    for seat, hand in played.hands.items():
        if hand.entered_as == "tiles":
            if hand.count and seat in winners:
                raise ScoringError(f"{wind_name(seat)} has {hand.count} tiles and cannot go Mah-jong.", seat, "count")
        elif hand.entered_as == "points" and hand.doubles and _has_no_doubles(rule_set, seat in winners):
            raise ScoringError(f"There are no doubles in {rule_set.name}.", seat, "doubles")
        elif hand.entered_as == "special":
            _check_special(hand, seat, played, rule_set)


def _has_no_doubles(rule_set: RuleSet, wins: bool) -> bool:
    return rule_set.doubling == "points" or (rule_set.doubling == "fans" and wins)


def _check_special(hand: PlayersHand, seat: str, played: HandPlayed, rule_set: RuleSet) -> None:
    key, who = hand.special or hand.fishing_for, wind_name(seat)
    named = [special for special in rule_set.special_hands if special.key == key]
    win = next((win for win in played.mahjong if win.by == seat), None)
    if not named and key not in played.club_hands:
        sentence = f"There is no special hand {{typed}} in {rule_set.name}."
        raise ScoringError(sentence, seat, "special", typed=say_value(key))
    if hand.fishing_for and win:
        raise ScoringError(f"{who} went Mah-jong and is no longer fishing.", seat, "special")
    for_losers = any(special.to != "winner" for special in named)
    if hand.special and played.mahjong and not win and not for_losers:
        sentence = "Only the player who goes Mah-jong has this special hand. If it is not complete, choose fishing."
        raise ScoringError(sentence, seat, "special")
    in_force = [special for special in named if played.house.plays(special)]
    if win and in_force:
        _check_made(in_force[0], win, played, rule_set)


def _check_made(special: SpecialHand, win: Mahjong, played: HandPlayed, rule_set: RuleSet) -> None:
    """Raise ScoringError if a special hand cannot be made like this; what nobody said is as its name says."""
    completed = special.made.completed(win)
    if not special.made.fits(completed):
        sentence = f"{special.name} does not fit how {wind_name(win.by)} went Mah-jong."
        raise ScoringError(f"{sentence} {special.sentence_under(played.house)}", win.by, "special")
    _check_together(completed, played.hands, rule_set)


def _check_robbed(played: HandPlayed) -> None:
    """Raise ScoringError for more than one of a robbed tile: the kong had the other three (a goulash has jokers)."""
    for win in played.mahjong:
        if win.robbed_kong and win.tile is not None and played.hands[win.by].copies(win.tile) > 1:
            sentence = f"A robbed {kind_name(win.tile)} is the only one in {wind_name(win.by)}'s hand"
            raise ScoringError(f"{sentence}: the kong had the other three.", win.by, "mahjong")


def _check_copies(played: HandPlayed) -> None:
    """Raise ScoringError for a fifth copy of a tile at the table (a goulash has four jokers) or a flower twice."""
    held = [0] * KIND_COUNT
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
            for tile in entered.kinds:
                held[tile] += 1
    for win in played.mahjong[:1]:
        if win.robbed_kong and win.tile is not None and win.source in played.hands:
            # The kong had three, whatever is entered of it.
            held[win.tile] += max(0, 3 - played.hands[win.source].copies(win.tile))
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
            f"There are {extra} tiles too many at the table, {kind_name(tile)} among them: four jokers allow four.",
            seat,
            "tiles",
        )
    robbed = [win for win in played.mahjong if win.robbed_kong and win.tile == tile]
    times = f"{held[tile]} times, those of the robbed kong included" if robbed else f"{held[tile]} times"
    raise ScoringError(f"{kind_name(tile)} is at the table {times}; there are only four.", seat, "tiles")


def _both_hold(played: HandPlayed) -> bool:
    tile = played.mahjong[0].tile
    return tile is not None and all(_held_by(played.hands[win.by], tile) for win in played.mahjong)


def _held_by(hand: PlayersHand, tile: int) -> bool:
    return tile in hand.loose or any(tile in entered.kinds for entered in hand.sets)
