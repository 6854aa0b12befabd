"""Import past totals and past meetings on the web: checked first, then written."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

from clubscore.table.command_kinds import VOID
from sessions_app.exchange.exports.session_csv import numbered
from sessions_app.exchange.imports.meeting import load_meeting, preview_meeting
from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.exchange.imports.name_matches import Look, People, doubtful
from sessions_app.exchange.imports.sheet_text import ImportRefused, refuse_too_many
from sessions_app.exchange.imports.totals import (
    BY_TICKING,
    TotalsImport,
    import_totals,
    preview_totals,
    totals_report,
    what_does_not_add_up,
)
from sessions_app.exchange.imports.totals_file import TotalsRow, read_totals
from sessions_app.models import Club, Season, Session
from sessions_app.people.log import Actor
from sessions_app.people.transactions import write_transaction
from sessions_app.rules.club_rules import known_rule_sets
from sessions_app.table.apply_command import apply_at_desk, apply_command
from sessions_app.table.season_assignment import season_of

NAMELESS_KEYS = "00000000-0000-4000-8000-{:012d}"

# A large club's meeting, and years of totals; the command line has no such limits.
MAX_TABLES, MAX_ENTRIES, MAX_PEOPLE, MAX_ROWS = 40, 500, 400, 10_000


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
            look.notes += totals_report(club, rows, done)
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
    refuse_too_many(len(first), MAX_PEOPLE, "players")
    look = _look_at_names(club, [(name, f"Line {line}") for name, line in first.items()], chosen)
    rows = [replace(row, player=str(look.same[row.player])) if row.player in look.same else row for row in file.rows]
    if file.other_columns:
        look.notes.append(f"These columns are not used here: {', '.join(file.other_columns)}.")
    return look, rows


INSTEAD, CORRECTED = "Totals were entered instead", "The totals were corrected"


def save_totals(
    club: Club, rows: list[TotalsRow], *, by: Actor, nth: int = 1, instead_of: int | None = None
) -> TotalsImport:
    """Write one table's totals, as entered on a page; ImportRefused where the table has other results already.

    They are those of its `nth` round. `instead_of` is a session that they replace: one without entries that was begun
    for them, or one of totals, whose round they have then.
    """
    first = rows[0]
    table = {"date": first.date, "meeting__name": first.meeting, "table": first.table, "practice": False}
    at_table = Session.objects.of_club(club).filter(**table)
    season = season_of(Season.objects.of_club(club), first.date, first.rules, first.recording)
    if season and season.locked:
        raise ImportRefused(f"Enter another date. The season {season} is locked.")
    with write_transaction():
        before = Session.objects.of_club(club).filter(pk=instead_of, void=False).first()
        is_corrected = before and before.imported and at_table.filter(pk=before.pk).exists()
        if before and before.imported:
            tallies = {str(one.player): one for one in before.tallies.select_related("player", "seat")}
            if len(tallies) == len(rows) and _is_here(club, _of_round(rows, nth)):
                return preview_totals(club, _of_round(rows, nth))
            rows = [_with_what_was_known(row, tallies.get(row.player)) for row in rows]
        if before and (before.imported or not before.entries.active().exists()):
            why = CORRECTED if before.imported else INSTEAD
            command = {"key": str(uuid4()), "kind": VOID.key, "body": {}, "device": "", "why": why}
            answer = apply_at_desk(before.pk, command, by)
            if answer.status >= 300:
                raise ImportRefused(answer.message)
        rounds = at_table.count()
        rows = _of_round(rows, rounds + 1 if is_corrected else nth)
        if nth <= rounds and not is_corrected and not _is_here(club, rows):
            raise ImportRefused(
                f"Enter another table number, or round {rounds + 1}. "
                f"Table {first.table} already has results on {first.date:%-d %B %Y}."
            )
        if nth > rounds + 1 and not is_corrected:
            raise ImportRefused(
                f"Enter round {rounds + 1} first. Table {first.table} has no results of it on {first.date:%-d %B %Y}."
            )
        done = import_totals(club.slug, rows, by)
        if is_corrected:
            new = at_table.latest("pk")
            Session.objects.filter(pk=new.pk).update(replaces=before.replaces_id or before.pk)
        return done


def _of_round(rows, nth):
    return [replace(row, meeting=numbered(row.meeting, nth)) for row in rows]


def _with_what_was_known(row, tally):
    """Return a row with what its form does not ask for as it was: seat, hands won and balance."""
    if tally is None:
        return row
    known = {"seat": tally.seat.chair if tally.seat.at_start else None, "balance": tally.balance - tally.net + row.net}
    if row.hands == tally.hands:
        known["won"] = tally.won
    if row.net == tally.net:
        known |= {"gained": tally.gained, "lost": tally.lost, "gained_given": True}
    return replace(row, **known)


def _is_here(club, rows):
    """Return whether the same totals are here already."""
    try:
        return preview_totals(club, rows).unchanged == len(rows)
    except ImportRefused:
        return False


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
            look.notes += [*loaded.made, *loaded.corrected, *loaded.notes]
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
    look = _look_at_names(club, [(name, "In the file") for name in names], chosen)
    if meeting_file.club != club.name:
        look.notes.append(f"The file is from {meeting_file.club}. It will be imported into {club.name}.")
    return meeting_file, look


def _look_at_names(club, names, chosen):
    """Return a Look that knows who is new and who is in doubt; `names` are pairs of a name and where it stands."""
    look, people = Look(doubts=doubtful(club, names, chosen)), People(club)
    look.new = [name for name, _ in names if name not in people and name not in look.same]
    return look


def _refuse_open(look):
    if look.open_doubts:
        raise ImportRefused(*look.open_questions)
