"""Reads the log: filtered, a page at a time, newest first, each entry as a sentence."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from clubscore.play.command_kinds import CHANGES, ROWS, LogGroup
from sessions_app.models import Change, Club, Import, Player, Seat, Session
from sessions_app.people.log_sentences import LogNames, sentence, who

PAGE = 50
AT_ONCE = 500


def _in_group(group: LogGroup, *others: str) -> Q:
    """Return the query for the commands of a group, and for other actions."""
    return Q(action__in=(*(row.key for row in ROWS if row.log_group is group), *others))


# Tablets of players after the ninth seat are found by their table only.
MOST_SEATS = 9

# The filters: key in the address, label, query.
LOG_KINDS = {
    "hands": ("Hands and corrections", _in_group(LogGroup.HANDS, "ask", "answer")),
    "tables": (
        "Tables: starts, arrivals, departures and penalties",
        _in_group(LogGroup.TABLES, "start", "pause", "go on", "extra time"),
    ),
    "sessions": (
        "Whole tables: cancelled, moved, restored and rescored",
        _in_group(LogGroup.SESSIONS, "rescore", "enter totals", "correct totals"),
    ),
    "players": ("Players", Q(subject_type="player")),
    "meetings": ("Meetings", Q(subject_type="meeting") | Q(action="wish")),
    "seasons": ("Seasons and cups", Q(subject_type__in=("season", "cupwinner"))),
    "rules": ("House rules and special hands", Q(action="rules") | Q(subject_type__in=("clubrules", "clubhand"))),
    "settings": (
        "Club settings",
        Q(action__in=("settings", "logo", "remove logo")) | Q(subject_type="club", action__in=("add", "change")),
    ),
    "people": ("Accounts, roles and invitations", Q(subject_type__in=("user", "invite"))),
    "keys": ("QR codes of tables", Q(action__in=("new scoring key", "new watching key"))),
    "exports": ("Exports", Q(action="export")),
    "imports": ("Imports", Q(action__in=("import players", "import totals", "import tables", "take back"))),
}


@dataclass(frozen=True)
class LogFilter:
    """Part of the name of the person, kind, table number and dates, each optional."""

    who: str = ""
    what: str = ""
    table: int | None = None
    starts_on: datetime.date | None = None
    ends_on: datetime.date | None = None


@dataclass(frozen=True)
class LogLine:
    pk: int
    at: datetime.datetime
    who: str
    action: str
    sentence: str
    why: str
    session: object
    # The import that this line is about, if it can be taken back.
    import_id: int | None = None


@dataclass(frozen=True)
class LogPage:
    lines: list[LogLine]
    older: int | None


def log_page(club: Club, filters: LogFilter, before: int | None = None) -> LogPage:
    """Return a page of a club's log, newest first, of entries before the id `before`."""
    changes = _changes(club, filters)
    if before is not None:
        changes = changes.filter(pk__lt=before)
    rows = list(changes.order_by("-id")[: PAGE + 1])
    return LogPage(_lines(club, rows[:PAGE]), rows[PAGE - 1].pk if len(rows) > PAGE else None)


def all_lines(club: Club, filters: LogFilter) -> Iterator[Any]:
    """Yield every entry that passes the filter, oldest first."""
    return lines_of(club, _changes(club, filters))


def lines_of(club: Club, changes: QuerySet[Change]) -> Iterator[LogLine]:
    """Yield the entries of a queryset of a club's changes, oldest first, loaded in batches."""
    last = 0
    while True:
        rows = list(changes.select_related("session", "user").filter(pk__gt=last).order_by("id")[:AT_ONCE])
        yield from _lines(club, rows)
        if len(rows) < AT_ONCE:
            return
        last = rows[-1].pk


def session_lines(session: Session) -> list[LogLine]:
    """Return all entries of one session, newest first."""
    return _lines(session.club, list(session.changes.select_related("session", "user").order_by("-id")))


def last_changes(session: Session, most: int) -> list[LogLine]:
    """Return the last changes made at a table, newest first; the sentences do not name the table."""
    changes = session.changes.filter(action__in=CHANGES).select_related("session", "user")
    return _lines(session.club, list(changes.order_by("-id")[:most]), here=session)


def _changes(club: Club, filters: LogFilter) -> QuerySet[Change]:
    changes = Change.objects.of_club(club).select_related("session", "user")
    if filters.who:
        changes = changes.filter(_by(club, filters.who))
    if filters.what:
        changes = changes.filter(LOG_KINDS[filters.what][1])
    if filters.table is not None:
        changes = changes.filter(session__table=filters.table)
    if filters.starts_on:
        changes = changes.filter(at__gte=_midnight(club, filters.starts_on))
    if filters.ends_on:
        changes = changes.filter(at__lt=_midnight(club, filters.ends_on + datetime.timedelta(days=1)))
    return changes


def _by(club: Club, words: str) -> Q:
    """Return the query for part of a person's name; for a tablet at the table the log has only a seat number."""
    named = Player.objects.of_club(club).filter(Q(full_name__icontains=words) | Q(short_name__icontains=words))
    found = Q(name__icontains=words) | Q(user__username__icontains=words)
    for seat_no in range(1, MOST_SEATS + 1):
        sessions = Seat.objects.filter(player__in=named, seat_no=seat_no).values("session")
        found |= Q(name__startswith=f"{{{seat_no}}}", session__in=sessions)
    return found


def _midnight(club: Club, date: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(date, datetime.time(), ZoneInfo(club.time_zone))


def _lines(club: Club, changes: list[Change], here: Session | None = None) -> list[Any]:
    names = LogNames(club, changes, here)
    imports = [change.subject_id for change in changes if change.subject_type == "import"]
    rows = Import.objects.standing().filter(pk__in=imports).values_list("pk", flat=True) if imports else ()
    standing = {str(pk): pk for pk in rows}
    return [
        LogLine(
            pk=change.pk,
            at=change.at.astimezone(names.zone),
            who=who(change, names),
            action=change.action,
            sentence=sentence(change, names),
            why=change.why,
            session=change.session,
            import_id=standing.get(change.subject_id) if change.subject_type == "import" else None,
        )
        for change in changes
    ]
