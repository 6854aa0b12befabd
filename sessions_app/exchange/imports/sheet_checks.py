"""The checks a treasurer would make of imported results, as questions with the cells they are about. No database."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import blake2s
from statistics import median
from typing import Any

from clubscore.scoring.words import with_commas
from sessions_app.exchange.imports.sheet_results import SheetResult, SheetResults
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Workbook
from sessions_app.people.dates import day_words
from sessions_app.people.players import grouped

# A result so many times the usual one is asked about, where there are enough to know what is usual.
FAR_OFF, ENOUGH = 12, 20

# Where more than one in so many results is odd, the club does not play by even scores.
FEW_ODD = 20

# A club's year begins in September.
FIRST_MONTH = 9


@dataclass(frozen=True)
class CheckedCell:
    """A cell that can be changed under a question: its label, what it holds, and where it is in words."""

    cell: CellNumbers
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


Results = list[SheetResult]


def questions_about(
    book: Workbook, results: Results, found: SheetResults, *, settles: bool, is_even: bool, today: date
) -> list[Question]:
    """Return every question about results, those that stop an import first.

    `results` are those of `found`, with the club's names of the players and the tables they are imported for.
    """
    return [
        *_unreadable(book, found),
        *_two_results(book, results),
        *(_not_zero(book, results) if settles else []),
        *_same_tables(results),
        *_in_the_future(book, results, today),
        *_other_totals(book, results, found),
        *(_odd(book, results) if settles and is_even else []),
        *_far_off(book, results),
    ]


def _checked(book: Workbook, cell: CellNumbers, label: str) -> CheckedCell:
    return CheckedCell(cell, label, book.text(cell), book.where(cell))


def _checked_results(book: Workbook, results: Iterable[SheetResult]) -> list[CheckedCell]:
    return [_checked(book, one.cell, one.player) for one in results]


def _words(day: date) -> str:
    return day_words(day)


def _unreadable(book: Workbook, found: SheetResults) -> Iterator[Question]:
    for fault in found.faults:
        where = book.where(fault.cell)
        cell = CheckedCell(fault.cell, "Should be", fault.text, where)
        yield Question("unreadable", f"{where}: {fault.sentence}", "Leave it out", [cell])


def _two_results(book: Workbook, results: Results) -> Iterator[Question]:
    """Ask about two results of a player on one day, where the file does not say that they are of two tables."""
    for some in grouped(results, lambda one: (one.date, one.meeting, one.player.casefold())).values():
        if len(some) > 1 and (some[0].table is None or len({one.table for one in some}) < len(some)):
            nets = " and ".join(with_commas(one.net) for one in some[:6])
            sentence = f"{some[0].player} has {len(some)} results on {_words(some[0].date)}: {nets}."
            yield Question("twice", sentence, "They are different tables", _checked_results(book, some))


def _not_zero(book: Workbook, results: Results) -> Iterator[Question]:
    for (day, meeting, table), some in grouped(results, lambda one: (one.date, one.meeting, one.table)).items():
        if total := sum(one.net for one in some):
            where = (f" ({meeting})" if meeting else "") + (f", table {table}" if table else "")
            sentence = f"{_words(day)}{where}: the results add up to {total:+,}, not 0."
            yield Question("not zero", sentence, "Import it as it is", _checked_results(book, some))


def _same_tables(results: Results) -> Iterator[Question]:
    tables = defaultdict(list)
    for one in results:
        tables[one.session].append((one.player.casefold(), one.net))
    seen: dict[Any, tuple] = {}
    for session, nets in tables.items():
        if len(nets) < 2 or not any(net for _, net in nets):
            continue
        first = seen.setdefault(tuple(sorted(nets)), session)
        if first != session:
            (day, _, table), (first_day, _, first_table) = session, first
            sentence = (
                f"Table {table} on {_words(day)} has the same players and results as table {first_table} on "
                f"{_words(first_day)}."
            )
            yield Question("same table", sentence, "Both are right")


def _in_the_future(book: Workbook, results: Results, today: date) -> Iterator[Question]:
    later = {one.date: one.date_cell for one in results if one.date > today}
    for day, cell in sorted(later.items()):
        cells = [_checked(book, cell, "Date")] if cell else []
        yield Question("future", f"{_words(day)} has not come yet.", "The date is right", cells)


def _other_totals(book: Workbook, results: Results, found: SheetResults) -> Iterator[Question]:
    """Ask where the file's own total of a player is not the sum of the results that were read."""
    sums: Counter = Counter()
    for one in results:
        sums[one.cell.sheet, one.cell.row] += one.net
    for cell, name, total in found.own_totals:
        here = sums[cell.sheet, cell.row]
        if here != total:
            where = book.where(cell)
            sentence = f"{where}: the file’s total of {name} is {total:+,}, but the results add up to {here:+,}."
            yield Question("total", sentence, "Import the results as they are")


def _odd(book: Workbook, results: Results) -> Iterator[Question]:
    odd = [one for one in results if one.net % 2]
    if odd and len(odd) * FEW_ODD <= len(results):
        plural = "s are odd numbers" if len(odd) > 1 else " is an odd number"
        sentence = f"{len(odd)} result{plural}. Under these rules, results are even."
        accept = "They are right" if len(odd) > 1 else "It is right"
        yield Question("odd", sentence, accept, _checked_results(book, odd[:12]))


def _far_off(book: Workbook, results: Results) -> Iterator[Question]:
    sizes = [abs(one.net) for one in results if one.net]
    if len(sizes) < ENOUGH:
        return
    usual = median(sizes)
    for one in results:
        if abs(one.net) > FAR_OFF * usual:
            sentence = f"{one.player} has {one.net:+,} on {_words(one.date)}. Most results are about {round(usual):,}."
            yield Question("far off", sentence, "It is right", _checked_results(book, [one]))


# Seasons that the club does not have yet.


@dataclass(frozen=True)
class NewSeason:
    name: str
    starts_on: date
    ends_on: date

    def __str__(self) -> str:
        return f"{self.name} ({_words(self.starts_on)} to {_words(self.ends_on)})"


def missing_seasons(days: Iterable[date], seasons: Iterable[Any]) -> list[NewSeason]:
    """Return seasons for the days that no season has: a club's year from September, or what the others leave of it."""
    seasons, made = list(seasons), []
    for day in sorted(set(days)):
        if any(one.starts_on <= day <= one.ends_on for one in seasons):
            continue
        year = day.year if day.month >= FIRST_MONTH else day.year - 1
        name = f"{year}–{(year + 1) % 100:02}"
        while any(one.name == name for one in seasons):
            name += " (2)"
        before = [one.ends_on + timedelta(days=1) for one in seasons if one.ends_on < day]
        after = [one.starts_on - timedelta(days=1) for one in seasons if one.starts_on > day]
        starts_on = max([date(year, FIRST_MONTH, 1), *before])
        ends_on = min([date(year + 1, FIRST_MONTH, 1) - timedelta(days=1), *after])
        made.append(NewSeason(name, starts_on, ends_on))
        seasons.append(made[-1])
    return made
