"""What a file of totals would do, in sentences for the secretary who looks at it before it is taken in."""

from collections import defaultdict

from sessions_app.imports.totals import TotalsImport
from sessions_app.imports.totals_file import TotalsRow
from sessions_app.models import Club, Season, Session
from sessions_app.queries.rule_names import rule_set_name

HOW = {"settle": "settled", "straight": "recorded straight"}


def told_of_totals(club: Club, rows: list[TotalsRow], done: TotalsImport) -> list[str]:
    """Return sentences: what was read and how its days were, what it would write, what would count in no season."""
    nowhere = [*what_counts_nowhere(club, done.unranked), *what_has_no_hands(rows)]
    return [*what_was_read(rows), f"That would be: {done}", *nowhere, *done.guests_told]


def what_was_read(rows: list[TotalsRow]) -> list[str]:
    if not rows:
        return []
    days = sorted({row.date for row in rows})
    tables, players = len({row.session for row in rows}), len({row.player.casefold() for row in rows})
    first, last = (f"{day:%-d %B %Y}" for day in (days[0], days[-1]))
    when = f"{len(days)} days: the first is {first}, the last {last}" if len(days) > 1 else f"one day, {first}"
    return [f"The file has {_counted(tables, 'table')} of {_counted(players, 'player')} on {when}."]


def what_counts_nowhere(club: Club, sessions: list[Session]) -> list[str]:
    """Say which sessions would stand in no league table, and why: there is no season then, or not their rules."""
    seasons = list(Season.objects.of_club(club).order_by("starts_on")) if sessions else []
    groups = defaultdict(list)
    for session in sessions:
        season = next((one for one in seasons if one.starts_on <= session.date <= one.ends_on), None)
        rules = f"{rule_set_name(session.rules)}, {HOW[session.recording]}"
        groups[f"the season {season} does not rank {rules}" if season else "there is no season then"].append(session)
    return [f"{_of(found)} would count in no league table: {because}." for because, found in groups.items()]


def what_has_no_hands(rows: list[TotalsRow]) -> list[str]:
    """Say which tables have points but 0 hands for everyone: whoever wrote the file did not know them."""
    tables = defaultdict(list)
    for row in rows:
        tables[row.session].append(row)
    empty = [some for some in tables.values() if not any(row.hands != 0 for row in some) and any(r.net for r in some)]
    if not empty:
        return []
    return [
        f"{_counted(len(empty), 'table')} with 0 hands would count in no league table. "
        "Leave “hands” and “won” empty where they are not known."
    ]


def _of(sessions: list[Session]) -> str:
    days = sorted({session.date for session in sessions})
    span = f"{days[0]:%-d %B %Y}" + (f" to {days[-1]:%-d %B %Y}" if len(days) > 1 else "")
    return f"{_counted(len(sessions), 'table')} ({span})"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
