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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

from sessions_app.exchange.exports.csv_files import unguarded
from sessions_app.exchange.imports import spreadsheet_reader
from sessions_app.exchange.imports.sheet_values import ImportRefused, counted, separator_of, some_of, text_of
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
# Runs of hidden rows or columns that a note names.
RUNS = 6

IN_PARTS = "You can import a larger one in parts."
TOO_LARGE = (
    f"Choose a smaller file: at most {MAX_ROWS:,} rows, {MAX_COLUMNS} columns, {MAX_CELLS:,} cells and a million "
    f"letters. {IN_PARTS}"
)

TOO_WIDE = f"Choose a smaller file: at most {MAX_WIDTHS:,} columns in all sheets. You can import some sheets at a time."
TOO_WIDELY_SPREAD = (
    f"Choose another file. With the blank cells between the others, this one has more than {MAX_AREA:,}. In your "
    "spreadsheet, copy the results into a new file, and choose that."
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
        f"save it as .csv. {IN_PARTS}"
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
    # Cells by row and column whose formula has no saved value.
    unsaved: Sequence[tuple[int, int]] = ()


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
    """What was read; `notes` are sentences about what was left out or not followed."""

    sheets: list[Sheet]
    notes: list[str] = field(default_factory=list)
    # Hidden sheets that were left out, each with its number of figures.
    hidden_sheets: list[tuple[str, int]] = field(default_factory=list)

    def as_text(self) -> str:
        """Return the sheets as a page keeps them, so that the file is chosen once."""
        sheets = [
            [one.name, one.rows, [*one.hidden_rows], [*one.hidden_columns], [*one.unsaved]] for one in self.sheets
        ]
        kept = {"sheets": sheets, "notes": self.notes, "hidden": self.hidden_sheets}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))

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


def bounded(sheets: Iterable[Sheet], notes: Sequence[str] = ()) -> Workbook:
    """Return the sheets that hold anything, cells and rows cut at their end; ImportRefused for more than a club has."""
    kept: list[Sheet] = []
    cells = before = 0
    for sheet in sheets:
        rows: list[list[str]] = []
        for row in sheet.rows:
            row = [plain_name(cell)[:MAX_LETTERS] for cell in row]
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
    _refuse_wide(kept)
    book = Workbook(kept, [*map(without_controls, notes)])
    if len(kept) > MAX_SHEETS or len(book.as_text().encode()) > MAX_KEPT:
        raise ImportRefused(TOO_LARGE)
    return book


def _refuse_wide(sheets: list[Sheet]) -> None:
    widths = [max(map(len, sheet.rows)) for sheet in sheets]
    if sum(widths) > MAX_WIDTHS:
        raise ImportRefused(TOO_WIDE)
    if sum(width * len(sheet.rows) for width, sheet in zip(widths, sheets, strict=True)) > MAX_AREA:
        raise ImportRefused(TOO_WIDELY_SPREAD)


def rectangular(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return a copy of the rows, filled up with blank cells to the same length."""
    rows = list(rows)
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


# The workbook between two pages.


def workbook_from_text(text: str) -> Workbook:
    """Return the sheets that a page kept; ImportRefused for what it cannot have made."""
    try:
        kept = json.loads(text)
        sheets = []
        for name, rows, hidden_rows, hidden_columns, *unsaved in kept["sheets"]:
            cells = [(int(row), int(column)) for row, column in unsaved[0][:MAX_CELLS]] if unsaved else []
            looks = _numbers(hidden_rows), _numbers(hidden_columns), cells
            sheets.append(Sheet(str(name), [[str(cell) for cell in row] for row in rows], *looks))
        notes = [str(sentence)[:300] for sentence in kept["notes"]][:50]
        hidden = [(str(name)[:80], int(figures)) for name, figures in kept.get("hidden", [])][:MAX_SHEETS]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ImportRefused(LOST) from None
    return replace(bounded(sheets, notes), hidden_sheets=hidden)


def _numbers(kept):
    return [number for number in kept[:MAX_ROWS] if type(number) is int and 0 <= number < MAX_ROWS]


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
        yield [unguarded(cell) for cell in row[: MAX_COLUMNS + 1]]


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
    found = json.loads(done.stdout)
    if "refused" in found:
        raise ImportRefused(REFUSALS[found["refused"]])
    sheets = [
        Sheet(one["name"], [[unguarded(cell) for cell in row] for row in one["rows"]], *map(one.get, LOOKS))
        for one in found["sheets"]
    ]
    book = bounded(sheets, [*_notes(found), *_notes_of_hidden(sheets)])
    hidden = [(without_controls(one["name"])[:80], one["figures"]) for one in found["hidden_sheets"]]
    return replace(book, hidden_sheets=hidden[:MAX_SHEETS])


LOOKS = ("hidden_rows", "hidden_columns", "unsaved")


def _notes(found):
    notes = []
    if found["has_links"]:
        notes.append("Links to other files were not followed.")
    hidden = [one["name"][:80] for one in found["hidden_sheets"][:MAX_SHEETS]]
    return notes + [f"The hidden sheet “{name}” was left out." for name in hidden]


def _notes_of_hidden(sheets: list[Sheet]) -> Iterator[str]:
    for sheet in sheets:
        where = f"“{sheet.name[:80]}”: " if len(sheets) > 1 else ""
        for numbers, what, name in (
            (sheet.hidden_rows, "row", lambda row: str(row + 1)),
            (sheet.hidden_columns, "column", column_letters),
        ):
            if numbers:
                verb = "was" if len(numbers) == 1 else "were"
                yield f"{where}{counted(len(numbers), f'hidden {what}')} ({_runs(numbers, name)}) {verb} read too."


def _runs(numbers: Sequence[int], name: Callable[[int], str]) -> str:
    """Return numbers in words: 5–6, 9 and 12."""
    breaks = [at for at, (one, following) in enumerate(pairwise(numbers), 1) if following > one + 1]
    runs = [numbers[start:end] for start, end in pairwise([0, *breaks, len(numbers)])]
    words = [name(run[0]) if len(run) == 1 else f"{name(run[0])}–{name(run[-1])}" for run in runs]
    return some_of(words, RUNS)
