"""The checks a treasurer would make of imported results, as questions with the cells they are about. No database."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import blake2s
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring.words import with_commas
from sessions_app.exchange.imports.sheet_figures import OtherTotal
from sessions_app.exchange.imports.sheet_results import SheetResult, SheetResults
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Workbook
from sessions_app.people.dates import day_words

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
    # Where there is more than one way to take it: the answers, that which leaves the figures as they are first.
    options: Sequence[tuple[str, str]] = ()
    answer: str = ""
    # What it is about, one by one, where questions of one kind are asked together.
    lines: list[str] = field(default_factory=list)
    # The rows of those cells as they stand in the file.
    file_rows: list[tuple[str, str]] = field(default_factory=list)
    # The key of a question about the tables as they will be, which is asked here with its cells.
    table_key: str = ""

    @property
    def key(self) -> str:
        if self.table_key:
            return self.table_key
        content = f"{self.kind} {self.sentence} {self.lines} {[(cell.cell, cell.text) for cell in self.cells]}"
        return blake2s(content.encode(), digest_size=8).hexdigest()

    @property
    def field(self) -> str:
        return f"answer-{self.key}"

    @property
    def is_open(self) -> bool:
        return not (self.answer if self.options else self.is_accepted)


Results = list[SheetResult]


def questions_about(
    book: Workbook,
    results: Results,
    found: SheetResults,
    today: date,
) -> list[Question]:
    """Return every question about results, those that stop an import first; many of one kind are asked together.

    `results` are those of `found`, with the club's names of the players and the tables they are imported for.
    """
    kinds = [
        _unreadable(book, found),
        _two_results(book, results),
        _in_the_future(book, results, today),
    ]
    return [question for kind in kinds for question in together([*kind])]


# More questions of one kind than this are asked as one.
ONE_BY_ONE = 3

TOGETHER = {
    "unreadable": ("{} cells cannot be read.", "Leave them all out"),
    "twice": ("Players have more than one result on a day, {} times.", "They are different tables or rounds"),
    "future": ("{} dates have not come yet.", "The dates are right"),
    "total": ("{} totals of the file are not the sum of the results.", "Import the results as they are"),
    "who": ("{} names may be more than one player’s. Choose who they are.", ""),
}


def together(questions: list[Question]) -> list[Question]:
    """Return one question for many of one kind."""
    if len(questions) <= ONE_BY_ONE or any(one.kind not in TOGETHER for one in questions):
        return questions
    sentence, accept = TOGETHER[questions[0].kind]
    cells = {cell.cell: cell for one in questions for cell in one.cells}
    lines = [one.sentence for one in questions]
    return [Question(questions[0].kind, sentence.format(f"{len(questions):,}"), accept, [*cells.values()], lines=lines)]


# Rows of the file that are shown beside a question.
ROWS_SHOWN = 3


def rows_in_file(book: Workbook, cells: Iterable[CheckedCell]) -> list[tuple[str, str]]:
    """Return the first rows of these cells as they stand in the file, each with where it is."""
    found: dict[tuple[int, int], tuple[str, str]] = {}
    for one in cells:
        sheet, row, _ = one.cell
        if row < len(book.sheets[sheet].rows):
            shown = " · ".join(filter(None, book.sheets[sheet].rows[row]))
            found.setdefault((sheet, row), (f"Row {row + 1}", shown[:120]))
    return list(found.values())[:ROWS_SHOWN]


def checked(book: Workbook, cell: CellNumbers, label: str) -> CheckedCell:
    return CheckedCell(cell, label, book.text(cell), book.where(cell))


def checked_results(book: Workbook, results: Iterable[SheetResult], with_names: bool = False) -> list[CheckedCell]:
    """Return the cells of results, with those of the names where it may be somebody else's."""
    cells: list[CheckedCell] = []
    for result in results:
        if with_names and result.name_cell:
            cells.append(checked(book, result.name_cell, "Player"))
        cells.append(checked(book, result.cell, result.player))
    return cells


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
            sentence = f"{some[0].player} has {len(some)} results on {day_words(some[0].date)}: {nets}."
            yield Question("twice", sentence, "They are different tables", checked_results(book, some, True))


def _in_the_future(book: Workbook, results: Results, today: date) -> Iterator[Question]:
    later = {one.date: one.date_cell for one in results if one.date > today}
    for day, cell in sorted(later.items()):
        cells = [checked(book, cell, "Date")] if cell else []
        yield Question("future", f"{day_words(day)} has not come yet.", "The date is right", cells)


def questions_about_totals(book: Workbook, totals: Iterable[OtherTotal]) -> Iterator[Question]:
    """Ask where the file's own total of a player is not the sum of the results that were read."""
    for one in totals:
        where = book.where(one.cell)
        sentence = (
            f"{where}: the file’s total of {one.name} is {one.total:+,}, but the results add up to {one.here:+,}."
        )
        yield Question("total", sentence, "Import the results as they are")


# Seasons that the club does not have yet.


@dataclass(frozen=True)
class NewSeason:
    name: str
    starts_on: date
    ends_on: date

    def __str__(self) -> str:
        return f"{self.name} ({day_words(self.starts_on)} to {day_words(self.ends_on)})"


def missing_seasons(days: Iterable[date], seasons: Iterable[Any], first_month: int = FIRST_MONTH) -> list[NewSeason]:
    """Return seasons for the days that no season has: a year from that month on, or what the others leave of it."""
    seasons, made = list(seasons), []
    for day in sorted(set(days)):
        if any(one.starts_on <= day <= one.ends_on for one in seasons):
            continue
        year = day.year if day.month >= first_month else day.year - 1
        years = f"{year}–{(year + 1) % 100:02}" if first_month > 1 else f"{year}"
        names = (years, *(f"{years} ({number})" for number in range(2, 999)))
        name = next(name for name in names if all(one.name != name for one in seasons))
        before = [one.ends_on + timedelta(days=1) for one in seasons if one.ends_on < day]
        after = [one.starts_on - timedelta(days=1) for one in seasons if one.starts_on > day]
        starts_on = max([date(year, first_month, 1), *before])
        ends_on = min([date(year + 1, first_month, 1) - timedelta(days=1), *after])
        made.append(NewSeason(name, starts_on, ends_on))
        seasons.append(made[-1])
    return made
