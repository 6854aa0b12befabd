"""What the page of a rule set shows under given house rules: its rows with examples, payments, claims, penalties."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from clubscore.play.drawn_hands import (
    TILE_ORDER,
    Group,
    in_order,
    tile_groups,
    winning_words,
)
from clubscore.play.table_words import ONCE_OR_TWICE, multiplied
from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.rules import Example, PenaltyRow, Rule, RuleSet, SpecialHand
from clubscore.scoring.score import settling_of
from clubscore.scoring.settlement import METHOD_SENTENCES, PENALTY_KINDS, false_mahjong_penalty
from clubscore.scoring.switches import HAND, HouseRules
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import in_words
from sessions_app.rules.club_rules import club_hand_worth

NOT_IN_FORCE = "other"
FANS = "fans-"


@dataclass(frozen=True)
class ShownExample:
    """A hand drawn in tiles, how it was won, and what it scores; `under` names the house rules it needs."""

    groups: tuple[Group, ...]
    how: str
    sum: str
    total: int
    under: str
    played: dict  # in the score format; `total` is the score of `seat`
    seat: str


@dataclass(frozen=True)
class ShownRow:
    """One row of a rule set; `under` names the house rules that would bring a row that is not in force into force.

    `differs` is true for a row in force that the standard rules do not have, or have with another worth.
    """

    anchor: str
    key: str
    name: str
    worth: str
    sentence: str
    source: str
    under: str
    differs: bool
    example: ShownExample


@dataclass(frozen=True)
class Section:
    """Rows that belong together."""

    key: str
    title: str
    lead: str
    rows: tuple[ShownRow, ...]


SECTIONS = (
    ("sets", "What sets and flowers score", "For every player, winner or not."),
    ("winning", "Extra points for the winner", "Only for the winner, added to the sets."),
    ("doubles", "What doubles a hand", "For every player. Each double doubles all the points."),
    ("winners-doubles", "What doubles the winner’s hand", "Only for the winner, as well as the doubles above."),
    ("with-special", "With a special hand", "What scores on top of a special hand."),
    ("special", "Special hands", "Each has its own score, instead of points and doubles."),
    (NOT_IN_FORCE, "Not played here", "Rules that you would play with other house rules."),
)


def rule_sections(
    rules: str, overrides: dict[str, int] | None = None, suit_names: dict[str, Any] | None = None
) -> tuple[Any, ...]:
    """Return the sections of a rule set with these overrides; each row is in exactly one section."""
    changed = tuple(sorted((overrides or {}).items()))
    return _sections(rules, changed, tuple(sorted((suit_names or {}).items())))


@lru_cache(maxsize=128)
def _sections(
    rules: str, changed: tuple[tuple[str, int], ...], suit_names: tuple[tuple[Any, Any], ...]
) -> tuple[Any, ...]:
    rule_set = RULE_SETS[rules]
    page = _Page(rule_set, dict(changed), rule_set.vocabulary(dict(suit_names)))
    found: dict[str, list[ShownRow]] = {}
    rows: list[Rule | SpecialHand] = [*rule_set.rules, *rule_set.special_hands]
    for row in rows:
        found.setdefault(page.section_of(row), []).append(page.shown(row))
    titles = [*SECTIONS[:-1], *_fan_titles(found), SECTIONS[-1]]
    return tuple(Section(key, title, lead, tuple(found[key])) for key, title, lead in titles if key in found)


def _fan_titles(found: dict[str, list[ShownRow]]) -> list[Any]:
    """Return the titles of the sections of fans, cheapest first, as the source prints them."""
    worth = sorted(int(key.removeprefix(FANS)) for key in found if key.startswith(FANS))
    return [(f"{FANS}{points}", f"{points:,} point{'' if points == 1 else 's'}", "") for points in worth]


class _Page:
    """Builds the rows of one rule set under one set of house rules."""

    def __init__(self, rule_set: RuleSet, overrides: dict[str, int], words: tuple[Any, ...]) -> None:
        self.rule_set = rule_set
        self.overrides = overrides
        self.house = rule_set.house(overrides)
        self.standard = rule_set.house()
        self.words = words
        self.anchors: set[str] = set()

    def section_of(self, row: Rule | SpecialHand) -> str:
        if not self.house.plays(row):
            return NOT_IN_FORCE
        if not isinstance(row, Rule):
            return "special"
        if self.rule_set.doubling == "fans":
            return f"{FANS}{amount_of(self.house, row)}"
        if row.of == "special hand":
            return "with-special"
        if row.points is not None:
            return "winning" if row.to == "winner" else "sets"
        return "winners-doubles" if row.to == "winner" else "doubles"

    def shown(self, row: Rule | SpecialHand) -> ShownRow:
        in_force = self.house.plays(row)
        example = self.example(row)
        worth = row_worth_words(row, self.house) if in_force else ""
        house = self.house if in_force else self.rule_set.house(example.played["house_rules"])
        return ShownRow(
            anchor=self.anchor(row, in_force),
            key=row.key,
            name=in_words(self.words, row.name),
            worth=worth or row_worth_words(row, house),
            sentence=in_words(self.words, row.sentence_under(house)),
            source=row.source,
            under="" if in_force else self.differing(house, {*dict(row.when), HAND + row.key}),
            differs=in_force and not (self.standard.plays(row) and row_worth_words(row, self.standard) == worth),
            example=example,
        )

    def anchor(self, row: Rule | SpecialHand, in_force: bool) -> str:
        """Return the row's anchor; a row not in force never takes the anchor of one that is."""
        name = f"rule-{row.key}" if in_force else f"rule-{row.key}-otherwise"
        while name in self.anchors:
            name += "-too"
        self.anchors.add(name)
        return name

    def example(self, row: Rule | SpecialHand) -> ShownExample:
        """Score the row's example under the page's house rules, or else under house rules in which the row scores."""
        with_tiles = (example for example in row.examples if example.hand.get("tiles") or example.hand.get("sets"))
        example = next(with_tiles, row.examples[0])
        examples_own = dict(example.house_rules)
        for overrides in (self.overrides, {**self.overrides, **examples_own}, examples_own):
            if not self.rule_set.house(overrides).plays(row):
                continue
            played = example.played(self.rule_set.key, overrides)
            try:
                scored = score_hand_played(played)["hands"][example.seat]
            except ScoringError:
                continue
            counts_nothing = isinstance(row, Rule) and row.points == 0
            if counts_nothing or row.key in {line["rule"] for line in scored["lines"]}:
                break
        house = self.rule_set.house(played["house_rules"])
        return ShownExample(
            groups=mark_tiles(tile_groups(example.hand, self.words), example.shows),
            how=in_words(self.words, self.how(example)),
            sum=_describe_total(scored),
            total=scored["total"],
            under=self.differing(house),
            played=played,
            seat=example.seat,
        )

    def differing(self, house: HouseRules, among: set[str] | None = None) -> str:
        """Return the switches in which house rules differ from the page's: "The limit: no limit"."""
        switches = self.rule_set.switches
        changed = house.changed({key: self.house.of(key) for key in switches})
        named = {key: value for key, value in changed.items() if among is None or key in among}
        return "; ".join(f"{switches[key].name}: {switches[key].label(value)}" for key, value in named.items())

    def how(self, example: Example) -> str:
        """Return whose hand the example is, and how it won."""
        round_wind = f", {WIND_NAMES[example.wind_of_round]} round" if self.rule_set.has_round_wind else ""
        who = f"{WIND_NAMES[example.seat]}’s hand{round_wind}{', goulash' if example.goulash else ''}."
        if not example.mahjong:
            return who
        return f"{who} Won {', '.join(winning_words(example.mahjong, WIND_NAMES))}."


def mark_tiles(groups: tuple[Any, ...], text: str) -> tuple[Any, ...]:
    """Mark these tiles in the groups: first whole sets, then single tiles in the hand."""
    left, places = Counter(text.split()), {}
    for at, group in sorted(enumerate(groups), key=lambda one: one[1].in_hand):
        if group.in_hand:
            seen = [group.tiles[: place + 1].count(code) for place, code in enumerate(group.tiles)]
            places[at] = tuple(place for place, code in enumerate(group.tiles) if seen[place] <= left[code])
        elif not Counter(group.tiles) - left:
            left -= Counter(group.tiles)
            places[at] = tuple(range(len(group.tiles)))
    return tuple(replace(group, marked=places.get(at, ())) for at, group in enumerate(groups))


def _describe_total(scored):
    """Return how a total was multiplied or capped: "28 points, doubled once"; empty if it was not."""
    by = "" if scored["points"] is None else multiplied(scored["doubles"], scored["times"])
    parts = [f"{scored['points']:,} points, {by}"] if by else []
    return ", ".join(parts + [f"limit: {scored['total']:,}"] * scored["limited"])


def amount_of(house: HouseRules, row: Rule) -> int | None:
    """Return the points, doubles or factor of a rule under house rules; None if it is worked out from the hand."""
    return next((in_force.amount for in_force in compile_table(house).rows if in_force.rule is row), None)


def row_worth_words(row: Rule | SpecialHand, house: HouseRules) -> str:
    """Return what a row is worth under house rules: "4 points", "2 doubles", "1,000; exposed 500; fishing 400"."""
    if isinstance(row, Rule):
        return _rule_worth(row, house)
    worth = next(worth for special, worth in compile_table(house).specials if special is row)
    doubled = f"its points, doubled {ONCE_OR_TWICE.get(worth.fishing_doubles, f'{worth.fishing_doubles} times')}"
    if worth.doubles:
        return doubled
    if worth.points:
        return f"{worth.points:,} points as well as its sets"
    worths = [f"{worth.value:,}"]
    if worth.value_exposed is not None and worth.value_exposed != worth.value:
        worths.append(f"exposed {worth.value_exposed:,}")
    if worth.fishing_doubles:
        worths.append(f"fishing {doubled}")
    if worth.fishing is not None:
        worths.append(f"fishing {worth.fishing:,}")
    if worth.fishing_exposed is not None and worth.fishing_exposed != worth.fishing:
        worths.append(f"exposed {worth.fishing_exposed:,}")
    return "; ".join(worths)


def _rule_worth(row, house):
    if row.worked_out:
        return row.worked_out
    amount = amount_of(house, row)
    if row.points is not None:
        return "nothing" if amount == 0 else f"{amount:,} point{'' if amount == 1 else 's'}"
    return f"times {amount}" if row.times is not None else f"{amount} double{'' if amount == 1 else 's'}"


# The rest of the page: payments, claims, penalties and club hands.

RECEIVERS = {"one": "to one player", "anybody": "to a player, or to nobody", "each": "to each", "nobody": "to nobody"}


@dataclass(frozen=True)
class ShownPenalty:
    """One penalty: what happened, what it costs, and the source."""

    key: str
    words: str
    cost: str
    sentence: str
    source: str


@dataclass(frozen=True)
class ShownClubHand:
    """A club hand: its worth in words, and its tiles if the club gave an example."""

    anchor: str
    name: str
    worth: str
    text: str
    concealed: bool
    tiles: tuple[str, ...]


def claim_sentences(rules: str) -> list[str]:
    """Return sentences that say who gets a discard that several players want."""
    rule_set = RULE_SETS[rules]
    return [in_words(rule_set.vocabulary(), sentence) for sentence in claims(rule_set).values()]


def claims(rule_set: RuleSet) -> dict[tuple[Any, ...], str]:
    """Return who gets a discard: standard sentences by a key that is equal for equal rules."""
    if rule_set.two_may_win:
        two = "If two players want it for Mah-jong, both win."
    else:
        two = "If two players want it for Mah-jong, the one whose turn comes first gets it."
    return {
        ("order",): "Mah-jong comes first, then kong, pung and chow.",
        ("two", rule_set.two_may_win): two,
        ("robbed",): "A concealed kong can never be robbed.",
    }


def paying_sentences(rules: str, overrides: dict[str, int] | None = None) -> list[str]:
    """Return sentences that say who pays whom under these house rules, in the rule set's vocabulary."""
    rule_set = RULE_SETS[rules]
    return [in_words(rule_set.vocabulary(), sentence) for sentence in paying(rule_set.house(overrides)).values()]


def paying(house: HouseRules) -> dict[tuple[Any, ...], str]:
    """Return who pays whom: standard sentences by a key that is equal for equal rules."""
    rule_set = RULE_SETS[house.rules]
    if house.recording == "straight":
        return {("nobody",): "Nobody pays. Each player adds up their own score."}
    method = METHOD_SENTENCES[rule_set.settling].format(everyones_share=rule_set.everyones_share)
    sentences: dict[tuple[Any, ...], str] = {(rule_set.settling, rule_set.everyones_share): method}
    if house.east_mode == "settlement":
        sentences["east",] = "Every payment to or from East is doubled, even above the limit."
    if house.limit is not None:
        caps_all = house.limit_applies_to == "all"
        whose = "No hand scores" if caps_all else "The winner’s hand never scores"
        sentences["limit", caps_all, house.limit] = f"{whose} more than the limit of {house.limit:,}."
    return sentences


def shown_penalties(rules: str, overrides: dict[str, int] | None = None) -> list[ShownPenalty]:
    """Return the penalties of a rule set under these house rules, in its vocabulary."""
    words = RULE_SETS[rules].vocabulary()
    return [
        replace(penalty, words=in_words(words, penalty.words), sentence=in_words(words, penalty.sentence))
        for penalty in penalties(RULE_SETS[rules].house(overrides))
    ]


def penalties(house: HouseRules) -> list[ShownPenalty]:
    """Return the penalties of house rules in standard words, without paying for all if nobody pays."""
    rule_set = RULE_SETS[house.rules]
    found = []
    for row in rule_set.penalties:
        kind = PENALTY_KINDS[row.kind]
        if kind.pays_for_all and house.recording == "straight":
            continue
        sentence = kind.sentence if row.key == row.kind else ""
        if row.kind == "false mahjong":
            voids = rule_set.false_mahjong_voids
            sentence += " The hand is void." if voids else " The hand goes on, and the caller cannot win it."
        cost = _cost(row, rule_set, house)
        found.append(ShownPenalty(row.key, row.says(house), cost, sentence, kind.source))
    return found


def _cost(row: PenaltyRow, rule_set: RuleSet, house: HouseRules) -> str:
    if row.kind == "misnamed discard":
        return f"{settling_of(house).misnamed_penalty:,}"
    if row.kind == "false mahjong":
        return f"{false_mahjong_penalty(settling_of(house)):,} to each"
    if row.kind == "fine":
        fixed = row.amount(house)
        amount = f"{fixed:,}" if fixed else "what is agreed"
        return f"{amount}, {RECEIVERS[row.to]}" if row.to else amount
    return "every loser’s share"


def own_anchor(key: str) -> str:
    """Return the anchor of a club hand on the rules page."""
    return f"own-{key}"


def shown_club_hands(house: HouseRules, hands: Iterable[Any]) -> list[ShownClubHand]:
    """Return frozen club hands as the rules page shows them under house rules."""
    return [
        ShownClubHand(
            anchor=own_anchor(hand["key"]),
            name=hand["name"],
            worth=club_hand_worth(hand, house),
            text=hand.get("text", ""),
            concealed=hand.get("concealed", False),
            tiles=in_order(" ".join(code for code in hand.get("tiles", "").upper().split() if code in TILE_ORDER)),
        )
        for hand in hands
    ]
