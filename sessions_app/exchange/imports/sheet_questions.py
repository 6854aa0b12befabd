"""What is asked of a spreadsheet before it is saved, with the cells it is about. No database here."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import blake2s
from itertools import combinations
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring.words import listed, with_commas
from sessions_app.exchange.imports.sheet_figures import OtherTotal, Unused
from sessions_app.exchange.imports.sheet_results import COUNTED, ROUNDED, Reading, ReadSheet, SheetResult, SheetResults
from sessions_app.exchange.imports.sheet_shapes import PLAYERS_ACROSS, RESULT
from sessions_app.exchange.imports.sheet_values import counted, figure_of, some_of
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Workbook, column_letters
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from sessions_app.people.dates import day_words

Results = list[SheetResult]
KEEP, DROP, ABOVE, START, ABSENT = "keep", "drop", "above", "start", "absent"

# What the figures of a file are.
OWN, RUNNING, JOINED = "own", "running", "joined"
FIGURES = {
    OWN: "Each day’s own result",
    RUNNING: "Running totals",
    JOINED: "Running totals over all sheets",
}
SAYS_RUNNING = re.compile(
    r"\b(?:running|cumulative|cum|accumulat\w*|progressive|[cb]/f(?:wd)?|carried f\w*|ytd|to date|so far)\b", re.I
)
# A balance is asked about where each player’s share of every table is the same, and a multiple of this.
EVEN_SUM = 50
FEW_ZEROS, ONE_ZERO_IN = 3, 10
# A hidden sheet with so many figures may have results.
MANY_FIGURES = 12

# More questions of one kind than this are asked as one; and rows of the file that are shown beside a question.
ONE_BY_ONE, ROWS_SHOWN = 3, 3
TOGETHER = {
    "unreadable": ("{} cells cannot be read.", "Leave them all out"),
    "twice": ("Players have more than one result on a day, {} times.", "They are different tables or rounds"),
    "future": ("{} dates have not come yet.", "The dates are right"),
    "total": ("{} totals of the file are not the sum of the results.", "Import the results as they are"),
    "who": ("{} names may be more than one player’s. Choose who they are.", ""),
}


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
    accept: str = ""
    cells: Sequence[CheckedCell] = ()
    # Where there is more than one way to take it: the answers, that which leaves the figures as they are first.
    options: Sequence[tuple[str, str]] = ()
    # What it is about, one by one, where questions of one kind are asked together.
    lines: Sequence[str] = ()
    # The rows of those cells as they stand in the file.
    file_rows: Sequence[tuple[str, str]] = ()
    # The key of a question about the tables as they will be, which is asked here with its cells.
    table_key: str = ""
    is_accepted: bool = False
    answer: str = ""

    @property
    def key(self) -> str:
        if self.table_key:
            return self.table_key
        content = f"{self.kind} {self.sentence} {[*self.lines]} {[(cell.cell, cell.text) for cell in self.cells]}"
        return blake2s(content.encode(), digest_size=8).hexdigest()

    @property
    def field(self) -> str:
        return f"answer-{self.key}"

    @property
    def is_open(self) -> bool:
        return not (self.answer if self.options else self.is_accepted)


class Questions:
    """All that is asked of one file, with the answers that the page sent."""

    def __init__(self, book: Workbook, data: Mapping[str, Any]) -> None:
        self.book, self.data = book, data
        self.asked: list[Question] = []
        self.accepted = data.getlist("accept") if hasattr(data, "getlist") else data.get("accept", [])
        # Everything is ticked on the command line alone.
        self.is_ticked = "accept_all" in data and data.get(FIELD) == ACCEPTED

    def ask(self, *questions: Question) -> str:
        """Ask questions of one kind, together where there are many; return what was answered to the last one."""
        if len(questions) > ONE_BY_ONE and questions[0].kind in TOGETHER:
            sentence, accept = TOGETHER[questions[0].kind]
            cells = {cell.cell: cell for one in questions for cell in one.cells}
            lines = [one.sentence for one in questions]
            together = sentence.format(f"{len(questions):,}")
            questions = (Question(questions[0].kind, together, accept, [*cells.values()], lines=lines),)
        for question in questions:
            values = [value for value, _ in question.options]
            given = self.data.get(question.field, "")
            question.answer = given if given in values else values[0] if values and self.is_ticked else ""
            question.is_accepted = bool(question.accept) and (self.is_ticked or question.key in self.accepted)
            question.file_rows = self._rows_of(question.cells)
        self.asked += questions
        return self.asked[-1].answer if questions else ""

    def cell(self, cell: CellNumbers, label: str) -> CheckedCell:
        return CheckedCell(cell, label, self.book.text(cell), self.book.where(cell))

    def cells(self, results: Iterable[SheetResult], with_names: bool = False) -> list[CheckedCell]:
        """Return the cells of results, with those of the names where it may be somebody else's."""
        cells: list[CheckedCell] = []
        for result in results:
            if with_names and result.name_cell:
                cells.append(self.cell(result.name_cell, "Player"))
            cells.append(self.cell(result.cell, result.player))
        return cells

    def _rows_of(self, cells: Iterable[CheckedCell]) -> list[tuple[str, str]]:
        found: dict[tuple[int, int], tuple[str, str]] = {}
        for sheet, row, _ in (one.cell for one in cells):
            if row < len(self.book.sheets[sheet].rows):
                shown = " · ".join(filter(None, self.book.sheets[sheet].rows[row]))
                found.setdefault((sheet, row), (f"Row {row + 1}", shown[:120]))
        return [*found.values()][:ROWS_SHOWN]


# How the cells are read.


def ask_how_to_read(asked: Questions, sheets: Sequence[ReadSheet], order: str) -> Reading:
    """Ask what decimals are, once for the file, and whose the results without a name are."""
    entries = [entry for sheet in sheets if sheet.is_read for entry in sheet.entries]
    reading = Reading(order)
    nameless = [asked.cell(entry.name_cell, "Name") for entry in entries if entry.name_cell and not entry.name]
    if nameless:
        where = some_of([cell.where for cell in nameless], 4)
        options = ((DROP, "Leave these rows out"), (ABOVE, "They are results of the name above"))
        answer = asked.ask(Question("names", f"{where}: the name is missing.", "", nameless, options))
        reading = replace(reading, repeats_names=answer == ABOVE)
    figures = [
        (text, figure) for text in (entry.figure for entry in entries) if (figure := figure_of(text)) is not None
    ]
    decimals = [(text, figure) for text, figure in figures if figure % 1]
    if not decimals:
        return reading
    first, figure = decimals[0]
    places = 2 if "£" in first or any(figure * 10 % 1 for _, figure in decimals) else 1
    unit = "pence" if "£" in first else ("tenths", "hundredths")[places - 1]
    # Until it is answered, the others are asked about figures that lose nothing.
    ways = {how: replace(reading, decimals=how, places=places) for how in (ROUNDED, COUNTED)}
    words = {ROUNDED: "Round each to a whole number", COUNTED: f"Count in {unit}"}
    choices = [(how, f"{words[how]}: {first} is {way.points(figure):,}") for how, way in ways.items()]
    verb = "has" if len(decimals) == 1 else "have"
    sentence = f"{counted(len(decimals), 'figure')} {verb} decimals, such as {first}."
    return ways[asked.ask(Question("decimals", sentence, options=choices)) or COUNTED]


# What the figures are.


def ask_about_hidden(asked: Questions, results: Results) -> Results:
    """Ask whether what is hidden in the file is imported; return the results that are."""
    for number, sheet in enumerate(asked.book.sheets):
        rows, columns = set(sheet.hidden_rows), set(sheet.hidden_columns)
        hidden = [
            result
            for result in results
            if result.cell.sheet == number and (result.cell.row in rows or result.cell.column in columns)
        ]
        if not hidden:
            continue
        places = [f"row {row + 1}" for row in sorted({result.cell.row for result in hidden} & rows)]
        hidden_columns = sorted({result.cell.column for result in hidden} & columns)
        places += [f"column {column_letters(column)}" for column in hidden_columns]
        name = f"“{sheet.name}”: " if len(asked.book.sheets) > 1 and sheet.name else ""
        names = some_of(list(dict.fromkeys(result.player for result in hidden)), 3)
        verb = "is" if len(places) == 1 else "are"
        sentence = f"{name}{some_of(places, 6)} {verb} hidden in the file: {counted(len(hidden), 'result')} of {names}."
        options = ((KEEP, "Import them too"), (DROP, "Leave them out"))
        if asked.ask(Question("hidden", _capital(sentence), options=options)) == DROP:
            results = [result for result in results if result not in hidden]
    for name, number in asked.book.hidden_sheets:
        if number >= MANY_FIGURES:
            asked.ask(Question("hidden", f"The hidden sheet “{name}” has {number:,} figures.", "Leave it out"))
    return results


def ask_about_unused(asked: Questions, figures: Iterable[Unused]) -> None:
    unused = [group for group in figures if not group.is_explained]
    number = sum(len(group.cells) for group in unused)
    if number:
        places, verb = some_of([group.where for group in unused], 6), "are" if number > 1 else "is"
        lines = [
            f"{_capital(group.where)}: {', '.join(map(asked.book.text, group.cells[:8]))}" for group in unused[:20]
        ]
        sentence = f"{counted(number, 'figure')} {verb} not imported, in {places}."
        accept = "They are not results" if number > 1 else "It is not a result"
        asked.ask(Question("unused", sentence, accept, lines=lines))


def ask_about_balances(asked: Questions, results: Results) -> tuple[Results, str]:
    """Ask whether all began with the same sum; return the results without it, and the answer: nothing while open."""
    tables = grouped(results, lambda result: (result.date, result.meeting, result.table)).values()
    shares = Counter(sum(result.net for result in seated) / len(seated) for seated in tables if len(seated) > 1)
    share, times = shares.most_common(1)[0] if shares else (0, 0)
    if share <= 0 or share % EVEN_SUM or times * 2 <= len(tables):
        return results, KEEP
    first, start = results[0], int(share)
    sentence = (
        f"Do these balances begin with {with_commas(start)} for each player? "
        f"{counted(times, 'table')} of {len(tables):,} add up to that times the number of players."
    )
    then = f"Then {first.player} has"
    options = (
        (KEEP, f"No, import them as they are. {then} {with_commas(first.net)} on {day_words(first.date)}"),
        (START, f"Yes, take {with_commas(start)} from each. {then} {first.net - start:+,} on {day_words(first.date)}"),
    )
    answer = asked.ask(Question("start", sentence, options=options))
    return [replace(one, net=one.net - start) for one in results] if answer == START else results, answer


def ask_about_running(
    asked: Questions, sheets: Sequence[ReadSheet], results: Results, figures: str
) -> tuple[Results, bool]:
    """Take running totals apart where someone chose so, or where a title or heading says so and the answer is yes."""
    used = {result.cell.sheet for result in results}
    mine = max(_by_player(results).values(), key=len, default=[])
    if figures == OWN and len(mine) > 1 and any(_says_running(sheet) for sheet in sheets if sheet.number in used):
        nets = [with_commas(result.net) for result in mine]
        shown = f"{', '.join(nets[:6])} and so on" if len(nets) > 6 else listed(nets, "and")
        words = {
            OWN: "No, each figure is one day’s own result",
            RUNNING: "Yes, each figure goes on from the one before",
            JOINED: "Yes, each figure goes on from the one before, over all sheets",
        }
        options = [
            (kind, f"{words[kind]}. Then {mine[0].player}’s total is {with_commas(sum(_apart(mine, kind).values()))}")
            for kind in (FIGURES if len(used) > 1 else (OWN, RUNNING))
        ]
        sentence = f"Are these running totals? {mine[0].player} has {shown}."
        figures = asked.ask(Question("running", sentence, options=options)) or OWN
    apart = _apart(results, figures)
    return [replace(result, net=apart[result.cell]) for result in results], figures != OWN


def _says_running(sheet: ReadSheet) -> bool:
    headings = sheet.layout.headings(sheet.rows)
    used = [headings[column] for meaning in ("net", RESULT) for column in sheet.layout.columns_of(meaning)]
    above = [cell for row in sheet.rows[: sheet.layout.header or 0] for cell in row]
    # The headings of players are names.
    texts = [sheet.sheet.name, *above, *(used if sheet.layout.shape != PLAYERS_ACROSS else [])]
    return any(map(SAYS_RUNNING.search, texts))


def _apart(results: Results, figures: str) -> dict[CellNumbers, int]:
    """Return what each running total added to the one before, on each sheet for itself unless they are joined."""
    apart = {}
    for mine in _by_player(results).values():
        last: dict[int, int] = {}
        for result in mine:
            sheet = 0 if figures == JOINED else result.cell.sheet
            apart[result.cell] = result.net - (last.get(sheet, 0) if figures != OWN else 0)
            last[sheet] = result.net
    return apart


def _by_player(results: Results) -> dict[str, Results]:
    """Return each player's results in the order of their days."""
    found = grouped(results, lambda result: result.player.casefold())
    return {player: sorted(mine, key=lambda result: (result.date, result.cell)) for player, mine in found.items()}


def ask_about_zeros(asked: Questions, results: Results) -> Results:
    zeros, number = [result for result in results if not result.net], len(results)
    if len(zeros) < FEW_ZEROS or len(zeros) * ONE_ZERO_IN < number or len(zeros) == number:
        return results
    sentence = (
        f"{len(zeros)} results are 0, on {counted(len({result.date for result in zeros}), 'day')}. Is 0 written for "
        f"those who were not there? For example {zeros[0].player} on {day_words(zeros[0].date)}."
    )
    options = ((KEEP, "No, they played and came out even"), (ABSENT, "Yes, they were not there: leave these out"))
    answer = asked.ask(Question("zeros", sentence, "", asked.cells(zeros[:3]), options))
    return [result for result in results if result.net] if answer == ABSENT else results


# What a treasurer would look at.


def ask_about_results(asked: Questions, results: Results, found: SheetResults, today: date) -> None:
    """Ask about cells that cannot be read, results of one player twice on a day, and days that have not come yet.

    `results` are those of `found`, with the club's names of the players and the tables they are imported for.
    """
    asked.ask(
        *(
            Question(
                "unreadable",
                f"{asked.book.where(fault.cell)}: {fault.sentence}",
                "Leave it out",
                [CheckedCell(fault.cell, "Should be", fault.text, asked.book.where(fault.cell))],
            )
            for fault in found.faults
        )
    )
    days = grouped(results, lambda one: (one.date, one.meeting, one.player.casefold())).values()
    # Where the file does not say that they are of two tables.
    twice = [some for some in days if len({one.table for one in some} - {None}) < len(some) > 1]
    asked.ask(
        *(
            Question(
                "twice",
                f"{some[0].player} has {len(some)} results on {day_words(some[0].date)}: "
                f"{' and '.join(with_commas(one.net) for one in some[:6])}.",
                "They are different tables",
                asked.cells(some, with_names=True),
            )
            for some in twice
        )
    )
    later = sorted({one.date: one.date_cell for one in results if one.date > today}.items())
    asked.ask(
        *(
            Question(
                "future",
                f"{day_words(day)} has not come yet.",
                "The date is right",
                [asked.cell(cell, "Date")] if cell else [],
            )
            for day, cell in later
        )
    )


def ask_about_leagues(asked: Questions, results: Results) -> dict[str, set[date]]:
    """Return the days of each sheet by its name if the sheets are leagues: asked where their days take turns."""
    by_sheet = grouped(results, lambda one: asked.book.sheets[one.cell.sheet].name.strip()[:40])
    days = {name: {one.date for one in of_sheet} for name, of_sheet in by_sheet.items()}
    take_turns = [
        first.isdisjoint(other) and min(first) < max(other) and min(other) < max(first)
        for first, other in combinations(days.values(), 2)
    ]
    if not (take_turns and all(take_turns)):
        return {}
    names = listed([f"“{name}”" for name in days], "and")
    options = ("no", "No, all in one league table"), ("yes", "Yes, each has its own league table")
    question = Question("leagues", f"Are {names} leagues of their own?", options=options)
    return days if asked.ask(question) == "yes" else {}


def ask_about_totals(asked: Questions, totals: Iterable[OtherTotal]) -> None:
    """Ask where the file's own total of a player is not the sum of the results that were read."""
    asked.ask(
        *(
            Question(
                "total",
                f"{asked.book.where(one.cell)}: the file’s total of {one.name} is {one.total:+,}, but the results "
                f"add up to {one.here:+,}.",
                "Import the results as they are",
            )
            for one in totals
        )
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
