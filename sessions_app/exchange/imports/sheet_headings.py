"""Complete headings that a club spreads over two rows, or writes without day or month. No database here.

"September" above 3, 10 and 17 becomes 3 September, 10 September and so on. Results are never changed or moved.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from sessions_app.exchange.imports.sheet_shapes import LEFT_OUT, TOP, is_heading_of_names, is_place, word_of
from sessions_app.exchange.imports.sheet_values import (
    MONTH,
    MONTHS,
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
A_GAME = re.compile(r"(?:g|game|r|round|half|match|m)?\s*[1-9]\Z", re.I)
A_DAY = re.compile(r"(?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\Z", re.I)
FIRST_SERIAL, LAST_SERIAL = 36_526, 60_000
Rows = list[list[str]]


def complete_headings(book: Workbook) -> Workbook:
    """Return the workbook with its headings completed, and a note on what could be read in another way."""
    sheets, notes = [], list(book.notes)
    for sheet in book.sheets:
        rows = rectangular(sheet.rows)
        _add_years_from_their_column(rows)
        _join_headings_in_two_rows(rows)
        _repeat_wide_headings(rows)
        _add_months_to_days(rows, sheet.name)
        notes += _add_days_to_months(rows)
        _read_serial_dates(rows)
        _keep_only_dates(rows)
        _add_years_above_dates(rows)
        _move_dates_above_scores(rows)
        _join_names_in_two_rows(rows)
        sheets.append(replace(sheet, rows=rows))
    return replace(bounded(sheets, list(dict.fromkeys(notes))), hidden_sheets=book.hidden_sheets)


def _add_years_from_their_column(rows: Rows) -> None:
    """Add the year to dates without one, where the year has its own column."""
    for at, row in enumerate(rows[:TOP]):
        for column in [column for column, cell in enumerate(row) if cell.casefold() == "year"]:
            year = ""
            for below in rows[at + 1 :]:
                year = below[column] if A_YEAR.match(below[column]) else year
                below[:] = [f"{cell} {year}" if year and not has_year(cell) else cell for cell in below]


def _join_headings_in_two_rows(rows: Rows) -> None:
    """Replace a heading by the one below it: "won" and "lost" below "Points"."""
    for row, below in pairwise(rows[: TOP + 1]):
        names = [column for column, cell in enumerate(row) if is_heading_of_names(cell)]
        if not names or any(below[column] for column in names) or any(map(looks_like_a_date, row)):
            continue
        if any(below) and all(map(word_of, filter(None, below))):
            row[:] = [lower or upper for upper, lower in zip(row, below, strict=True)]
            below[:] = [""] * len(below)


def _repeat_wide_headings(rows: Rows) -> None:
    """Repeat a heading that is written once above the names of a table, and once above as many scores."""
    for at, row in enumerate(rows[:TOP]):
        below = next(filter(any, rows[at + 1 :]), [])
        starts = [column for column, cell in enumerate(row) if cell]
        end = max((column + 1 for cells in (row, below) for column, cell in enumerate(cells) if cell), default=0)
        wide = [range(start, stop) for start, stop in pairwise([*starts, end]) if stop - start > 1]
        if [word_of(row[columns[0]]) for columns in wide] != ["player", "net"] or len(wide[0]) != len(wide[1]):
            continue
        if all(is_number(below[column]) for column in wide[1]):
            for columns in wide:
                for column in columns:
                    row[column] = row[columns[0]]


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


def _add_days_to_months(rows: Rows) -> list[str]:
    """Read a row or a column of months as their first days, where each is another month: Sept 24, Oct 24."""
    lines = [{(at, column): cell for column, cell in enumerate(row) if cell} for at, row in enumerate(rows[:TOP])]
    width = max(map(len, rows), default=0)
    lines += [{(at, column): row[column] for at, row in enumerate(rows) if row[column]} for column in range(width)]
    for cells in lines:
        months = {place: found for place, cell in cells.items() if (found := A_MONTH.match(cell)) and found["year"]}
        has_dates = any(looks_like_a_date(cell) for place, cell in cells.items() if place not in months)
        if has_dates or not _are_months(list(months.values())):
            continue
        for (at, column), month in months.items():
            rows[at][column] = f"1 {month['month']} {_full_year(month['year'])}"
        first = at, column = next(iter(months))
        return [f"“{cells[first]}” is read as a month without a day: {rows[at][column]}."]
    return []


def _are_months(found: list[re.Match[str]]) -> bool:
    """Return whether these are months with a year, and not days: each is later, and a new year begins in January."""
    months = [(int(_full_year(one["year"])), MONTHS.index(one["month"][:3].lower())) for one in found]
    months = list(dict.fromkeys(months))
    in_full = all(len(one["year"]) == 4 for one in found)
    return len(months) > 1 and all(
        one < two and (one[0] == two[0] or in_full or (two[0] == one[0] + 1 and two[1] < one[1]))
        for one, two in pairwise(months)
    )


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


def _add_years_above_dates(rows: Rows) -> None:
    """Add the years that are in the row above the dates."""
    for above, row in pairwise(rows[: TOP + 1]):
        years = {column: cell for column, cell in enumerate(above) if A_YEAR.match(cell)}
        dates = [column for column, cell in enumerate(row) if looks_like_a_date(cell) and not has_year(cell)]
        if len(dates) > 1 and years and min(years) <= dates[0]:
            for column in dates:
                row[column] += f" {years[max(one for one in years if one <= column)]}"


def _move_dates_above_scores(rows: Rows) -> None:
    """Move each date above the column of points, where it is above several columns: table and score."""
    for row, below in pairwise(rows[: TOP + 1]):
        dates = [column for column, cell in enumerate(row) if looks_like_a_date(cell)]
        if len(dates) < 2 or not _are_headings(below[: dates[0]]) or any(map(_is_result, below)):
            continue
        groups = [range(first, end) for first, end in pairwise([*dates, len(row)])]
        nets = [[column for column in group if word_of(below[column]) == "net"] for group in groups]
        if not all(nets):
            nets = [[column for column in group if A_GAME.match(below[column])] for group in groups]
        if not all(nets):
            continue
        for first, columns in zip(dates, nets, strict=True):
            day, row[first] = row[first], ""
            for column in columns:
                row[column] = day
        row[:] = [upper or lower for upper, lower in zip(row, below, strict=True)]
        below[:] = [""] * len(below)


def _are_headings(cells: Iterable[str]) -> bool:
    """Return whether none of the cells is a player's name or a figure."""
    return all(not cell or word_of(cell) or is_place(cell) or is_total(cell) for cell in cells)


def _is_result(cell: str) -> bool:
    return looks_like_a_date(cell) or (is_number(cell) and not A_GAME.match(cell))


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
