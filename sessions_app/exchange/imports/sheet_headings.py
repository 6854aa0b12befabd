"""Complete the headings that a club spreads over two rows, or writes without day or month. No database here.

"September" above 3, 10 and 17 becomes 3 September, 10 September and so on. Results are never changed or moved.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise

from sessions_app.exchange.imports.sheet_shapes import TOP, is_heading_of_names, is_place, word_of
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
)
from sessions_app.exchange.imports.spreadsheets import Sheet, Workbook

A_MONTH = re.compile(rf"{MONTH}\.?(?:[-/,.' ]*(?P<year>\d{{4}}|\d{{2}}))?\Z", re.I)
A_MONTH_IN = re.compile(rf"\b{MONTH}\b\.?(?:[-/,.' ]*(?P<year>20\d\d|\d\d)\b)?", re.I)
A_YEAR = re.compile(r"20\d\d\Z")
A_GAME = re.compile(r"(?:g|game|r|round|half|match|m)?\s*[1-9]\Z", re.I)
A_DAY = re.compile(r"(?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\Z", re.I)
FIRST_SERIAL, LAST_SERIAL = 36_526, 60_000
Rows = list[list[str]]


def with_whole_headings(book: Workbook) -> Workbook:
    """Return the workbook with whole headings, and a sentence for what could be read in another way."""
    sheets, sentences = [], list(book.notes)
    for sheet in book.sheets:
        rows = [list(row) for row in sheet.rows]
        for complete in COMPLETIONS:
            sentences += complete(sheet.name, rows)
        sheets.append(Sheet(sheet.name, rows))
    return Workbook(sheets, list(dict.fromkeys(sentences)))


def _cell(row: Sequence[str], column: int) -> str:
    return row[column] if column < len(row) else ""


def _days_below_months(name: str, rows: Rows) -> list[str]:
    """Complete days without a month: it stands in the row above, or in the sheet's name."""
    for at, row in enumerate(rows[:TOP]):
        days = [column for column, cell in enumerate(row) if A_DAY.match(WEEKDAY.sub("", cell))]
        if len(days) < 2 or not _are_headings(cell for column, cell in enumerate(row) if column not in days):
            continue
        above = rows[at - 1] if at else []
        months = {column: found for column, cell in enumerate(above) if (found := A_MONTH.match(cell))}
        in_name = A_MONTH_IN.search(name)
        if months:
            of_day = {
                column: months[max(some)] for column in days if (some := [one for one in months if one <= column])
            }
        elif in_name and any(map(is_heading_of_names, row)) and _are_days([_day(row[column]) for column in days]):
            of_day = dict.fromkeys(days, in_name)
        else:
            continue
        if len(of_day) < len(days):
            continue
        for column, month in of_day.items():
            row[column] = " ".join(filter(None, (str(_day(row[column])), month["month"], _year(month["year"]))))
        for column, cell in enumerate(above if months else []):
            if is_heading_of_names(cell) and not _cell(row, column):
                row[column] = cell
        return []
    return []


def _day(cell: str) -> int:
    found = A_DAY.match(WEEKDAY.sub("", cell))
    return int(found["day"]) if found else 0


def _year(text: str | None) -> str:
    return f"20{text}" if text and len(text) == 2 else text or ""


def _are_days(numbers: list[int]) -> bool:
    """Return whether numbers rise as the days of a month do; 1, 2, 3 may be games or tables."""
    return _rises(numbers) and numbers != list(range(1, len(numbers) + 1))


def _rises(numbers: list[int]) -> bool:
    return all(one < two for one, two in pairwise(numbers))


def _months(name: str, rows: Rows) -> list[str]:
    """Read a row or a column of months as their first days, where each is another month: Sept 24, Oct 24."""
    width = max(map(len, rows), default=0)
    lines: list[list[tuple[int, int]]] = [[(at, column) for column in range(len(rows[at]))] for at in range(len(rows))]
    lines = lines[:TOP] + [
        [(at, column) for at in range(len(rows)) if column < len(rows[at])] for column in range(width)
    ]
    for line in lines:
        found = [(at, column, A_MONTH.match(rows[at][column])) for at, column in line]
        months = [(at, column, one) for at, column, one in found if one and one["year"]]
        others = [rows[at][column] for at, column, one in found if not one]
        if any(map(looks_like_a_date, others)) or not _are_months([one for _, _, one in months]):
            continue
        first = rows[months[0][0]][months[0][1]]
        for at, column, one in months:
            rows[at][column] = f"1 {one['month']} {_year(one['year'])}"
        [at, column, _] = months[0]
        return [f"“{first}” is read as a month without a day: {rows[at][column]}."]
    return []


def _are_months(found: list[re.Match[str]]) -> bool:
    """Return whether these are months with a year, and not days: each is later, and a new year begins in January."""
    months = [(int(_year(one["year"])), MONTHS.index(one["month"][:3].lower())) for one in found]
    months = list(dict.fromkeys(months))
    in_full = all(len(one["year"]) == 4 for one in found)
    return len(months) > 1 and all(
        one < two and (one[0] == two[0] or in_full or (two[0] == one[0] + 1 and two[1] < one[1]))
        for one, two in pairwise(months)
    )


def _serials(name: str, rows: Rows) -> list[str]:
    """Read a spreadsheet's own count of days in a row of headings as dates."""
    for row in rows[:TOP]:
        columns = [column for column, cell in enumerate(row) if SERIAL.match(cell)]
        days = [int(row[column]) for column in columns]
        if len(days) > 1 and any(map(is_heading_of_names, row)) and _rises([FIRST_SERIAL, *days, LAST_SERIAL]):
            for column, day in zip(columns, days, strict=True):
                row[column] = f"{date(1899, 12, 30) + timedelta(days=day):%Y-%m-%d}"
    return []


def _dates_above_scores(name: str, rows: Rows) -> list[str]:
    """Put each date above the column of points, where it stands above several columns: table and score."""
    for row, below in pairwise(rows[: TOP + 1]):
        dates = [column for column, cell in enumerate(row) if looks_like_a_date(cell)]
        if len(dates) < 2 or not _are_headings(below[: dates[0]]) or any(map(_is_result, below)):
            continue
        width = max(len(row), len(below))
        ends = [*dates[1:], width]
        groups = [range(first, end) for first, end in zip(dates, ends, strict=True)]
        nets = [[column for column in some if word_of(_cell(below, column)) == "net"] for some in groups]
        nets = nets if all(nets) else [[at for at in some if A_GAME.match(_cell(below, at))] for some in groups]
        if any(not some for some in nets):
            continue
        row += [""] * (width - len(row))
        for first, some in zip(dates, nets, strict=True):
            day, row[first] = row[first], ""
            for column in some:
                row[column] = day
        # What stands below the dates is the heading of the other columns.
        row[:] = [cell or _cell(below, column) for column, cell in enumerate(row)]
        below[:] = [""] * len(below)
    return []


def _are_headings(cells: Iterable[str]) -> bool:
    """Return whether none of the cells is a player's name or a figure."""
    return all(not cell or word_of(cell) or is_place(cell) or is_total(cell) for cell in cells)


def _is_result(cell: str) -> bool:
    return looks_like_a_date(cell) or (is_number(cell) and not A_GAME.match(cell))


def _dates_within_words(name: str, rows: Rows) -> list[str]:
    """Leave the date alone of headings that have more: Week 1 4/9/25."""
    for row in rows[:TOP]:
        found = {column: date_in(cell) for column, cell in enumerate(row) if not looks_like_a_date(cell)}
        found = {column: text for column, text in found.items() if text}
        if len(found) > 1 and any(map(is_heading_of_names, row)):
            for column, text in found.items():
                row[column] = text
    return []


def _headings_in_two_rows(name: str, rows: Rows) -> list[str]:
    """Join headings with those below them: "Points" above "won" and "lost"."""
    for row, below in pairwise(rows[: TOP + 1]):
        names = [column for column, cell in enumerate(row) if is_heading_of_names(cell)]
        lower = [cell for cell in below if cell]
        if not names or any(_cell(below, column) for column in names) or any(map(looks_like_a_date, row)):
            continue
        if not lower or not all(map(word_of, lower)):
            continue
        row += [""] * (len(below) - len(row))
        row[:] = [_cell(below, column) or cell for column, cell in enumerate(row)]
        below[:] = [""] * len(below)
    return []


def _names_then_scores(name: str, rows: Rows) -> list[str]:
    """Repeat a heading that stands once above the names of a table, and once above as many scores."""
    for at, row in enumerate(rows[:TOP]):
        below = next(filter(any, rows[at + 1 :]), [])
        row += [""] * (len(below) - len(row))
        starts = [*(column for column, cell in enumerate(row) if cell), len(row)]
        wide = [(row[one], range(one, end)) for one, end in pairwise(starts) if end - one > 1]
        if [word_of(heading) for heading, _ in wide] != ["player", "net"] or len(wide[0][1]) != len(wide[1][1]):
            continue
        if all(is_number(_cell(below, column)) for column in wide[1][1]):
            for heading, columns in wide:
                for column in columns:
                    row[column] = heading
    return []


def _years_apart(name: str, rows: Rows) -> list[str]:
    """Add the year to dates without one, where it has a column of its own."""
    for at, row in enumerate(rows[:TOP]):
        for column in [column for column, cell in enumerate(row) if cell.casefold() == "year"]:
            year = ""
            for below in rows[at + 1 :]:
                year = found[0] if (found := A_YEAR.match(_cell(below, column))) else year
                for date_place, cell in enumerate(below if year else []):
                    if looks_like_a_date(cell) and not has_year(cell):
                        below[date_place] = f"{cell} {year}"
    return []


def _years_above_dates(name: str, rows: Rows) -> list[str]:
    """Add the years that stand in the row above the dates."""
    for above, row in pairwise(rows[: TOP + 1]):
        years = {column: cell for column, cell in enumerate(above) if A_YEAR.match(cell)}
        dates = [at for at, cell in enumerate(row) if looks_like_a_date(cell) and not has_year(cell)]
        if len(dates) > 1 and years and min(years) <= dates[0]:
            for at in dates:
                row[at] = f"{row[at]} {years[max(column for column in years if column <= at)]}"
    return []


def _first_names_above_surnames(name: str, rows: Rows) -> list[str]:
    """Join the names of players that stand in two rows above their results."""
    for at in range(min(TOP, len(rows) - 2)):
        first, last = rows[at], rows[at + 1]
        both = [column for column, cell in enumerate(last) if _is_one_name(cell) and _is_one_name(_cell(first, column))]
        alone = [column for column, cell in enumerate(last) if _is_one_name(cell) and column not in both]
        body = rows[at + 2]
        if len(both) < 2 or alone or not any(map(looks_like_a_date, body)) or not _has(body, both, is_number):
            continue
        for column in both:
            last[column], first[column] = f"{first[column]} {last[column]}", ""
    return []


def _is_one_name(cell: str) -> bool:
    return cell.isalpha() and cell[0].isupper() and not (word_of(cell) or is_total(cell) or is_place(cell))


def _has(row: Sequence[str], columns: list[int], test: Callable[[str], bool]) -> bool:
    return any(test(_cell(row, column)) for column in columns)


COMPLETIONS = (
    _years_apart,
    _headings_in_two_rows,
    _names_then_scores,
    _days_below_months,
    _months,
    _serials,
    _dates_within_words,
    _years_above_dates,
    _dates_above_scores,
    _first_names_above_surnames,
)
