"""The checks a treasurer would make of imported results, as questions with the cells they are about. No database."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import blake2s
from statistics import median
from typing import Any

from clubscore.scoring.words import with_commas
from sessions_app.exchange.imports.sheet_results import Cell, SheetResult, SheetResults

# A result so many times the usual one is asked about, where there are enough to know what is usual.
FAR_OFF, ENOUGH = 12, 20

# Where more than one in so many results is odd, the club does not play by even scores.
FEW_ODD = 20

# A club's year begins in September.
FIRST_MONTH = 9


@dataclass(frozen=True)
class CheckedCell:
    """A cell that can be changed under a question: where it is, what it is, and what it holds."""

    cell: Cell
    label: str
    text: str
    where: str

    @property
    def field(self) -> str:
        return f"cell-{self.cell.sheet}-{self.cell.row}-{self.cell.column}"


@dataclass
class Question:
    """Something to look at: `accept` says what a tick means, and is empty where the cell has to be changed."""

    kind: str
    sentence: str
    accept: str
    cells: list[CheckedCell] = field(default_factory=list)
    is_accepted: bool = False

    @property
    def key(self) -> str:
        content = f"{self.kind} {self.sentence} {[(cell.cell, cell.text) for cell in self.cells]}"
        return blake2s(content.encode(), digest_size=8).hexdigest()

    @property
    def is_open(self) -> bool:
        return not self.is_accepted


# A result that was read, with the player it is of and the table it counts at.
@dataclass
class Placed:
    result: SheetResult
    player: str
    table: int

    @property
    def session(self) -> tuple[date, str, int]:
        return self.result.date, self.result.meeting, self.table


TextOf = Callable[[Cell], str]


def day_words(day: date) -> str:
    return f"{day:%-d %B %Y}"


def checked(result: SheetResult, player: str, text_of: TextOf, where: Callable[[Cell], str]) -> CheckedCell:
    return CheckedCell(result.cell, player, text_of(result.cell), where(result.cell))


def questions_about(
    placed: list[Placed],
    found: SheetResults,
    *,
    settles: bool,
    is_even: bool,
    today: date,
    text_of: TextOf,
    where: Callable[[Cell], str],
) -> list[Question]:
    """Return every question about results, those that stop an import first."""

    def cells(some):
        return [checked(one.result, one.player, text_of, where) for one in some]

    questions = [
        Question(
            "unreadable",
            f"{where(fault.cell)}: {fault.sentence}",
            "Leave it out",
            [CheckedCell(fault.cell, "Should be", fault.text, where(fault.cell))],
        )
        for fault in found.faults
    ]
    questions += _twice(placed, cells)
    if settles:
        questions += _not_zero(placed, cells)
    questions += _same_tables(placed)
    questions += _in_the_future(placed, today, text_of, where)
    questions += _other_totals(placed, found, where)
    if settles and is_even:
        questions += _odd(placed, cells)
    questions += _far_off(placed, cells)
    return questions


def _twice(placed, cells):
    at = defaultdict(list)
    for one in placed:
        at[one.result.date, one.result.meeting, one.player.casefold()].append(one)
    for some in at.values():
        if len(some) > 1 and (some[0].result.table is None or len({one.result.table for one in some}) < len(some)):
            nets = " and ".join(with_commas(one.result.net) for one in some[:6])
            sentence = f"{some[0].player} has {len(some)} results on {day_words(some[0].result.date)}: {nets}."
            yield Question("twice", sentence, "They are different tables", cells(some))


def _not_zero(placed, cells):
    tables = defaultdict(list)
    for one in placed:
        tables[one.result.date, one.result.meeting, one.result.table].append(one)
    for (day, meeting, table), some in tables.items():
        total = sum(one.result.net for one in some)
        if total:
            named = f", table {table}" if table else ""
            named = f" ({meeting})" * bool(meeting) + named
            sentence = f"{day_words(day)}{named}: the results add up to {total:+,}, not 0."
            yield Question("not zero", sentence, "Import it as it is", cells(some))


def _same_tables(placed):
    tables = defaultdict(list)
    for one in placed:
        tables[one.session].append((one.player.casefold(), one.result.net))
    seen: dict[Any, tuple] = {}
    for (day, _, table), results in tables.items():
        same = tuple(sorted(results))
        if len(results) < 2 or not any(net for _, net in results):
            continue
        if same in seen:
            first = seen[same]
            sentence = (
                f"Table {table} on {day_words(day)} has the same players and results as table {first[1]} on "
                f"{day_words(first[0])}."
            )
            yield Question("same table", sentence, "Both are right")
        seen.setdefault(same, (day, table))


def _in_the_future(placed, today, text_of, where):
    later = {one.result.date: one.result for one in placed if one.result.date > today}
    for day, result in sorted(later.items()):
        cell = result.date_cell
        cells = [CheckedCell(cell, "Date", text_of(cell), where(cell))] if cell else []
        yield Question("future", f"{day_words(day)} has not come yet.", "The date is right", cells)


def _other_totals(placed, found, where):
    """Ask where the file's own total of a player is not the sum of the results that were read."""
    sums: Counter = Counter()
    for one in placed:
        sums[one.result.cell.sheet, one.result.cell.row] += one.result.net
    for cell, name, total in found.own_totals:
        here = sums[cell.sheet, cell.row]
        if here != total:
            sentence = f"{where(cell)}: the file’s total of {name} is {total:+,}, but the results add up to {here:+,}."
            yield Question("total", sentence, "Import the results as they are")


def _odd(placed, cells):
    odd = [one for one in placed if one.result.net % 2]
    if odd and len(odd) * FEW_ODD <= len(placed):
        plural = "s are odd numbers" if len(odd) > 1 else " is an odd number"
        sentence = f"{len(odd)} result{plural}. Under these rules, results are even."
        yield Question("odd", sentence, "They are right" if len(odd) > 1 else "It is right", cells(odd[:12]))


def _far_off(placed, cells):
    sizes = [abs(one.result.net) for one in placed if one.result.net]
    if len(sizes) < ENOUGH:
        return
    usual = median(sizes)
    for one in placed:
        if abs(one.result.net) > FAR_OFF * usual:
            sentence = (
                f"{one.player} has {one.result.net:+,} on {day_words(one.result.date)}. Most results are about "
                f"{round(usual):,}."
            )
            yield Question("far off", sentence, "It is right", cells([one]))


# Seasons that the club does not have yet.


@dataclass(frozen=True)
class NewSeason:
    name: str
    starts_on: date
    ends_on: date

    def __str__(self) -> str:
        return f"{self.name} ({day_words(self.starts_on)} to {day_words(self.ends_on)})"


def missing_seasons(days: Iterable[date], spans: list[tuple[date, date]], names: Collection[str]) -> list[NewSeason]:
    """Return seasons for the days that no span has: a club's year from September, or what the others leave of it."""
    made: list[NewSeason] = []
    taken = set(names)
    for day in sorted(set(days)):
        if any(first <= day <= last for first, last in [*spans, *((one.starts_on, one.ends_on) for one in made)]):
            continue
        year = day.year if day.month >= FIRST_MONTH else day.year - 1
        before = [last + timedelta(days=1) for _, last in spans if last < day]
        after = [first - timedelta(days=1) for first, _ in spans if first > day]
        name = f"{year}–{(year + 1) % 100:02}"
        while name in taken:
            name += " (2)"
        taken.add(name)
        starts_on = max([date(year, FIRST_MONTH, 1), *before])
        ends_on = min([date(year + 1, FIRST_MONTH, 1) - timedelta(days=1), *after])
        made.append(NewSeason(name, starts_on, ends_on))
    return made
