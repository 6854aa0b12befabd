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
# Where a cell begins, and where a spreadsheet that splits a line at semicolons, tabs or line ends begins another.
BEGINS = r"(?:^|(?<=[;\t\r\n]))"
FORMULA = re.compile(BEGINS + r"(?='*(?:\s*[=+\-@＝＋－＠]|[\t\r\n]))")
GUARDED = re.compile(BEGINS + r"'(?='*(?:\s*[=+\-@＝＋－＠]|[\t\r\n]))")


def guarded(cell: object) -> str:
    """Return the text of a cell with an apostrophe before what a spreadsheet may take for a formula; numbers stay."""
    text = "" if cell is None else str(cell)
    return text if NUMBER.match(text) else FORMULA.sub("'", text)


def unguarded(text: str) -> str:
    """Remove the apostrophes that `guarded` put into a cell."""
    return GUARDED.sub("", text)
