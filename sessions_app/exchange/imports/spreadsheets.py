"""Read a .csv, .xlsx or .ods file, or cells that were pasted, into sheets of text. No database here.

What is read is bounded in bytes, cells and unpacked size. Macros, formulas and links are never followed or run.
"""

import csv
import datetime
import io
import json
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

from defusedxml.ElementTree import iterparse
from openpyxl import load_workbook

from sessions_app.exchange.exports.csv_files import unguarded
from sessions_app.exchange.imports.sheet_text import ImportRefused, text_of
from sessions_app.people.plain_text import tidy

MAX_SHEETS, MAX_ROWS, MAX_COLUMNS, MAX_CELLS, MAX_LETTERS = 40, 12_000, 400, 150_000, 300

# Of a zip: its files, and their size when unpacked.
MAX_PARTS, MAX_UNPACKED = 600, 30_000_000
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
SEPARATORS = ",;\t|"
NAMED_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.I)

# The formula of a cell in an .xlsx file that has no last result.
NO_RESULT = re.compile(rb"<f\b[^>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>|</c>)")
MACROS = "Choose a file without macros. In your spreadsheet, save this one as .xlsx or .ods, without its macros."

TOO_LARGE = (
    f"Choose a smaller file: at most {MAX_ROWS:,} rows, {MAX_COLUMNS} columns and {MAX_CELLS:,} cells. "
    "You can import a larger one in parts."
)

LOST = "Choose the file again. This page has lost it."
UNREADABLE = "Choose another file. This one is damaged, or is not a spreadsheet."
OLDER = "Choose an .xlsx, .ods or .csv file. This one is of an older kind, or has a password. Save it as .xlsx."


@dataclass(frozen=True)
class Sheet:
    """One sheet: its name, and its rows of text from the first one on, blank ones included."""

    name: str
    rows: list[list[str]]


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

    def as_text(self) -> str:
        """Return the sheets as a page keeps them, so that the file is chosen once."""
        sheets = [[sheet.name, sheet.rows] for sheet in self.sheets]
        return json.dumps({"sheets": sheets, "notes": self.notes}, ensure_ascii=False, separators=(",", ":"))

    def text(self, cell: CellNumbers) -> str:
        row = self.sheets[cell.sheet].rows[cell.row]
        return row[cell.column] if cell.column < len(row) else ""

    def where(self, cell: CellNumbers) -> str:
        """Return where a cell is, in words: with the name of its sheet if there are several."""
        name = self.sheets[cell.sheet].name
        return f"{name}, cell {cell.name}" if len(self.sheets) > 1 and name else f"Cell {cell.name}"


def read_workbook(content: bytes) -> Workbook:
    """Return the sheets of a file, known by what is in it; ImportRefused where it cannot be read or is too large."""
    if content.startswith(b"PK\x03\x04"):
        return _packed(content)
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise ImportRefused(OLDER)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return read_text(content.decode("utf-16", errors="replace"))
    return read_text(text_of(content))


def read_text(text: str) -> Workbook:
    """Return what was pasted, or the text of a CSV file, as one sheet."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:9].lower().startswith(("<!doctype", "<html", "<table", "<?xml")):
        raise ImportRefused(OLDER)
    if any(letter < " " and letter not in "\t\r\n\f\v" for letter in text):
        raise ImportRefused(UNREADABLE)
    sheet = bounded("", _csv_rows(text))
    if not sheet.rows:
        raise ImportRefused("Choose a file with results. This one is empty.")
    return Workbook([sheet])


def bounded(name: str, rows: Iterable[list[str]], cells_before: int = 0) -> Sheet:
    """Return a sheet without blank rows and cells at its end; ImportRefused where it is larger than a club's."""
    kept: list[list[str]] = []
    cells = cells_before
    for row in rows:
        while row and not row[-1]:
            row.pop()
        cells += len(row)
        if len(row) > MAX_COLUMNS or cells > MAX_CELLS or (row and len(kept) >= MAX_ROWS):
            raise ImportRefused(TOO_LARGE)
        if len(kept) < MAX_ROWS:
            kept.append([cell[:MAX_LETTERS] for cell in row])
    while kept and not kept[-1]:
        kept.pop()
    return Sheet(name[:80], kept)


def rectangular(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return a copy of the rows, filled up with blank cells to the same length."""
    rows = list(rows)
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


def bounded_all(named: Iterable[tuple[str, Iterable[list[str]]]]) -> list[Sheet]:
    """Return those sheets that hold anything."""
    sheets: list[Sheet] = []
    cells = 0
    for name, rows in named:
        sheet = bounded(name, rows, cells)
        cells += sum(map(len, sheet.rows))
        if sheet.rows:
            sheets.append(sheet)
        if len(sheets) > MAX_SHEETS or sum(len(one.rows) for one in sheets) > MAX_ROWS:
            raise ImportRefused(TOO_LARGE)
    if not sheets:
        raise ImportRefused("Choose a file with results. This one is empty.")
    return sheets


def on_one_line(text: str) -> str:
    return tidy(unguarded(text))


# The workbook between two pages.


def workbook_from_text(text: str) -> Workbook:
    """Return the sheets that a page kept; ImportRefused for what it cannot have made."""
    try:
        kept = json.loads(text)
        named = [(str(name), [[str(cell) for cell in row] for row in rows]) for name, rows in kept["sheets"]]
        notes = [str(sentence)[:300] for sentence in kept["notes"]][:50]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ImportRefused(LOST) from None
    return Workbook(bounded_all(named), notes)


def with_changed_cells(book: Workbook, data: Mapping[str, str]) -> Workbook:
    """Return the workbook with the cells that were changed on the page."""
    sheets = [Sheet(sheet.name, [list(row) for row in sheet.rows]) for sheet in book.sheets]
    for name, text in data.items():
        kind, *numbers = name.split("-")
        if kind != "cell" or len(numbers) != 3 or not all(part.isascii() and part.isdigit() for part in numbers):
            continue
        at, row, column = (int(part[:6]) for part in numbers)
        if at < len(sheets) and row < len(sheets[at].rows) and column < MAX_COLUMNS:
            cells = sheets[at].rows[row]
            cells += [""] * (column + 1 - len(cells))
            cells[column] = tidy(text)[:MAX_LETTERS]
    return Workbook(sheets, book.notes)


# Text: the separator and the quotes that fit most lines.


def _csv_rows(text: str) -> Iterator[list[str]]:
    named = NAMED_SEPARATOR.match(text)
    text = text[named.end() :] if named else text
    quote = _quote_of(text)
    separator = named[1] if named else _separator_of(text, quote)
    options: dict[str, Any] = {"delimiter": separator, "quotechar": quote, "skipinitialspace": separator != "\t"}
    lines = io.StringIO(text, newline="")
    try:
        rows = list(csv.reader(lines, strict=True, **options))
    except csv.Error:
        rows = [line.split(separator) for line in text.splitlines()]
    for row in rows:
        yield [on_one_line(cell) for cell in row[: MAX_COLUMNS + 1]]


def _quote_of(text: str) -> str:
    singles = len(re.findall(r"(?:^|[,;\t|])'[^'\n]*'(?=$|[,;\t|\r])", text[:20_000], re.M))
    return "'" if singles > 1 and '"' not in text else '"'


def _separator_of(text: str, quote: str) -> str:
    """Return the separator that cuts the most lines into the same number of cells; of these the one with most cells."""
    lines = [line for line in text.splitlines()[:200] if line.strip()]

    def fit(separator):
        found = csv.reader(lines, delimiter=separator, quotechar=quote, skipinitialspace=separator != "\t")
        numbers = Counter(len(row) for row in _as_far_as_readable(found) if len(row) > 1)
        return max(((of_lines, cells) for cells, of_lines in numbers.items()), default=(0, 0))

    return max(SEPARATORS, key=fit)


def _as_far_as_readable(reader):
    try:
        yield from reader
    except csv.Error:
        return


# Files that are zips: .xlsx and .ods.


def _packed(content):
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            names = {part.filename for part in file.infolist()}
            if len(names) > MAX_PARTS or sum(part.file_size for part in file.infolist()) > MAX_UNPACKED:
                raise ImportRefused(TOO_LARGE)
            if any(part.flag_bits & 1 for part in file.infolist()):
                raise ImportRefused(OLDER)
            if any(re.search(r"vbaProject|^Basic/|^Scripts/|macrosheets/", name) for name in names):
                raise ImportRefused(MACROS)
            if "xl/workbook.xml" in names:
                return _excel(content, file, names)
            if "content.xml" in names:
                return _open_document(file)
    except ImportRefused:
        raise
    # A damaged or hostile file can fail anywhere in the reader, with any error.
    except Exception as error:
        raise ImportRefused(UNREADABLE) from error
    raise ImportRefused("Choose an .xlsx, .ods or .csv file. In your spreadsheet, save this one as .xlsx.")


def _excel(content, file, names):
    formulas, without_result = 0, 0
    for name in names:
        if name.startswith("xl/worksheets/sheet"):
            xml = file.read(name)
            formulas += len(re.findall(rb"<f[ >/]", xml))
            without_result += len(NO_RESULT.findall(xml))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
        for sheet in book.worksheets:
            sheet.reset_dimensions()
        sheets = bounded_all((sheet.title, _excel_rows(sheet)) for sheet in shown)
    has_links = any(name.startswith("xl/externalLinks/") for name in names)
    return Workbook(sheets, _notes(formulas, without_result, has_links, hidden))


def _excel_rows(sheet):
    for number, row in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS + 1, values_only=True)):
        # Some programs end a sheet with an empty row at its very last place.
        if number > 2 * MAX_ROWS:
            return
        last = next((at for at in range(len(row), 0, -1) if row[at - 1] is not None), 0)
        yield [text_of_value(value) for value in row[:last]]


def _open_document(file):
    found = _Document()
    with file.open("content.xml") as xml:
        sheets = bounded_all(found.sheets(xml))
    return Workbook(sheets, _notes(found.formulas, found.without_result, found.has_links, []))


class _Document:
    """Reads the tables of an OpenDocument one row at a time."""

    def __init__(self) -> None:
        self.formulas = self.without_result = 0
        self.has_links = False

    def sheets(self, xml: IO[bytes]) -> Iterator[tuple[str, Iterator[list[str]]]]:
        events = iterparse(xml, events=("start", "end"))
        for event, element in events:
            if event == "start" and element.tag == f"{TABLE}table":
                yield element.get(f"{TABLE}name", ""), self.rows(events, element)
            elif element.tag in (f"{TABLE}table-source", f"{OFFICE}dde-source"):
                self.has_links = True

    def rows(self, events: Iterator[Any], table: Any) -> Iterator[list[str]]:
        for event, element in events:
            if event == "start":
                continue
            if element is table:
                return
            if element.tag == f"{TABLE}table-source":
                self.has_links = True
            if element.tag == f"{TABLE}table-row":
                cells = self.cells(element)
                times = int(element.get(f"{TABLE}number-rows-repeated", 1))
                is_blank = not any(cells)
                for _ in range(min(times, 2 * MAX_ROWS)):
                    yield [] if is_blank else list(cells)
                element.clear()

    def cells(self, row: Any) -> list[str]:
        cells = []
        for cell in row:
            if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
                continue
            value = self.value(cell)
            times = int(cell.get(f"{TABLE}number-columns-repeated", 1))
            cells += [value] * min(times, MAX_COLUMNS + 1 if value else MAX_COLUMNS)
            if len(cells) > 2 * MAX_COLUMNS and value:
                raise ImportRefused(TOO_LARGE)
        return cells

    def value(self, cell: Any) -> str:
        kind = cell.get(f"{OFFICE}value-type", "")
        written = " ".join("".join(part.itertext()) for part in cell.findall(f"{TEXT}p"))
        if cell.get(f"{TABLE}formula"):
            self.formulas += 1
            self.without_result += not (kind or written)
            self.has_links |= "file:" in cell.get(f"{TABLE}formula")
        if kind == "date":
            return cell.get(f"{OFFICE}date-value", "")[:10]
        if kind in ("float", "currency", "percentage"):
            return text_of_value(float(cell.get(f"{OFFICE}value", "")))
        return on_one_line(written)


def text_of_value(value: Any) -> str:
    """Return a cell's value as text: dates with the year first, whole numbers without decimals."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime | datetime.date):
        return f"{value:%Y-%m-%d}"
    if isinstance(value, int | float):
        # A sum of decimals is off by the smallest part of a point.
        rounded = round(value, 6)
        return str(int(rounded)) if rounded == int(rounded) else f"{rounded:f}".rstrip("0")
    return on_one_line(str(value))


def _notes(formulas, without_result, has_links, hidden):
    notes = []
    if formulas:
        notes.append(f"{_counted(formulas, 'cell')} with a formula. We used the last results, as saved in the file.")
    if without_result:
        notes.append(
            f"{_counted(without_result, 'formula')} without a saved result. They are read as blank. If that is wrong, "
            "open the file in your spreadsheet, save it, and choose it again."
        )
    if has_links:
        notes.append("Links to other files were not followed.")
    notes += [f"The hidden sheet “{name}” was left out." for name in hidden]
    return notes


def _counted(number, what):
    return f"{number:,} {what}{'' if number == 1 else 's'}"
