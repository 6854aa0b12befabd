"""Take an import back: its tables go, what it corrected or removed is as it was, and what it added goes if unused."""

from collections.abc import Iterable
from datetime import date
from operator import itemgetter
from typing import Any

from django.db.models import Q
from django.utils import timezone

from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.table_totals import TableChange, TableTotals, tables_of, write_tables
from sessions_app.league.seasons import save_leagues, what_is_in_league
from sessions_app.models import Change, Command, HandQuery, Import, Meeting, Player, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.transactions import write_transaction
from sessions_app.table.season_assignment import assign_seasons

log_sentences(
    {"take back": "took back the import of {taken_back}"}, taken_back=lambda it: it.after.get("file") or "a file"
)


def log_of(row: Import) -> Any:
    """Return the query for the log line of an import."""
    about = Change.objects.of_club(row.club_id).filter(subject_type="import", subject_id=str(row.pk))
    return about.order_by("pk").values("pk")[:1]


def changed_since(row: Import, stand: dict[int, TableTotals]) -> set[int]:
    """Return which tables of an import were changed here since; `stand` has those of totals."""
    left = {table["session"]: table["after"] for table in row.tables if table["after"] is not None}
    later = Change.objects.filter(session__in=left, pk__gt=log_of(row)).values_list("session", flat=True)
    waiting = Command.objects.waiting().filter(session__in=left).values_list("session", flat=True)
    asked = HandQuery.objects.filter(session__in=left).values_list("session", flat=True)
    return {*later, *waiting, *asked, *(pk for pk, table in stand.items() if left.get(pk) != table.digest)}


def sessions_of(row: Import) -> list[int]:
    """Return the sessions of an import that stand as it left them, or were changed since."""
    return [table["session"] for table in row.tables if table["after"] is not None]


def why_not(row: Import) -> list[str]:
    """Return why an import cannot be taken back, in sentences; an empty list if it can."""
    if row.taken_back_at:
        return ["This import was taken back already."]
    if successor := Import.objects.filter(in_place_of=row).first():
        return [f"Take back the import of {successor.words} first. It took the place of this one."]
    touched = {table["session"]: table for table in row.tables if "before" in table}
    sessions = (
        Session.objects.filter(pk__in=touched).select_related("meeting", "season").order_by("date", "table", "pk")
    )
    here = {session.pk: session for session in sessions}
    stand = tables_of(session for session in here.values() if session.imported)
    changed = changed_since(row, stand) | {pk for pk, table in touched.items() if table["after"] and pk not in here}
    sentences = [
        f"Table {session.table} on {day_words(session.date)} was changed since."
        for pk, session in here.items()
        if pk in changed
    ]
    sentences += [
        f"Table {session.table} on {day_words(session.date)} was here before. Remove its new hands at the table."
        for session in Session.objects.filter(pk__in=[one["session"] for one in row.tables if one.get("longer")])
    ]
    days = [TableTotals.from_json(table["before"], {}) for table in touched.values() if table.get("before")]
    seasons = {season for session in here.values() if (season := session.season)}
    for table in days:
        for league in {table.league, Meeting.objects.league_of(row.club, table.date, table.meeting)}:
            found = Season.objects.on(row.club, table.date, table.rules, table.recording, league)
            seasons |= {found} if found else set()
    locked = sorted(str(season) for season in seasons if season.locked)
    return sentences + [f"Unlock the season {name} first. Tables of this import are in it." for name in locked]


def take_back(row: Import, *, by: Actor) -> list[str]:
    """Take an import back, all or nothing; return the names of players it added who stay, as they are in use.

    ImportRefused names the tables that were changed since.
    """
    with write_transaction():
        row = Import.objects.select_for_update().get(pk=row.pk)
        # No hand may come to a table while it goes.
        list(Session.objects.select_for_update().filter(pk__in=[table["session"] for table in row.tables]))
        if sentences := why_not(row):
            raise ImportRefused(*sentences)
        merged: dict[int, Any] = dict(
            Player.objects.of_club(row.club_id).exclude(merged_into=None).values_list("pk", "merged_into")
        )
        changes = []
        for table in row.tables:
            if "before" in table:
                before = table["before"] and TableTotals.from_json(table["before"], merged)
                here = None if table["after"] is None else before
                changes.append(TableChange(here, before or None, table["session"]))
        back = [change.after for change in changes if change.after and change.after.league in row.club.leagues]
        write_tables(row.club, changes, {(table.date, table.meeting): table.league for table in back})
        made = row.made
        for kept in made.get("guests", ()):
            Player.objects.filter(pk=kept["player"], guest=not kept["guest"]).update(guest=kept["guest"])
        _remove_seasons(row)
        remove_meetings(row)
        stay = _remove_unused(Player.objects.filter(pk__in=made.get("player", ())))
        assign_seasons(row.club)
        _remove_leagues(row, by)
        Import.objects.filter(pk=row.pk).update(taken_back_at=timezone.now(), in_place_of=None, tables=[], made={})
        log_change(row.club, by, "take back", row, {}, {"file": row.words})
    return [str(player) for player in stay]


def _remove_seasons(row: Import) -> None:
    """Remove the seasons that were added for an import, unless they were changed since or other tables are in them."""
    pks, took = row.made.get("season", []), row.made.get("sessions", [])
    changed = Change.objects.of_club(row.club_id).filter(subject_type="season", action="change", pk__gt=log_of(row))
    about = {int(pk) for pk in changed.values_list("subject_id", flat=True)}
    for season in Season.objects.filter(pk__in=pks).exclude(pk__in=about):
        others = Session.objects.filter(season=season).exclude(pk__in=took)
        if not others.exists():
            sessions = Session.objects.filter(season=season)
            for session in sessions:
                session.tallies.update(season=None)
            sessions.update(season=None)
            season.delete()


def _remove_leagues(row: Import, by: Actor) -> None:
    """Remove the leagues that were added for an import, unless meetings or seasons are in them."""
    club = row.club
    added = [league for league in row.made.get("leagues", ()) if league in club.leagues]
    unused = [league for league in added if not what_is_in_league(club, league)]
    if unused:
        save_leagues(club, ["" if league in unused else league for league in club.leagues], by=by)


def remove_meetings(row: Import) -> None:
    """Remove the meetings that an import made, that hold nothing now and that nobody has changed."""
    wanted = Q(pk__in=[])
    for day, name in row.made.get("meeting", ()):
        wanted |= Q(date=day, name=name)
    changed = Change.objects.of_club(row.club_id).filter(subject_type="meeting", action="change")
    meetings = Meeting.objects.of_club(row.club_id).filter(wanted)
    _remove_unused(meetings.exclude(pk__in=[int(pk) for pk in changed.values_list("subject_id", flat=True)]))


def _remove_unused(rows: Iterable[Any]) -> list[Any]:
    """Delete the rows that no other row points to; return the others."""
    stay = []
    for row in rows:
        related = row._meta.related_objects
        if any(one.related_model._base_manager.filter(**{one.field.name: row}).exists() for one in related):
            stay.append(row)
        else:
            row.delete()
    return stay


def tables_in_words(row: Import) -> list[tuple[Session | None, str, str]]:
    """Return each table that an import touched, by day: its session, its words, and what became of it."""
    touched = [table for table in row.tables if "before" in table]
    sessions = Session.objects.with_rounds().in_bulk([table["session"] for table in touched])
    lines: list[tuple[tuple[date, int], tuple[Session | None, str, str]]] = []
    for table in touched:
        session, before = sessions.get(table["session"]), table["before"]
        what = "new" if not before else "no longer in the file" if table["after"] is None else "corrected"
        if session:
            words = f"{session.table_words.capitalize()}, {day_words(session.date)}"
            lines.append(((session.date, session.table), (session, words, what)))
        elif before:
            gone = TableTotals.from_json(before, {})
            lines.append(((gone.date, gone.table), (None, f"Table {gone.table}, {day_words(gone.date)}", what)))
    return [line for _, line in sorted(lines, key=itemgetter(0))]
