"""CSV files for people and programs: UTF-8 with a byte-order mark, RFC 4180, formulas made harmless."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, TypeAlias

from django.utils.text import slugify

from clubscore.scoring import RULE_SETS

NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?\Z")

# Where a cell begins, and where a spreadsheet that splits at semicolons, tabs or line ends begins another one. There it
# may take quotes in the text for the quotes round a cell, and what follows them for a formula.
BEGINS = r"(?:^|(?<=[;\t\r\n]))"
AS_FORMULA = r"(?='*(?:(?:[^\S\t\r\n]|\")*[=+\-@＝＋－＠]|[\t\r\n]))"
FORMULA = re.compile(BEGINS + AS_FORMULA)
GUARDED = re.compile(BEGINS + "'" + AS_FORMULA)


def guarded(cell: object) -> str:
    """Return a cell's text with an apostrophe before what a spreadsheet may take for a formula; numbers stay."""
    text = "" if cell is None else str(cell)
    return text if not text or NUMBER.match(text) else FORMULA.sub("'", text)


def unguarded(text: str) -> str:
    """Remove the apostrophes that `guarded` put into a cell."""
    return GUARDED.sub("", text)


def telephone_cell(number: str) -> str:
    """Return a telephone number that a spreadsheet leaves alone: 07700 900999, and (+44) 7700 900456."""
    if re.fullmatch(r"0\d{8,}", number):
        return f"{number[:5]} {number[5:]}"
    return re.sub(r"^\+(\d{1,3})\b", r"(+\1)", number) if " " in number else re.sub(r"^\+44", "(+44) ", number)


def telephone_of(cell: str) -> str:
    """Return the telephone number of a cell, with the 0 that a spreadsheet has taken for a figure's."""
    cell = re.sub(r"^\(\+(\d{1,3})\)\s*", r"+\1 ", cell)
    return f"0{cell}" if re.fullmatch(r"[1-9]\d{9}", cell) else cell


BYTE_ORDER_MARK = "\ufeff"


def csv_text(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return header and rows as CSV, byte-order mark first, lines ended by CR LF."""
    out = io.StringIO(newline="")
    out.write(BYTE_ORDER_MARK)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


# For programs a file has names of columns and keys of values, for people headings and words.
PROGRAMS, PEOPLE = "programs", "people"


@dataclass(frozen=True)
class Shown:
    """What gives the cell of a column, with what people read: its heading, and words for what programs read."""

    cell: Callable[[Any], object]
    heading: str = ""
    words: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, row: Any) -> object:
        return self.cell(row)

    def for_people(self, row: Any) -> object:
        cell = self.cell(row)
        if cell in self.words or not isinstance(cell, str):
            return self.words.get(str(cell), cell)
        # A list of keys, between blanks.
        parts = cell.split()
        return ", ".join(self.words[part] for part in parts) if set(parts) <= self.words.keys() else cell


Columns: TypeAlias = Mapping[str, Callable[[Any], object]]


def heading_of(name: str, cell: Callable[[Any], object]) -> str:
    """Return what people read above a column: best_hand is “Best hand”, unless its row has a heading."""
    return getattr(cell, "heading", "") or name.replace("_", " ").capitalize()


def table_csv(columns: Columns, rows: Iterable[Any], names: str = PEOPLE) -> str:
    """Return rows as CSV; `columns` maps each name to a function that returns its cell for a row."""
    if names == PROGRAMS:
        return csv_text(columns, ([cell(row) for cell in columns.values()] for row in rows))
    cells = [getattr(cell, "for_people", cell) for cell in columns.values()]
    return csv_text(map(heading_of, columns, columns.values()), ([cell(row) for cell in cells] for row in rows))


# Columns that several files have.

NET = Shown(attrgetter("net"), "Won or lost")
HANDS_WON = Shown(attrgetter("won"), "Hands won")
HOW_PAID = Shown(lambda fee: fee.get_how_display(), "How it was paid")
RULES_WORDS = {key: rules.name for key, rules in RULE_SETS.items()}


def recording_column(cell: Callable[[Any], str]) -> Shown:
    return Shown(
        cell, "How it was scored", {"settle": "players pay each other", "straight": "each adds up their own score"}
    )


def yes(value: bool) -> str:
    return "yes" if value else ""


def file_name(club_slug: str, day: date | None, content: str, suffix: str = "csv") -> str:
    """Return a file name with club, date and content: `bars-2026-11-12-table-1-totals.csv`."""
    return slugify(f"{club_slug} {day or ''} {content}") + f".{suffix}"


def zipped(files: Iterable[tuple[str, str]]) -> bytes:
    """Return files, each a name and its text, as a zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files:
            file.writestr(name, text)
    return content.getvalue()
