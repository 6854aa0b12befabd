"""A session's sheet, its last changes and its history."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.models import Club, Command, Session
from sessions_app.people.log_pages import last_changes as lines_of_last_changes
from sessions_app.people.log_pages import session_lines
from sessions_app.people.permissions import READING, SCOREKEEPER, SCORING, SECRETARY
from sessions_app.table.hand_queries import asked_about
from sessions_app.table.sheet import Sheet, settled_page
from sessions_app.table.sheet import session_sheet as read_sheet
from sessions_app.table.watching import running_totals
from sessions_app.web.access import at_table, of_session
from sessions_app.web.requests import new_key

LAST_CHANGES = 20


@require_safe
@of_session(*READING)
def session_sheet(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    sheet, role = read_sheet(table_session), request.membership.role
    names = {seat.pk: seat.player.name for seat in sheet.seats}
    context = {
        "club": club,
        **sheet_context(sheet),
        "totals": running_totals(sheet, names) if sheet.hands and not table_session.is_open else None,
        "is_scorekeeper": role in SCOREKEEPER,
        "is_secretary": role in SECRETARY,
        "keeps_score": role in SCORING and not table_session.imported,
        "asked_about": asked_about([table_session]),
        "waiting": Command.objects.filter(session=table_session).waiting().count(),
    }
    return render(request, "table/session_sheet.html", context)


def sheet_context(sheet: Sheet, level: int = 2) -> dict[str, Any]:
    """Return what shows the totals and hands of one session; `level` is that of their headings."""
    return {"table_session": sheet.session, "sheet": sheet, "settled": settled_page(sheet, level)}


@require_safe
@at_table(*SCORING)
def last_changes(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Show scorekeepers who did what last; the secretary has the whole history."""
    lines = lines_of_last_changes(table_session, LAST_CHANGES)
    return render(request, "table/last_changes.html", {"club": club, "table_session": table_session, "lines": lines})


@require_safe
@of_session(*SECRETARY)
def session_history(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    lines = session_lines(table_session)
    context = {
        "club": club,
        "table_session": table_session,
        "lines": lines,
        # The latest change is the session as it is now: nothing to restore.
        "newest": lines[0].pk if lines else None,
        "command_key": new_key(),
    }
    return render(request, "table/session_history.html", context)
