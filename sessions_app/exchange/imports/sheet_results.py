"""Read a club's sheets into results, by the layouts chosen; every fault is kept with its cell. No database here."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from sessions_app.exchange.imports.sheet_shapes import (
    DATES_ACROSS,
    LIST,
    PLAYERS_ACROSS,
    RESULT,
    Layout,
    lone_cell,
)
from sessions_app.exchange.imports.sheet_text import yes_of
from sessions_app.exchange.imports.sheet_values import (
    DAY_FIRST,
    is_number,
    is_total,
    looks_like_a_date,
    read_date,
    read_name,
    read_number,
)
from sessions_app.exchange.imports.spreadsheets import Sheet


class Cell(NamedTuple):
    """A cell by the places of its sheet, row and column, all counted from 0."""

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
    told_totals: list[tuple[Cell, str, int]] = field(default_factory=list)


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
        return next((self.at(place) for place in self.layout.places(meaning)), "")

    def at(self, place: int) -> str:
        return self.cells[place] if place < len(self.cells) else ""

    @property
    def name(self) -> str:
        return self.text("player") or " ".join(filter(None, (self.text("first"), self.text("last"))))


class _SheetReader:
    def __init__(
        self, number: int, sheet: Sheet, layout: Layout, order: str, found: SheetResults, is_one_of_many: bool
    ) -> None:
        self.number, self.sheet, self.layout, self.order, self.found = number, sheet, layout, order, found
        self.place = f"{sheet.name}, " if is_one_of_many and sheet.name else ""
        header = layout.header
        self.headings = sheet.rows[header] if header is not None else []
        self.days: dict[int, tuple[Cell, date]] = {}
        self.last: dict[str, tuple[str, Cell]] = {}

    def read(self) -> None:
        if self.layout.shape == DATES_ACROSS:
            self.read_days(self.layout.header or 0, self.headings)
        if self.layout.shape == LIST and not self.layout.places("date"):
            for number, cells in enumerate(self.sheet.rows[: self.layout.first_row]):
                self.is_day_of_its_own(number, cells)
        read = {LIST: self.read_listed, DATES_ACROSS: self.read_player, PLAYERS_ACROSS: self.read_day}
        for number in range(self.layout.first_row, len(self.sheet.rows)):
            cells = self.sheet.rows[number]
            if any(cells) and list(cells) != list(self.headings):
                read[self.layout.shape](_Row(number, cells, self.layout))

    def cell(self, row: int, place: int) -> Cell:
        return Cell(self.number, row, place)

    def fault(self, cell: Cell, text: str, sentence: str) -> None:
        self.found.faults.append(Fault(cell, text, sentence))

    def leave_out(self, row: _Row, why: str) -> None:
        shown = ", ".join(filter(None, row.cells))[:60]
        self.found.left_out.append(f"{self.place}row {row.number + 1}: {shown} ({why})")

    def day(self, cell: Cell, text: str) -> date | None:
        try:
            return read_date(text, self.order, self.layout.years)
        except ValueError as error:
            self.fault(cell, text, f"the date is “{text[:40]}”, {error}")
            return None

    def figure(self, row: _Row, place: int, what: str) -> int | None:
        """Return the number of a cell; None where it is empty, or cannot be read and is kept as a fault."""
        text = row.at(place)
        try:
            return read_number(text)
        except ValueError as error:
            self.fault(self.cell(row.number, place), text, f"{what} is “{text[:40]}”, {error}")
            return None

    def name(self, row: _Row) -> tuple[str, bool] | None:
        """Return the player of a row and whether a guest; None where the row is left out."""
        if not row.name:
            return None
        if is_total(row.name):
            self.leave_out(row, "a total")
            return None
        return read_name(row.name)

    # Players down, dates across.

    def read_days(self, number: int, cells: Sequence[str]) -> None:
        self.days = {}
        for place in self.layout.places(RESULT):
            text = cells[place] if place < len(cells) else ""
            cell = self.cell(number, place)
            if text and (day := self.day(cell, text)):
                self.days[place] = cell, day

    def read_player(self, row: _Row) -> None:
        dates = [place for place in self.layout.places(RESULT) if looks_like_a_date(row.at(place))]
        if len(dates) >= 2 and len(dates) * 2 >= len(self.layout.places(RESULT)):
            self.read_days(row.number, row.cells)
            return
        named = self.name(row)
        if named is None:
            if not row.name and any(is_number(row.at(place)) for place in self.days):
                self.leave_out(row, "no name")
            elif row.name == "" and any(row.cells):
                self.leave_out(row, "not a result")
            return
        nets = {place: self.figure(row, place, f"the result of {named[0]}") for place in self.days}
        for place, net in nets.items():
            if net is not None:
                cell, day = self.days[place]
                guest = named[1] or self.is_guest(row)
                self.add(row, place, date_cell=cell, date=day, player=named[0], net=net, guest=guest)
        for place, heading in enumerate(self.headings):
            if heading.strip().casefold() in ("total", "totals", "net", "sum") and is_number(row.at(place)):
                told = self.cell(row.number, place), named[0], read_number(row.at(place))
                self.found.told_totals.append(told)

    # Dates down, players across.

    def read_day(self, row: _Row) -> None:
        [place] = self.layout.places("date")
        text = row.at(place)
        if not looks_like_a_date(text) and (is_total(text) or is_total(next(filter(None, row.cells), ""))):
            self.leave_out(row, "a total")
            return
        figures = [at for at in self.layout.places(RESULT) if row.at(at)]
        if not text and not (figures and "date" in self.last):
            self.leave_out(row, "no date")
            return
        text, cell = self.carried("date", row, place)
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
        """Return whether a row has only a date, which is then that of the rows below it."""
        lone = lone_cell(cells)
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
        places = self.layout.places("net")
        net = self.figure(row, places[0], f"what {named[0]} won or lost") if places else self.gained_and_lost(row)
        if net is None:
            if not places or not row.at(places[0]):
                self.leave_out(row, "no result")
            return
        date_places = self.layout.places("date")
        if date_places or "date" in self.last:
            text, cell = self.carried("date", row, date_places[0] if date_places else None)
        else:
            text, cell = "", self.cell(row.number, 0)
        if not text:
            self.fault(cell, "", "the date is missing. Enter it like 12/11/2026.")
            return
        if day := self.day(cell, text):
            guest = named[1] or self.is_guest(row)
            at = places[0] if places else self.layout.places("gained")[0]
            self.add(row, at, date_cell=cell, date=day, player=named[0], net=net, guest=guest, **self.about(row))

    def gained_and_lost(self, row: _Row) -> int | None:
        told = [self.figure(row, self.layout.places(one)[0], f"points {one}") for one in ("gained", "lost")]
        if told == [None, None]:
            return None
        return (told[0] or 0) - abs(told[1] or 0)

    def is_guest(self, row: _Row) -> bool:
        text = row.text("guest")
        try:
            return yes_of(text)
        except ValueError as error:
            self.fault(self.cell(row.number, self.layout.places("guest")[0]), text, str(error))
            return False

    def carried(self, meaning: str, row: _Row, place: int | None) -> tuple[str, Cell]:
        """Return a cell's text, or the last one above it: a date often stands once above its rows."""
        if place is not None and row.at(place):
            self.last[meaning] = row.at(place), self.cell(row.number, place)
        return self.last.get(meaning, ("", self.cell(row.number, place or 0)))

    def about(self, row: _Row) -> dict[str, Any]:
        """Return the optional cells of a row."""
        found: dict[str, Any] = {}
        for meaning, (lowest, highest) in LIMITS.items():
            for place in self.layout.places(meaning):
                text = self.carried(meaning, row, place)[0] if meaning == "table" else row.at(place)
                number = self.optional(row, place, meaning, text)
                if number is not None and not lowest <= number <= highest:
                    told = f"{meaning} is {number}. Enter a number from {lowest} to {highest}."
                    self.fault(self.cell(row.number, place), row.at(place), told)
                elif number is not None:
                    found[meaning] = number
        for meaning in ("meeting", "rules", "recording"):
            if text := row.text(meaning):
                found[meaning] = text
        return found

    def optional(self, row: _Row, place: int, meaning: str, text: str) -> int | None:
        # "Table 3" is 3.
        plain = text.casefold().removeprefix("table").strip() if meaning == "table" else text
        try:
            return read_number(plain)
        except ValueError:
            told = f"{meaning} is “{text[:40]}”, which is not a whole number. Enter it like 3, or leave it blank."
            self.fault(self.cell(row.number, place), text, told)
            return None

    def add(self, row: _Row, place: int, **told: Any) -> None:
        self.found.results.append(SheetResult(self.cell(row.number, place), **told))


LIMITS = {
    "table": (1, 999),
    "seat": (1, 5),
    "hands": (0, 9999),
    "won": (0, 9999),
    "balance": (-99_999_999, 99_999_999),
}
