"""A rule set compiled for given house rules: rows in force, worth of every set, limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from clubscore.scoring.hands import ClubHand, PlayedSet, PlayerWinds, ScoringError
from clubscore.scoring.patterns import Reading, has_one_suit_or_honours, is_mahjong, is_only_piece
from clubscore.scoring.rules import ANYHOW, ASKS, ORIGINAL_CALL, Figure, Rule, RuleSet, SpecialHand
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.tiles import BONUS_TILES, tile_name
from clubscore.scoring.words import say_value


class ScoreLine(NamedTuple):
    """One line of a score sheet; `unit` is points, doubles, times or limit; it counted so `often`."""

    rule: str
    name: str
    unit: str
    amount: int
    often: int = 1

    def as_dict(self) -> dict[str, Any]:
        """Return the line in the words of the score format."""
        if self.often > 1:
            return {"rule": self.rule, "name": self.name, self.unit: self.amount, "count": self.often}
        return {"rule": self.rule, "name": self.name, self.unit: self.amount}


class Worth(NamedTuple):
    """What a set or the bonus tiles count by themselves."""

    points: int
    doubles: int
    times: int
    figure: int  # the points that count in a special hand that is worked out
    point_lines: tuple[ScoreLine, ...]
    other_lines: tuple[ScoreLine, ...]


class RowInForce(NamedTuple):
    """A row with its figure settled; `unit` is points, doubles, times, or limit for one that is worked out."""

    rule: Rule
    unit: str
    amount: int
    once: ScoreLine

    def line(self, name: str = "", often: int = 1) -> ScoreLine:
        """Return the row as a line of the score sheet."""
        if often == 1 and not name:
            return self.once
        return ScoreLine(self.rule.key, name or self.rule.name, self.unit, self.amount, often)


class SpecialWorth(NamedTuple):
    """A special hand with its values settled in points."""

    key: str
    name: str
    shape: str
    question: Callable[[Reading], bool]
    tiles_from: tuple[int, ...]
    value: int | None = None
    value_exposed: int | None = None
    fishing: int | None = None
    fishing_exposed: int | None = None
    doubles: int = 0
    fishing_doubles: int = 0
    points: int = 0  # as well as what the rows of the table give for its tiles

    @property
    def exposed_differs(self) -> bool:
        """Whether it scores otherwise with exposed sets, or fishing with them."""
        exposed = self.value_exposed, self.fishing_exposed
        return self.value_exposed is not None and exposed != (self.value, self.fishing)

    def can_hold(self, mask: int) -> bool:
        """Return whether a hand with these kinds has no tile that this special hand cannot have."""
        if not self.tiles_from:
            return True
        for allowed in self.tiles_from:  # noqa: SIM110 (any() with a generator costs three times as much)
            if mask & allowed == mask:
                return True
        return False

    def fits(self, reading: Reading) -> bool:
        """Return whether a reading is this special hand."""
        return self.can_hold(reading.mask) and bool(self.question(reading))

    def masks_holding(self, mask: int) -> int:
        """Return the kinds that a hand with these kinds may still take to become this special hand."""
        if not self.tiles_from:
            return -1
        among = 0
        for allowed in self.tiles_from:
            if mask & ~allowed == 0:
                among |= allowed
        return among

    def value_of(self, exposed: bool, fishing: bool) -> int | None:
        """Return the fixed value in points; None if it has none or cannot be made like this."""
        if fishing:
            return self.fishing_exposed if exposed else self.fishing
        return self.value_exposed if exposed else self.value


def _figure(figure: Figure | None, house: HouseRules) -> int | None:
    return figure if figure is None or isinstance(figure, int) else figure.under(house)


def _asked(special: SpecialHand) -> Callable[[Reading], bool]:
    """Return the question of a special hand, with how it has to be made."""
    made, question = special.made, special.question
    if made is ANYHOW:
        return question
    return lambda reading: made.fits(reading.win) and question(reading)


class RuleTable:
    """One rule set under one set of house rules; compiled once."""

    def __init__(self, rule_set: RuleSet, house: HouseRules) -> None:
        self.rule_set = rule_set
        self.house = house
        self.doubling = rule_set.doubling
        self.winner_alone_scores = rule_set.winner_alone_scores
        without = _figure(rule_set.special_value_without_limit, house)
        self.special_base = house.limit if house.limit is not None else without or 0
        self.rows = rows = [self._in_force(rule) for rule in rule_set.rules if house.allows(rule.when)]
        self._set_rows = [row for row in rows if row.rule.of == "set"]
        self._bonus_tile_rows = [row for row in rows if row.rule.of == "bonus tile"]
        self._bonus_rows = [row for row in rows if row.rule.of == "bonus"]
        hand_rows = [row for row in rows if row.rule.of == "hand"]
        self._hand_rows = {
            True: [row for row in hand_rows if row.rule.to in ("all", "winner")],
            False: [row for row in hand_rows if row.rule.to in ("all", "loser")],
        }
        self.asks_only_piece = any(row.rule.question is is_only_piece for row in hand_rows)
        self.losers_count_nothing = house.losers_score is False or rule_set.winner_alone_scores
        # So that hand entry has to ask who discarded the winning tile.
        self.discarder_pays_more = rule_set.discarder_pays_more and house.recording != "straight"
        self._has_exclusions = any(row.rule.excludes for row in hand_rows)
        self.specials = specials = [
            (special, self._special(special)) for special in rule_set.special_hands if house.plays(special)
        ]
        counted = [
            (special, worth)
            for special, worth in specials
            if house.limit is not None or not special.only_under_limit or house.price(special.key)
        ]
        self.winner_specials = [worth for special, worth in counted if special.to in ("all", "winner")]
        self.loser_specials = [worth for special, worth in counted if special.to in ("all", "loser")]
        self.fishing_specials = [worth for special, worth in specials if special.fishable and special.shape != "way"]
        self.named_specials = [
            (special, worth) for special, worth in counted if worth.value is not None or worth.points
        ]
        self._asking = [row.rule for row in rows] + [special.made for special, _ in counted]
        self.counts_bonus = bool(self._bonus_tile_rows or self._bonus_rows)
        self._tile_specials = [worth for worth in self.winner_specials if worth.shape == "tiles"]
        self._set_specials = [worth for worth in self.winner_specials if worth.shape == "sets"]
        self.tile_specials = bool(self._tile_specials or rule_set.other_mahjongs)
        self._named = {worth.key: worth for _, worth in specials}
        self.ordinary_may_beat_special = house.best_of_special in (None, "all")
        self.ordinary_may_beat_fishing = house.best_of_special in (None, "all", "fishing")
        with_special = [row for row in rows if row.rule.of == "special hand"]
        self._special_times = [row for row in with_special if row.unit == "times"]
        self._bonus_with_special = next((row for row in with_special if row.rule.worked_out), None)
        self._sets: dict[tuple[int, int, bool], dict[PlayedSet, Worth]] = {}
        self._bonuses: dict[tuple[int, int, bool], Worth] = {}

    @property
    def asks(self) -> tuple[str, ...]:
        """What hand entry has to ask, as a row in force counts nothing without it."""
        asked = {one for row in self._asking for one in row.asks}
        return tuple([one for one in ASKS if one in asked])

    def counts_call(self, winning: bool) -> bool:
        """Return whether an original call counts for the winner, or for the others."""
        return any(ORIGINAL_CALL in row.rule.asks for row in self._hand_rows[winning])

    def _in_force(self, rule: Rule) -> RowInForce:
        for unit in ("points", "doubles", "times"):
            amount = _figure(getattr(rule, unit), self.house)
            if amount is not None:
                return RowInForce(rule, unit, amount, ScoreLine(rule.key, rule.name, unit, amount))
        if not rule.worked_out:
            raise ValueError(f"the rule {rule.key} has no figure")
        return RowInForce(rule, "limit", 0, ScoreLine(rule.key, rule.name, "limit", 0))

    def _special(self, special: SpecialHand) -> SpecialWorth:
        """Return its values in points.

        At a club's own price, exposed and fishing keep their shares of it. The price stands in place of doubles, but
        not of those for fishing, and in place of points that are added.
        """
        row = SpecialWorth(special.key, special.name, special.shape, _asked(special), special.tiles_from)
        price = self.house.price(special.key)
        doubles, points_added = _figure(special.doubles, self.house) or 0, _figure(special.points, self.house) or 0
        if price and points_added:
            return row._replace(points=price)
        if price and doubles:
            exposed = price if special.exposable else None
            return row._replace(value=price, value_exposed=exposed, fishing_doubles=doubles)
        full = _figure(special.value, self.house) if price else 10
        base = price or self.special_base

        def points(tenths: Figure | None) -> int | None:
            share = _figure(tenths, self.house)
            return None if share is None else base * share // (full or 10)

        return row._replace(
            value=points(special.value),
            value_exposed=points(special.value_exposed),
            fishing=points(special.fishing),
            fishing_exposed=points(special.fishing_exposed),
            doubles=doubles,
            fishing_doubles=doubles,
            points=points_added,
        )

    def named(self, key: str, club_hands: Mapping[str, ClubHand]) -> SpecialWorth:
        """Return the special hand of this key, club hands included; ScoringError if there is none."""
        if key in club_hands:
            hand = club_hands[key]
            shares = {"limit": self.special_base, "half limit": self.special_base // 2}
            value = shares[hand.value] if isinstance(hand.value, str) else hand.value
            return SpecialWorth(hand.key, hand.name, "way", is_mahjong, (), value, value, hand.fishing, hand.fishing)
        if key in self._named:
            return self._named[key]
        sentence = f"There is no special hand called {{typed}} in {self.rule_set.name}."
        raise ScoringError(sentence, field="special", typed=say_value(key))

    # What counts by itself

    def worth_of_set(self, played: PlayedSet, winds: PlayerWinds, winning: bool) -> Worth:
        """Return what one set scores for a player with these winds."""
        context = self._sets.get((*winds, winning))
        if context is None:
            context = self._sets[(*winds, winning)] = {}
        worth = context.get(played)
        if worth is None:
            to = ("all", "winner" if winning else "loser")
            rows = [
                (row, played.name) for row in self._set_rows if row.rule.to in to and row.rule.question(played, winds)
            ]
            worth = context[played] = _worth(rows)
        return worth

    def worth_of_bonus(self, mask: int, winds: PlayerWinds, winning: bool) -> Worth:
        """Return what the flowers and seasons score for a player with these winds."""
        worth = self._bonuses.get((mask, winds.own, winning))
        if worth is None:
            rows = [
                (row, tile_name(code))
                for number, code in enumerate(BONUS_TILES)
                if mask >> number & 1
                for row in self._bonus_tile_rows
                if row.rule.question(number, winds)
            ]
            rows += [(row, row.rule.name) for row in self._bonus_rows if row.rule.question(mask, winds)]
            excluded = {key for row, _ in rows for key in row.rule.excludes}
            to = ("all", "winner" if winning else "loser")
            rows = [(row, name) for row, name in rows if row.rule.key not in excluded and row.rule.to in to]
            worth = self._bonuses[(mask, winds.own, winning)] = _worth(rows)
        return worth

    # The whole hand

    def add_up(self, reading: Reading, bonus: int, winning: bool) -> tuple[int, int, int, tuple[ScoreLine, ...]]:
        """Add up a reading: points, doubles, other multiplier, lines in the order they are read out."""
        winds = reading.winds
        parts = [self.worth_of_set(played, winds, winning) for played in reading.sets]
        if reading.pair is not None:
            parts.append(self.worth_of_set(reading.pair, winds, winning))
        if bonus:
            parts.append(self.worth_of_bonus(bonus, winds, winning))
        points, doubles, times = 0, 0, 1
        first: list[ScoreLine] = []
        last: list[ScoreLine] = []
        for part_points, part_doubles, part_times, _, point_lines, other_lines in parts:
            if part_points:
                points += part_points
                first += point_lines
            if other_lines:
                doubles += part_doubles
                times *= part_times
                last += other_lines
        reading.value = points
        for row, count in self._rows_found(reading, winning):
            if row.unit == "points":
                points += row.amount * count
                first.append(row.line(often=count))
            else:
                if row.unit == "doubles":
                    doubles += row.amount * count
                else:
                    times *= row.amount**count
                last.append(row.line(often=count))
        return points, doubles, times, (*first, *last)

    def _rows_found(self, reading: Reading, winning: bool) -> list[tuple[RowInForce, int]]:
        found = []
        for row in self._hand_rows[winning]:
            answer = row.rule.question(reading)
            if answer:
                found.append((row, answer))
        return _without_excluded(found) if self._has_exclusions else found

    def figure(self, reading: Reading, winning: bool) -> tuple[int, tuple[ScoreLine, ...]]:
        """Return the points of a special hand that is worked out from its tiles, with their lines."""
        points = 0
        lines: list[ScoreLine] = []
        for played in reading.sets if reading.pair is None else (*reading.sets, reading.pair):
            worth = self.worth_of_set(played, reading.winds, winning)
            points += worth.figure
            lines += worth.point_lines
        for row in self._hand_rows[winning]:
            if row.rule.within_special and row.rule.question(reading):
                points += row.amount
                lines.append(row.line())
        return points, tuple(lines)

    def bonus_with_special(self, mask: int, winds: PlayerWinds) -> tuple[int, tuple[ScoreLine, ...]]:
        """Return what flowers and seasons add to a special hand, as one line."""
        row = self._bonus_with_special
        if row is None or not row.rule.question(mask, winds):
            return 0, ()
        worth = self.worth_of_bonus(mask, winds, True)
        total = worth.points * 2**worth.doubles * worth.times
        return total, (ScoreLine(row.rule.key, row.rule.name, row.unit, total),)

    def special_times(self, mask: int, winds: PlayerWinds) -> tuple[int, tuple[ScoreLine, ...]]:
        """Return what multiplies a winner's special hand outside its value, flowers and limit, with the lines."""
        rows = [row for row in self._special_times if row.rule.question(mask, winds)]
        times = 1
        for row in rows:
            times *= row.amount
        return times, tuple(row.line() for row in rows)

    # Limits

    def cap(self, total: int, winning: bool) -> tuple[int, bool]:
        """Cap a total at the limit; return it and whether it was capped."""
        limit = self.house.limit
        if limit is None or total <= limit or not (winning or self.house.limit_applies_to == "all"):
            return total, False
        return limit, True

    def cap_special(self, value: int, bonus: int, winning: bool) -> tuple[int, bool]:
        """Cap a special hand's value at the limit, and the flowers with it unless they may exceed it."""
        value, cut = self.cap(value, winning)
        if self.house.special_bonus_over_limit:
            return value + bonus, cut
        total, cut_too = self.cap(value + bonus, winning)
        return total, cut or cut_too

    def is_legal(self, reading: Reading) -> bool:
        """Return whether four sets and a pair may be an ordinary Mah-jong."""
        chows = reading.number_of("chow")
        if chows and (reading.goulash or (self.house.max_chows is not None and chows > self.house.max_chows)):
            return False
        return not self.house.clean_only or has_one_suit_or_honours(reading)

    def is_mahjong(self, reading: Reading) -> bool:
        """Return whether four sets and a pair are a Mah-jong, an ordinary one or a special hand."""
        return self.is_legal(reading) or any(special.fits(reading) for special in self._set_specials)

    def kinds_for_tiles(self, mask: int) -> int:
        """Return the kinds that tiles of these kinds may still take to become a Mah-jong not made of sets."""
        if self.rule_set.other_mahjongs:
            return -1
        among = 0
        for special in self._tile_specials:
            among |= special.masks_holding(mask)
        return among

    def is_mahjong_as_tiles(self, reading: Reading) -> bool:
        """Return whether fourteen tiles that need not be sets are a Mah-jong."""
        return self.is_other_mahjong(reading) or any(special.fits(reading) for special in self._tile_specials)

    def is_other_mahjong(self, reading: Reading) -> bool:
        """Return whether fourteen tiles are a Mah-jong that is scored as an ordinary one."""
        return any(question(reading) for question in self.rule_set.other_mahjongs)


def _worth(rows: list[tuple[RowInForce, str]]) -> Worth:
    points = [(row, name) for row, name in rows if row.unit == "points"]
    others = [row for row, _ in rows if row.unit != "points"]
    times = 1
    for row in others:
        if row.unit == "times":
            times *= row.amount
    return Worth(
        sum(row.amount for row, _ in points),
        sum(row.amount for row in others if row.unit == "doubles"),
        times,
        sum(row.amount for row, _ in points if row.rule.within_special),
        tuple(row.line(name) for row, name in points if row.amount),
        tuple(row.line() for row in others),
    )


def _without_excluded(found: list[tuple[RowInForce, Any]]) -> list[tuple[RowInForce, int]]:
    """Remove the rows that dearer rows exclude; a row that is excluded excludes nothing."""
    excluded: set[str] = set()
    left: list[tuple[RowInForce, int]] = []
    for row, answer in reversed(found):
        if row.rule.key not in excluded:
            excluded.update(row.rule.excludes)
            left.append((row, int(answer)))
    left.reverse()
    return left


@lru_cache(maxsize=512)
def compile_table(house: HouseRules) -> RuleTable:
    """Return the table of a session's rules."""
    return RuleTable(RULE_SETS[house.rules], house)
