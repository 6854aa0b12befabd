"""The rows of a CSV for people, by the names that its columns and keys have for programs."""

import csv
import io

# What people read above the columns, as the files had it when they were first worded; others are called as their name.
NAMES = {
    "Position": "place", "Hands won": "won", "Went Mah-jong": "won", "Won or lost": "net", "Tables played": "sessions",
    "Won or lost so far": "running", "Best table": "best_session", "Meetings played": "sessions",
    "Best meeting": "best_session", "Ranked by the figure": "value", "Why not ranked": "reason",
    "How it was scored": "recording", "Points gained": "gained", "Points lost": "lost", "On the list": "listed",
    "Paid by": "from", "Paid to": "to", "Reason": "why", "How it was paid": "how", "First day": "starts_on",
    "Last day": "ends_on", "Ranked by": "method", "Tables needed": "minimum_sessions", "Hands needed": "minimum_hands",
    "Best tables that count": "best_n", "Lowest meetings left out": "drop_worst", "Name at the table": "short_name",
    "Merged into": "joined_into", "Name in public": "in_public", "Scored the limit": "limited",
    "Special hand": "special", "Date of the table": "session_date", "What changed": "sentence",
    "Begins at": "starts_at", "Venue": "place",
}  # fmt: skip
KEYS = {
    "recording": {"players pay each other": "settle", "each adds up their own score": "straight"},
    "rules": {"British (BMJA)": "bmja", "u3a Beginners' Guide, to the letter": "u3a"},
    "method": {"Average per hand": "average", "Average per table": "average_session"},
    "why": {"Mah-jong": "mah-jong", "penalty": "fine"},
    "result": {"Mah-jong": "won", "nobody": "drawn", "penalty": "fine"},
}


def rows_of(answer):
    return rows_of_text(answer.content.decode("utf-8-sig"))


def rows_of_text(text):
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    named = [{name_of(heading): cell for heading, cell in row.items()} for row in rows]
    return [{name: KEYS.get(name, {}).get(cell, cell) for name, cell in row.items()} for row in named]


def name_of(heading):
    return NAMES.get(heading, heading.lower().replace(" ", "_"))
