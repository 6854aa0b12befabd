"""The CSV of a club's log: one row a change, in the order in which they were made."""

from sessions_app.exports.csv_writer import csv_text, file_name
from sessions_app.queries.log import Wanted, all_lines

COLUMNS = ["date", "time", "who", "what", "session_date", "table", "sentence", "why"]


def log_csv(club, wanted=None):
    """Return the lines that are wanted, all of them when not told which, in the club's own time."""
    return csv_text(COLUMNS, (log_cells(line) for line in all_lines(club, wanted or Wanted())))


def log_cells(line):
    session = line.session
    return [
        line.at.date().isoformat(),
        f"{line.at:%H:%M:%S}",
        line.who,
        line.action.replace("_", " "),
        session.date.isoformat() if session else "",
        session.table if session else "",
        line.sentence,
        line.why,
    ]


def log_file_name(club, today):
    return file_name(club.slug, today, "log")
