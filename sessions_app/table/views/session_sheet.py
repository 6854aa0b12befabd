"""A session's sheet, its last changes and its history."""

from collections.abc import Collection

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.models import Club, Command, Session
from sessions_app.people.log_pages import last_changes as lines_of_last_changes
from sessions_app.people.log_pages import session_lines
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SCORING, SECRETARY, may_write
from sessions_app.table.board import SessionBoard, session_boards, sheet_look
from sessions_app.table.hand_queries import asked_about
from sessions_app.table.views.board_page import board_context
from sessions_app.table.views.views_of_table import beside
from sessions_app.table.watching import running_totals
from sessions_app.web.access import TableRequest, at_table, of_session
from sessions_app.web.requests import new_key

LAST_CHANGES = 20


@require_safe
@of_session(*MEMBER)
def session_sheet(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    role, can_write = request.membership.role, may_write(request.membership, table_session)
    known = board_context(request, club, table_session) if can_write else {}
    board: SessionBoard = known["board"] if known else sheet_boards([table_session], role)[0]
    context = {
        "club": club,
        "table_session": table_session,
        "board": board,
        "totals": running_totals(board) if board.results and not table_session.is_open else None,
        "is_scorekeeper": role in SCOREKEEPER,
        "is_secretary": role in SECRETARY,
        "keeps_score": role in SCORING and not table_session.imported,
        "counts_in_no_season": table_session.counts_in_no_season,
        "waiting": Command.objects.filter(session=table_session).waiting().count() if known.get("waiting", True) else 0,
    }
    if can_write:
        context |= beside(request, table_session, known)
    return render(request, "table/session_sheet.html", context)


def sheet_boards(sessions: Collection[Session], role: str) -> list[SessionBoard]:
    """Return the boards of sessions for their sheets, as people with this role see them; four queries in all."""
    asked = asked_about(sessions)
    return session_boards(sessions, lambda ledger: sheet_look(ledger.session, ledger.seat_rows.values(), role, asked))


@require_safe
@at_table(*SCOREKEEPER)
def last_changes(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Show scorekeepers who did what last; the secretary has the whole history."""
    lines = lines_of_last_changes(table_session, LAST_CHANGES)
    context = {"club": club, "table_session": table_session, "lines": lines}
    if request.htmx:
        return render(request, "table/_last_changes.html", context)
    if may_write(request.membership, table_session):
        context |= beside(request, table_session, board_context(request, club, table_session))
    return render(request, "table/last_changes.html", context)


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
