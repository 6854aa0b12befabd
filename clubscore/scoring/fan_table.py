"""A rule set of fans made ready to count: which fans a reading has, what they shut out, and the reading worth most."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from clubscore.scoring.arrangements_fans import Tiles
from clubscore.scoring.combining import Join, joins_that_count
from clubscore.scoring.hands import Mahjong, Place, PlayersHand
from clubscore.scoring.patterns_fan_sets import ALL_MARKS, CHOW_MARKS, KNITTED_MARKS, PAIR_MARKS, PUNG_MARKS, Pungs
from clubscore.scoring.patterns_fans import UNIT, Finish, Held
from clubscore.scoring.readings_fans import KNITTED_STRAIGHT, PAIRS, SETS, SINGLES, FanReading, fan_readings
from clubscore.scoring.table import Line, RowInForce, ScoringTable
from clubscore.scoring.tiles import EAST

FORMS = (SETS, KNITTED_STRAIGHT, PAIRS, SINGLES)
MUST_BE_HELD = (PAIRS, SINGLES)  # forms which are a Mah-jong only by a fan of the tiles held
Often = tuple[tuple[int, int], ...]  # (bit, how often), of fans found more than once
NO_OFTEN: Often = ()


class AmongChows(NamedTuple):
    """The fans of a reading's chows: for each the sets it joins; `counted` keeps what of them counts."""

    fans: int
    joins: dict[int, list[Join]]
    counted: dict[int, tuple[int, Often]]
    marks: int


class AmongPungs(NamedTuple):
    """The fans of a reading's pungs."""

    fans: int
    often: Often
    marks: int


class Kept(NamedTuple):
    """What is left of the fans found when each has shut out its own, and its lines, dearest first."""

    fans: int
    points: int  # each fan once; those that combine not at all
    combining: int
    less: int  # fans that count once less
    rows: tuple[tuple[int, RowInForce], ...]
    lines: tuple[Line, ...]  # each fan once


class Count(NamedTuple):
    """A reading counted: its points, the fans kept, and how often those count that do not count once."""

    points: int
    kept: Kept
    often: Often


class Winner(NamedTuple):
    """What a winner's hand is in every reading: kinds, counts and fours as in Held, kongs, and its place."""

    kinds: int
    counts: int
    fours: int
    loose: int
    kongs_melded: int
    kongs_concealed: int
    place: Place


def winner_of(hand: PlayersHand, place: Place) -> Winner:
    """Gather what holds in every reading of a hand."""
    kinds = loose = 0
    for tile, number in hand.loose.items():
        kinds |= 1 << tile
        loose += number * UNIT[tile]
    counts = loose
    kongs = melded = concealed = 0
    for kind, tile, exposed in hand.sets:
        if kind == "chow":
            kinds |= 0b111 << tile
            counts += UNIT[tile] * 0o111
            continue
        kinds |= 1 << tile
        if kind == "kong":
            kongs |= UNIT[tile] * 4
            melded += exposed
            concealed += not exposed
            counts += UNIT[tile] * 4
        else:
            counts += UNIT[tile] * (2 if kind == "pair" else 3)
    return Winner(kinds, counts, counts & _FOURS & ~kongs, loose, melded, concealed, place)


_FOURS = sum(UNIT) * 4


class FanTable:
    """One rule set of fans under one set of house rules; every row has a place, and a bit for it, in printed order."""

    def __init__(self, table: ScoringTable) -> None:
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
        self._finish_fans = lru_cache(maxsize=1 << 14)(self._ask_finish)
        self._kinds_fans = lru_cache(maxsize=1 << 16)(self._ask_kinds)
        self._marks_fans = lru_cache(maxsize=64)(self._ask_marks)
        self._chow_fans = lru_cache(maxsize=1 << 15)(self._ask_chows)
        self._pung_fans = lru_cache(maxsize=1 << 15)(self._ask_pungs)
        self._kept = lru_cache(maxsize=1 << 16)(self._without_excluded)

    def best(self, hand: PlayersHand, win: Mahjong, place: Place) -> tuple[int, tuple[Line, ...]] | None:
        """Count the reading worth most, flowers aside: points and lines, dearest first; None where there is none."""
        winner = winner_of(hand, place)
        best: Count | None = None
        for reading in fan_readings(hand, winner.loose, win):
            count = self._count(reading, winner, win)
            if count is not None and (best is None or count.points > best.points):
                best = count
        return None if best is None else (best.points, self._lines(best))

    def flowers(self, bonus: int) -> tuple[int, tuple[Line, ...]]:
        """Give what flowers and seasons add after everything else."""
        number = bonus.bit_count()
        lines = tuple([row.line(often=number) for row in self._bonus_rows]) if number else ()
        return sum([line.amount * line.often for line in lines]), lines

    def _count(self, reading: FanReading, winner: Winner, win: Mahjong) -> Count | None:
        form, chows, pungs, pair, melded, concealed_pungs, wait, all_loose = reading
        assert win.tile is not None
        held = Held(winner.kinds, winner.counts, winner.fours, win.tile, all_loose)
        fans, often = _asked(self._held[form], held)
        if form in MUST_BE_HELD and not fans:
            return None
        fans |= self._kinds_fans(winner.kinds) | self._finish_fans(
            not win.is_claimed, win.last_tile, win.source == "kong box" and win.replacement_for != "flower",
            win.robbed_kong, win.last_of_kind, winner.kongs_melded, winner.kongs_concealed,
            melded, concealed_pungs, wait,
        )  # fmt: skip
        if pair < 0:
            return self._counted(fans & self._looked_for[form], often, None)
        among_chows = self._chow_fans(chows, pair if len(chows) == 4 else -1)
        own, of_round = winner.place
        among_pungs = self._pung_fans(pungs, pair if pair >= EAST else -1, EAST + own, EAST + of_round)
        marks = among_chows.marks & among_pungs.marks & PAIR_MARKS[pair]
        if form == KNITTED_STRAIGHT:
            marks &= KNITTED_MARKS
        fans |= among_chows.fans | among_pungs.fans | self._marks_fans(marks)
        return self._counted(fans & self._looked_for[form], often + among_pungs.often, among_chows)

    def _counted(self, fans: int, often: Often, chows: AmongChows | None) -> Count:
        """Shut out what is shut out, count what counts more than once, join the chows."""
        kept = self._kept(fans)
        points = kept.points
        for bit, number in often:
            if bit & kept.fans:
                points += self._amounts[bit] * (number - 1)
        if kept.combining and chows is not None:
            joined = chows.counted.get(kept.combining)
            if joined is None:
                joined = chows.counted[kept.combining] = self._joined(kept.combining, chows.joins)
            points += joined[0]
            often += joined[1]
        return Count(points, kept, often)

    def _joined(self, combining: int, joins: dict[int, list[Join]]) -> tuple[int, Often]:
        """Join the chows by the dearest fans first, among those worth the same in printed order."""
        bits = [bit for bit in self._in_joining_order if bit & combining]
        counted = list(zip(bits, joins_that_count([joins[bit] for bit in bits]), strict=True))
        points = sum(self._amounts[bit] * number for bit, number in counted)
        return points, tuple((bit, number) for bit, number in counted if number != 1)

    def _lines(self, count: Count) -> tuple[Line, ...]:
        kept = count.kept
        if not (count.often or kept.less):
            return kept.lines
        often = dict(count.often)
        numbers = [(row, often.get(bit, 1) - (kept.less & bit > 0)) for bit, row in kept.rows]
        return tuple([row.line(often=number) for row, number in numbers if number > 0])

    # The questions, group by group; each answer is kept

    def _ask_finish(self, *facts: Any) -> int:
        return _asked(self._of["finish"], Finish(*facts))[0]

    def _ask_kinds(self, kinds: int) -> int:
        return _asked(self._of["kinds"], kinds)[0]

    def _ask_marks(self, marks: int) -> int:
        return _asked(self._of["marks"], marks)[0]

    def _ask_chows(self, chows: Tiles, pair: int) -> AmongChows:
        answers = [(bit, question(chows, pair)) for bit, question in self._of["chows"]]
        joins = {bit: joined for bit, joined in answers if joined}
        marks = ALL_MARKS
        for chow in chows:
            marks &= CHOW_MARKS[chow]
        return AmongChows(sum(joins), joins, {}, marks)

    def _ask_pungs(self, pungs: Tiles, pair: int, own: int, of_round: int) -> AmongPungs:
        fans, often = _asked(self._of["pungs"], Pungs(pungs, pair, own, of_round))
        marks = ALL_MARKS
        for pung in pungs:
            marks &= PUNG_MARKS[pung]
        return AmongPungs(fans, often, marks)

    def _without_excluded(self, fans: int) -> Kept:
        """Go from the last row to the first: each fan still there shuts out its own, one that is out shuts out none."""
        out = kept = less = 0
        for at in range(len(self.rows) - 1, -1, -1):
            bit = 1 << at
            if fans & bit and not out & bit:
                kept |= bit
                out |= self._excluded[at]
                less |= self._less[at]
        less &= kept
        rows = [(1 << at, row) for at, row in enumerate(self.rows) if kept >> at & 1]
        rows += [(1 << at, row) for at, row in enumerate(self._nothing_rows, len(self.rows)) if row.rule.question(fans)]
        once = sum(row.amount for bit, row in rows if not bit & self._combining)
        rows.sort(key=lambda one: -one[1].amount)
        return Kept(
            kept, once - sum(row.amount for bit, row in rows if bit & less), kept & self._combining, less, tuple(rows),
            tuple(row.line() for _, row in rows),
        )  # fmt: skip


def _asked(rows: Iterable[tuple[int, Callable[..., Any]]], subject: Any) -> tuple[int, Often]:
    """Ask every row of the subject: the fans found, and how often where more than once."""
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
def fans_of(table: ScoringTable) -> FanTable:
    """Give the fans of a table; kept, since the same table comes again and again."""
    return FanTable(table)
