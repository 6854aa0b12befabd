"""What a switch changes: for every switch of every rule set an example, worked out by the scorer for any value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.rotation import Outcome, first_chairs, next_chairs
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.scored import score_hand_played
from clubscore.scoring.tiles import WINDS, wind_name

FOUR = ("bmja", "u3a", "western", "beginners")
BRITISH = ("bmja", "u3a")
ALL = tuple(RULE_SETS)
CHINESE = ("chinese_official",)
SEATS = (1, 2, 3, 4)


@dataclass(frozen=True)
class SwitchExample:
    """A hand played (score format; a wind left out held nothing), and what of its result is told.

    `tells`: "totals" of the seats in `of`, what everybody gains or loses ("nets"), who is East "next", how long East
    stays who wins on and on ("deals"), what players begin with ("start"), or "nothing" where no row asks the switch.
    `given` are other switches that the example needs; `values` are worked out beside the rule set's own.
    """

    switch: str
    rules: tuple[str, ...]
    sentence: str
    tells: str = "totals"
    of: str = "S"
    hands: Mapping[str, Any] = field(default_factory=dict)
    mahjong: Mapping[str, Any] | None = None
    penalties: tuple[Mapping[str, Any], ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[Any, ...] = ()
    outcome: Outcome = Outcome("drawn")

    def worked(self, rules: str, value: Any) -> str:
        """Say what comes of the example under a rule set where the switch has this value, everything else as it is."""
        house_rules = {**self.given, self.switch: value}
        try:
            return _TOLD[self.tells](self, rules, house_rules)
        except ScoringError as error:
            return str(error)

    def played(self, rules: str, house_rules: Mapping[str, Any]) -> dict[str, Any]:
        """Give the hand played in the score format."""
        return {
            "rules": rules,
            "house_rules": dict(house_rules),
            "hands": {wind: self.hands.get(wind, {}) for wind in WINDS},
            "mahjong": self.mahjong,
            "penalties": list(self.penalties),
        }


def examples_of(switch: str, rules: str) -> list[SwitchExample]:
    """Give the examples of a switch in a rule set."""
    return [example for example in SWITCH_EXAMPLES if example.switch == switch and rules in example.rules]


def _totals(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    hands = score_hand_played(example.played(rules, house_rules))["hands"]
    return ", ".join(f"{wind_name(seat)} {hands[seat]['total']:,}" for seat in example.of)


def _nets(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    net = score_hand_played(example.played(rules, house_rules))["net"]
    return ", ".join(f"{wind_name(seat)} {_signed(net[seat])}" for seat in WINDS)


def _signed(amount: int) -> str:
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def _next(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    house = RULE_SETS[rules].house(house_rules)
    after = next_chairs(first_chairs(SEATS, house), example.outcome, house)
    east = "East stays East" if after.east == SEATS[0] else "South is East next"
    return f"{east}, and a goulash is played" if after.goulash else east


def _deals(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    house = RULE_SETS[rules].house(house_rules)
    chairs = first_chairs(SEATS, house)
    for often in range(1, 21):
        chairs = next_chairs(chairs, Outcome("won", (SEATS[0],)), house)
        if chairs.east != SEATS[0]:
            return f"the deal passes after Mah-jong number {often}"
    return "East stays after every one of twenty"


def _start(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    return f"each begins with {RULE_SETS[rules].house(house_rules).starting_balance or 0:,}"


def _nothing(example: SwitchExample, rules: str, house_rules: Mapping[str, Any]) -> str:
    return ""


_TOLD = {"totals": _totals, "nets": _nets, "next": _next, "deals": _deals, "start": _start, "nothing": _nothing}

PLAIN = {"sets": ["exposed pung 3B", "exposed pung 6C", "exposed pung 8D", "concealed chow 2C", "pair 7D"]}
TWO_CHOWS = {"sets": ["exposed pung 3B", "exposed pung 8D", "concealed chow 2C", "exposed chow 5B", "pair 7D"]}
RICH = {"sets": ["exposed kong R", "exposed pung G", "concealed pung S", "exposed kong 9B", "pair 2C"]}
DRAGON_KONGS = {"sets": ["concealed kong R", "concealed kong G", "concealed kong S"], "bonus": "F2 S2"}
JADE = {"sets": ["exposed pung 2B", "concealed pung 4B", "concealed pung 6B", "concealed pung G", "pair 8B"]}
GATES_AND_FLOWERS = {"tiles": "1D 1D 1D 2D 3D 4D 5D 5D 6D 7D 8D 9D 9D 9D", "bonus": "F1 S3"}
PURITY = {
    "sets": ["exposed pung 2B", "concealed pung 5B", "exposed kong 9B", "concealed pung 7B", "pair 3B"],
    "bonus": "F2 S2",
}
FISHING = {"sets": ["concealed kong R", "concealed kong G", "exposed pung W"], "tiles": "N N P P", "fishing": True}
BURIED = {"tiles": "2B 2B 2B 5B 5B 5B 7B 7B 7B N N N R R"}
CALLED = {**PLAIN, "original_call": True}
CONCEALED = {"sets": ["concealed pung 3B", "concealed pung 6C", "concealed pung 8D", "concealed chow 2C", "pair 7D"]}
FOUR_PUNGS = {"tiles": "3B 3B 3B 6C 6C 6C 8D 8D 8D 2C 2C 2C 7D 7D"}
LOOSE = {"sets": ["exposed pung 3B", "exposed kong 6C", "exposed pung 8D", "concealed chow 2C", "pair 7D"]}
ONE_SUIT = {"sets": ["exposed pung 2B", "exposed pung 5B", "exposed pung 9B", "concealed chow 6B", "pair 3B"]}
MAJORS = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}
SEVEN_FAN = {"sets": ["exposed pung 2C", "exposed pung 5B", "concealed pung 8D"], "tiles": "9C 9C 9C P P"}
BOTH_KONGS = {"sets": ["exposed kong 5B", "concealed kong 8C", "exposed chow 1D"], "tiles": "7D 8D 9D P P"}
CONCEALED_KONGS = {"sets": ["concealed kong 5B", "concealed kong 8C", "exposed chow 1D"], "tiles": "7D 8D 9D P P"}
FIVE_TYPES = {"tiles": "2C 2C 9C 9C 3B 3B 4D 4D E E E E R R"}
NINE_GATES = {"tiles": "1C 1C 1C 2C 3C 4C 5C 5C 6C 7C 8C 9C 9C 9C"}
SETTLED = {"S": {"total": 64}, "W": {"total": 24}, "N": {"total": 16}}
YES_NO = (True, False)
SMALL = {"minimum_points": 0}


def _won(tile: str, source: str = "W", by: str = "S") -> dict[str, Any]:
    return {"by": by, "tile": tile, "from": source}


NORTH_WON: Mapping[str, Any] = {"by": "N", "from": "W"}
WINNER_20: Mapping[str, Any] = {"points": 20}

SWITCH_EXAMPLES: tuple[SwitchExample, ...] = (
    SwitchExample("limit", FOUR, "South goes Mah-jong with two sets of dragons, South’s wind and a kong of 9 Bamboos.",
        hands={"S": RICH}, mahjong=_won("2C"), values=(1000, 600, None)),
    SwitchExample("limit_applies_to", FOUR, "North goes Mah-jong; South, who did not, has three concealed kongs of "
        "honours with their own flower and season, at a limit of 1,000.",
        hands={"S": DRAGON_KONGS, "N": WINNER_20}, mahjong=NORTH_WON, given={"limit": 1000}, values=("all", "winner")),
    SwitchExample("east_mode", FOUR, "East goes Mah-jong with this hand and the others have nothing.", "nets",
        of="E", hands={"E": PLAIN}, mahjong=_won("7D", "S", "E"), values=("settlement", "score", "none")),
    SwitchExample("east_mode", FOUR, "South goes Mah-jong with this hand and the others have nothing.", "nets",
        hands={"S": PLAIN}, mahjong=_won("7D"), values=("settlement", "score", "none")),
    SwitchExample("recording", (*FOUR, "baggaley"), "South goes Mah-jong with 64; West has 24, North 16, East nothing.",
        "nets", of="", hands=SETTLED, mahjong={"by": "S", "from": "W"}, values=("settle", "straight")),
    SwitchExample("recording", ("turner",), "South goes Mah-jong with West’s discard.", "nets", of="",
        mahjong={"by": "S", "from": "W"}, values=("settle", "straight")),
    SwitchExample("recording", CHINESE, "South goes Mah-jong with 12 points and West’s discard.", "nets", of="",
        hands={"S": {"total": 12}}, mahjong={"by": "S", "from": "W"}, values=("settle", "straight")),
    SwitchExample("round_payments_to", (*FOUR, "baggaley"),
        "South goes Mah-jong with 64; West has 24, North 16, East nothing.", "nets", of="", hands=SETTLED,
        mahjong={"by": "S", "from": "W"}, given={"recording": "settle"}, values=(0, 10)),
    SwitchExample("round_payments_to", ("turner",), "Nobody wins, and West pays North a fine of 15.", "nets", of="",
        penalties=({"kind": "fine", "by": "W", "to": "N", "amount": 15},), values=(0, 10)),
    SwitchExample("round_payments_to", CHINESE, "South goes Mah-jong with 9 points and West’s discard.", "nets", of="",
        hands={"S": {"total": 9}}, mahjong={"by": "S", "from": "W"}, values=(0, 10)),
    SwitchExample("max_chows", FOUR, "South’s hand is complete, with two chows.",
        hands={"S": TWO_CHOWS}, mahjong=_won("7D"), values=(0, 1, 2, 3, 4)),
    SwitchExample("clean_only", FOUR, "South’s hand is complete, in three suits.",
        hands={"S": PLAIN}, mahjong=_won("7D"), values=YES_NO),
    SwitchExample("minimum_points", CHINESE, "South’s hand is complete: All Pungs with one of terminals.",
        hands={"S": SEVEN_FAN}, mahjong=_won("9C"), values=(8, 6)),
    SwitchExample("exposed_special", BRITISH, "South goes Mah-jong with Imperial Jade, one pung exposed.",
        hands={"S": JADE}, mahjong=_won("8B"), values=("full", "half")),
    SwitchExample("special_bonus_over_limit", BRITISH, "South goes Mah-jong with Gates of Heaven and two flowers.",
        hands={"S": GATES_AND_FLOWERS}, mahjong=_won("5D"), values=YES_NO),
    SwitchExample("best_of_special", BRITISH, "South goes Mah-jong with Purity, own flower and own season; West fishes "
        "for All Winds and Dragons with two concealed kongs of dragons.", of="SW",
        hands={"S": PURITY, "W": FISHING}, mahjong=_won("3B", "N"), values=("none", "fishing", "all")),
    SwitchExample("buried_treasure_last_claim", BRITISH, "South claims West’s Red Dragon for the pair.",
        hands={"S": BURIED}, mahjong=_won("R"), values=("none", "pair", "any")),
    SwitchExample("buried_treasure_last_claim", BRITISH, "South claims West’s North Wind for the last pung.",
        hands={"S": BURIED}, mahjong=_won("N"), values=("none", "pair", "any")),
    SwitchExample("special_value", ("beginners",), "South goes Mah-jong with Thirteen Odd Majors.",
        hands={"S": MAJORS}, mahjong=_won("P"), values=(600, 1000)),
    SwitchExample("original_call", BRITISH, "South and West both made an original call; South goes Mah-jong, West has "
        "a pung of Red Dragons.", of="SW",
        hands={"S": CALLED, "W": {"sets": ["exposed pung R"], "original_call": True}},
        mahjong=_won("7D", "N"), values=("winner", "caller_and_winner")),
    SwitchExample("concealed_allows_last_claim", BRITISH, "South has nothing exposed and claims the last tile.",
        hands={"S": CONCEALED}, mahjong=_won("7D"), values=YES_NO),
    SwitchExample("concealed_allows_last_claim", ("western",), "South has four concealed pungs and claims the last "
        "tile.", hands={"S": FOUR_PUNGS}, mahjong=_won("2C"), values=YES_NO),
    SwitchExample("concealed_allows_last_claim", ("beginners",), "Nothing on the beginners’ sheet counts for a "
        "concealed hand, so this changes no score.", "nothing", values=YES_NO),
    SwitchExample("two_points_on_loose_tile", FOUR, "South goes Mah-jong with a tile from the Kong box.",
        hands={"S": LOOSE}, mahjong=_won("7D", "kong box"), values=YES_NO),
    SwitchExample("bouquet_includes_own", FOUR, "North goes Mah-jong; South has nothing but the four flowers.",
        hands={"S": {"bonus": "F1 F2 F3 F4"}, "N": WINNER_20}, mahjong=NORTH_WON, values=YES_NO),
    SwitchExample("double_wind_pair", FOUR, "North goes Mah-jong; East, in the East round, has a pung of Red Dragons "
        "and a pair of East Winds.", of="E", hands={"E": {"sets": ["exposed pung R"], "tiles": "E E"}, "N": WINNER_20},
        mahjong=NORTH_WON, values=(2, 4)),
    SwitchExample("treble_means", ("beginners",), "South goes Mah-jong with bamboos alone.",
        hands={"S": ONE_SUIT}, mahjong=_won("3B"), values=(3, 8)),
    SwitchExample("losers_score", ("baggaley",), "South goes Mah-jong; West has a peng and a pair of dragons.", of="SW",
        hands={"S": PLAIN, "W": {"sets": ["exposed pung 4C", "pair R"]}}, mahjong=_won("7D", "N"), values=YES_NO),
    SwitchExample("concealed_and_melded_kong", CHINESE, "South goes Mah-jong with a concealed and a melded kong.",
        hands={"S": BOTH_KONGS}, mahjong=_won("8D"), given=SMALL, values=(3, 5, 6)),
    SwitchExample("two_concealed_kongs", CHINESE, "South goes Mah-jong with two concealed kongs.",
        hands={"S": CONCEALED_KONGS}, mahjong=_won("8D"), given=SMALL, values=(6, 8)),
    SwitchExample("all_types_with_seven_pairs", CHINESE, "South goes Mah-jong with seven pairs of all five types.",
        hands={"S": FIVE_TYPES}, mahjong=_won("R"), values=YES_NO),
    SwitchExample("tile_hog_of_honors", CHINESE, "South goes Mah-jong with seven pairs, four East Winds among them.",
        hands={"S": FIVE_TYPES}, mahjong=_won("R"), values=YES_NO),
    SwitchExample("nine_gates_second_pung", CHINESE, "South goes Mah-jong with Nine Gates.",
        hands={"S": NINE_GATES}, mahjong=_won("5C"), values=YES_NO),
    SwitchExample("east_max", FOUR, "East goes Mah-jong again and again.", "deals", of="", values=(3, None)),
    SwitchExample("east_stays_on_win", ALL, "East goes Mah-jong.", "next", of="", outcome=Outcome("won", (1,)),
        values=YES_NO),
    SwitchExample("east_stays_on_draw", ALL, "Nobody goes Mah-jong.", "next", of="", values=YES_NO),
    SwitchExample("goulash", (*FOUR, "baggaley", "turner"), "Nobody goes Mah-jong.", "next", of="", values=YES_NO),
    SwitchExample("starting_balance", ALL, "Four players sit down.", "start", of="", values=(1000, 2000)),
)  # fmt: skip
