"""The headings and values of CSV files for people, and the names and words for programs; an import reads both."""

import csv
import io

from clubscore.scoring import RULE_SETS
from sessions_app.league.methods import MEETING, METHODS, SESSION
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
    "sessions": "Tables played",
    "best_session": "Best table",
    "minimum_sessions": "Tables needed",
    "minimum_hands": "Hands needed",
    "best_n": "Best tables that count",
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
# In a league table where a meeting is one result.
HEADINGS_OF_MEETINGS = {"sessions": "Meetings played", "best_session": "Best meeting"}
# In a file with a line for each player and hand.
HEADINGS_OF_HANDS = {"won": "Went Mah-jong"}
# What files exported earlier have.
EARLIER_HEADINGS = {
    "best session": "best_session",
    "sessions needed": "minimum_sessions",
    "best sessions that count": "best_n",
}
NAMES = EARLIER_HEADINGS | {
    heading.casefold(): name
    for row in (HEADINGS_OF_MEETINGS, HEADINGS_OF_HANDS, HEADINGS)
    for name, heading in row.items()
}


def _headings(names: list[str], unit: str) -> list[str]:
    """Return the headings of these columns for people, in a league table with that `unit`."""
    headings = HEADINGS | (HEADINGS_OF_MEETINGS if unit == MEETING else {})
    if "wind_of_round" in names:
        headings |= HEADINGS_OF_HANDS
    return [headings.get(name, name.replace("_", " ").capitalize()) for name in names]


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
    "result": {"won": "Mah-jong", "drawn": "nobody", "fine": "penalty"},
}
EARLIER_VALUES = {
    "method": {"average per session": "average_session", "best sessions": "best_n"},
    "trophies": {"most sessions": "most_sessions"},
}
STORED = {
    column: EARLIER_VALUES.get(column, {}) | {word.casefold(): value for value, word in words.items()}
    for column, words in VALUES.items()
}


def shown_value(name: str, cell: str) -> str:
    """Return what people read in a cell of a column."""
    words = VALUES.get(name, {})
    if cell in words or not all(part in words for part in cell.split()):
        return words.get(cell, cell)
    return ", ".join(words[part] for part in cell.split())


def stored_value(name: str, cell: str) -> str:
    """Return a program's word for a cell of a column, from that or from what people read."""
    return STORED.get(name, {}).get(cell.strip().casefold(), cell)


def for_people(text: str, unit: str = SESSION) -> str:
    """Return a CSV with the headings and the values for people; `unit` is that of a league table."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    names, *rows = csv.reader(io.StringIO(text.removeprefix(mark), newline="")) if text else [[]]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(_headings(names, unit))
    if not VALUES.keys().isdisjoint(names):
        rows = [[shown_value(name, cell) for name, cell in zip(names, row, strict=True)] for row in rows]
    writer.writerows(rows)
    return mark + out.getvalue()
