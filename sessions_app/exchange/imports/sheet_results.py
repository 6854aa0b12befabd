"""Read a club's sheets into results, by the layouts chosen; every fault is kept with its cell. No database here."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sessions_app.exchange.imports.sheet_shapes import (
    DATES_ACROSS,
    LIST,
    PLAYERS_ACROSS,
    RESULT,
    TABLES,
    WINDS,
    Layout,
    date_above,
    is_table,
    lone_cell,
    table_number,
)
from sessions_app.exchange.imports.sheet_values import (
    DAY_FIRST,
    is_number,
    is_total,
    looks_like_a_date,
    part_of_day,
    read_date,
    read_name,
    read_number,
    without_remark,
    without_remarks,
    yes_of,
)
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Sheet, rectangular
from sessions_app.exchange.imports.totals_file import LIMITS, stored_value

# What a spreadsheet shows where a formula has no result.
ERROR = re.compile(r"#[A-Z/0]+[?!]?\Z")

NO_NAME = "the name is missing. Enter it, or leave the row out."
DETAILS = ("table", "seat", "hands", "won", "balance")


@dataclass(frozen=True)
class SheetResult:
    """What one cell says of one player on one day; None where the file does not say it."""

    cell: CellNumbers
    date_cell: CellNumbers | None
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
    # The cell of the name, where a row is one result.
    name_cell: CellNumbers | None = None
    # The table it is imported for, as some files have none.
    counted_table: int = 1

    @property
    def session(self) -> tuple[Any, str, int]:
        return self.date, self.meeting, self.counted_table


@dataclass(frozen=True)
class Fault:
    """A cell that cannot be read; `text` is what it holds and `sentence` what is wrong with it."""

    cell: CellNumbers
    text: str
    sentence: str
    # Whose result it would be.
    player: str = ""


@dataclass
class SheetResults:
    """All results of the sheets; `left_out` has each total and each row that is no result, in words."""

    results: list[SheetResult] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    repeats_names: bool = False
    # Cells that were read without what stands around a name or behind a figure.
    remarks: list[str] = field(default_factory=list)
    # Why a row was left out, by the numbers of its sheet and row.
    left_rows: dict[tuple[int, int], str] = field(default_factory=dict)


def read_results(
    sheets: Sequence[Sheet], layouts: Sequence[Layout], order: str = DAY_FIRST, repeats_names: bool = False
) -> SheetResults:
    """Return the results of all sheets that are used, with the day or the month first where a date can be either.

    A row without a name may be that of the name above.
    """
    found = SheetResults(repeats_names=repeats_names)
    for number, (sheet, layout) in enumerate(zip(sheets, layouts, strict=True)):
        if layout.used and not layout.missing:
            prefix = f"{sheet.name}, " if len(sheets) > 1 and sheet.name else ""
            _SheetReader(number, sheet, layout, order, found, prefix).read()
    return found


class _SheetReader:
    """Reads the rows of one sheet in turn into `found`; `row` and `cells` are those of the row being read."""

    def __init__(self, number: int, sheet: Sheet, layout: Layout, order: str, found: SheetResults, prefix: str) -> None:
        self.number, self.sheet, self.layout = number, sheet, layout
        self.order, self.found, self.prefix = order, found, prefix
        self.rows, self.unsaved = rectangular(sheet.rows), {(row, column) for row, column in sheet.unsaved}
        self.row, self.cells = 0, self.rows[0]
        self.headings = [] if layout.header is None else self.rows[layout.header]
        self.results = layout.columns_of(RESULT)
        # Players down, dates across: the date of each column of results, and the part of that day.
        self.days: dict[int, tuple[CellNumbers, date]] = {}
        self.parts: dict[int, str] = {}
        # The last date and table number read, with their cells: they are often written once for several rows.
        self.last: dict[str, tuple[str, CellNumbers | None]] = {}
        # The number that stands alone above rows of results.
        self.table: int | None = None
        self.last_name = ""
        # How many tables without a number have been read, by day and meeting.
        self.tables: Counter = Counter()

    def read(self) -> None:
        layout = self.layout
        if layout.shape == DATES_ACROSS:
            self.go_to(layout.header or 0)
            self.read_days()
        if layout.shape in (LIST, TABLES) and "date" not in layout.columns:
            for text in date_above(layout, self.rows, self.sheet.name):
                self.last["date"] = text, None
            for row in range(layout.first_row):
                self.go_to(row)
                self.is_heading_of_rows()
        for row in range(layout.header or 0):
            self.go_to(row)
            if any(map(is_number, self.cells)) and sum(map(bool, self.cells)) > 1:
                self.leave_out("above the headings")
        read_row = {
            LIST: self.read_listed,
            TABLES: self.read_table,
            DATES_ACROSS: self.read_player,
            PLAYERS_ACROSS: self.read_day,
        }[layout.shape]
        for row in range(layout.first_row, len(self.rows)):
            self.go_to(row)
            if any(self.cells) and self.cells != self.headings:
                read_row()

    def go_to(self, row: int) -> None:
        self.row, self.cells = row, self.rows[row]

    def cell(self, column: int) -> CellNumbers:
        return CellNumbers(self.number, self.row, column)

    def text(self, meaning: str) -> str:
        return next((self.cells[column] for column in self.layout.columns_of(meaning)), "")

    @property
    def first_text(self) -> str:
        return next(filter(None, self.cells), "")

    @property
    def name(self) -> str:
        return self.text("player") or " ".join(filter(None, (self.text("first"), self.text("last"))))

    def add_fault(self, cell: CellNumbers, text: str, sentence: str, player: str = "") -> None:
        self.found.faults.append(Fault(cell, text, sentence, player))

    def add_result(self, column: int, when: tuple[CellNumbers | None, date], **facts: Any) -> None:
        date_cell, day = when
        self.found.results.append(SheetResult(self.cell(column), date_cell, day, **facts))

    def leave_out(self, why: str) -> None:
        shown = ", ".join(filter(None, self.cells))[:60]
        self.found.left_out.append(f"{self.prefix}row {self.row + 1}: {shown} ({why})")
        self.found.left_rows[self.number, self.row] = why

    def read_date(self, cell: CellNumbers | None, text: str) -> date | None:
        if not text:
            self.add_fault(self.cell_of("date"), "", "the date is missing. Enter it like 12/11/2026.")
            return None
        try:
            return read_date(text, self.order, self.layout.years)
        except ValueError as error:
            self.add_fault(cell or CellNumbers(self.number, 0, 0), text, f"the date is “{text[:40]}”, {error}")
            return None

    def read_figure(self, column: int, what: str, player: str = "") -> int | None:
        """Return the number of a cell; None where it is empty, or cannot be read and is kept as a fault."""
        text = self.cells[column]
        if not text and (self.row, column) in self.unsaved:
            sentence = f"{what} is a formula without a saved result. Enter it, or save the file again."
            self.add_fault(self.cell(column), text, sentence, player)
            return None
        figure = without_remark(text)
        try:
            number = read_number(figure)
        except ValueError as error:
            self.add_fault(self.cell(column), text, f"{what} is “{text[:40]}”, {error}", player)
            return None
        if figure != text:
            self.found.remarks.append(text)
        return number

    def person(self, text: str) -> tuple[str, bool]:
        """Return a name and whether it is a guest's, and note what was left away from it."""
        if without_remarks(text) != text:
            self.found.remarks.append(text)
        return read_name(text)

    def read_name(self, text: str) -> tuple[str, bool] | None:
        """Return the player, and whether a guest; None if the text is not a name: then the row is left out."""
        if is_total(text) or not any(letter.isalpha() for letter in text) or ERROR.match(text):
            self.leave_out("a total" if is_total(text) else "no name")
            return None
        return self.person(text)

    def read_guest(self) -> bool:
        text = self.text("guest")
        try:
            return yes_of(text)
        except ValueError as error:
            self.add_fault(self.cell(self.layout.columns_of("guest")[0]), text, str(error))
            return False

    # Players down, dates across.

    def read_days(self) -> None:
        self.days = {}
        for column in self.results:
            text, cell = self.cells[column], self.cell(column)
            if text and (day := self.read_date(cell, text)):
                self.days[column] = cell, day
        # Two columns of one day are two meetings, if their headings say so.
        times = Counter(day for _, day in self.days.values())
        self.parts = {
            column: part_of_day(self.cells[column]) for column, (_, day) in self.days.items() if times[day] > 1
        }

    def read_player(self) -> None:
        dates = sum(looks_like_a_date(self.cells[column]) for column in self.results)
        if dates >= 2 and dates * 2 >= len(self.results):
            self.read_days()
            return
        name = self.name
        if not name:
            if any(is_number(self.cells[column]) for column in self.days):
                self.leave_out("no name")
            elif not self.name:
                self.leave_out("not a result")
            return
        named = self.read_name(name)
        if named is None:
            return
        player, guest = named
        before = len(self.found.results) + len(self.found.faults)
        for column in self.days:
            net = self.read_figure(column, f"the result of {player}", player)
            if net is not None:
                guest, meeting = guest or self.read_guest(), self.parts.get(column, "")
                self.add_result(column, self.days[column], player=player, net=net, guest=guest, meeting=meeting)
        if before == len(self.found.results) + len(self.found.faults):
            self.leave_out("no result")

    # Dates down, players across.

    def read_day(self) -> None:
        text = self.text("date")
        if not looks_like_a_date(text) and (is_total(text) or is_total(self.first_text)):
            self.leave_out("a total")
            return
        figures = [column for column in self.results if self.cells[column]]
        if not text and not (figures and "date" in self.last):
            self.leave_out("no date")
            return
        text, cell = self.carried("date")
        day = self.read_date(cell, text)
        headings = self.layout.headings(self.rows)
        for column in figures:
            if not (heading := headings[column]):
                continue
            player, guest = self.person(heading)
            net = self.read_figure(column, f"the result of {player}", player)
            if day and net is not None:
                self.add_result(column, (cell, day), player=player, net=net, guest=guest, **self.read_details())

    # One row a result.

    def read_listed(self) -> None:
        if self.is_heading_of_rows():
            return
        name = self.name
        if not name and self.found.repeats_names and self.has_date_and_figure():
            name = self.last_name
        if not name:
            self.leave_out_nameless()
            return
        named = self.read_name(name)
        if named is None:
            return
        self.last_name = name
        player, guest = named
        if is_total(self.first_text) and not looks_like_a_date(self.first_text):
            self.leave_out("a total")
            return
        nets = self.layout.columns_of("net")
        net = self.read_figure(nets[0], f"what {player} won or lost", player) if nets else self.read_gained_and_lost()
        if net is None:
            if not nets or not self.cells[nets[0]]:
                self.leave_out("no result")
            return
        text, cell = self.carried("date")
        if day := self.read_date(cell, text):
            column = nets[0] if nets else self.layout.columns_of("gained")[0]
            facts = {"guest": guest or self.read_guest(), "table": self.table, **self.read_details()}
            if self.text("player"):
                facts["name_cell"] = self.cell_of("player")
            self.add_result(column, (cell, day), player=player, net=net, **facts)

    def has_date_and_figure(self) -> bool:
        nets = self.layout.columns_of("net")
        return looks_like_a_date(self.text("date")) and bool(nets) and is_number(self.cells[nets[0]])

    def leave_out_nameless(self) -> None:
        """Leave out a row without a name; ask about one with a date and a figure, whose name may stand above it."""
        if self.has_date_and_figure():
            columns = [column for meaning in ("player", "first", "last") for column in self.layout.columns_of(meaning)]
            self.add_fault(self.cell(columns[0]), "", NO_NAME)
            return
        why = "no name" if not lone_cell(self.cells) else "not a result"
        self.leave_out("a total" if is_total(self.first_text) else why)

    def is_heading_of_rows(self) -> bool:
        """Return whether a row has only a date or "Table 3"; then remember that for the rows below it."""
        lone = lone_cell(self.cells)
        if is_table(lone):
            self.table = table_number(lone)
            return True
        is_date = looks_like_a_date(lone)
        if is_date:
            self.last["date"] = lone, self.cell(self.cells.index(lone))
        return is_date

    def read_gained_and_lost(self) -> int | None:
        gained, lost = (self.read_figure(self.layout.columns_of(one)[0], f"points {one}") for one in ("gained", "lost"))
        return None if gained is None and lost is None else (gained or 0) - abs(lost or 0)

    # One row a table.

    def read_table(self) -> None:
        if self.is_heading_of_rows():
            return
        pairs = zip(self.layout.columns_of("player"), self.layout.columns_of("net"), strict=True)
        filled = [(column, net_column) for column, net_column in pairs if self.cells[column]]
        is_a_total = is_total(self.first_text)
        if not filled or is_a_total:
            self.leave_out("a total" if is_a_total else "no name")
            return
        text, cell = self.carried("date")
        day, details = self.read_date(cell, text), self.read_details()
        if day and "table" not in self.layout.columns:
            self.tables[day, details.get("meeting", "")] += 1
            details["table"] = self.tables[day, details.get("meeting", "")]
        for column, net_column in filled:
            named = self.read_name(self.cells[column])
            if named is None:
                continue
            player, guest = named
            net = self.read_figure(net_column, f"what {player} won or lost", player)
            if day and net is not None:
                self.add_result(net_column, (cell, day), player=player, net=net, guest=guest, **details)

    # Dates, table numbers and what else a row may have.

    def carried(self, meaning: str) -> tuple[str, CellNumbers | None]:
        """Return the text and the cell of a date or a table, or those of the last one above."""
        if text := self.text(meaning):
            self.last[meaning] = text, self.cell_of(meaning)
        return self.last.get(meaning, ("", self.cell_of(meaning)))

    def cell_of(self, meaning: str) -> CellNumbers:
        return self.cell(next(iter(self.layout.columns_of(meaning)), 0))

    def read_details(self) -> dict[str, Any]:
        """Return what the optional columns of a row say, by their meaning."""
        found: dict[str, Any] = {}
        for meaning in DETAILS:
            lowest, highest = LIMITS[meaning]
            for column in self.layout.columns_of(meaning):
                text = self.carried(meaning)[0] if meaning == "table" else self.cells[column]
                try:
                    number = _read_detail(meaning, text)
                except ValueError:
                    what = f"“{text[:40]}”, which is not a whole number. Enter it like 3, or leave it blank."
                    self.add_fault(self.cell(column), text, f"{meaning} is {what}")
                    continue
                if number is not None and not lowest <= number <= highest:
                    sentence = f"{meaning} is {number}. Enter a number from {lowest} to {highest}."
                    self.add_fault(self.cell(column), self.cells[column], sentence)
                elif number is not None:
                    found[meaning] = number
        return found | {
            key: stored_value(key, text) for key in ("meeting", "rules", "recording") if (text := self.text(key))
        }


def _read_detail(meaning: str, text: str) -> int | None:
    """Read a whole number: "Table 3" is 3, table B is 2 and the seat East is 1."""
    plain = text.casefold().strip()
    if meaning == "table":
        plain = plain.removeprefix("table").strip()
        if found := table_number(text):
            return found
        if re.fullmatch("[a-z]", plain):
            return ord(plain) - ord("a") + 1
    if meaning == "seat" and plain in WINDS:
        return "eswn".index(plain[0]) + 1
    return read_number(plain)
