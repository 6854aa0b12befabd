"""The CSV of session totals: one row a player and session; a club's can be imported again."""

from collections.abc import Iterable
from datetime import date
from itertools import groupby

from django.db.models import QuerySet

from sessions_app.csv_cells import TOTALS_COLUMNS
from sessions_app.exports.csv_writer import csv_text, file_name
from sessions_app.exports.meeting_cell import cell_of, cells_of_club
from sessions_app.models import Session, Tally
from sessions_app.queries.books import places


def session_totals_csv(session: Session) -> str:
    return totals_csv(Tally.objects.filter(session=session), {session.pk: cell_of(session)})


def club_totals_csv(club, starts_on: date | None = None, ends_on: date | None = None) -> str:
    """Return all sessions of a club but practice, or those of a span with both dates included."""
    tallies = Tally.objects.of_club(club).filter(session__practice=False)
    if starts_on is not None:
        tallies = tallies.filter(session__date__gte=starts_on)
    if ends_on is not None:
        tallies = tallies.filter(session__date__lte=ends_on)
    return totals_csv(tallies, cells_of_club(club))


def totals_csv(tallies: QuerySet[Tally], meetings: dict[int, str]) -> str:
    """Return tallies as CSV in order of date, meeting, table and chair, in one query; `meetings` are the cells."""
    ordered = sorted(tallies.select_related("session__meeting", "seat", "player"), key=order)
    return csv_text(TOTALS_COLUMNS, totals_rows(ordered, meetings))


def order(tally: Tally) -> tuple:
    session = tally.session
    return session.date, session.meeting.name, session.table, session.pk, tally.seat.chair


def totals_rows(tallies: Iterable[Tally], meetings: dict[int, str]) -> Iterable[list]:
    for _, table in groupby(tallies, key=lambda tally: tally.session_id):
        accounts = list(table)
        place = places({tally.pk: tally.net for tally in accounts if tally.hands != 0})
        session = accounts[0].session
        meeting = meetings.get(session.pk, session.meeting.name)
        yield from (totals_cells(tally, meeting, place.get(tally.pk)) for tally in accounts)


def totals_cells(tally: Tally, meeting: str, place: int | None) -> list:
    session, seat = tally.session, tally.seat
    return [
        session.date.isoformat(),
        meeting,
        session.table,
        session.rules,
        session.recording,
        str(tally.player),
        "yes" if tally.player.guest else "",
        seat.chair if seat.at_start else "",
        tally.hands,
        tally.won,
        tally.gained,
        tally.lost,
        tally.net,
        tally.balance,
        place,
    ]


def session_totals_file_name(session: Session) -> str:
    return file_name(session.club.slug, session.date, f"table {session.table} totals")
