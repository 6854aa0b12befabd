"""Read a .csv, .xlsx or .ods file, or cells that were pasted, into sheets of text. No database here.

What is read is bounded in bytes, cells, letters and unpacked size, and files that are not text in time and memory too:
spreadsheet_reader.py opens them in a process of its own.
"""

import csv
import io
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from sessions_app.exchange.exports.csv_files import unguarded
from sessions_app.exchange.imports import spreadsheet_reader
from sessions_app.exchange.imports.sheet_values import ImportRefused, separator_of, text_of
from sessions_app.exchange.imports.spreadsheet_reader import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_LETTERS,
    MAX_ROWS,
    MAX_SHEETS,
    MAX_UNPACKED,
    OLE,
    SECONDS,
)
from sessions_app.people.plain_text import plain_name, without_controls

NAMED_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.I)
# What a page keeps of a file, in bytes: a million letters and what holds them together.
MAX_KEPT = 1_500_000
# Columns of all sheets, each a field on the page; and cells with the blank ones between them.
MAX_WIDTHS, MAX_AREA = 1_200, 500_000

TOO_LARGE = (
    f"Choose a smaller file: at most {MAX_ROWS:,} rows, {MAX_COLUMNS} columns, {MAX_CELLS:,} cells and a million "
    "letters. You can copy the results alone into a new file, or import some sheets at a time."
)

LOST = "Choose the file again. This page has lost it."
UNREADABLE = "Choose another file. This one is damaged, or is not a spreadsheet."
OTHER_KIND = "Choose an .xlsx, .ods or .csv file. In your spreadsheet, save this one as .xlsx."
EMPTY = "Choose another file. This one is empty."
BUSY = "Choose the file again in a minute. Other files are being read just now."

TOO_HEAVY = (
    "Choose another file. This one takes too long to read. In your spreadsheet, copy the results into a new file, or "
    "save this one as .csv."
)

REFUSALS = {
    spreadsheet_reader.TOO_LARGE: TOO_LARGE,
    spreadsheet_reader.TOO_MUCH: (
        f"Choose a smaller file. Unpacked, this one has more than {MAX_UNPACKED // 1_000_000} MB. In your spreadsheet, "
        "save it as .csv."
    ),
    spreadsheet_reader.MACROS: (
        "Choose a file without macros. In your spreadsheet, save this one as .xlsx or .ods, without its macros."
    ),
    spreadsheet_reader.PASSWORD: "Choose a file without a password. In your spreadsheet, save this one without it.",
    spreadsheet_reader.UNREADABLE: UNREADABLE,
    spreadsheet_reader.UNKNOWN: OTHER_KIND,
}


@dataclass(frozen=True)
class Sheet:
    """One sheet: its name, and its rows of text from the first one on, blank ones included.

    The numbers of rows and columns that the file hides are counted from 0; they are read like the others.
    """

    name: str
    rows: list[list[str]]
    hidden_rows: Sequence[int] = ()
    hidden_columns: Sequence[int] = ()


class CellNumbers(NamedTuple):
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
    before, last = divmod(column, 26)
    return (column_letters(before - 1) if before else "") + chr(ord("A") + last)


@dataclass(frozen=True)
class Workbook:
    """What was read."""

    sheets: list[Sheet]
    # Hidden sheets that were left out, each with its number of figures.
    hidden_sheets: list[tuple[str, int]] = field(default_factory=list)

    def as_text(self) -> str:
        """Return the sheets as a page keeps them, so that the file is chosen once."""
        kept = {"sheets": [*map(asdict, self.sheets)], "hidden_sheets": self.hidden_sheets}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))

    @property
    def notes(self) -> list[str]:
        return [f"The hidden sheet “{name}” was left out." for name, _ in self.hidden_sheets]

    def text(self, cell: CellNumbers) -> str:
        row = self.sheets[cell.sheet].rows[cell.row]
        return row[cell.column] if cell.column < len(row) else ""

    def where(self, cell: CellNumbers) -> str:
        """Return where a cell is, in words: with the name of its sheet if there are several."""
        name = self.sheets[cell.sheet].name
        return f"{name}, cell {cell.name}" if len(self.sheets) > 1 and name else f"Cell {cell.name}"


def read_workbook(content: bytes) -> Workbook:
    """Return the sheets of a file, known by what is in it; ImportRefused where it cannot be read or is too large."""
    if content.startswith((b"PK\x03\x04", OLE)):
        return _opened(content)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return read_text(content.decode("utf-16", errors="replace"))
    return read_text(text_of(content))


def read_text(text: str) -> Workbook:
    """Return what was pasted, or the text of a CSV file, as one sheet."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:9].lower().startswith(("<!doctype", "<html", "<table", "<?xml")):
        raise ImportRefused(OTHER_KIND)
    if any(letter < " " and letter not in "\t\r\n\f\v" for letter in text):
        raise ImportRefused(UNREADABLE)
    return bounded([Sheet("", list(_csv_rows(text)))])


def bounded(sheets: Iterable[Sheet], hidden_sheets: Iterable[Any] = ()) -> Workbook:
    """Return the sheets that hold anything, cells and rows cut at their end; ImportRefused for more than a club has."""
    kept: list[Sheet] = []
    cells = before = 0
    for sheet in sheets:
        rows: list[list[str]] = []
        for row in sheet.rows:
            row = [plain_name(unguarded(str(cell)))[:MAX_LETTERS] for cell in row]
            while row and not row[-1]:
                row.pop()
            cells += len(row)
            if len(row) > MAX_COLUMNS or cells > MAX_CELLS or (row and before + len(rows) >= MAX_ROWS):
                raise ImportRefused(TOO_LARGE)
            if len(rows) < MAX_ROWS:
                rows.append(row)
        while rows and not rows[-1]:
            rows.pop()
        before += len(rows)
        if rows:
            kept.append(replace(sheet, name=without_controls(sheet.name)[:80], rows=rows))
    if not kept:
        raise ImportRefused(EMPTY)
    widths = [max(map(len, sheet.rows)) for sheet in kept]
    area = sum(width * len(sheet.rows) for width, sheet in zip(widths, kept, strict=True))
    book = Workbook(kept, [(without_controls(str(name))[:80], int(figures)) for name, figures in hidden_sheets])
    is_large = len(kept) > MAX_SHEETS or sum(widths) > MAX_WIDTHS or area > MAX_AREA
    if is_large or len(book.as_text().encode()) > MAX_KEPT:
        raise ImportRefused(TOO_LARGE)
    return book


def rectangular(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return a copy of the rows, filled up with blank cells to the same length."""
    rows = list(rows)
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


# The workbook between two pages.


def workbook_from_text(text: str | bytes) -> Workbook:
    """Return the sheets that a page kept, or the reader wrote; ImportRefused for what neither can have made."""
    try:
        found = json.loads(text)
        sheets = [
            Sheet(
                str(sheet["name"]),
                sheet["rows"],
                [int(row) for row in sheet["hidden_rows"]],
                [int(column) for column in sheet["hidden_columns"]],
            )
            for sheet in found["sheets"]
        ]
        return bounded(sheets, found["hidden_sheets"][:MAX_SHEETS])
    except ImportRefused:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, AttributeError):
        raise ImportRefused(LOST) from None


def with_changed_cells(book: Workbook, data: Mapping[str, str]) -> Workbook:
    """Return the workbook with the cells that were changed on the page."""
    sheets = [replace(sheet, rows=[list(row) for row in sheet.rows]) for sheet in book.sheets]
    for name, text in data.items():
        kind, *numbers = name.split("-")
        if kind != "cell" or len(numbers) != 3 or not all(part.isascii() and part.isdigit() for part in numbers):
            continue
        at, row, column = (int(part[:6]) for part in numbers)
        if at < len(sheets) and row < len(sheets[at].rows) and column < MAX_COLUMNS:
            cells = sheets[at].rows[row]
            cells += [""] * (column + 1 - len(cells))
            cells[column] = plain_name(text)[:MAX_LETTERS]
    return replace(book, sheets=sheets)


# Text: the separator and the quotes that fit most lines.


def _csv_rows(text: str) -> Iterator[list[str]]:
    named = NAMED_SEPARATOR.match(text)
    text = text[named.end() :] if named else text
    # Single quotes, where they stand round several cells.
    singles = len(re.findall(r"(?:^|[,;\t|])'[^'\n]*'(?=$|[,;\t|\r])", text[:20_000], re.M))
    quote = "'" if singles > 1 and '"' not in text else '"'
    separator = named[1] if named else separator_of(text, quote)
    options: dict[str, Any] = {"delimiter": separator, "quotechar": quote, "skipinitialspace": separator != "\t"}
    lines = io.StringIO(text, newline="")
    try:
        rows = list(csv.reader(lines, strict=True, **options))
    except csv.Error:
        rows = [line.split(separator) for line in text.splitlines()]
    for row in rows:
        yield row[: MAX_COLUMNS + 1]


# Files that are not text.

# Files that one web process has read at a time, so that it has threads left for everyone else.
TURNS = threading.BoundedSemaphore(2)
WAIT = 1


def _opened(content: bytes) -> Workbook:
    if not TURNS.acquire(timeout=WAIT):
        raise ImportRefused(BUSY)
    try:
        command = [sys.executable, "-I", spreadsheet_reader.__file__]
        done = subprocess.run(command, input=content, capture_output=True, timeout=4 * SECONDS)
    except subprocess.TimeoutExpired:
        raise ImportRefused(TOO_HEAVY) from None
    finally:
        TURNS.release()
    if done.returncode:
        raise ImportRefused(TOO_HEAVY)
    if refused := REFUSALS.get(json.loads(done.stdout).get("refused")):
        raise ImportRefused(refused)
    return workbook_from_text(done.stdout)
