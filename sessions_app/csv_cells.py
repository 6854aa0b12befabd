"""Cells of CSV files: the guard against formulas, the way back, and the columns that imports and exports share."""

import re

TOTALS_COLUMNS = [
    "date",
    "meeting",
    "table",
    "rules",
    "recording",
    "player",
    "guest",
    "seat",
    "hands",
    "won",
    "gained",
    "lost",
    "net",
    "balance",
    "place",
]
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?\Z")
FORMULA = re.compile(r"'*(\s*[=+\-@＝＋－＠]|[\t\r\n])")
GUARDED = re.compile(r"'+(\s*[=+\-@＝＋－＠]|[\t\r\n])")


def guarded(cell: object) -> str:
    """Return the text of a cell with an apostrophe before what a spreadsheet would take for a formula; numbers stay."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.match(text) else text


def unguarded(text: str) -> str:
    """Take off the apostrophe that `guarded` put before a cell."""
    return text[1:] if GUARDED.match(text) else text
