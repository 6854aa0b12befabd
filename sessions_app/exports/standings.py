"""The CSV of a league table."""

from collections.abc import Iterable
from datetime import date

from sessions_app.exports.csv_writer import csv_text, file_name
from sessions_app.queries.methods import rounded_half_even
from sessions_app.queries.ranking import Standing

COLUMNS = ["place", "player", "sessions", "hands", "won", "net", "best_session", "value", "reason"]
VALUE_DECIMALS = 4


def standings_csv(rows: Iterable[Standing]) -> str:
    """Return the league table as CSV; nobody to list: the header alone."""
    return csv_text(COLUMNS, (standing_cells(row) for row in rows))


def standing_cells(row: Standing) -> list:
    return [
        row.place,
        row.name,
        row.sessions,
        row.hands,
        row.won,
        row.net,
        row.best_session,
        rounded_half_even(row.value, VALUE_DECIMALS),
        row.reason,
    ]


def standings_file_name(club_slug: str, until: date, method: str) -> str:
    return file_name(club_slug, until, f"standings {method}")
