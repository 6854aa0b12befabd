"""House rules: one row for each switch, with its values, words and examples, and the rules of one session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from clubscore.scoring.hands import ScoringError
from clubscore.scoring.tiles import WINDS
from clubscore.scoring.words import HIGHEST, say_value

Condition = tuple[str, tuple[Any, ...]]  # a switch and the values under which a row is in force

GROUPS = (
    ("limit", "The limit"),
    ("pay", "Who pays whom"),
    ("win", "What a Mah-jong needs"),
    ("special", "Special hands"),
    ("count", "Points and doubles"),
    ("deal", "East and the next hand"),
    ("penalties", "Penalties"),
    ("start", "At the start"),
)

# How the key of a special hand's switch begins, and its value if the hand scores as in the rules.
HAND = "hand_"
STANDARD = "standard"


@dataclass(frozen=True)
class SwitchExample:
    """A hand played (score format; a player left out holds nothing), and what is shown of its result.

    `shows`: "totals" of the `seats`, what everyone gains or loses ("nets"), who is East "next", how long East
    stays by winning again and again ("deals"), what players begin with ("start"), or "nothing" if no row uses
    the switch. `given` are other switches that the example needs. `values` are worked out as well as the rule set's
    own: all that have words, if none are given.
    """

    rules: tuple[str, ...]
    sentence: str
    shows: str = "totals"
    seats: str = "S"
    hands: Mapping[str, Any] = field(default_factory=dict)
    mahjong: Mapping[str, Any] | None = None
    penalties: tuple[Mapping[str, Any], ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[Any, ...] = ()
    east_wins: bool = False  # before the "next" hand; otherwise nobody won
    switch: str = ""  # the key of its row

    def played(self, rules: str, house_rules: Mapping[str, Any]) -> dict[str, Any]:
        """Return the hand played in the score format."""
        return {
            "rules": rules,
            "house_rules": dict(house_rules),
            "hands": {wind: self.hands.get(wind, {}) for wind in WINDS},
            "mahjong": self.mahjong,
            "penalties": list(self.penalties),
        }


@dataclass(frozen=True)
class Switch:
    """A house rule that a club may change: its values, its words, and examples of what it changes.

    `values` are (value, its label, its words after "The BMJA plays"). They are the ones allowed, unless it takes whole
    numbers from `least` to `most`. If any of these may be typed, it has `figure`, the same two with {} for the number,
    and `error`, what to type instead; `values` are then those with words of their own. The rule sets of its examples
    have it: each says its value, or has the `usual` one.
    """

    sentence: str
    group: str
    name: str
    values: tuple[tuple[Any, str, str], ...] = ()
    figure: tuple[str, str] = ("{}", "{}")
    error: str = ""
    least: int | None = None
    most: int | None = None
    step: int = 1
    examples: tuple[SwitchExample, ...] = ()
    usual: Any = None
    key: str = ""

    @property
    def allowed(self) -> tuple[Any, ...]:
        """The values to choose from; none if it takes whole numbers."""
        return () if self.least is not None else tuple(value for value, _, _ in self.values)

    @property
    def none_allowed(self) -> bool:
        """Whether None is one of its values."""
        return any(value is None for value, _, _ in self.values)

    @property
    def is_figure(self) -> bool:
        """Whether any whole number may be typed."""
        return bool(self.error)

    def label(self, value: Any) -> str:
        """Return a value as a form names the choice: "No limit"."""
        return self._said(value, 1)

    def plays(self, value: Any) -> str:
        """Return a value after "The BMJA plays" or "your club plays": "without a limit"."""
        return self._said(value, 2)

    def _said(self, value: Any, place: int) -> str:
        for row in self.values:
            if type(row[0]) is type(value) and row[0] == value:
                return str(row[place])
        return self.figure[place - 1].format(f"{value:,}" if isinstance(value, int) else value)

    def check(self, value: Any) -> None:
        """Raise ScoringError unless the value is one of those allowed; true is not 1 here."""
        if any(type(value) is type(one) and value == one for one, _, _ in self.values):
            return
        if self.least is not None and type(value) is int and self._fits(value):
            return
        sentence = f"The house rule {self.key} cannot be {{typed}}: {self.allowed_words()}."
        raise ScoringError(sentence, typed=say_value(value))

    def _fits(self, value: int) -> bool:
        if self.least is not None and value < self.least:
            return False
        if self.most is not None and value > self.most:
            return False
        return value % self.step == 0

    def allowed_words(self) -> str:
        """Return which values are allowed."""
        none = " or null" if self.none_allowed else ""
        if self.allowed:
            return "it is one of " + ", ".join(say_value(one) for one in self.allowed) + none
        multiple = f"a multiple of {self.step}" if self.step > 1 else "a whole number"
        limits = [f"at least {self.least}"] if self.least is not None else []
        if self.most is not None:
            limits.append(f"at most {self.most}")
        return f"it is {multiple}{none}" + (", " + " and ".join(limits) if limits else "")


def hand_switch(key: str, name: str, sentence: str) -> Switch:
    """Return the switch of a special hand: as in the rules, at a price of the club's own, or not played."""
    return Switch(
        sentence,
        group="special",
        name=name,
        values=((STANDARD, "As in the rules", f"{name} as in its rules"), (None, "Not played", f"without {name}")),
        figure=("{} points", f"{name} at {{}} points"),
        error=f"Enter what {name} scores in tens, from 10 to 1,000,000, or leave it empty. For example, 500.",
        least=10,
        most=HIGHEST,
        step=10,
        key=HAND + key,
    )


def _switch(sentence: str, **more: Any) -> Any:
    """Return the field of a switch: None in the house rules of a set without it."""
    return field(default=None, metadata={"switch": Switch(sentence, **more)})


# The rule sets that have a switch, and the hands of the examples here and in british.py.
LIMIT_SETS = ("bmja", "u3a", "western", "beginners")
BRITISH_SETS = ("bmja", "u3a")
CHINESE_SETS = ("chinese_official",)
ALL_SETS = (*LIMIT_SETS, *CHINESE_SETS, "baggaley", "turner")
PLAIN = {"sets": ["exposed pung 3B", "exposed pung 6C", "exposed pung 8D", "concealed chow 2C", "pair 7D"]}
TWO_CHOWS = {"sets": ["exposed pung 3B", "exposed pung 8D", "concealed chow 2C", "exposed chow 5B", "pair 7D"]}
RICH = {"sets": ["exposed kong R", "exposed pung G", "concealed pung S", "exposed kong 9B", "pair 2C"]}
DRAGON_KONGS = {"sets": ["concealed kong R", "concealed kong G", "concealed kong S"], "bonus": "F2 S2"}
GREENS_EXPOSED = {"sets": ["exposed pung 2B", "concealed pung 4B", "concealed pung 6B", "concealed pung G", "pair 8B"]}
GATES_AND_FLOWERS = {"tiles": "1D 1D 1D 2D 3D 4D 5D 5D 6D 7D 8D 9D 9D 9D", "bonus": "F1 S3"}
PURITY_HAND = {
    "sets": ["exposed pung 2B", "concealed pung 5B", "exposed kong 9B", "concealed pung 7B", "pair 3B"],
    "bonus": "F2 S2",
}
FISHING = {"sets": ["concealed kong R", "concealed kong G", "exposed pung W"], "tiles": "N N P P", "fishing": True}
BURIED = {"tiles": "2B 2B 2B 5B 5B 5B 7B 7B 7B N N N R R"}
CALLED = {**PLAIN, "original_call": True}
CONCEALED = {"sets": ["concealed pung 3B", "concealed pung 6C", "concealed pung 8D", "concealed chow 2C", "pair 7D"]}
FOUR_PUNGS = {"tiles": "3B 3B 3B 6C 6C 6C 8D 8D 8D 2C 2C 2C 7D 7D"}
WITH_KONG = {"sets": ["exposed pung 3B", "exposed kong 6C", "exposed pung 8D", "concealed chow 2C", "pair 7D"]}
ONE_SUIT_HAND = {"sets": ["exposed pung 2B", "exposed pung 5B", "exposed pung 9B", "concealed chow 6B", "pair 3B"]}
MAJORS_HAND = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P P"}
SEVEN_FAN = {"sets": ["exposed pung 2C", "exposed pung 5B", "concealed pung 8D"], "tiles": "9C 9C 9C P P"}
BOTH_KONGS = {"sets": ["exposed kong 5B", "concealed kong 8C", "exposed chow 1D"], "tiles": "7D 8D 9D P P"}
CONCEALED_KONGS = {"sets": ["concealed kong 5B", "concealed kong 8C", "exposed chow 1D"], "tiles": "7D 8D 9D P P"}
FIVE_TYPES = {"tiles": "2C 2C 9C 9C 3B 3B 4D 4D E E E E R R"}
NINE_GATES = {"tiles": "1C 1C 1C 2C 3C 4C 5C 5C 6C 7C 8C 9C 9C 9C"}
SETTLED = {"S": {"total": 64}, "W": {"total": 24}, "N": {"total": 16}}
SMALL = {"minimum_points": 0}


def _won(tile: str, source: str = "W", by: str = "S") -> dict[str, Any]:
    return {"by": by, "tile": tile, "from": source}


NORTH_WON: Mapping[str, Any] = {"by": "N", "from": "W"}
WINNER_20: Mapping[str, Any] = {"points": 20}


@dataclass(frozen=True)
class HouseRules:
    """The rules of one session: rule set key and a value for every switch (None if the set does not have it)."""

    rules: str
    rotation: str
    # fmt: off
    limit: int | None = _switch(
        "The most a hand can score, or no limit.", group="limit", name="Limit", least=100, most=HIGHEST, step=10,
        values=((None, "No limit", "without a limit"),), figure=("{}", "a limit of {}"),
        error="The limit is a whole number of tens, from 100 to 1,000,000. For example, 1,000.",
        examples=(SwitchExample(LIMIT_SETS,
                      "South goes Mah-jong with two sets of dragons, South’s wind and a kong of 9 Bamboos.",
                      hands={"S": RICH}, mahjong=_won("2C"), values=(1000, 600, None)),))
    limit_applies_to: str | None = _switch(
        "Whose hand is capped at the limit: everyone's, or only the winner's.", group="limit",
        name="Whose hand is capped at the limit",
        values=(
            ("all", "Everyone’s hand", "a limit for everyone’s hand"),
            ("winner", "Only the winner’s hand", "a limit for the winner’s hand only")),
        examples=(SwitchExample(LIMIT_SETS,
                      "North goes Mah-jong; South, who did not, has three concealed kongs of honours with their own "
                      "flower and season, at a limit of 1,000.", hands={"S": DRAGON_KONGS, "N": WINNER_20},
                      mahjong=NORTH_WON, given={"limit": 1000}),))
    east_mode: str | None = _switch(
        "East pays and receives double, has one double in a winning score, or neither.", group="pay",
        name="What East pays and receives",
        values=(
            ("settlement", "East pays and receives double", "that East pays and receives double"),
            ("score", "East’s own Mah-jong is doubled once", "that East’s own Mah-jong is doubled once"),
            ("none", "The same as everyone else", "that East pays and receives like everyone else")),
        examples=(SwitchExample(LIMIT_SETS, "East goes Mah-jong with this hand and the others have nothing.", "nets",
                      seats="E", hands={"E": PLAIN}, mahjong=_won("7D", "S", "E")),
                  SwitchExample(LIMIT_SETS, "South goes Mah-jong with this hand and the others have nothing.", "nets",
                      hands={"S": PLAIN}, mahjong=_won("7D"))))
    recording: str = _switch(
        "Players pay each other, or each just adds up their own score.", group="pay",
        name="Paying or adding up", usual="settle",
        values=(
            ("settle", "Players pay each other", "that players pay each other"),
            ("straight", "Each player adds up their own score; nobody pays",
             "that each player adds up their own score and nobody pays")),
        examples=(SwitchExample((*LIMIT_SETS, "baggaley"),
                      "South goes Mah-jong with 64; West has 24, North 16, East nothing.", "nets", seats="",
                      hands=SETTLED, mahjong={"by": "S", "from": "W"}),
                  SwitchExample(("turner",), "South goes Mah-jong with West’s discard.", "nets", seats="",
                      mahjong={"by": "S", "from": "W"}),
                  SwitchExample(CHINESE_SETS, "South goes Mah-jong with 12 points and West’s discard.", "nets",
                      seats="", hands={"S": {"total": 12}}, mahjong={"by": "S", "from": "W"})))
    max_chows: int | None = _switch(
        "How many chows an ordinary winning hand may hold.", group="win", name="Chows in an ordinary Mah-jong",
        least=0, most=4,
        values=(
            (0, "No chow", "no chows in an ordinary Mah-jong"),
            (1, "One chow at most", "one chow at most"),
            (2, "Two chows at most", "two chows at most"),
            (3, "Three chows at most", "three chows at most"),
            (4, "Any number of chows", "any number of chows")),
        examples=(SwitchExample(LIMIT_SETS, "South’s hand is complete, with two chows.", hands={"S": TWO_CHOWS},
                      mahjong=_won("7D")),))
    clean_only: bool | None = _switch(
        "An ordinary winning hand is one suit with or without honours, or all honours.", group="win",
        name="One suit only",
        values=(
            (True, "One suit, with or without honours, or all honours",
             "that an ordinary Mah-jong is one suit or all honours"),
            (False, "Suits may be mixed", "that suits may be mixed")),
        examples=(SwitchExample(LIMIT_SETS, "South’s hand is complete, in three suits.", hands={"S": PLAIN},
                      mahjong=_won("7D")),))
    exposed_special: str | None = _switch(
        "Special hands 9 to 14 with an exposed set score in full or half.", group="special",
        name="Score for special hands 9 to 14 if a set is exposed",
        values=(
            ("full", "In full", "exposed special hands in full"),
            ("half", "Half", "exposed special hands at half")),
        examples=(SwitchExample(BRITISH_SETS, "South goes Mah-jong with Imperial Jade, one pung exposed.",
                      hands={"S": GREENS_EXPOSED}, mahjong=_won("8B")),))
    special_bonus_over_limit: bool | None = _switch(
        "Flowers and seasons can take a special hand over the limit.", group="special",
        name="Flowers with a special hand",
        values=(
            (True, "Can take it over the limit", "that flowers can take a special hand over the limit"),
            (False, "Capped at the limit", "that flowers never take a special hand over the limit")),
        examples=(SwitchExample(BRITISH_SETS, "South goes Mah-jong with Gates of Heaven and two flowers.",
                      hands={"S": GATES_AND_FLOWERS}, mahjong=_won("5D")),))
    best_of_special: str | None = _switch(
        "Use the ordinary score when it is higher than the special hand’s.", group="special",
        name="When the ordinary score is higher",
        values=(
            ("none", "Use the special hand’s score", "that a special hand keeps its own score"),
            ("fishing", "Use the higher score when fishing", "that the higher score is used when fishing"),
            ("all", "Always use the higher score", "that the higher score is always used")),
        examples=(SwitchExample(BRITISH_SETS,
                      "South goes Mah-jong with Purity, own flower and own season; West fishes for All Winds and "
                      "Dragons with two concealed kongs of dragons.", seats="SW",
                      hands={"S": PURITY_HAND, "W": FISHING},
                      mahjong=_won("3B", "N")),))
    buried_treasure_last_claim: str | None = _switch(
        "Which last tile of Buried Treasure may be claimed.", group="special", name="Last tile of Buried Treasure",
        values=(
            ("none", "Only from the wall", "that its last tile comes from the wall"),
            ("pair", "May be claimed for the pair", "that its last tile may be claimed for the pair"),
            ("any", "May be claimed", "that its last tile may be claimed")),
        examples=(SwitchExample(BRITISH_SETS, "South claims West’s Red Dragon for the pair.", hands={"S": BURIED},
                      mahjong=_won("R")),
                  SwitchExample(BRITISH_SETS, "South claims West’s North Wind for the last pung.", hands={"S": BURIED},
                      mahjong=_won("N"))))
    original_call: str | None = _switch(
        "Who gets a double for an original call: only a winner, or also a loser, with one more for winning.",
        group="count", name="Original call",
        values=(
            ("winner", "One double for a winner who made it", "one double for a winner who made it"),
            ("caller_and_winner", "One double for making it, one more for winning",
             "one double for making it and one more for winning")),
        examples=(SwitchExample(BRITISH_SETS,
                      "South and West both made an original call; South goes Mah-jong, West has a pung of Red "
                      "Dragons.", seats="SW",
                      hands={"S": CALLED, "W": {"sets": ["exposed pung R"], "original_call": True}},
                      mahjong=_won("7D", "N")),))
    concealed_allows_last_claim: bool | None = _switch(
        "A hand is still all concealed when its last tile was claimed.", group="count",
        name="All concealed, but the last tile was claimed",
        values=(
            (True, "Still concealed", "that such a hand is still concealed"),
            (False, "No longer concealed", "that such a hand is no longer concealed")),
        examples=(SwitchExample(BRITISH_SETS, "South has nothing exposed and claims the last tile.",
                      hands={"S": CONCEALED}, mahjong=_won("7D")),
                  SwitchExample(("western",), "South has four concealed pungs and claims the last tile.",
                      hands={"S": FOUR_PUNGS}, mahjong=_won("2C")),
                  SwitchExample(("beginners",),
                      "The beginners’ sheet scores nothing for a concealed hand, so this changes no score.",
                      "nothing")))
    two_points_on_loose_tile: bool | None = _switch(
        "The 2 points for drawing the winning tile are scored for a loose tile too.", group="count",
        name="Two points for drawing a loose tile",
        values=(
            (True, "Scored", "2 points for drawing it from the Kong box too"),
            (False, "Not scored", "2 points for the wall only")),
        examples=(SwitchExample(LIMIT_SETS, "South goes Mah-jong with a tile from the Kong box.",
                      hands={"S": WITH_KONG}, mahjong=_won("7D", "kong box")),))
    bouquet_includes_own: bool | None = _switch(
        "The doubles for four flowers or seasons include your own.", group="count", name="Four flowers or four seasons",
        values=(
            (True, "Your own is included", "that your own flower is included"),
            (False, "Your own scores as well", "that your own flower scores as well")),
        examples=(SwitchExample(LIMIT_SETS, "North goes Mah-jong; South has nothing but the four flowers.",
                      hands={"S": {"bonus": "F1 F2 F3 F4"}, "N": WINNER_20}, mahjong=NORTH_WON),))
    double_wind_pair: int | None = _switch(
        "A pair that is both your own wind and the wind of the round scores 2 or 4.", group="count",
        name="Pair of own wind and wind of the round",
        values=((2, "2 points", "2 points for it"), (4, "4 points", "4 points for it")),
        examples=(SwitchExample(LIMIT_SETS,
                      "North goes Mah-jong; East, in the East round, has a pung of Red Dragons and a pair of East "
                      "Winds.", seats="E", hands={"E": {"sets": ["exposed pung R"], "tiles": "E E"}, "N": WINNER_20},
                      mahjong=NORTH_WON),))
    treble_means: int | None = _switch(
        "What a treble multiplies by.", group="count", name="A treble",
        values=((3, "Times 3", "a treble as times 3"), (8, "Times 8", "a treble as times 8")),
        examples=(SwitchExample(("beginners",), "South goes Mah-jong with bamboos only.", hands={"S": ONE_SUIT_HAND},
                      mahjong=_won("3B")),))
    special_value: int | None = _switch(
        "What special hands score when there is no limit.", group="special",
        name="Special hands when there is no limit", least=0, most=HIGHEST, figure=("{}", "special hands at {}"),
        error="The value of the special hands is a whole number, 1,000,000 at most. For example, 600.",
        examples=(SwitchExample(("beginners",), "South goes Mah-jong with Thirteen Odd Majors.",
                      hands={"S": MAJORS_HAND},
                      mahjong=_won("P"), values=(600, 1000)),))
    losers_score: bool | None = _switch(
        "Players who did not win score their sets too.", group="count", name="Players who did not win",
        values=(
            (True, "Score what they hold", "that everyone scores"),
            (False, "Score nothing", "that the winner alone scores")),
        examples=(SwitchExample(("baggaley",), "South goes Mah-jong; West has a peng and a pair of dragons.",
                      seats="SW", hands={"S": PLAIN, "W": {"sets": ["exposed pung 4C", "pair R"]}},
                      mahjong=_won("7D", "N")),))
    minimum_points: int | None = _switch(
        "The fewest points a Mah-jong needs.", group="win", name="Points a Mah-jong needs", least=0, most=88,
        figure=("{} points", "a minimum of {} points"),
        error="The fewest points of a Mah-jong are a whole number from 0 to 88. For example, 8.",
        examples=(SwitchExample(CHINESE_SETS, "South’s hand is complete: All Pungs with one of terminals.",
                      hands={"S": SEVEN_FAN}, mahjong=_won("9C"), values=(8, 6)),))
    east_max: int | None = _switch(
        "How many times East may stay by winning, or any number.", group="deal",
        name="How many times East may stay by winning", least=0, most=HIGHEST,
        values=(
            (None, "As often as East wins", "that East stays as long as East wins"),
            (0, "Never", "that East never stays by winning"),
            (1, "Once", "that East stays once at most")),
        figure=("{} times", "that East stays {} times at most"),
        error="How often East may stay is a whole number, 999 at most. For example, 3.",
        examples=(SwitchExample(LIMIT_SETS, "East goes Mah-jong again and again.", "deals", seats="",
                      values=(3, None)),))
    east_stays_on_win: bool | None = _switch(
        "East stays after winning.", group="deal", usual=True, name="When East goes Mah-jong",
        values=(
            (True, "East stays", "that East stays after winning"),
            (False, "The deal passes", "that the deal passes even when East wins")),
        examples=(SwitchExample(ALL_SETS, "East goes Mah-jong.", "next", seats="", east_wins=True),))
    east_stays_on_draw: bool | None = _switch(
        "East stays when nobody won.", group="deal", usual=True, name="When nobody goes Mah-jong",
        values=(
            (True, "East stays", "that East stays when nobody wins"),
            (False, "The deal passes", "that the deal passes when nobody wins")),
        examples=(SwitchExample(ALL_SETS, "Nobody goes Mah-jong.", "next", seats=""),))
    goulash: bool | None = _switch(
        "A hand that nobody won is followed by a goulash.", group="deal", name="After a hand that nobody won",
        values=(
            (True, "A goulash is played", "a goulash when nobody wins"),
            (False, "An ordinary hand is played", "no goulashes")),
        examples=(SwitchExample((*LIMIT_SETS, "baggaley", "turner"), "Nobody goes Mah-jong.", "next", seats=""),))
    round_payments_to: int | None = _switch(
        "Round each payment to the nearest 10, or pay exactly.", group="pay", usual=0, name="Rounding",
        values=(
            (0, "Pay exactly", "exact payments"),
            (10, "Each payment to the nearest 10", "each payment rounded to the nearest 10")),
        examples=(SwitchExample((*LIMIT_SETS, "baggaley"),
                      "South goes Mah-jong with 64; West has 24, North 16, East nothing.", "nets", seats="",
                      hands=SETTLED, mahjong={"by": "S", "from": "W"}, given={"recording": "settle"}),
                  SwitchExample(("turner",), "Nobody wins, and West pays North a penalty of 15.", "nets", seats="",
                      penalties=({"kind": "fine", "by": "W", "to": "N", "amount": 15},)),
                  SwitchExample(CHINESE_SETS, "South goes Mah-jong with 9 points and West’s discard.", "nets", seats="",
                      hands={"S": {"total": 9}}, mahjong={"by": "S", "from": "W"})))
    starting_balance: int | None = _switch(
        "What a player starts with at a table of four.", group="start", name="Starting balance at a table of four",
        least=0, most=HIGHEST, figure=("{}", "a starting balance of {}"),
        error="Enter the starting balance as a whole number, 1,000,000 at most. For example, 2,000.",
        examples=(SwitchExample(ALL_SETS, "Four players sit down.", "start", seats="", values=(1000, 2000)),))
    concealed_and_melded_kong: int | None = _switch(
        "What a concealed and a melded kong score together.", group="count", name="A concealed and a melded kong",
        values=(
            (3, "3 points, as two single kongs", "3 points for the two"),
            (5, "5 points", "5 points for the two"),
            (6, "6 points", "6 points for the two")),
        examples=(SwitchExample(CHINESE_SETS, "South goes Mah-jong with a concealed and a melded kong.",
                      hands={"S": BOTH_KONGS}, mahjong=_won("8D"), given=SMALL),))
    two_concealed_kongs: int | None = _switch(
        "What two concealed kongs score.", group="count", name="Two concealed kongs",
        values=((6, "6 points", "6 points for the two"), (8, "8 points", "8 points for the two")),
        examples=(SwitchExample(CHINESE_SETS, "South goes Mah-jong with two concealed kongs.",
                      hands={"S": CONCEALED_KONGS}, mahjong=_won("8D"), given=SMALL),))
    all_types_with_seven_pairs: bool | None = _switch(
        "All Types counts among seven pairs.", group="count", name="All Types among seven pairs",
        values=(
            (True, "Counted", "that All Types counts among seven pairs"),
            (False, "Not counted", "that All Types does not count among seven pairs")),
        examples=(SwitchExample(CHINESE_SETS, "South goes Mah-jong with seven pairs of all five types.",
                      hands={"S": FIVE_TYPES}, mahjong=_won("R")),))
    tile_hog_of_honors: bool | None = _switch(
        "Four equal honors among seven pairs are a Tile Hog.", group="count",
        name="Four equal honors among seven pairs",
        values=((True, "A Tile Hog", "that they are a Tile Hog"), (False, "Not a Tile Hog", "that they are not one")),
        examples=(SwitchExample(CHINESE_SETS, "South goes Mah-jong with seven pairs, four East Winds among them.",
                      hands={"S": FIVE_TYPES}, mahjong=_won("R")),))
    nine_gates_second_pung: bool | None = _switch(
        "A second pung of terminals counts with Nine Gates.", group="count",
        name="Second pung of terminals with Nine Gates",
        values=(
            (True, "Counted", "that the second pung counts"),
            (False, "Not counted", "that the second pung does not count")),
        examples=(SwitchExample(CHINESE_SETS, "South goes Mah-jong with Nine Gates.", hands={"S": NINE_GATES},
                      mahjong=_won("5C")),))
    misnamed_fine: int | None = _switch(
        "What a player pays for a misnamed discard that another player claimed for a set.", group="penalties",
        name="Misnamed discard, claimed for a set", least=10, most=HIGHEST, step=10,
        figure=("{}", "that a misnamed discard costs {}"),
        error="Enter the amount in tens, from 10 to 1,000,000. For example, 50.",
        examples=(SwitchExample(BRITISH_SETS,
                      "Nobody goes Mah-jong. West named a discard wrongly, and South claimed it.",
                      "nets", seats="", penalties=({"kind": "misnamed discard", "by": "W", "to": "S"},),
                      values=(50, 100)),))
    false_mahjong_fine: int | None = _switch(
        "What a player pays to each of the others for a false Mah-jong.", group="penalties", name="False Mah-jong",
        least=10, most=HIGHEST, step=10,
        values=((None, "Half the limit", "that a false Mah-jong costs half the limit"),),
        figure=("{} to each", "that a false Mah-jong costs {} to each"),
        error="Enter the amount in tens, from 10 to 1,000,000. For example, 300.",
        examples=(SwitchExample((*LIMIT_SETS, "baggaley", "turner"), "South calls a false Mah-jong.", "nets", seats="",
                      penalties=({"kind": "false mahjong", "by": "S"},), values=(None, 100)),))
    false_hu_fine: int | None = _switch(
        "What a player pays to each of the others for a false Hu.", group="penalties", name="False Hu",
        least=5, most=HIGHEST, step=5, figure=("{} to each", "that a false Hu costs {} to each"),
        error="Enter the amount in fives, from 5 to 1,000,000. For example, 20.",
        examples=(SwitchExample(CHINESE_SETS, "South calls a false Hu, and nobody goes Mah-jong.", "nets", seats="",
                      penalties=({"kind": "false mahjong", "by": "S"},), values=(20, 30)),))
    shown_tiles_fine: int | None = _switch(
        "What a player who showed their tiles after a false Hu pays to each of the others.", group="penalties",
        name="Tiles shown after a false Hu", least=5, most=HIGHEST, step=5,
        figure=("{} to each", "that tiles shown after a false Hu cost {} to each"),
        error="Enter the amount in fives, from 5 to 1,000,000. For example, 10.",
        examples=(SwitchExample(CHINESE_SETS,
                      "The amount is filled in when the penalty is entered, so this changes no score.", "nothing",
                      values=(10, 20)),))
    # fmt: on
    hands: tuple[tuple[str, int | None], ...] = ()  # special hands with a price of the club's own; None: not played

    def __post_init__(self) -> None:
        """Work out the hash once, as every hand is scored by looking up these house rules."""
        values = tuple(getattr(self, one.name) for one in fields(self))
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined, no-any-return]

    def allows(self, conditions: tuple[Condition, ...]) -> bool:
        """Return whether a row with these conditions is in force."""
        return all(getattr(self, switch) in values for switch, values in conditions)

    def of(self, key: str) -> Any:
        """Return the value of a switch, a special hand's own included."""
        return dict(self.hands).get(key[len(HAND) :], STANDARD) if key.startswith(HAND) else getattr(self, key)

    def plays(self, row: Any) -> bool:
        """Return whether a rule or special hand is in force, and not left out by the club."""
        return self.allows(row.when) and self.of(HAND + row.key) is not None

    def price(self, special: str) -> int | None:
        """Return what a special hand scores if the club chose its own score; None if it scores as in the rules."""
        value = self.of(HAND + special)
        return None if value == STANDARD else value

    def changed(self, defaults: Mapping[str, Any]) -> dict[str, Any]:
        """Return the switches that differ from a rule set's defaults."""
        return {key: self.of(key) for key, value in defaults.items() if self.of(key) != value}


def _named(key: str, switch: Switch) -> Switch:
    named = tuple(value for value, _, _ in switch.values)
    examples = tuple(replace(one, switch=key, values=one.values or named) for one in switch.examples)
    return replace(switch, key=key, examples=examples)


HOUSE_RULE_SWITCHES: tuple[Switch, ...] = tuple(
    _named(one.name, one.metadata["switch"]) for one in fields(HouseRules) if one.metadata
)
SWITCHES = {switch.key: switch for switch in HOUSE_RULE_SWITCHES}


def house_rules_of(rules: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every switch that a rule set has: its own, or the usual one."""
    has = {key for key, switch in SWITCHES.items() if any(rules in example.rules for example in switch.examples)}
    return {key: own.get(key, switch.usual) for key, switch in SWITCHES.items() if key in has}
