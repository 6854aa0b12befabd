"""Complete dates and names that a club spreads over two cells. No database here.

"September" above 3, 10 and 17 becomes 3 September, 10 September and so on. Results are never changed or moved.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from sessions_app.exchange.imports.sheet_shapes import LEFT_OUT, TOP, is_heading_of_names, is_place, word_of
from sessions_app.exchange.imports.sheet_values import (
    MONTH,
    SERIAL,
    WEEKDAY,
    date_in,
    has_year,
    is_number,
    is_total,
    looks_like_a_date,
    serial_date,
)
from sessions_app.exchange.imports.spreadsheets import Workbook, bounded, rectangular

A_MONTH = re.compile(rf"{MONTH}\.?(?:[-/,.' ]*(?P<year>\d{{4}}|\d{{2}}))?\Z", re.I)
A_MONTH_IN = re.compile(rf"\b{MONTH}\b\.?(?:[-/,.' ]*(?P<year>20\d\d|\d\d)\b)?", re.I)
A_YEAR = re.compile(r"20\d\d\Z")
A_DAY = re.compile(r"(?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\Z", re.I)
FIRST_SERIAL, LAST_SERIAL = 36_526, 60_000
Rows = list[list[str]]


def complete_headings(book: Workbook) -> Workbook:
    """Return the workbook with the dates and names in its headings completed."""
    sheets = []
    for sheet in book.sheets:
        rows = rectangular(sheet.rows)
        _add_years_from_their_column(rows)
        _add_months_to_days(rows, sheet.name)
        _read_serial_dates(rows)
        _keep_only_dates(rows)
        _join_names_in_two_rows(rows)
        sheets.append(replace(sheet, rows=rows))
    return replace(bounded(sheets, book.notes), hidden_sheets=book.hidden_sheets)


def _add_years_from_their_column(rows: Rows) -> None:
    """Add the year to dates without one, where the year has its own column."""
    for at, row in enumerate(rows[:TOP]):
        for column in [column for column, cell in enumerate(row) if cell.casefold() == "year"]:
            year = ""
            for below in rows[at + 1 :]:
                year = below[column] if A_YEAR.match(below[column]) else year
                below[:] = [f"{cell} {year}" if year and not has_year(cell) else cell for cell in below]


def _add_months_to_days(rows: Rows, name: str) -> None:
    """Add the month to days without one, where it is in the row above or in the sheet's name."""
    for above, row in pairwise([[], *rows[:TOP]]):
        matches = {column: A_DAY.match(WEEKDAY.sub("", cell)) for column, cell in enumerate(row)}
        days = {column: int(found["day"]) for column, found in matches.items() if found}
        if len(days) < 2 or not _are_headings(cell for column, cell in enumerate(row) if column not in days):
            continue
        months = {column: found for column, cell in enumerate(above) if (found := A_MONTH.match(cell))}
        in_name, numbers = A_MONTH_IN.search(name), list(days.values())
        # 1, 2, 3 may be games or tables.
        are_days = _rises(numbers) and numbers != list(range(1, len(numbers) + 1))
        if months and min(months) <= min(days):
            month_of = {day: months[max(column for column in months if column <= day)] for day in days}
        elif not months and in_name and any(map(is_heading_of_names, row)) and are_days:
            month_of = dict.fromkeys(days, in_name)
        else:
            continue
        for column, month in month_of.items():
            row[column] = f"{days[column]} {month['month']} {_full_year(month['year'])}".strip()
        for column, cell in enumerate(above if months else []):
            if is_heading_of_names(cell) and not row[column]:
                row[column] = cell
        return


def _rises(numbers: list[int]) -> bool:
    return all(one < two for one, two in pairwise(numbers))


def _full_year(text: str | None) -> str:
    return f"20{text}" if text and len(text) == 2 else text or ""


def _read_serial_dates(rows: Rows) -> None:
    """Read a spreadsheet's own count of days in a row of headings as dates."""
    for row in rows[:TOP]:
        days = {column: int(cell) for column, cell in enumerate(row) if SERIAL.match(cell)}
        if len(days) > 1 and any(map(is_heading_of_names, row)) and _rises([FIRST_SERIAL, *days.values(), LAST_SERIAL]):
            for column, day in days.items():
                row[column] = f"{serial_date(day):%Y-%m-%d}"


def _keep_only_dates(rows: Rows) -> None:
    """Remove everything but the date from headings that say more: Week 1 4/9/25."""
    for row in rows[:TOP]:
        dates = {column: date_in(cell) for column, cell in enumerate(row) if not looks_like_a_date(cell)}
        dates = {column: text for column, text in dates.items() if text and not _is_part(row[column], text)}
        if len(dates) > 1 and any(map(is_heading_of_names, row)):
            for column, text in dates.items():
                row[column] = text


def _is_part(heading: str, day: str) -> bool:
    """Return whether a heading says that a column has something else of that day: "4/9/25 lost", "4/9/25 total"."""
    words = heading.replace(day, "").strip(" -–:.()").rpartition(" ")[2]
    return is_total(words) or word_of(words) not in (LEFT_OUT, "net", "date") or is_place(words)


def _are_headings(cells: Iterable[str]) -> bool:
    """Return whether none of the cells is a player's name or a figure."""
    return all(not cell or word_of(cell) or is_place(cell) or is_total(cell) for cell in cells)


def _join_names_in_two_rows(rows: Rows) -> None:
    """Join the first names of players with the surnames in the row below, above their results."""
    for first, last, body in zip(rows[:TOP], rows[1:], rows[2:], strict=False):
        surnames = [column for column, cell in enumerate(last) if _is_one_name(cell)]
        has_results = any(map(looks_like_a_date, body)) and any(is_number(body[column]) for column in surnames)
        if len(surnames) > 1 and has_results and all(_is_one_name(first[column]) for column in surnames):
            for column in surnames:
                last[column], first[column] = f"{first[column]} {last[column]}", ""


def _is_one_name(cell: str) -> bool:
    return cell.isalpha() and cell[0].isupper() and not (word_of(cell) or is_total(cell) or is_place(cell))
