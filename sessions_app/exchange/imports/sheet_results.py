"""Read a club's sheets into results, by the layouts chosen; every fault is kept with its cell. No database here."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from sessions_app.exchange.imports.sheet_shapes import (
    A_TABLE,
    DATES_ACROSS,
    LIST,
    PLAYERS_ACROSS,
    RESULT,
    TABLES,
    Layout,
    day_above,
    is_table,
    lone_cell,
)
from sessions_app.exchange.imports.sheet_text import yes_of
from sessions_app.exchange.imports.sheet_values import (
    DAY_FIRST,
    is_number,
    is_total,
    looks_like_a_date,
    part_of_day,
    read_date,
    read_name,
    read_number,
)
from sessions_app.exchange.imports.spreadsheets import Sheet


class Cell(NamedTuple):
    """A cell by the numbers of its sheet, row and column, all counted from 0."""

    sheet: int
    row: int
    column: int

    @property
    def name(self) -> str:
        """The cell as a spreadsheet names it, for example C12."""
        return f"{column_letters(self.column)}{self.row + 1}"


def column_letters(column: int) -> str:
    """Return A for 0, Z for 25, AA for 26."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@dataclass(frozen=True)
class SheetResult:
    """What one cell says of one player on one day; None where the file does not say it."""

    cell: Cell
    date_cell: Cell | None
    date: date
    player: str
    net: int
    guest: bool = False
    table: int | None = None
    meeting: str = ""
    rules: str = ""
    recording: str = ""
    seat: int | None = None
    hands: int | None = None
    won: int | None = None
    balance: int | None = None


@dataclass(frozen=True)
class Fault:
    """A cell that cannot be read; `text` is what it holds and `sentence` what is wrong with it."""

    cell: Cell
    text: str
    sentence: str


@dataclass
class SheetResults:
    """All results of the sheets; `left_out` has each total and each row that is no result, in words."""

    results: list[SheetResult] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    # What the file itself gives as a player's total: the cell, the name and the figure.
    own_totals: list[tuple[Cell, str, int]] = field(default_factory=list)


def read_results(sheets: Sequence[Sheet], layouts: Sequence[Layout], order: str = DAY_FIRST) -> SheetResults:
    """Return the results of all sheets that are used, with the day or the month first where a date can be either."""
    found = SheetResults()
    for number, (sheet, layout) in enumerate(zip(sheets, layouts, strict=True)):
        if layout.used and not layout.missing:
            _SheetReader(number, sheet, layout, order, found, len(sheets) > 1).read()
    return found


class _Row:
    """One row of a sheet with its cells by what they are."""

    def __init__(self, number: int, cells: Sequence[str], layout: Layout) -> None:
        self.number, self.cells, self.layout = number, cells, layout

    def text(self, meaning: str) -> str:
        return next((self.at(column) for column in self.layout.columns_of(meaning)), "")

    def at(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""

    @property
    def name(self) -> str:
        return self.text("player") or " ".join(filter(None, (self.text("first"), self.text("last"))))


class _SheetReader:
    def __init__(
        self, number: int, sheet: Sheet, layout: Layout, order: str, found: SheetResults, is_one_of_many: bool
    ) -> None:
        self.number, self.sheet, self.layout, self.order, self.found = number, sheet, layout, order, found
        self.prefix = f"{sheet.name}, " if is_one_of_many and sheet.name else ""
        header = layout.header
        self.headings = sheet.rows[header] if header is not None else []
        self.days: dict[int, tuple[Cell, date]] = {}
        self.parts: dict[int, str] = {}
        self.last: dict[str, tuple[str, Cell | None]] = {}
        # The number of the table that stands above a column of names.
        self.numbers: dict[int, int] = {}
        # How many tables of a day and meeting have been read that have no number in the file.
        self.tables: Counter = Counter()
        # The number of the table that stands alone above rows of results.
        self.table: int | None = None

    def read(self) -> None:
        self.are_tables(self.headings)
        if self.layout.shape == DATES_ACROSS:
            self.read_days(self.layout.header or 0, self.headings)
        rows = self.sheet.rows
        if self.layout.shape in (LIST, TABLES) and not self.layout.columns_of("date"):
            for text in day_above(self.layout, rows, self.sheet.name):
                self.last["date"] = text, None
            for number, cells in enumerate(rows[: self.layout.first_row]):
                self.is_day_of_its_own(number, cells)
        for number, cells in enumerate(rows[: self.layout.header or 0]):
            if any(map(is_number, cells)) and sum(map(bool, cells)) > 1:
                self.leave_out(_Row(number, cells, self.layout), "above the headings")
        read = {LIST: self.read_listed, TABLES: self.read_table}
        read |= {DATES_ACROSS: self.read_player, PLAYERS_ACROSS: self.read_day}
        for number in range(self.layout.first_row, len(rows)):
            cells = rows[number]
            if any(cells) and (list(cells) != list(self.headings) or self.are_tables(cells)):
                read[self.layout.shape](_Row(number, cells, self.layout))

    def cell(self, row: int, column: int) -> Cell:
        return Cell(self.number, row, column)

    def fault(self, cell: Cell, text: str, sentence: str) -> None:
        self.found.faults.append(Fault(cell, text, sentence))

    def leave_out(self, row: _Row, why: str) -> None:
        shown = ", ".join(filter(None, row.cells))[:60]
        self.found.left_out.append(f"{self.prefix}row {row.number + 1}: {shown} ({why})")

    def day(self, cell: Cell | None, text: str) -> date | None:
        try:
            return read_date(text, self.order, self.layout.years)
        except ValueError as error:
            self.fault(cell or Cell(self.number, 0, 0), text, f"the date is “{text[:40]}”, {error}")
            return None

    def figure(self, row: _Row, column: int, what: str) -> int | None:
        """Return the number of a cell; None where it is empty, or cannot be read and is kept as a fault."""
        text = row.at(column)
        try:
            return read_number(text)
        except ValueError as error:
            self.fault(self.cell(row.number, column), text, f"{what} is “{text[:40]}”, {error}")
            return None

    def name(self, row: _Row) -> tuple[str, bool] | None:
        """Return the player of a row and whether a guest; None where the row is left out."""
        if not row.name:
            return None
        return self.read_name(row, row.name)

    def read_name(self, row: _Row, text: str) -> tuple[str, bool] | None:
        if is_total(text) or not any(letter.isalpha() for letter in text) or ERROR.match(text):
            self.leave_out(row, "a total" if is_total(text) else "no name")
            return None
        return read_name(text)

    # Players down, dates across.

    def read_days(self, number: int, cells: Sequence[str]) -> None:
        self.days = {}
        for column in self.layout.columns_of(RESULT):
            text = cells[column] if column < len(cells) else ""
            cell = self.cell(number, column)
            if text and (day := self.day(cell, text)):
                self.days[column] = cell, day
        # Two columns of one day are two meetings, if their headings say so.
        several = Counter(day for _, day in self.days.values())
        self.parts = {column: part_of_day(cells[column]) for column, (_, day) in self.days.items() if several[day] > 1}

    def read_player(self, row: _Row) -> None:
        dates = [column for column in self.layout.columns_of(RESULT) if looks_like_a_date(row.at(column))]
        if len(dates) >= 2 and len(dates) * 2 >= len(self.layout.columns_of(RESULT)):
            self.read_days(row.number, row.cells)
            return
        columns = self.layout.columns_of("player")
        if len(columns) < 2:
            self.read_days_of(row, row.name, self.days)
            return
        for first, end in zip(columns, [*columns[1:], len(self.layout.columns)], strict=True):
            self.read_days_of(row, row.at(first), [column for column in self.days if first < column < end])

    def read_days_of(self, row: _Row, name: str, columns: Iterable[int]) -> None:
        """Read the results of one player, those of these columns."""
        if not name:
            if any(is_number(row.at(column)) for column in columns):
                self.leave_out(row, "no name")
            elif not row.name and any(row.cells):
                self.leave_out(row, "not a result")
            return
        named = self.read_name(row, name)
        if named is None:
            return
        before = len(self.found.results) + len(self.found.faults)
        for column in columns:
            net = self.figure(row, column, f"the result of {named[0]}")
            if net is not None:
                cell, day = self.days[column]
                guest = named[1] or self.is_guest(row)
                meeting = self.parts.get(column, "")
                self.add(row, column, date_cell=cell, date=day, player=named[0], net=net, guest=guest, meeting=meeting)
        if before == len(self.found.results) + len(self.found.faults):
            self.leave_out(row, "no result")
        for column, heading in enumerate(self.headings):
            if heading.strip().casefold() in ("total", "totals", "net", "sum") and is_number(row.at(column)):
                total = self.cell(row.number, column), named[0], read_number(row.at(column))
                self.found.own_totals.append(total)

    # Dates down, players across.

    def read_day(self, row: _Row) -> None:
        [column] = self.layout.columns_of("date")
        text = row.at(column)
        if not looks_like_a_date(text) and (is_total(text) or is_total(next(filter(None, row.cells), ""))):
            self.leave_out(row, "a total")
            return
        figures = [at for at in self.layout.columns_of(RESULT) if row.at(at)]
        if not text and not (figures and "date" in self.last):
            self.leave_out(row, "no date")
            return
        text, cell = self.carried("date", row, column)
        day = self.day(cell, text)
        for at in figures:
            heading = self.headings[at] if at < len(self.headings) else ""
            if not heading:
                continue
            player, guest = read_name(heading)
            net = self.figure(row, at, f"the result of {player}")
            if day and net is not None:
                self.add(row, at, date_cell=cell, date=day, player=player, net=net, guest=guest, **self.about(row))

    # One row a result.

    def is_day_of_its_own(self, number: int, cells: Sequence[str]) -> bool:
        """Return whether a row has only a date, or the number of a table: then it is that of the rows below it."""
        lone = lone_cell(cells)
        if is_table(lone):
            self.are_tables([lone])
            self.table = self.numbers.pop(0)
            return True
        if is_date := bool(lone) and looks_like_a_date(lone):
            self.last["date"] = lone, self.cell(number, list(cells).index(lone))
        return is_date

    def read_listed(self, row: _Row) -> None:
        lone = lone_cell(row.cells)
        if self.is_day_of_its_own(row.number, row.cells):
            return
        first = next(filter(None, row.cells), "")
        named = self.name(row)
        if named is None:
            if not row.name:
                self.leave_out(row, "a total" if is_total(first) else "no name" if not lone else "not a result")
            return
        if is_total(first) and not looks_like_a_date(first):
            self.leave_out(row, "a total")
            return
        columns = self.layout.columns_of("net")
        net = self.figure(row, columns[0], f"what {named[0]} won or lost") if columns else self.gained_and_lost(row)
        if net is None:
            if not columns or not row.at(columns[0]):
                self.leave_out(row, "no result")
            return
        date_columns = self.layout.columns_of("date")
        if date_columns or "date" in self.last:
            text, cell = self.carried("date", row, date_columns[0] if date_columns else None)
        else:
            text, cell = "", self.cell(row.number, 0)
        if not text:
            self.fault(cell, "", "the date is missing. Enter it like 12/11/2026.")
            return
        if day := self.day(cell, text):
            guest = named[1] or self.is_guest(row)
            at = columns[0] if columns else self.layout.columns_of("gained")[0]
            about = {"table": self.table} | self.about(row)
            self.add(row, at, date_cell=cell, date=day, player=named[0], net=net, guest=guest, **about)

    # One row a table.

    def read_table(self, row: _Row) -> None:
        if self.is_day_of_its_own(row.number, row.cells) or self.are_tables(row.cells):
            return
        pairs = zip(self.layout.columns_of("player"), self.layout.columns_of("net"), strict=True)
        filled = [(column, net_column) for column, net_column in pairs if row.at(column)]
        first = next(filter(None, row.cells), "")
        if not filled or is_total(first):
            self.leave_out(row, "a total" if is_total(first) else "no name")
            return
        text, cell = self.carried("date", row, next(iter(self.layout.columns_of("date")), None))
        if not text:
            self.fault(cell, "", "the date is missing. Enter it like 12/11/2026.")
            return
        day, about = self.day(cell, text), self.about(row)
        if day and not self.layout.columns_of("table") and not self.numbers:
            self.tables[day, about.get("meeting", "")] += 1
            about["table"] = self.tables[day, about.get("meeting", "")]
        for column, net_column in filled:
            named = self.read_name(row, row.at(column))
            if named is None:
                continue
            net = self.figure(row, net_column, f"what {named[0]} won or lost")
            values = about | ({"table": self.numbers[column]} if column in self.numbers else {})
            if day and net is not None:
                self.add(row, net_column, date_cell=cell, date=day, player=named[0], net=net, guest=named[1], **values)

    def are_tables(self, cells: Sequence[str]) -> bool:
        """Return whether a row has only the numbers of tables, which are then those of the rows below it."""
        found = {column: A_TABLE.match(cell) for column, cell in enumerate(cells) if cell}
        if not found or not all(found.values()):
            return False
        self.numbers = {column: int(one["number"]) for column, one in found.items() if one}
        return True

    def gained_and_lost(self, row: _Row) -> int | None:
        figures = [self.figure(row, self.layout.columns_of(one)[0], f"points {one}") for one in ("gained", "lost")]
        if figures == [None, None]:
            return None
        return (figures[0] or 0) - abs(figures[1] or 0)

    def is_guest(self, row: _Row) -> bool:
        text = row.text("guest")
        try:
            return yes_of(text)
        except ValueError as error:
            self.fault(self.cell(row.number, self.layout.columns_of("guest")[0]), text, str(error))
            return False

    def carried(self, meaning: str, row: _Row, column: int | None) -> tuple[str, Cell | None]:
        """Return a cell's text, or the last one above it: a date often stands once above its rows."""
        if column is not None and row.at(column):
            self.last[meaning] = row.at(column), self.cell(row.number, column)
        return self.last.get(meaning, ("", self.cell(row.number, column or 0)))

    def about(self, row: _Row) -> dict[str, Any]:
        """Return the optional cells of a row."""
        found: dict[str, Any] = {}
        for meaning, (lowest, highest) in LIMITS.items():
            for column in self.layout.columns_of(meaning):
                text = self.carried(meaning, row, column)[0] if meaning == "table" else row.at(column)
                number = self.optional(row, column, meaning, text)
                if number is not None and not lowest <= number <= highest:
                    sentence = f"{meaning} is {number}. Enter a number from {lowest} to {highest}."
                    self.fault(self.cell(row.number, column), row.at(column), sentence)
                elif number is not None:
                    found[meaning] = number
        for meaning in ("meeting", "rules", "recording"):
            if text := row.text(meaning):
                found[meaning] = text
        return found

    def optional(self, row: _Row, column: int, meaning: str, text: str) -> int | None:
        # "Table 3" is 3, table B is 2 and the seat East is 1.
        plain = text.casefold().removeprefix("table").strip() if meaning == "table" else text
        if meaning == "table" and (found := A_TABLE.match(text)):
            return int(found["number"])
        if meaning == "table" and re.fullmatch("[a-z]", plain):
            return ord(plain) - ord("a") + 1
        if meaning == "seat" and plain.casefold() in WINDS:
            return "eswn".index(plain[0].casefold()) + 1
        try:
            return read_number(plain)
        except ValueError:
            sentence = f"{meaning} is “{text[:40]}”, which is not a whole number. Enter it like 3, or leave it blank."
            self.fault(self.cell(row.number, column), text, sentence)
            return None

    def add(self, row: _Row, column: int, **facts: Any) -> None:
        self.found.results.append(SheetResult(self.cell(row.number, column), **facts))


# What a spreadsheet shows where a formula has no result.
ERROR = re.compile(r"#[A-Z/0]+[?!]?\Z")

WINDS = {"east", "south", "west", "north", *"eswn"}

LIMITS = {
    "table": (1, 999),
    "seat": (1, 5),
    "hands": (0, 9999),
    "won": (0, 9999),
    "balance": (-99_999_999, 99_999_999),
}
