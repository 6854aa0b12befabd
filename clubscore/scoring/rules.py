"""The shape of a rule set: rules as rows. The numbers are in rulesets/."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from clubscore.scoring.hands import Mahjong, ScoringError
from clubscore.scoring.settlement import SettlingMethod
from clubscore.scoring.switches import HAND, STANDARD, SWITCHES, Condition, HouseRules, Switch, hand_switch
from clubscore.scoring.tiles import TILE_NUMBER, WINDS
from clubscore.scoring.words import Vocabulary, say_value, vocabulary


@dataclass(frozen=True)
class PenaltyRow:
    """One kind of penalty a table may give.

    `kind` is the score format's. `to` says who receives it: "one" who is named, "anybody" (one who is named, or
    nobody), "each" other player, "nobody"; empty if the kind says it. `switch` is the house rule with its amount, {} in
    its words; without it the amount is typed.
    """

    key: str
    words: str
    kind: str = "fine"
    to: str = ""
    switch: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether it is a plain penalty, which may also be paid outside a hand."""
        return self.kind == "fine" and self.to != "each"

    def says(self, house: HouseRules) -> str:
        """Return its words with what it costs under these house rules."""
        return self.words.format(f"{getattr(house, self.switch):,}") if self.switch else self.words

    def amount(self, house: HouseRules) -> int | None:
        """Return the amount of a plain penalty that is not typed; None for all others."""
        return getattr(house, self.switch) if self.switch and self.kind == "fine" else None


MISNAMED_DISCARD = PenaltyRow("misnamed discard", "Misnamed discard, claimed for a set", "misnamed discard", "one")
MISNAMED_FOR_MAHJONG = PenaltyRow(
    "misnamed discard for mahjong", "Misnamed discard, claimed for Mah-jong", "misnamed discard for mahjong"
)
CANNON = PenaltyRow("cannon", "Letting off a cannon", "cannon")
FALSE_MAHJONG = PenaltyRow("false mahjong", "False Mah-jong", "false mahjong")
OTHER_PENALTY = PenaltyRow("fine", "Another penalty", to="anybody")
# Chinese Official, "Fouls and Penalties"
FALSE_HU = PenaltyRow(
    "false mahjong", "False Hu: {} to each, and the hand goes on", "false mahjong", switch="false_hu_fine"
)
SHOWN_TILES = PenaltyRow(
    "shown tiles", "Tiles shown after a false Hu: {} to each", to="each", switch="shown_tiles_fine"
)
KNOCKED_TILES = PenaltyRow("knocked tiles", "Knocked tiles: 5 to 60 to the player affected", to="one")
LATENESS = PenaltyRow("lateness", "Lateness: 10, 20, 40 or 60, to nobody", to="nobody")
REPEATED = PenaltyRow(
    "repeated", "Empty call, wall touched too early or late pung, again: 5, 10, 20, to nobody", to="nobody"
)
DISCRETION = PenaltyRow("discretion", "At the referee's discretion: 5 to 60, to nobody", to="nobody")


@dataclass(frozen=True)
class By:
    """A figure that depends on a switch of the house rules."""

    switch: str
    values: Mapping[Any, int] | None = None  # None: the switch's own value

    def under(self, house: HouseRules) -> int:
        """Return the figure under these house rules."""
        value = getattr(house, self.switch)
        return int(value) if self.values is None else self.values[value]


Figure: TypeAlias = int | By


@dataclass(frozen=True)
class LimitShare:
    """A share of the limit, or of the special hands' value if there is no limit, whatever a club sets it to."""

    tenths: int
    extra: int = 0  # points added to it


LIMIT = LimitShare(10)
HALF_LIMIT = LimitShare(5)
DOUBLE_LIMIT = LimitShare(20)
WINNER_ELSEWHERE = 20  # what another player won with, in an example without a winner


@dataclass(frozen=True)
class Example:
    """One player's hand and its right total; `hand` and `mahjong` are as in the score format.

    A total that comes from the limit is `LIMIT` or a share of it. The player sits at `seat`; if `mahjong` is None, the
    player at `winner` went Mah-jong with 20 points. `shows` are the tiles for which the rule counts, if not all.
    """

    hand: Mapping[str, Any]
    total: int | LimitShare
    mahjong: Mapping[str, Any] | None = None
    seat: str = "S"
    winner: str = "N"
    wind_of_round: str = "E"
    goulash: bool = False
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    shows: str = ""

    def played(self, rules: str, house_rules: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the hand played in the score format, under the example's own house rules or under these."""
        hands: dict[str, dict[str, Any]] = {wind: {} for wind in WINDS}
        hands[self.seat] = dict(self.hand)
        mahjong = self.mahjong
        if mahjong is None:
            hands[self.winner] = {"total": WINNER_ELSEWHERE}
            mahjong = {"by": self.winner}
        return {
            "rules": rules,
            "house_rules": dict(self.house_rules if house_rules is None else house_rules),
            "wind_of_round": self.wind_of_round,
            "goulash": self.goulash,
            "hands": hands,
            "mahjong": dict(mahjong),
        }


@dataclass(frozen=True)
class Rule:
    """One rule of a rule set: a row of its table.

    `of` says what the question is asked of: each "set" (question(played_set, winds)), each "bonus tile"
    (question(number, winds)), the whole "bonus" (question(mask, winds)), or the complete "hand"
    (question(reading), which answers a truth or how often). Exactly one of `points`, `doubles`, `times`, `worked_out`.
    `combines` rows answer with the pairs of sets they join; a join that closes a ring does not count.
    Fans are asked of the "finish" (question(finish)), the "kinds" (mask), the tiles "held" (held), the "chows"
    (chows, pair), the "pungs" (pungs), the "marks" of all five elements, or of "nothing": when no other fan is found.
    A row of "special hand" (question(mask of bonus tiles, winds)) changes its value: it has `times`, or `worked_out`,
    the words for what is added: the flowers and seasons scored by themselves.
    `asks` names what hand entry has to ask, as the row counts for nothing without it: of `ASKS`, or an original call.
    """

    key: str
    name: str
    of: str
    question: Callable[..., Any]
    sentence: str
    source: str
    examples: tuple[Example, ...]
    points: Figure | None = None
    doubles: Figure | None = None
    times: Figure | None = None
    worked_out: str = ""
    because: str = ""  # why it counts, after the name of a line that gives only the tile: "own wind"
    to: str = "all"  # all, winner, loser
    excludes: tuple[str, ...] = ()
    excludes_one: tuple[str, ...] = ()  # these count once less
    readings: tuple[str, ...] = ()  # the forms of a hand in which a fan is looked for; none named: in all
    combines: bool = False
    within_special: bool = False  # counts in the figure of a special hand that is worked out (Purity)
    when: tuple[Condition, ...] = ()
    asks: tuple[str, ...] = ()

    def sentence_under(self, house: HouseRules) -> str:
        """Return its sentence under these house rules; a row whose figure a switch changes is two rows."""
        return self.sentence


@dataclass(frozen=True)
class Making:
    """How a special hand is made: by which winds, with which tile, where from, and the marks of that Mah-jong.

    `sources` are as in the score format; E is East's discard. None named: from anywhere.
    """

    by: str = WINDS
    sources: tuple[str, ...] = ()
    tile: str = ""
    marks: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, win: Mahjong) -> bool:
        """Return whether a Mah-jong was made so."""
        return (
            win.by in self.by
            and (not self.sources or win.source in self.sources)
            and (not self.tile or win.tile == TILE_NUMBER[self.tile])
            and all(getattr(win, mark) == value for mark, value in self.marks.items())
        )

    def completed(self, win: Mahjong) -> Mahjong:
        """Return a Mah-jong with what nobody said of it, as the name of the special hand says it."""
        said = {mark: getattr(win, mark) or value for mark, value in self.marks.items()}
        tile = TILE_NUMBER[self.tile] if self.tile and win.tile is None else win.tile
        source = self.sources[0] if self.sources and win.source is None else win.source
        return win._replace(tile=tile, source=source, **said)

    @property
    def asks(self) -> tuple[str, ...]:
        """What hand entry has to ask for it."""
        loose = ("loose_tile",) if self.sources == ("kong box",) else ()
        return (*loose, *[ASKED_FOR[mark] for mark in self.marks])


# What may be asked about a winning tile apart from where it came from, in the order that hand entry asks it.
ASKS = (
    "loose_tile",
    "flower_replaced",
    "second_kong",
    "last_of_wall",
    "last_discard",
    "robbed_kong",
    "dealt",
    "first_discard",
    "standing",
    "thirteenth",
    "first_round",
    "last_of_kind",
)
ORIGINAL_CALL = "original_call"
# What is asked for a mark of a special hand.
ASKED_FOR = {
    "last_tile": "last_of_wall",
    "second_kong": "second_kong",
    "dealt": "dealt",
    "first_discard": "first_discard",
    "consecutive": "thirteenth",
}
ANYHOW = Making()
DRAWN = Making(sources=("wall", "kong box"))
FIRST_DISCARD = Making(by="SWN", sources=("E",), marks={"first_discard": True})


@dataclass(frozen=True)
class SpecialHand:
    """A hand with a value of its own, in tenths of the limit, or worked out from its points and `doubles`.

    `shape`: "sets" (four sets and a pair), "tiles" (any fourteen, all concealed), or "way" (any Mah-jong made as
    `made` says, which is never a plain one). `tiles_from`: all tiles are in one of these masks. A value of None: it
    cannot be made in that way. In `wording`, its sentence, {braces} stand around what a club's own price replaces.
    """

    key: str
    name: str
    shape: str
    question: Callable[..., Any]
    wording: str
    source: str
    examples: tuple[Example, ...]
    value: Figure | None = 10
    value_exposed: Figure | None = None
    fishing: Figure | None = None
    fishing_exposed: Figure | None = None
    doubles: Figure | None = None
    points: Figure | None = None  # as well as what the rows give for its tiles, pairs of equal tiles included
    only_under_limit: bool = False  # without a limit its tiles count by the rows alone
    tiles_from: tuple[int, ...] = ()
    to: str = "winner"
    when: tuple[Condition, ...] = ()
    made: Making = ANYHOW

    @property
    def sentence(self) -> str:
        """Its sentence in the rules as they are."""
        return self.wording.replace("{", "").replace("}", "")

    def sentence_under(self, house: HouseRules) -> str:
        """Return its sentence under these house rules, with the price if the club has set one."""
        price = house.price(self.key)
        if price is None:
            return self.sentence
        if "{" not in self.wording:
            return f"{self.wording} It scores {price:,} at this club."
        begins, ends = self.wording.find("{"), self.wording.find("}")
        return f"{self.wording[:begins]}{price:,}{self.wording[ends + 1 :]}"

    @property
    def fishable(self) -> bool:
        """Whether a loser one tile short of it gets a fishing score."""
        return self.fishing is not None or (self.doubles is not None)

    @property
    def exposable(self) -> bool:
        """Whether it may be made with exposed sets."""
        return self.value_exposed is not None or self.doubles is not None


@dataclass(frozen=True)
class RuleSet:
    """A rule set: one complete flat table, its switches with their defaults, and the facts of its table.

    `words` are those used at the table, by ours.
    """

    key: str
    name: str
    edition: int
    source: str
    sentence: str
    called: str  # as the subject of a sentence: "The BMJA plays …"
    house_rules: Mapping[str, Any]
    rules: tuple[Rule, ...]
    special_hands: tuple[SpecialHand, ...]
    settling: SettlingMethod
    rotation: str = "keeps"  # keeps, official
    half_limit_without_limit: int = 300
    special_value_without_limit: Figure = 0
    players: tuple[int, ...] = (3, 4, 5)
    takes_club_hands: bool = False
    two_may_win: bool = False
    doubling: str = "doubles"  # doubles, "points" (only added: doubles 0), "fans" (doubles and times unknown)
    loser_chows: bool = False  # a chow is worth something in a hand that did not win
    winner_alone_scores: bool = False
    winner_least: int = 20  # the fewest points that any Mah-jong scores
    family: str = ""  # "British": one word for several rule sets
    other_mahjongs: tuple[Callable[..., bool], ...] = ()  # fourteen tiles, not sets: a Mah-jong, but no special hand
    winner_needs_tiles: bool = True
    dealt_is_for_east: bool = True
    has_goulash: bool = True
    has_round_wind: bool = True  # the wind of the round counts for something
    last_tile_may_be_loose: bool = False  # the last tile of the wall may have replaced a kong
    misnamed_penalty: int = 50  # for a discard named wrongly and claimed for a set
    any_mahjong_counts: Mapping[str, Any] = field(default_factory=dict)  # house rules by which none counts too little
    everyones_share: int = 0  # what everyone pays a winner, if only one of them owes the total of the hand as well
    suit_names: Mapping[str, str] = field(default_factory=lambda: {"C": "Characters", "B": "Bamboos", "D": "Circles"})
    words: Mapping[str, str] = field(default_factory=dict)
    penalties: tuple[PenaltyRow, ...] = (FALSE_MAHJONG, OTHER_PENALTY)
    no_hu_for: str = ""  # mistakes that cost no points, but the right to win this hand

    @property
    def false_mahjong_voids(self) -> bool:
        """Whether a false Mah-jong ends the hand, which is then played again."""
        return "false_hu_fine" not in self.house_rules

    @property
    def discarder_pays_more(self) -> bool:
        """Whether the player who discarded the winning tile pays more than the others, so that it must be entered."""
        return self.settling == "official"

    def vocabulary(self, suit_names: Mapping[str, str] | None = None) -> Vocabulary:
        """Return the words of a table, with the club's names for the suits, if it has any."""
        return vocabulary({**self.suit_names, **(suit_names or {})}, self.words)

    def house(self, overrides: Mapping[str, Any] | None = None) -> HouseRules:
        """Return the house rules with these switches changed; ScoringError for what the set does not offer."""
        values = dict(self.house_rules)
        hands = {HAND + special.key: special for special in self.special_hands}
        prices = {}
        for key, value in (overrides or {}).items():
            if key in hands:
                special = hands[key]
                hand_switch(special.key, special.name, special.sentence).check(value)
                if value != STANDARD:
                    prices[special.key] = value
                continue
            if key not in values:
                known = key in SWITCHES or key.startswith(HAND)
                why = f"is not one of the house rules of {self.name}" if known else "is not known"
                raise ScoringError(f"The house rule {{typed}} {why}.", field="house_rules", typed=say_value(key))
            value = value.lower() if isinstance(value, str) else value
            SWITCHES[key].check(value)
            values[key] = value
        return HouseRules(rules=self.key, rotation=self.rotation, hands=tuple(sorted(prices.items())), **values)

    @property
    def standard(self) -> dict[str, Any]:
        """Every switch's value in the rules as they are, those of the special hands included."""
        return {**self.house_rules, **{HAND + special.key: STANDARD for special in self.special_hands}}

    @property
    def switches(self) -> dict[str, Switch]:
        """Every switch of the rule set, those of its special hands included."""
        hands = [hand_switch(special.key, special.name, special.sentence) for special in self.special_hands]
        return {**{key: SWITCHES[key] for key in self.house_rules}, **{one.key: one for one in hands}}


def kong_box_called(name: str) -> dict[str, str]:
    """Return the words of a rule set that has no Kong box, but calls a tile from it by this name."""
    return {
        "Loose tile, from the Kong box": name.capitalize(),
        "The Kong box": f"A {name}",
        "a loose tile from the Kong box": f"a {name}",
    }
