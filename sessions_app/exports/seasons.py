"""The CSV of a club's seasons: their dates, what they rank, and how."""

from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import Season

COLUMNS = [
    "season",
    "starts_on",
    "ends_on",
    "rules",
    "recording",
    "method",
    "minimum_sessions",
    "minimum_hands",
    "best_n",
    "trophies",
    "locked",
]


def seasons_csv(club):
    """Return every season of a club, the earliest first; one query."""
    return csv_text(COLUMNS, map(_cells, Season.objects.of_club(club).order_by("starts_on")))


def _cells(season):
    return [
        season.name,
        season.starts_on.isoformat(),
        season.ends_on.isoformat(),
        " ".join(season.rules),
        season.recording,
        season.method,
        season.minimum_sessions,
        season.minimum_hands,
        season.best_n,
        " ".join(season.trophies),
        "yes" if season.locked else "",
    ]
