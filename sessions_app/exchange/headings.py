"""The headings of CSV files for people, and the names of their columns for programs; an import reads both."""

import csv
import io

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


def for_people(text: str) -> str:
    """Return a CSV with the headings for people in its first line."""
    first, end, rest = text.partition("\r\n")
    mark = "\ufeff" if first.startswith("\ufeff") else ""
    names = next(csv.reader([first.removeprefix(mark)]), [])
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="").writerow(map(heading_of, names))
    return mark + out.getvalue() + end + rest
