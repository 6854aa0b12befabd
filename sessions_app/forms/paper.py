"""Reads a posted paper sheet: lines of totals by player, who went Mah-jong, and the sheet's own running totals."""

import uuid

from sessions_app.services.paper import ROWS, PaperRow

LONGEST = 40


def read_paper(post, columns):
    """Return the typed lines in order, blank ones too; `columns` are the seat numbers that have a column."""
    return [_row(post, at, columns) for at in range(1, ROWS + 1)]


def blank_rows(columns):
    return read_paper({}, columns)


def _row(post, at, columns):
    def words(name):
        return " ".join(post.get(name, "").split())[:LONGEST]

    return PaperRow(
        at=at,
        key=_key(post.get(f"key_{at}")),
        totals={str(seat): words(f"total_{at}_{seat}") for seat in columns},
        winner=words(f"winner_{at}"),
        sheet={str(seat): words(f"sheet_{at}_{seat}") for seat in columns},
    )


def _key(text):
    try:
        return str(uuid.UUID(text))
    except (TypeError, ValueError):
        return str(uuid.uuid4())
