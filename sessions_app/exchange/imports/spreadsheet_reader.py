"""Opens an .xlsx or .ods file in a process of its own: the file on stdin, its sheets on stdout as JSON.

A small file can make any reader of spreadsheets take all time and memory, or end its process. So this one has its own
limits and nothing of the site in it; spreadsheets.py starts it and puts its answers into words. Macros, formulas and
links are never followed or run.
"""

import datetime
import io
import json
import os
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, iterparse

try:
    import resource
except ImportError:  # Windows has none
    resource = None  # type: ignore[assignment]

from python_calamine import CalamineSheet, PasswordError, SheetVisibleEnum, load_workbook

MAX_SHEETS, MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 40, 12_000, 400, 150_000
# Letters of one cell, and of all.
MAX_LETTERS, MAX_TEXT = 300, 1_000_000
# Of a zip: its files, their size when unpacked, and the elements of XML that are looked at.
MAX_PARTS, MAX_UNPACKED, MAX_ELEMENTS = 600, 5_000_000, 400_000
# Of this process; files as clubs have them need a quarter at most.
SECONDS, MEMORY = 5, 200_000_000

# Why a file is not read.
TOO_LARGE, TOO_MUCH, MACROS, PASSWORD, UNREADABLE, UNKNOWN = (
    "too large", "too much unpacked", "macros", "password", "unreadable", "unknown kind"
)  # fmt: skip

OLE = b"\xd0\xcf\x11\xe0"
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
CALC_VALUE_TYPE = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
BEGINNINGS = {"row", "col", "sheet", "table", "table-row"}
# What stands for the value of a formula that was not saved.
NO_VALUE = "#NONE!"


class RefusedFile(Exception):
    """`why` is one of the words above."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


@dataclass
class Looks:
    """What the XML of a sheet says and calamine does not; rows and columns from 0, spans with their last one."""

    hidden_rows: list[tuple[int, int]] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    # Cells over several rows, by their first row and column: the last row.
    merged: list[tuple[int, int, int]] = field(default_factory=list)
    # The words of an error, or NO_VALUE.
    errors: dict[tuple[int, int], str] = field(default_factory=dict)


def _elements(xml: bytes) -> Iterator[tuple[bool, str, Element]]:
    """Yield each element as it ends, and some as they begin, with its name whatever its namespace."""
    if b"<!DOCTYPE" in xml:
        raise RefusedFile(UNREADABLE)
    if xml.count(b"<") - xml.count(b"</") > MAX_ELEMENTS:
        raise RefusedFile(TOO_LARGE)
    for event, element in iterparse(io.BytesIO(xml), ("start", "end")):
        name = element.tag.rpartition("}")[2]
        if event == "end" or name in BEGINNINGS:
            yield event == "start", name, element
        if event == "end" and name in ("row", "table-row"):
            element.clear()


def _refuse_far(row: int, column: int) -> None:
    """Refuse a cell beyond what is read: calamine makes room for all between."""
    if row >= MAX_ROWS or column >= MAX_COLUMNS:
        raise RefusedFile(TOO_LARGE)


def _looks_of_sheet(xml: bytes) -> Looks:
    """Read the XML of one sheet of an .xlsx file."""
    looks, row, column = Looks(), -1, -1
    for is_start, kind, element in _elements(xml):
        is_hidden = is_start and element.get("hidden") in ("1", "true")
        if is_start and kind == "row":
            row, column = int(element.get("r", row + 2)) - 1, -1
            looks.hidden_rows += [(row, row)] if is_hidden else []
        elif kind == "col" and is_hidden:
            looks.hidden_columns.append((int(element.attrib["min"]) - 1, int(element.attrib["max"]) - 1))
        elif kind == "c":
            name = element.get("r", "")
            letters = name.rstrip("0123456789")
            column = _column_of(letters) if letters else column + 1
            row = int(name[len(letters) :]) - 1 if letters else row
            parts = {part.tag.rpartition("}")[2]: "".join(part.itertext()).strip() for part in element}
            value = parts.get("v") or parts.get("is", "")
            if value:
                _refuse_far(row, column)
            if value and element.get("t") == "e":
                looks.errors[row, column] = value
            if "f" in parts and not value and element.get("t") != "str":
                looks.errors[row, column] = NO_VALUE
    return looks


def _column_of(letters):
    """Return 0 for A, 25 for Z, 26 for AA; beyond the last column for what is none."""
    if len(letters) > 3 or not (letters.isascii() and letters.isalpha()):
        return MAX_COLUMNS
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


def _looks_of_excel(parts: dict[str, bytes]) -> dict[str, Looks]:
    """Return the looks of the sheets of an .xlsx file by their names, which lead to their parts by an id."""
    found = {}
    targets = {}
    for _, _, element in _elements(parts.get("xl/_rels/workbook.xml.rels", b"<none/>")):
        target = element.get("Target", "")
        targets[element.get("Id")] = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    for is_start, kind, element in _elements(parts["xl/workbook.xml"]):
        if is_start and kind == "sheet":
            named = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
            if xml := parts.get(targets.get(named["id"], "").lower()):
                found[named["name"]] = _looks_of_sheet(xml)
    return found


def _look_at_cell(looks: Looks, element: Element, row: int, column: int) -> None:
    if element.get(f"{TABLE}formula") and not element.get(f"{OFFICE}value-type"):
        looks.errors[row, column] = NO_VALUE
    if element.get(CALC_VALUE_TYPE) == "error":
        looks.errors[row, column] = "".join(element.itertext()).strip()
    if (spanned := int(element.get(f"{TABLE}number-rows-spanned", 1))) > 1:
        looks.merged.append((row, column, row + spanned - 1))


def _looks_of_document(xml: bytes) -> dict[str, Looks]:
    """Return the looks of the tables of an .ods file by their names."""
    tables: dict[str, Looks] = {}
    looks, row, column, last_column = Looks(), 0, 0, -1
    for is_start, kind, element in _elements(xml):
        is_hidden = element.get(f"{TABLE}visibility", "visible") != "visible"
        columns = int(element.get(f"{TABLE}number-columns-repeated", 1))
        if is_start and kind == "table":
            looks, row, column = tables.setdefault(element.get(f"{TABLE}name", ""), Looks()), 0, 0
        elif is_start:
            column, last_column = 0, -1
        elif kind == "table-column":
            looks.hidden_columns += [(column, column + columns - 1)] if is_hidden else []
            column += columns
        elif kind in ("table-cell", "covered-table-cell"):
            _look_at_cell(looks, element, row, column)
            column += columns
            last_column = column - 1 if element.get(f"{OFFICE}value-type") else last_column
        elif kind == "table-row":
            rows = int(element.get(f"{TABLE}number-rows-repeated", 1))
            looks.hidden_rows += [(row, row + rows - 1)] if is_hidden else []
            if last_column >= 0:
                _refuse_far(row + rows - 1, last_column)
            row += rows
    return tables


def read_file(content: bytes) -> dict[str, Any]:
    """Return the sheets that are shown, with what is hidden in them, and what was left out."""
    if content.startswith(OLE):
        # An .xlsx file with a password is one of these.
        raise RefusedFile(PASSWORD if "EncryptedPackage".encode("utf-16-le") in content else UNKNOWN)
    parts = _unpacked(content)
    content = _packed(parts)
    named = {name.replace("\\", "/").lower(): part for name, part in parts.items()}
    if "xl/workbook.xml" in named:
        looks = _looks_of_excel(named)
    elif "content.xml" in named:
        looks = _looks_of_document(named["content.xml"])
    else:
        raise RefusedFile(UNKNOWN)
    with load_workbook(io.BytesIO(content)) as book:
        about = book.sheets_metadata
        shown = [one.name for one in about if one.visible == SheetVisibleEnum.Visible]
        hidden = [one.name for one in about if one.visible != SheetVisibleEnum.Visible]
        figures = {name: _figures_in(book.get_sheet_by_name(name)) for name in hidden[:MAX_SHEETS]}
        sheets = list(_bounded(_sheet(book.get_sheet_by_name(name), looks.get(name, Looks())) for name in shown))
    return {
        "sheets": sheets,
        "hidden_sheets": [*figures.items()],
    }


def _figures_in(sheet: CalamineSheet) -> int:
    """Return how many cells of a hidden sheet hold a number."""
    rows = sheet.iter_rows()
    return sum(isinstance(value, int | float) for row, _ in zip(rows, range(MAX_ROWS), strict=False) for value in row)


def _unpacked(content: bytes) -> dict[str, bytes]:
    """Return the parts of a zip by name; their sizes are counted before and while they are read."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        about = file.infolist()
        if len(about) > MAX_PARTS or sum(part.file_size for part in about) > MAX_UNPACKED:
            raise RefusedFile(TOO_MUCH)
        if any(part.flag_bits & 1 for part in about):
            raise RefusedFile(PASSWORD)
        if any(part.compress_type not in PACKINGS for part in about):
            raise RefusedFile(UNREADABLE)
        parts = {}
        for part in about:
            with file.open(part) as opened:
                # One more than it says it has, so that its checksum is compared, and no more is unpacked.
                parts[part.filename] = opened.read(part.file_size + 1)
    if any("vbaProject" in name or name.startswith(("Basic/", "Scripts/", "xl/macrosheets/")) for name in parts):
        raise RefusedFile(MACROS)
    return parts


def _packed(parts: dict[str, bytes]) -> bytes:
    """Return a zip of these parts, as calamine unpacks whatever a zip holds without counting."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


def _sheet(sheet: CalamineSheet, looks: Looks) -> dict[str, Any]:
    rows = sheet.to_python(skip_empty_area=False)
    for (row, column), text in looks.errors.items():
        if row < MAX_ROWS and column < MAX_COLUMNS:
            rows += [[] for _ in range(row + 1 - len(rows))]
            rows[row] += [""] * (column + 1 - len(rows[row]))
            rows[row][column] = text
    spans = [(first[0], first[1], last[0]) for first, last in sheet.merged_cell_ranges or ()]
    _fill_down(rows, spans or looks.merged)
    texts = [_texts(row) for row in rows]
    while texts and not texts[-1]:
        texts.pop()
    width = max(map(len, texts), default=0)
    return {
        "name": sheet.name,
        "rows": texts,
        "hidden_rows": [row for row in _each(looks.hidden_rows, len(texts)) if texts[row]],
        "hidden_columns": [
            column
            for column in _each(looks.hidden_columns, width)
            if any(len(row) > column and row[column] for row in texts)
        ],
    }


def _fill_down(rows: list[list[Any]], spans: list[tuple[int, int, int]]) -> None:
    """Repeat the words of a cell over several rows in each of its rows that holds anything, as it is read so."""
    filled = [any(value != "" for value in row) for row in rows] if spans else []
    number = 0
    for first, column, last in spans:
        value = rows[first][column] if first < len(rows) and column < len(rows[first]) else ""
        if not (isinstance(value, str) and any(letter.isalpha() for letter in value)):
            continue
        for row in range(first + 1, min(last + 1, len(rows))):
            number += 1
            if number > MAX_CELLS:
                raise RefusedFile(TOO_LARGE)
            if filled[row] and rows[row][column] == "":
                rows[row][column] = value


def _texts(row: list[Any]) -> list[str]:
    texts = [text_of_value(value)[:MAX_LETTERS] for value in row]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def text_of_value(value: Any) -> str:
    """Return a cell's value as text: dates with the year first, whole numbers without decimals."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime | datetime.date):
        return f"{value:%Y-%m-%d}"
    if isinstance(value, int | float):
        # A sum of decimals is off by the smallest part of a point.
        rounded = round(value, 6)
        return str(int(rounded)) if rounded == int(rounded) else f"{rounded:f}".rstrip("0")
    return " ".join(str(value).split())


def _each(spans: Iterable[tuple[int, int]], most: int) -> Iterator[int]:
    """Yield each number of these spans below `most`, once and in order."""
    end = 0
    for first, last in sorted(spans):
        yield from range(max(first, end), min(last + 1, most))
        end = max(end, last + 1)


def _bounded(sheets):
    """Yield the sheets; RefusedFile as soon as they have more than is read of any file."""
    cells = letters = 0
    for sheet in sheets:
        cells += sum(map(len, sheet["rows"]))
        letters += sum(len(text) for row in sheet["rows"] for text in row)
        if cells > MAX_CELLS or letters > MAX_TEXT:
            raise RefusedFile(TOO_LARGE)
        yield sheet


def _limit_process() -> None:
    """Take little of the machine; on Windows the time alone is limited, by spreadsheets.py."""
    if resource is None:
        return
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    # macOS does not take this limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> None:
    content = sys.stdin.buffer.read()
    _limit_process()
    try:
        answer = read_file(content)
    except RefusedFile as refused:
        answer = {"refused": refused.why}
    except PasswordError:
        answer = {"refused": PASSWORD}
    except MemoryError:
        raise
    # A damaged or hostile file can fail anywhere in the reader, with any error.
    except Exception:
        answer = {"refused": UNREADABLE}
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
