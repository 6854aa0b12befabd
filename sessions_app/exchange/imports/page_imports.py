"""Import past totals and past meetings on the web: checked first, then written."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from clubscore.scoring.words import listed
from clubscore.table.command_kinds import VOID
from sessions_app.exchange.exports.session_csv import numbered
from sessions_app.exchange.imports.meeting import Loaded, load_meeting, preview_meeting
from sessions_app.exchange.imports.meeting_file import MeetingFile, read_meeting_file
from sessions_app.exchange.imports.name_matches import ImportPreview, People, find_unsure
from sessions_app.exchange.imports.sheet_values import ImportRefused, refuse_too_many
from sessions_app.exchange.imports.totals import (
    BY_TICKING,
    TotalsImport,
    import_totals,
    preview_totals,
    totals_report,
    what_does_not_add_up,
    wrong_days,
)
from sessions_app.exchange.imports.totals_file import TotalsRow, read_totals
from sessions_app.league.seasons import change_season
from sessions_app.models import Club, Season, Session, Tally
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor
from sessions_app.people.transactions import write_transaction
from sessions_app.table.apply_command import apply_command, apply_secretary_command

# The key of the command that finishes an imported session.
FINISH_KEYS = "00000000-0000-4000-8000-{:012d}"

# A large club's meeting, and years of totals; the command line has no such limits.
MAX_TABLES, MAX_ENTRIES, MAX_PEOPLE, MAX_ROWS = 40, 500, 400, 10_000

Chosen = Mapping[str, str]

# A file of totals.


def preview_totals_file(club: Club, text: str, chosen: Chosen, replacing: bool) -> ImportPreview:
    """Return what a file of totals would do; writes and locks nothing."""
    preview, rows = _read_totals(club, text, chosen)
    if not preview.open_names:
        try:
            done = preview_totals(club, rows, replacing, BY_TICKING)
        except ImportRefused as refused:
            preview.faults += refused.sentences
        else:
            preview.adds = len(done.added) + len(done.replaced) + len(done.guests_changed)
            preview.notes += totals_report(club, rows, done)
            preview.asked += what_does_not_add_up(rows)
    return preview


def import_totals_file(club: Club, text: str, chosen: Chosen, replacing: bool, *, by: Actor) -> TotalsImport:
    """Write a file of totals, or raise ImportRefused and write nothing."""
    preview, rows = _read_totals(club, text, chosen)
    _refuse_open(preview)
    return import_totals(club.slug, rows, by, replacing, BY_TICKING)


def _read_totals(club: Club, text: str, chosen: Chosen) -> tuple[ImportPreview, list[TotalsRow]]:
    file = read_totals(text.encode(), wrong_days(club))
    refuse_too_many(len(file.rows), MAX_ROWS, "lines")
    names: dict[str, str] = {}
    for row in file.rows:
        names.setdefault(row.player, f"Line {row.line}")
    preview = _preview_of_names(club, names.items(), chosen)
    same = preview.same
    rows = [replace(row, player=str(same[row.player])) if row.player in same else row for row in file.rows]
    if file.other_columns:
        preview.notes.append(f"Your file also has {listed(file.other_columns, 'and')}. We leave that out.")
    return preview, rows


# One table's totals, as entered on a page.


class SeasonLocked(ImportRefused):
    """The totals are of a locked season; the secretary may have it unlocked for them, and locked again."""


def save_totals(
    club: Club,
    rows: list[TotalsRow],
    *,
    by: Actor,
    nth: int = 1,
    instead_of: int | None = None,
    opens_lock: bool = False,
) -> TotalsImport:
    """Write the totals of a table's `nth` round; ImportRefused where the table has other results already.

    `instead_of` is a session that they replace: one that was started for them and has no entries, or one of totals;
    then they are of its round. A locked season is unlocked for them and locked again if `opens_lock`.
    """
    first = rows[0]
    season = Season.objects.on(club, first.date, first.rules, first.recording)
    if season and season.locked:
        if not opens_lock:
            raise SeasonLocked(f"The season “{season}” is locked. If these totals belong in it, add them all the same.")
        why = f"Totals of table {first.table} on {day_words(first.date)}"
        with write_transaction():
            change_season(season, by=by, why=why, locked=False)
            done = save_totals(club, rows, by=by, nth=nth, instead_of=instead_of)
            change_season(season, by=by, why=why, locked=True)
        return done
    at_table = Session.objects.of_club(club).filter(
        date=first.date, meeting__name=first.meeting, table=first.table, practice=False
    )
    with write_transaction():
        before = Session.objects.of_club(club).filter(pk=instead_of or 0, void=False).first()
        corrected = before if before and before.imported and at_table.filter(pk=before.pk).exists() else None
        if before and before.imported:
            tallies = {str(one.player): one for one in before.tallies.select_related("player", "seat")}
            if len(tallies) == len(rows) and _are_here(club, _of_round(rows, nth)):
                return preview_totals(club, _of_round(rows, nth))
            rows = [_with_known_figures(row, tallies[row.player]) if row.player in tallies else row for row in rows]
            _cancel(before, "The totals were corrected", by)
        elif before and not before.entries.active().exists():
            _cancel(before, "Totals were entered instead", by)
        rounds = at_table.count()
        rows = _of_round(rows, rounds + 1 if corrected else nth)
        day = day_words(first.date)
        if nth <= rounds and not corrected and not _are_here(club, rows):
            raise ImportRefused(
                f"Enter another table number, or round {rounds + 1}. Table {first.table} already has results on {day}."
            )
        if nth > rounds + 1 and not corrected:
            raise ImportRefused(f"Enter round {rounds + 1} first. Table {first.table} has no results of it on {day}.")
        done = import_totals(club.slug, rows, by)
        if corrected:
            new = at_table.latest("pk")
            Session.objects.filter(pk=new.pk).update(replaces=corrected.replaces_id or corrected.pk)
        return done


def _cancel(session: Session, why: str, by: Actor) -> None:
    command = {"key": str(uuid4()), "kind": VOID.key, "body": {}, "device": "", "why": why}
    answer = apply_secretary_command(session.pk, command, by)
    if not answer.is_done:
        raise ImportRefused(answer.message)


def _of_round(rows: list[TotalsRow], nth: int) -> list[TotalsRow]:
    return [replace(row, meeting=numbered(row.meeting, nth)) for row in rows]


def _with_known_figures(row: TotalsRow, tally: Tally) -> TotalsRow:
    """Return a row with what its form does not ask for as it was: seat, hands won and balance."""
    seat, balance = tally.seat.seat_no if tally.seat.at_start else None, tally.balance - tally.net + row.net
    known: dict[str, Any] = {"seat": seat, "balance": balance}
    if row.hands == tally.hands:
        known["won"] = tally.won
    if row.net == tally.net:
        known |= {"gained": tally.gained, "lost": tally.lost}
    return replace(row, **known)


def _are_here(club: Club, rows: list[TotalsRow]) -> bool:
    """Return whether the club has the same totals already."""
    try:
        return preview_totals(club, rows).unchanged == len(rows)
    except ImportRefused:
        return False


# The file of a meeting.


def preview_meeting_file(club: Club, text: str, chosen: Chosen, *, by: Actor) -> ImportPreview:
    """Return what the file of a meeting would do; writes and locks nothing."""
    meeting_file, preview = _read_meeting(club, text, chosen)
    if not preview.open_names:
        try:
            loaded = preview_meeting(meeting_file, by, club, preview.same)
        except ImportRefused as refused:
            preview.faults += refused.sentences
        else:
            preview.adds, preview.tables = loaded.recorded, loaded.tables
            preview.notes += [*loaded.made, *loaded.corrected, *loaded.notes]
            preview.asked += loaded.asked
    return preview


def import_meeting_file(club: Club, text: str, chosen: Chosen, *, by: Actor) -> Loaded:
    """Import a meeting, and finish its tables if the day is past; or raise ImportRefused and write nothing."""
    meeting_file, preview = _read_meeting(club, text, chosen)
    _refuse_open(preview)
    with write_transaction():
        loaded = load_meeting(meeting_file, by, club=club, same=preview.same)
        if loaded.recorded and meeting_file.date < club.today:
            sessions = Session.objects.filter(pk__in=loaded.sessions, state=Session.State.OPEN)
            for session in sessions.order_by("pk"):
                command = {"key": FINISH_KEYS.format(session.pk), "kind": "finish", "body": {}, "device": "import"}
                apply_command(session.pk, command, by)
    return loaded


def _read_meeting(club: Club, text: str, chosen: Chosen) -> tuple[MeetingFile, ImportPreview]:
    meeting_file = read_meeting_file(text.encode())
    refuse_too_many(len(meeting_file.tables), MAX_TABLES, "tables")
    refuse_too_many(sum(len(table.hands) + len(table.lines) for table in meeting_file.tables), MAX_ENTRIES, "hands")
    names = dict.fromkeys([*(meeting_file.members or []), *meeting_file.players], "In the file")
    preview = _preview_of_names(club, names.items(), chosen)
    if meeting_file.club != club.name:
        preview.notes.append(f"The file is from {meeting_file.club}. It will be imported into {club.name}.")
    return meeting_file, preview


def _preview_of_names(club: Club, names: Iterable[tuple[str, str]], chosen: Chosen) -> ImportPreview:
    """Return a preview that knows who is new and who is not sure; `names` are pairs of a name and where it is."""
    names, people = list(names), People(club)
    refuse_too_many(len(names), MAX_PEOPLE, "players")
    preview = ImportPreview(unsure_names=find_unsure(people, names, chosen))
    same = preview.same
    preview.new = [name for name, _ in names if name not in people and name not in same]
    return preview


def _refuse_open(preview: ImportPreview) -> None:
    if preview.open_names:
        raise ImportRefused(*preview.open_questions)
