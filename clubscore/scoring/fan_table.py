"""A rule set of fans made ready to count: the fans of a reading, those that they exclude, and the best reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from clubscore.scoring.hands import Mahjong, PlayersHand, PlayerWinds, ScoringError, kind_name
from clubscore.scoring.patterns_fans import (
    ALL_MARKS,
    CHOW_MARKS,
    KNITTED_MARKS,
    PAIR_MARKS,
    PUNG_MARKS,
    Finish,
    Held,
    Pungs,
)
from clubscore.scoring.readings_fans import (
    KNITTED_STRAIGHT,
    PAIRS,
    SETS,
    SINGLES,
    Entered,
    FanReading,
    Tiles,
    entered_hand,
    fan_readings,
    possible_finishes,
)
from clubscore.scoring.rule_table import RowInForce, RuleTable, ScoreLine
from clubscore.scoring.tiles import EAST, wind_name

FORMS = (SETS, KNITTED_STRAIGHT, PAIRS, SINGLES)
MUST_BE_HELD = (PAIRS, SINGLES)  # forms that are a Mah-jong only with a fan of that form alone
WinningWay = tuple[bool, bool, bool, bool, bool, int, int]  # the first seven of Finish
Often = tuple[tuple[int, int], ...]  # (bit, how often), of fans found more than once
NO_OFTEN: Often = ()
Join = tuple[int, ...]  # the places of chows that combine


class AmongChows(NamedTuple):
    """The fans of a reading's chows, with the chows that each joins; `counted` caches how many joins count."""

    fans: int
    joins: dict[int, list[Join]]
    counted: dict[int, tuple[int, Often]]
    marks: int


class AmongPungs(NamedTuple):
    """The fans of a reading's pungs."""

    fans: int
    often: Often
    marks: int


class CountedFans(NamedTuple):
    """The fans found that no other excludes, and their lines, dearest first."""

    fans: int
    points: int  # each fan once, without those that combine
    combining: int
    less: int  # fans that count one time fewer
    rows: tuple[tuple[int, RowInForce], ...]
    lines: tuple[ScoreLine, ...]  # each fan once


Count = tuple[int, CountedFans, Often]  # points, the fans, and how often those count that do not count just once
NO_CHOWS = AmongChows(0, {}, {}, 0)


class FanTable:
    """One rule set of fans under one set of house rules; each row has a bit, in printed order."""

    def __init__(self, table: RuleTable) -> None:
        self.rows = [row for row in table.rows if row.rule.of not in ("bonus tile", "nothing")]
        self._bonus_rows = [row for row in table.rows if row.rule.of == "bonus tile"]
        self._nothing_rows = [row for row in table.rows if row.rule.of == "nothing"]
        bits = {row.rule.key: 1 << at for at, row in enumerate(self.rows)}
        self._excluded = [_bits(row.rule.excludes, bits) for row in self.rows]
        self._less = [_bits(row.rule.excludes_one, bits) for row in self.rows]
        self._amounts = {1 << at: row.amount for at, row in enumerate(self.rows)}
        self._combining = sum(1 << at for at, row in enumerate(self.rows) if row.rule.combines)
        joining = [at for at, row in enumerate(self.rows) if row.rule.combines]
        self._in_joining_order = [1 << at for at in sorted(joining, key=lambda at: (self.rows[at].amount, -at))]
        self._looked_for = {
            form: sum(1 << at for at, row in enumerate(self.rows) if form in (row.rule.readings or FORMS))
            for form in FORMS
        }
        self._of = {
            of: [(1 << at, row.rule.question) for at, row in enumerate(self.rows) if row.rule.of == of]
            for of in ("finish", "kinds", "held", "chows", "pungs", "marks")
        }
        self._held = {
            form: [(bit, question) for bit, question in self._of["held"] if bit & self._looked_for[form]]
            for form in FORMS
        }
        self._makes_mahjong = {
            form: sum(1 << at for at, row in enumerate(self.rows) if row.rule.readings == (form,))
            for form in MUST_BE_HELD
        }
        self._finish_fans = lru_cache(maxsize=1 << 14)(self._find_finish_fans)
        self._kinds_fans = lru_cache(maxsize=1 << 16)(lambda kinds: _find_fans(self._of["kinds"], kinds)[0])
        self._marks_fans = lru_cache(maxsize=64)(lambda marks: _find_fans(self._of["marks"], marks)[0])
        self._chow_fans = lru_cache(maxsize=1 << 15)(self._find_chow_fans)
        self._pung_fans = lru_cache(maxsize=1 << 15)(self._find_pung_fans)
        self._counted = lru_cache(maxsize=1 << 16)(self._without_excluded)

    def best(self, hand: PlayersHand, win: Mahjong, winds: PlayerWinds) -> tuple[int, tuple[ScoreLine, ...]] | None:
        """Return points and lines of the best reading, dearest first, without flowers; None if there is none."""
        tile, claimed = win.tile, win.is_claimed
        assert tile is not None
        entered = entered_hand(hand)
        after_kong = win.source == "kong box" and win.replacement_for != "flower"
        most, best = -1, None
        for finished in possible_finishes(entered, hand.sets, tile, claimed):
            concealed = finished.freed >> 3 * tile & 7
            if win.last_of_kind and concealed > 1:
                continue
            # The winner's own exposed sets show the other three, so this was the last of its kind without the mark.
            last_of_kind = win.last_of_kind or (concealed == 1 and finished.counts >> 3 * tile & 7 == 4)
            way = (not claimed, win.last_tile, after_kong, win.robbed_kong, last_of_kind, entered.kongs_melded,
                   entered.kongs_concealed)  # fmt: skip
            held: dict[str, tuple[int, Often]] = {}
            for reading in fan_readings(finished, tile, claimed):
                form = reading[0]
                if form not in held:
                    held[form] = self._tiles_fans(form, finished, tile)
                fans, often = held[form]
                if form in MUST_BE_HELD and not fans & self._makes_mahjong[form]:
                    continue
                count = self._count(reading, fans, often, way, finished.melded, winds)
                if count[0] > most:
                    most, best = count[0], count
        return None if best is None else (most, self._lines(best))

    def _tiles_fans(self, form: str, entered: Entered, tile: int) -> tuple[int, Often]:
        """Return the fans of the tiles held, and with them those of their kinds."""
        held = Held(entered.kinds, entered.counts, entered.fours, tile, entered.all_loose)
        fans, often = _find_fans(self._held[form], held)
        return fans | self._kinds_fans(entered.kinds), often

    def flowers(self, bonus: int) -> tuple[int, tuple[ScoreLine, ...]]:
        """Return the points of flowers and seasons, which are added last, and their lines."""
        number = bonus.bit_count()
        lines = tuple([row.line(often=number) for row in self._bonus_rows]) if number else ()
        return sum([line.amount * line.often for line in lines]), lines

    def _count(self, reading: FanReading, fans: int, often: Often, way: WinningWay, melded: int,
               winds: PlayerWinds) -> Count:  # fmt: skip
        """Count one reading, given the fans of its tiles: leave out what is excluded, then join the chows."""
        form, chows, pungs, pair, concealed_pungs, wait = reading
        fans |= self._finish_fans(way, melded, concealed_pungs, wait)
        among_chows = NO_CHOWS
        if pair >= 0:
            among_chows = self._chow_fans(chows, pair if len(chows) == 4 else -1)
            among_pungs = self._pung_fans(pungs, pair if pair >= EAST else -1, winds)
            marks = among_chows.marks & among_pungs.marks & PAIR_MARKS[pair]
            if form == KNITTED_STRAIGHT:
                marks &= KNITTED_MARKS
            fans |= among_chows.fans | among_pungs.fans | self._marks_fans(marks)
            if among_pungs.often:
                often += among_pungs.often
        kept = self._counted(fans & self._looked_for[form])
        points, combining = kept.points, kept.combining
        for bit, number in often:
            if bit & kept.fans:
                points += self._amounts[bit] * (number - 1)
        if combining:
            joined = among_chows.counted.get(combining)
            if joined is None:
                joined = among_chows.counted[combining] = self._joined(combining, among_chows.joins)
            points += joined[0]
            often += joined[1]
        return points, kept, often

    def _joined(self, combining: int, joins: dict[int, list[Join]]) -> tuple[int, Often]:
        """Join the chows, the dearest fans first; fans of equal worth in printed order."""
        bits = [bit for bit in self._in_joining_order if bit & combining]
        counted = list(zip(bits, joins_that_count([joins[bit] for bit in bits]), strict=True))
        points = sum(self._amounts[bit] * number for bit, number in counted)
        return points, tuple((bit, number) for bit, number in counted if number != 1)

    def _lines(self, count: Count) -> tuple[ScoreLine, ...]:
        _, kept, counted = count
        if not (counted or kept.less):
            return kept.lines
        often = dict(counted)
        numbers = [(row, often.get(bit, 1) - (kept.less & bit > 0)) for bit, row in kept.rows]
        return tuple([row.line(often=number) for row, number in numbers if number > 0])

    # The questions by group; the answers are cached

    def _find_finish_fans(self, way: WinningWay, melded: int, concealed_pungs: int, wait: int) -> int:
        return _find_fans(self._of["finish"], Finish(*way, melded, concealed_pungs, wait))[0]

    def _find_chow_fans(self, chows: Tiles, pair: int) -> AmongChows:
        answers = [(bit, question(chows, pair)) for bit, question in self._of["chows"]]
        joins = {bit: joined for bit, joined in answers if joined}
        marks = ALL_MARKS
        for chow in chows:
            marks &= CHOW_MARKS[chow]
        return AmongChows(sum(joins), joins, {}, marks)

    def _find_pung_fans(self, pungs: Tiles, pair: int, winds: PlayerWinds) -> AmongPungs:
        marks, kinds = ALL_MARKS, 0
        for pung in pungs:
            marks &= PUNG_MARKS[pung]
            kinds |= 1 << pung
        facts = Pungs(pungs, kinds, pair, EAST + winds.own, EAST + winds.of_round)
        fans, often = _find_fans(self._of["pungs"], facts)
        return AmongPungs(fans, often, marks)

    def _without_excluded(self, fans: int) -> CountedFans:
        """Go through the rows from last to first; a fan that is itself excluded excludes nothing."""
        kept = less = 0
        left = fans
        rows: list[tuple[int, RowInForce]] = []
        while left:
            at = left.bit_length() - 1
            kept |= 1 << at
            less |= self._less[at]
            rows.insert(0, (1 << at, self.rows[at]))
            left &= ~(self._excluded[at] | 1 << at)
        less &= kept
        rows += [(1 << at, row) for at, row in enumerate(self._nothing_rows, len(self.rows)) if row.rule.question(fans)]
        once = sum(row.amount for bit, row in rows if not bit & self._combining)
        rows.sort(key=lambda one: -one[1].amount)
        return CountedFans(
            kept, once - sum(row.amount for bit, row in rows if bit & less), kept & self._combining, less, tuple(rows),
            tuple(row.line() for _, row in rows),
        )  # fmt: skip


def joins_that_count(rows: Sequence[Iterable[Join]]) -> list[int]:
    """Return how many joins of each row count: one between two sets already joined, directly or not, does not.

    A join names the places of two or more sets of one reading. The last row is the dearest and comes first. A join
    counts if it brings together sets that are not yet joined, so n sets have n - 1 joins at most, never a closed ring.
    """
    group = list(range(8))
    counted = [0] * len(rows)
    for at in range(len(rows) - 1, -1, -1):
        for join in rows[at]:
            groups = {group[place] for place in join}
            if len(groups) < len(join):
                continue
            keep = min(groups)
            group = [keep if one in groups else one for one in group]
            counted[at] += 1
    return counted


def _find_fans(rows: Iterable[tuple[int, Callable[..., Any]]], subject: Any) -> tuple[int, Often]:
    """Return the fans whose question is answered yes, and how often each counts if more than once."""
    fans = 0
    often = NO_OFTEN
    for bit, question in rows:
        answer = question(subject)
        if answer:
            fans |= bit
            if answer > 1:
                often += ((bit, answer),)
    return fans, often


def _bits(keys: Iterable[str], bits: dict[str, int]) -> int:
    return sum(bits[key] for key in keys if key in bits)


@lru_cache(maxsize=64)
def fans_of(table: RuleTable) -> FanTable:
    """Return the fans of a table."""
    return FanTable(table)


def count_fans(
    table: RuleTable, hands: Mapping[str, PlayersHand], win: Mahjong, winds: PlayerWinds
) -> tuple[int, tuple[ScoreLine, ...]]:
    """Count a winner's fans: points with flowers, and the lines; ScoringError if it is not a Mah-jong."""
    hand, who = hands[win.by], wind_name(win.by)
    _check_marks(hands, win, who)
    fans = fans_of(table)
    best = fans.best(hand, win, winds)
    if best is None:
        raise ScoringError(
            f"{who}'s tiles are not a Mah-jong: they make neither four sets and a pair nor seven pairs, "
            "knitted tiles or thirteen orphans.",
            win.by,
            "tiles",
        )
    points, lines = best
    more, flowers = fans.flowers(hand.bonus)
    least = table.house.minimum_points or 0
    if points < least:
        aside = " without the flowers" if flowers else ""
        raise ScoringError(
            f"{who}'s hand is worth {points}{aside}: a Mah-jong needs at least {least}.", win.by, "tiles"
        )
    return points + more, lines + flowers


def _check_marks(hands: Mapping[str, PlayersHand], win: Mahjong, who: str) -> None:
    """Raise ScoringError if the tiles contradict what was said of the winning tile."""
    if not (win.source == "kong box" or win.last_of_kind):
        return
    hand, wrong = hands[win.by], None
    assert win.tile is not None
    if win.source == "kong box" and win.replacement_for == "flower":
        if not hand.bonus:
            wrong = f"{who}'s winning tile replaced a flower, but no flower or season is entered."
    elif win.source == "kong box" and all(played.kind != "kong" for played in hand.sets):
        wrong = f"{who}'s winning tile replaced a kong, but {who} has none."
    if wrong is None and win.last_of_kind and _others_hidden(hands, win):
        wrong = f"{kind_name(win.tile)} was not the last of its kind in view: another one is concealed."
    if wrong is not None:
        raise ScoringError(wrong, win.by, "mahjong")


def _others_hidden(hands: Mapping[str, PlayersHand], win: Mahjong) -> bool:
    """Return whether anyone holds a concealed copy of the winning tile as well as that one."""
    assert win.tile is not None
    hidden = sum(_concealed_copies(hand, win.tile) for hand in hands.values())
    if _concealed_copies(hands[win.by], win.tile):
        return hidden > 1
    finished = [one for one in hands[win.by].sets if one.kind != "kong" and win.tile in one.kinds]
    return hidden > 0 or all(one.kind != "chow" for one in finished)


def _concealed_copies(hand: PlayersHand, tile: int) -> int:
    return hand.loose.get(tile, 0) + sum(played.kinds.count(tile) for played in hand.sets if not played.exposed)
