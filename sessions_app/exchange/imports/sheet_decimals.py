"""Figures with decimals, or in pounds and pence: made whole in one way for the whole file. No database here."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from sessions_app.exchange.imports.sheet_shapes import LEFT_OUT, RESULT, Layout
from sessions_app.exchange.imports.sheet_values import MAX_FIGURES, looks_like_a_date
from sessions_app.exchange.imports.spreadsheets import CellNumbers, Workbook
from sessions_app.people.plain_text import plain_figure

# Round each figure, or count in its smallest part.
ROUNDED, COUNTED = "round", "count"
DECIMAL = re.compile(
    r"(?P<sign>[-+]?) ?(?P<figures>\d{1,3}(?:[, ’']\d{3})+|\d+)(?:[.,](?P<places>\d{1,2}))?(?P<behind>-?)\Z"
)
OF_RESULTS = {"net", RESULT, "gained", "lost"}


def places_of(text: str) -> int:
    """Return how many decimals a figure has; zeros at its end do not count."""
    figure = _decimal_of(text)
    return 0 if figure is None else max(0, -int(figure.normalize().as_tuple().exponent))


def whole_figure(text: str, how: str, places: int) -> int:
    """Return a figure as a whole number."""
    figure = _decimal_of(text) or Decimal(0)
    return int((figure * (10**places if how == COUNTED else 1)).quantize(Decimal(1), ROUND_HALF_UP))


def decimal_cells(book: Workbook, layouts: Sequence[Layout]) -> list[CellNumbers]:
    """Return the cells of results that have decimals."""
    return [
        CellNumbers(number, row, column)
        for number, (sheet, layout) in enumerate(zip(book.sheets, layouts, strict=True))
        if layout.used and not layout.missing
        for row in range(layout.first_row, len(sheet.rows))
        for column, text in enumerate(sheet.rows[row])
        if layout.columns[column] in OF_RESULTS and places_of(text)
    ]


def with_whole_figures(book: Workbook, layouts: Sequence[Layout], how: str, places: int) -> Workbook:
    """Return the workbook with all its results, and the totals beside them, as whole numbers."""
    meanings = OF_RESULTS | {"balance", LEFT_OUT}

    def whole(text: str) -> str:
        return text if _decimal_of(text) is None else str(whole_figure(text, how, places))

    sheets = []
    for sheet, layout in zip(book.sheets, layouts, strict=True):
        rows = [
            [
                whole(text) if layout.columns[column] in meanings and row >= layout.first_row else text
                for column, text in enumerate(cells)
            ]
            for row, cells in enumerate(sheet.rows)
        ]
        sheets.append(replace(sheet, rows=rows))
    return replace(book, sheets=sheets)


def _decimal_of(text: str) -> Decimal | None:
    plain = plain_figure(text).replace("£", "").strip()
    bracketed = re.fullmatch(r"\(\s*(.*?)\s*\)", plain)
    found = DECIMAL.match(bracketed[1] if bracketed else plain)
    if not found or len(found["figures"]) > MAX_FIGURES or looks_like_a_date(text):
        return None
    figure = Decimal(re.sub(r"\D", "", found["figures"]) + "." + (found["places"] or "0"))
    return -figure if bracketed or found["sign"] == "-" or found["behind"] else figure
