"""Import past totals and past meetings on the web: checked first, then written."""

from dataclasses import replace
from typing import Any

from sessions_app.exchange.imports.meeting import load_meeting, preview_meeting
from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.exchange.imports.name_matches import Look, People, doubtful
from sessions_app.exchange.imports.sheet_text import ImportRefused
from sessions_app.exchange.imports.totals import import_totals, preview_totals, told_of_totals, what_does_not_add_up
from sessions_app.exchange.imports.totals_file import read_totals
from sessions_app.models import Club, Session
from sessions_app.people.transactions import write_transaction
from sessions_app.rules.club_rules import known_rule_sets
from sessions_app.table.commands import apply_command

NAMELESS_KEYS = "00000000-0000-4000-8000-{:012d}"
BY_TICKING = "tick “Use the file’s figures where they differ”"

# A large club's meeting, and years of totals; the command line has no such limits.
MAX_TABLES, MAX_ENTRIES, MAX_PEOPLE, MAX_ROWS = 40, 500, 400, 3000


def look_at_totals(club: Club, text: str, chosen: Any, replacing: Any) -> Look:
    """Return what a file of totals would do; writes and locks nothing."""
    look, rows = _totals(club, text, chosen)
    if not look.open_doubts:
        try:
            done = preview_totals(club, rows, replacing, BY_TICKING)
        except ImportRefused as refused:
            look.faults += refused.sentences
        else:
            look.adds = len(done.added) + len(done.replaced) + len(done.guests_changed)
            look.told += told_of_totals(club, rows, done)
            look.asked += what_does_not_add_up(rows)
    return look


def take_in_totals(club: Club, text: str, chosen: Any, replacing: Any, *, by: Any) -> Any:
    """Write a file of totals; ImportRefused where it cannot be, and nothing is written then."""
    look, rows = _totals(club, text, chosen)
    _refuse_open(look)
    return import_totals(club.slug, rows, by, replacing, BY_TICKING)


def _totals(club, text, chosen):
    file = read_totals(text.encode(), known_rule_sets())
    refuse_too_many(len(file.rows), MAX_ROWS, "lines")
    first = {}
    for row in file.rows:
        first.setdefault(row.player, row.line)
    doubts = doubtful(club, [(name, f"Line {line}") for name, line in first.items()], chosen)
    look = Look(doubts=doubts)
    rows = [replace(row, player=str(look.same[row.player])) if row.player in look.same else row for row in file.rows]
    people = People(club)
    look.new = [name for name in first if name not in people and name not in look.same]
    if file.other_columns:
        look.told.append(f"These columns are not used here: {', '.join(file.other_columns)}.")
    return look, rows


def look_at_night(club: Club, text: str, chosen: Any, *, by: Any) -> Look:
    """Return what the file of a meeting would do; writes and locks nothing."""
    meeting_file, look = _night(club, text, chosen)
    if not look.open_doubts:
        try:
            loaded = preview_meeting(meeting_file, by, club, look.same)
        except ImportRefused as refused:
            look.faults += refused.sentences
        else:
            look.adds, look.tables = loaded.recorded, loaded.tables
            look.told += [*loaded.made, *loaded.corrected, *loaded.told]
            look.asked += loaded.asked
    return look


def take_in_night(club: Club, text: str, chosen: Any, *, by: Any) -> Any:
    """Import a meeting, and finish its tables if the day is past. ImportRefused if it cannot be; nothing is written."""
    meeting_file, look = _night(club, text, chosen)
    _refuse_open(look)
    with write_transaction():
        loaded = load_meeting(meeting_file, by, club=club, same=look.same)
        if loaded.recorded and meeting_file.date < club.today:
            sessions = Session.objects.filter(pk__in=loaded.sessions, state=Session.State.OPEN)
            for session in sessions.order_by("pk"):
                command = {"key": NAMELESS_KEYS.format(session.pk), "kind": "finish", "body": {}, "device": "import"}
                apply_command(session.pk, command, by)
    return loaded


def _night(club, text, chosen):
    meeting_file = read_meeting_file(text.encode())
    refuse_too_many(len(meeting_file.tables), MAX_TABLES, "tables")
    refuse_too_many(sum(len(table.hands) + len(table.lines) for table in meeting_file.tables), MAX_ENTRIES, "hands")
    names = dict.fromkeys([*(meeting_file.members or []), *meeting_file.players])
    refuse_too_many(len(names), MAX_PEOPLE, "players")
    look = Look(doubts=doubtful(club, [(name, "In the file") for name in names], chosen))
    people = People(club)
    look.new = [name for name in names if name not in people and name not in look.same]
    if meeting_file.club != club.name:
        look.told.append(f"The file is from {meeting_file.club}. It will be imported into {club.name}.")
    return meeting_file, look


def _refuse_open(look):
    if look.open_doubts:
        raise ImportRefused(*look.open_questions)


def refuse_too_many(number: int, most: Any, what: Any) -> None:
    if number > most:
        raise ImportRefused(f"Choose a smaller file: at most {most:,} {what} at once, and this one has {number:,}.")
