"""Read a club's sheets into results: first which cells belong together, then what they say. No database here."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Any

from sessions_app.exchange.imports.sheet_shapes import (
    DATES_ACROSS,
    LEFT_OUT,
    LIST,
    MEANINGS,
    PLAYERS_ACROSS,
    RESULT,
    TABLES,
    WINDS,
    Layout,
    is_table,
    lone_cell,
    table_number,
)
from sessions_app.exchange.imports.sheet_values import (
    Years,
    date_in,
    figure_of,
    has_year,
    is_number,
    is_total,
    looks_like_a_date,
    part_of_day,
    read_date,
    read_figure,
    read_name,
    read_number,
    turns_the_year,
    without_remark,
    without_remarks,
    yes_of,
)
from sessions_app.exchange.imports.spreadsheet_reader import NO_VALUE
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Sheet, rectangular
from sessions_app.exchange.imports.totals_file import LIMITS, STRAIGHT, TotalsRow, is_export, stored_value

# What a spreadsheet shows where a formula has no result.
ERROR = re.compile(r"#[A-Z/0]+[?!]?\Z")
NO_DATES = (
    "Choose the column with the dates, or enter one day below. Above columns of results, your file needs whole dates, "
    "such as 4/9/26."
)
WORDS = ("meeting", "rules", "recording", "league")


@dataclass(frozen=True)
class Entry:
    """The cells that make one result, as text; `name_cell` is None where a heading names the player."""

    cell: CellNumbers
    figure: str
    name: str
    name_cell: CellNumbers | None
    date: str
    date_cell: CellNumbers | None
    # What else the row says, by its meaning, with its cell.
    details: dict[str, tuple[CellNumbers, str]]


@dataclass
class ReadSheet:
    """One sheet as its layout reads it: the entries, and why each other row was left out."""

    number: int
    sheet: Sheet
    layout: Layout
    rows: list[list[str]]
    entries: list[Entry] = field(default_factory=list)
    left_rows: dict[int, str] = field(default_factory=dict)
    # The dates above columns of results.
    days: list[str] = field(default_factory=list)

    @property
    def is_read(self) -> bool:
        return self.layout.used and not self.missing

    @cached_property
    def is_export(self) -> bool:
        return is_export(self.layout.headings(self.rows))

    @cached_property
    def dates(self) -> list[str]:
        return list(dict.fromkeys([*self.days, *(entry.date for entry in self.entries if entry.date)]))

    @property
    def lacks_dates(self) -> bool:
        """Return whether nothing says on which days these results were made."""
        is_undated = "year" in map(str.casefold, self.layout.headings(self.rows)) and self.needs_years
        return not any(map(looks_like_a_date, self.dates)) and "date" not in self.layout.columns or is_undated

    @property
    def needs_years(self) -> bool:
        return not all(map(has_year, self.dates))

    @property
    def years(self) -> Years | None:
        """The years of dates without one: a title of 2024 has 8 January too, if 4 December is before it."""
        years = self.layout.years
        turns = years and years.first == years.last and turns_the_year(self.dates)
        return Years(years.first, years.first + 1) if years and turns else years

    @property
    def title(self) -> str:
        return next(filter(None, (" ".join(filter(None, row)) for row in self.rows[: self.layout.header or 0])), "")

    @property
    def missing(self) -> list[str]:
        """Sentences about columns that are needed but not chosen, or chosen twice."""
        shape, columns = self.layout.shape, Counter(self.layout.columns)
        if not self.layout.used:
            return []
        needed = {
            "Choose the column with the players’ names.": shape == PLAYERS_ACROSS
            or bool({"player", "first", "last"} & set(columns)),
            NO_DATES: not self.lacks_dates,
            "Choose one column with what was won or lost for each column with a player.": shape != TABLES
            or columns["player"] == columns["net"],
            "Choose the column with what each player won or lost.": shape != LIST
            or bool(columns["net"] or (columns["gained"] and columns["lost"])),
            "Choose the columns with results.": shape in (LIST, TABLES) or bool(columns[RESULT]),
        }
        several = {LEFT_OUT, RESULT} | ({"player", "net"} if shape == TABLES else set())
        twice = [key for key, number in columns.items() if number > 1 and key not in several]
        found = [sentence for sentence, is_here in needed.items() if not is_here]
        return found + [f"Choose “{MEANINGS[key]}” for one column only." for key in twice]


def read_sheet(number: int, sheet: Sheet, layout: Layout) -> ReadSheet:
    return _Reader(number, sheet, layout).read()


class _Reader:
    """Reads the rows of one sheet in turn; `row` and `cells` are those of the row being read."""

    def __init__(self, number: int, sheet: Sheet, layout: Layout) -> None:
        self.number, self.layout, self.rows = number, layout, rectangular(sheet.rows)
        self.read_sheet = ReadSheet(number, sheet, layout, self.rows)
        self.row, self.cells = 0, self.rows[0]
        self.headings = layout.headings(self.rows)
        # The dates and table numbers above, with their cells: they are often written once for several rows.
        self.last: dict[str, tuple[CellNumbers | None, str]] = {}
        self.days: dict[int, tuple[CellNumbers | None, str]] = {}
        names = [date_in(sheet.name)] if layout.shape in (LIST, TABLES) and "date" not in layout.columns else []
        if any(names):
            self.last["date"] = None, names[0]

    def read(self) -> ReadSheet:
        for row, cells in enumerate(self.rows):
            self.row, self.cells = row, cells
            if self.row < self.layout.first_row:
                self.read_above()
            elif any(self.cells) and not (self.layout.header is not None and self.cells == self.headings):
                self.read_row()
        return self.read_sheet

    def read_above(self) -> None:
        """Read a row above the results: a title may have the date, and the headings dates."""
        if self.row == self.layout.header:
            self.go_on_with(self.days_here())
        elif self.layout.shape in (LIST, TABLES) and "date" not in self.layout.columns:
            lone = lone_cell(self.cells)
            if text := date_in(lone):
                self.last["date"] = self.cell(self.cells.index(lone)), text
            self.read_table_number(lone)
        if self.row != self.layout.header and any(map(is_number, self.cells)) and sum(map(bool, self.cells)) > 1:
            self.leave_out("above the headings")

    def days_here(self) -> dict[int, tuple[CellNumbers | None, str]]:
        columns = self.layout.columns_of(RESULT) if self.layout.shape == DATES_ACROSS else []
        return {column: (self.cell(column), self.cells[column]) for column in columns if self.cells[column]}

    def go_on_with(self, days: dict[int, tuple[CellNumbers | None, str]]) -> None:
        self.days = days
        self.read_sheet.days += [text for _, text in days.values()]

    def read_table_number(self, lone: str) -> bool:
        if is_table(lone):
            self.last["table"] = self.cell(self.cells.index(lone)), lone
        return is_table(lone)

    def read_row(self) -> None:
        shape, lone = self.layout.shape, lone_cell(self.cells)
        if shape in (LIST, TABLES) and (looks_like_a_date(lone) or is_table(lone)):
            if not self.read_table_number(lone):
                self.last["date"] = self.cell(self.cells.index(lone)), lone
            return
        here = self.days_here()
        dates = sum(looks_like_a_date(text) for _, text in here.values())
        if dates >= 2 and dates * 2 >= len(self.layout.columns_of(RESULT)):
            # Further down the dates may change.
            self.go_on_with(here)
            return
        first = next(filter(None, self.cells))
        is_of_total = is_total(first) and not (looks_like_a_date(first) or is_table(first))
        pairs = [] if is_of_total else list(self.pairs())
        before = len(self.read_sheet.entries)
        details = self.details()
        for column, name, name_cell, (date_cell, day) in pairs:
            if self.cells[column] or self.read_sheet.is_export:
                facts = name, name_cell, day, date_cell, details
                self.read_sheet.entries.append(Entry(self.cell(column), self.cells[column], *facts))
        if before == len(self.read_sheet.entries):
            self.leave_out("a total" if is_of_total else self.why_none(bool(pairs)))

    def pairs(self) -> Iterator[tuple[int, str, CellNumbers | None, tuple[CellNumbers | None, str]]]:
        """Yield each column of a figure with the name and the date that belong to it."""
        layout, shape = self.layout, self.layout.shape
        if shape == PLAYERS_ACROSS:
            columns = [column for column in layout.columns_of(RESULT) if self.headings[column]]
            if self.text("date") or ("date" in self.last and any(self.cells[column] for column in columns)):
                day = self.carried("date")
                yield from ((column, self.headings[column], None, day) for column in columns)
            return
        names = layout.columns_of("player") or [*layout.columns_of("first"), *layout.columns_of("last")]
        if shape == TABLES:
            day = self.carried("date")
            for named, column in zip(names, layout.columns_of("net"), strict=False):
                if is_name(self.cells[named]):
                    yield column, self.cells[named], self.cell(named), day
            return
        name = " ".join(filter(None, (self.cells[column] for column in names)))
        nets = layout.columns_of("net") or layout.columns_of("gained")
        is_nameless = shape == LIST and not name and looks_like_a_date(self.text("date"))
        has_figure = any(is_number(self.cells[column]) for column in nets)
        if not (is_name(name) or (is_nameless and has_figure) or self.read_sheet.is_export):
            return
        name_cell = self.cell(names[0]) if names else None
        if shape == DATES_ACROSS:
            yield from ((column, name, name_cell, day) for column, day in self.days.items())
            return
        day = self.carried("date")
        if not layout.columns_of("net") and not any(self.cells[column] for column in nets):
            nets = layout.columns_of("lost")
        yield from ((column, name, name_cell, day) for column in nets)

    def why_none(self, has_names: bool) -> str:
        if has_names:
            return "no result"
        name = self.text("player") or self.text("date")
        if is_total(name):
            return "a total"
        if self.layout.shape == PLAYERS_ACROSS:
            return "no date"
        return "not a result" if lone_cell(self.cells) or not any(map(is_number, self.cells)) else "no name"

    def leave_out(self, why: str) -> None:
        self.read_sheet.left_rows[self.row] = why

    def details(self) -> dict[str, tuple[CellNumbers, str]]:
        found: dict[str, Any] = {}
        for meaning in (*LIMITS, *WORDS, "guest", "gained", "lost", "balance"):
            for column in self.layout.columns_of(meaning):
                found[meaning] = self.cell(column), self.cells[column]
        if "table" in found or "table" in self.last:
            found["table"] = self.carried("table")
        return found

    def carried(self, meaning: str) -> tuple[CellNumbers | None, str]:
        """Return the cell and the text of a date or a table, or those of the last one above."""
        for column in self.layout.columns_of(meaning):
            if self.cells[column]:
                self.last[meaning] = self.cell(column), self.cells[column]
        return self.last.get(meaning, (self.cell(next(iter(self.layout.columns_of(meaning)), 0)), ""))

    def cell(self, column: int) -> CellNumbers:
        return CellNumbers(self.number, self.row, column)

    def text(self, meaning: str) -> str:
        return next((self.cells[column] for column in self.layout.columns_of(meaning)), "")


def is_name(text: str) -> bool:
    return any(map(str.isalpha, text)) and not (is_total(text) or ERROR.match(text))


# What the cells say.


@dataclass(frozen=True, kw_only=True)
class SheetResult(TotalsRow):
    """What one figure says of one player on one day, with its cells; None or "" where the file does not say it."""

    cell: CellNumbers
    date_cell: CellNumbers | None
    # As it is written; `net` has it as points.
    figure: Decimal
    table: Any = None
    rules: str = ""
    recording: str = ""
    # The cell of the name, where a row is one result.
    name_cell: CellNumbers | None = None
    # The table it is imported for, as some files have none.
    counted_table: int = 1


@dataclass(frozen=True)
class Fault:
    """A cell that cannot be read; `text` is what it holds and `sentence` what is wrong with it."""

    cell: CellNumbers
    text: str
    sentence: str
    # Whose result it would be.
    player: str = ""


# Round each figure, or count in its smallest part.
ROUNDED, COUNTED = "round", "count"


@dataclass(frozen=True)
class Reading:
    """How the cells are read: the order of the dates, what becomes of decimals, and of rows without a name."""

    order: str
    decimals: str = COUNTED
    places: int = 0
    repeats_names: bool = False

    def points(self, figure: Decimal) -> int:
        scaled = figure * 10**self.places if self.decimals == COUNTED else figure
        return int(scaled.quantize(Decimal(1), ROUND_HALF_UP))


@dataclass
class SheetResults:
    """All results of the sheets, cells that cannot be read, and those read without what is around them."""

    results: list[SheetResult] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


class Unreadable(ValueError):
    def __init__(self, cell: CellNumbers, text: str, sentence: str) -> None:
        super().__init__(sentence)
        self.cell, self.text = cell, text


def results_of(sheets: Iterable[ReadSheet], reading: Reading) -> SheetResults:
    """Return what the entries of these sheets say; every fault is kept with its cell."""
    found = SheetResults()
    for sheet in sheets:
        if sheet.is_read:
            _read_entries(sheet, reading, found)
    return found


def _read_entries(sheet: ReadSheet, reading: Reading, found: SheetResults) -> None:
    first, name = len(found.results), ""
    for entry in sheet.entries:
        name = entry.name or (name if reading.repeats_names else "")
        if not name and entry.name_cell:
            continue
        if without_remarks(name) != name and not sheet.is_export:
            found.remarks.append(name)
        player, guest = (name, False) if sheet.is_export else read_name(name)
        try:
            if (figure := _figure_of(entry, player, sheet, found)) is None:
                continue
            date_cell = entry.date_cell or CellNumbers(sheet.number, 0, 0)
            day = _read(date_cell, "the date", entry.date, lambda text: read_date(text, reading.order, sheet.years))
            result = SheetResult(
                line=entry.cell.row + 1,
                cell=entry.cell,
                date_cell=entry.date_cell,
                date=day,
                player=player,
                figure=figure,
                net=reading.points(figure),
            )
            facts = _details_of(entry, reading, found)
            facts |= _agreeing(entry, facts, result.net, sheet, reading)
        except Unreadable as fault:
            # A date above a column is one fault, whoever has results there.
            is_own = fault.cell == entry.cell
            kept = Fault(fault.cell, fault.text, str(fault), player if is_own else "")
            found.faults += [] if kept in found.faults else [kept]
            continue
        if sheet.layout.shape == LIST and "player" in sheet.layout.columns:
            facts["name_cell"] = entry.name_cell
        facts["guest"] = guest or facts.get("guest", False)
        found.results.append(replace(result, **facts))
    found.results[first:] = _with_tables(sheet, found.results[first:])


def _with_tables(sheet: ReadSheet, results: list[SheetResult]) -> Iterator[SheetResult]:
    """Yield results with what their places say: two columns of one day are two meetings, a row may be a table."""
    columns: dict[date, set[CellNumbers | None]] = defaultdict(set)
    rows: dict[tuple[date, str], dict[int, int]] = defaultdict(dict)
    for result in results:
        columns[result.date].add(result.date_cell)
    for result in results:
        if sheet.layout.shape == DATES_ACROSS and len(columns[result.date]) > 1 and result.date_cell:
            at = result.date_cell
            yield replace(result, meeting=part_of_day(sheet.rows[at.row][at.column]))
        elif sheet.layout.shape == TABLES and "table" not in sheet.layout.columns:
            here = rows[result.date, result.meeting]
            yield replace(result, table=here.setdefault(result.cell.row, len(here) + 1))
        else:
            yield result


def _read(cell: CellNumbers, what: str, text: str, read: Any) -> Any:
    try:
        if not text and what == "the date":
            raise Unreadable(cell, "", "the date is missing. Enter it like 12/11/2026.")
        return read(text)
    except Unreadable:
        raise
    except ValueError as error:
        raise Unreadable(cell, text, f"{what} is “{text[:40]}”, {error}") from None


def _figure_of(entry: Entry, player: str, sheet: ReadSheet, found: SheetResults) -> Decimal | None:
    layout = sheet.layout
    is_grid = layout.shape in (DATES_ACROSS, PLAYERS_ACROSS)
    what = f"the result of {player}" if is_grid else f"what {player} won or lost"
    if entry.figure == NO_VALUE:
        sentence = f"{what} is a formula without a saved result. Enter it, or save the file again."
        raise Unreadable(entry.cell, entry.figure, sentence)
    plain = entry.figure if sheet.is_export else without_remark(entry.figure)
    if not plain and sheet.is_export:
        raise Unreadable(entry.cell, "", f"{what} is missing. Enter it like 120 or -120.")
    if plain != entry.figure:
        found.remarks.append(entry.figure)
    if is_grid or "net" in layout.columns:
        return _read(entry.cell, what, plain, read_figure)
    is_lost = layout.columns[entry.cell.column] == "lost"
    gained = None if is_lost else _read(entry.cell, "points gained", plain, read_figure)
    cell, text = entry.details["lost"]
    lost = _read(cell, "points lost", text, read_figure)
    return None if gained is None and lost is None else (gained or Decimal(0)) - abs(lost or Decimal(0))


def _details_of(entry: Entry, reading: Reading, found: SheetResults) -> dict[str, Any]:
    """Return what the optional columns of a row say, by their meaning; what cannot be read is kept as a fault."""
    facts: dict[str, Any] = {}
    for meaning, (cell, text) in entry.details.items():
        try:
            if meaning in WORDS:
                facts[meaning] = stored_value(meaning, text)
            elif meaning == "guest":
                facts[meaning] = yes_of(text)
            elif meaning in LIMITS:
                facts[meaning] = _whole_number(meaning, text)
            elif meaning == "balance" and (figure := read_figure(text)) is not None:
                facts[meaning] = reading.points(figure)
        except ValueError as error:
            fault = Fault(cell, text, str(error))
            found.faults += [] if fault in found.faults else [fault]
    return facts


def _agreeing(
    entry: Entry, facts: Mapping[str, Any], net: int, sheet: ReadSheet, reading: Reading
) -> dict[str, int | None]:
    """Return what was won, gained and lost as far as it agrees with the hands and the net.

    What Export wrote always does, so a contradiction there has to be put right.
    """
    found: dict[str, int | None] = {}
    hands, won = facts.get("hands"), facts.get("won")
    if hands is not None and won is not None and won > hands:
        found["won"] = None
        if sheet.is_export:
            raise Unreadable(*entry.details["won"], f"hands won is {won}, but only {hands} were played.")
    figures = {name: figure_of(entry.details[name][1]) for name in ("gained", "lost") if name in entry.details}
    given = {name: reading.points(figure) for name, figure in figures.items() if figure is not None}
    if not given or "net" not in sheet.layout.columns:
        return found
    # If only one of them is given, the net says the other.
    lost = -abs(given["lost"]) if "lost" in given else net - given["gained"]
    gained = given.get("gained", net - lost)
    if gained + lost == net and gained >= 0 >= lost:
        return found | {"gained": gained, "lost": lost}
    if sheet.is_export and facts.get("recording") != STRAIGHT:
        words = " and ".join(f"{name} {entry.details[name][1]}" for name in given)
        raise Unreadable(entry.cell, entry.figure, f"the result is {net}, which contradicts {words}.")
    return found


def _whole_number(meaning: str, text: str) -> int | None:
    """Read a whole number: "Table 3" is 3, table B is 2 and the seat East is 1."""
    plain = text.casefold().strip()
    if meaning == "table":
        plain = str(table_number(text) or plain.removeprefix("table").strip())
    if (meaning == "table" and re.fullmatch("[a-z]", plain)) or (meaning == "seat" and plain in WINDS):
        letters = "abcdefghijklmnopqrstuvwxyz" if meaning == "table" else "eswn"
        return letters.index(plain[0]) + 1
    try:
        number = read_number(plain)
    except ValueError:
        what = f"“{text[:40]}”, which is not a whole number. Enter it like 3, or leave it blank."
        raise ValueError(f"{meaning} is {what}") from None
    lowest, highest = LIMITS[meaning]
    if number is not None and not lowest <= number <= highest:
        raise ValueError(f"{meaning} is {number}. Enter a number from {lowest} to {highest}.")
    return number
