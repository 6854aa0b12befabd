"""The headings and values of CSV files for people, and the names and words for programs; an import reads both."""

import csv
import io

from clubscore.scoring import RULE_SETS
from sessions_app.league.methods import METHODS
from sessions_app.league.records import TROPHIES

# A column that is not here is called as its name says: best_hand is “Best hand”.
HEADINGS = {
    "place": "Position",
    "won": "Hands won",
    "net": "Won or lost",
    "value": "Ranked by the figure",
    "reason": "Why not ranked",
    "recording": "How it was scored",
    "gained": "Points gained",
    "lost": "Points lost",
    "listed": "On the list",
    "from": "Paid by",
    "to": "Paid to",
    "why": "Reason",
    "how": "How it was paid",
    "starts_on": "First day",
    "ends_on": "Last day",
    "method": "Ranked by",
    "minimum_sessions": "Sessions needed",
    "minimum_hands": "Hands needed",
    "best_n": "Best sessions that count",
    "drop_worst": "Lowest meetings left out",
    "short_name": "Name at the table",
    "joined_into": "Merged into",
    "in_public": "Name in public",
    "agreed_on": "Agreed on",
    "running": "Won or lost so far",
    "limited": "Scored the limit",
    "special": "Special hand",
    "session_date": "Date of the table",
    "sentence": "What changed",
    "starts_at": "Begins at",
}
NAMES = {heading.casefold(): name for name, heading in HEADINGS.items()}


def heading_of(name: str) -> str:
    """Return the heading of a column for people."""
    return HEADINGS.get(name, name.replace("_", " ").capitalize())


def name_of(heading: str) -> str:
    """Return the name of a column for programs, from that or from its heading, in small letters."""
    plain = heading.strip().casefold()
    return NAMES.get(plain, plain)


# What stands in a column of a program's words, by the column's name; a cell may have several, between blanks.
VALUES: dict[str, dict[str, str]] = {
    "recording": {"settle": "players pay each other", "straight": "each adds up their own score"},
    "rules": {key: rules.name for key, rules in RULE_SETS.items()},
    "method": {key: method.name for key, method in METHODS.items()},
    "trophies": {key: trophy.name for key, trophy in TROPHIES.items()},
    "why": {"mah-jong": "Mah-jong", "fine": "penalty"},
}
STORED = {column: {word.casefold(): value for value, word in words.items()} for column, words in VALUES.items()}


def shown_value(name: str, cell: str) -> str:
    """Return what people read in a cell of a column."""
    words = VALUES.get(name, {})
    if cell in words or not all(part in words for part in cell.split()):
        return words.get(cell, cell)
    return ", ".join(words[part] for part in cell.split())


def stored_value(name: str, cell: str) -> str:
    """Return a program's word for a cell of a column, from that or from what people read."""
    return STORED.get(name, {}).get(cell.strip().casefold(), cell)


def for_people(text: str) -> str:
    """Return a CSV with the headings and the values for people."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    names, *rows = csv.reader(io.StringIO(text.removeprefix(mark), newline="")) if text else [[]]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(map(heading_of, names))
    if not VALUES.keys().isdisjoint(names):
        rows = [[shown_value(name, cell) for name, cell in zip(names, row, strict=True)] for row in rows]
    writer.writerows(rows)
    return mark + out.getvalue()
