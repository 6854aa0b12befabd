"""CSV files for spreadsheets: UTF-8 with a byte-order mark, RFC 4180, formulas made harmless; in words for people."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from django.utils.text import slugify

from clubscore.scoring import RULE_SETS
from sessions_app.league.methods import MEETING, METHODS, SESSION
from sessions_app.league.records import TROPHIES

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


def table_csv(columns: Mapping[str, Callable[[Any], object]], rows: Iterable[Any]) -> str:
    """Return rows as CSV; `columns` maps each name to a function that returns its cell for a row."""
    return csv_text(columns, ([cell(row) for cell in columns.values()] for row in rows))


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


# For people: headings and values in words, where programs have names. An import reads both.

# A column that is not here is called as its name says: best_hand is “Best hand”.
HEADINGS = {
    "place": "Position",
    "won": "Hands won",
    "net": "Won or lost",
    "value": "Ranked by the figure",
    "reason": "Why not ranked",
    "recording": "How it was scored",
    "gained": "Points gained",
    "lost": "Points lost",
    "listed": "On the list",
    "from": "Paid by",
    "to": "Paid to",
    "why": "Reason",
    "how": "How it was paid",
    "starts_on": "First day",
    "ends_on": "Last day",
    "method": "Ranked by",
    "sessions": "Tables played",
    "best_session": "Best table",
    "minimum_sessions": "Tables needed",
    "minimum_hands": "Hands needed",
    "best_n": "Best tables that count",
    "drop_worst": "Lowest meetings left out",
    "short_name": "Name at the table",
    "joined_into": "Merged into",
    "in_public": "Name in public",
    "agreed_on": "Agreed on",
    "running": "Won or lost so far",
    "limited": "Scored the limit",
    "special": "Special hand",
    "session_date": "Date of the table",
    "sentence": "What changed",
    "starts_at": "Begins at",
}
# In a league table where a meeting is one result.
HEADINGS_OF_MEETINGS = {"sessions": "Meetings played", "best_session": "Best meeting"}
# In a file with a line for each player and hand.
HEADINGS_OF_HANDS = {"won": "Went Mah-jong"}
# What files exported earlier have.
EARLIER_HEADINGS = {
    "best session": "best_session",
    "sessions needed": "minimum_sessions",
    "best sessions that count": "best_n",
}
NAMES = EARLIER_HEADINGS | {
    heading.casefold(): name
    for row in (HEADINGS_OF_MEETINGS, HEADINGS_OF_HANDS, HEADINGS)
    for name, heading in row.items()
}


def name_of(heading: str) -> str:
    """Return the name of a column for programs, from that or from its heading, in small letters."""
    plain = heading.strip().casefold()
    return NAMES.get(plain, plain)


# What stands in a column of a program's words, by the column's name; a cell may have several, between blanks.
VALUES: dict[str, dict[str, str]] = {
    "recording": {"settle": "players pay each other", "straight": "each adds up their own score"},
    "rules": {key: rules.name for key, rules in RULE_SETS.items()},
    "method": {key: method.name for key, method in METHODS.items()},
    "trophies": {key: trophy.name for key, trophy in TROPHIES.items()},
    "why": {"mah-jong": "Mah-jong", "fine": "penalty"},
    "result": {"won": "Mah-jong", "drawn": "nobody", "fine": "penalty"},
}
EARLIER_VALUES = {
    "method": {"average per session": "average_session", "best sessions": "best_n"},
    "trophies": {"most sessions": "most_sessions"},
}
STORED = {
    column: EARLIER_VALUES.get(column, {}) | {word.casefold(): value for value, word in words.items()}
    for column, words in VALUES.items()
}


def shown_value(name: str, cell: str) -> str:
    """Return what people read in a cell of a column."""
    words = VALUES.get(name, {})
    if cell in words or not all(part in words for part in cell.split()):
        return words.get(cell, cell)
    return ", ".join(words[part] for part in cell.split())


def stored_value(name: str, cell: str) -> str:
    """Return a program's word for a cell of a column, from that or from what people read."""
    return STORED.get(name, {}).get(cell.strip().casefold(), cell)


def for_people(text: str, unit: str = SESSION) -> str:
    """Return a CSV with the headings and the values for people; `unit` is that of a league table."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    names, *rows = csv.reader(io.StringIO(text.removeprefix(mark), newline="")) if text else [[]]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    headings = HEADINGS | (HEADINGS_OF_MEETINGS if unit == MEETING else {})
    headings |= HEADINGS_OF_HANDS if "wind_of_round" in names else {}
    writer.writerow([headings.get(name, name.replace("_", " ").capitalize()) for name in names])
    if not VALUES.keys().isdisjoint(names):
        rows = [[shown_value(name, cell) for name, cell in zip(names, row, strict=True)] for row in rows]
    writer.writerows(rows)
    return mark + out.getvalue()
