"""What waits at a club's tables for somebody to decide, on one page for the secretary."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.models import Command, Session
from sessions_app.queries.sheet import session_sheet
from sessions_app.services.sessions import current_chairs
from sessions_app.views.board import command_fields
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.waiting import waiting_context


@require_safe
@club_member(*SECRETARY)
def late(request, club):
    waiting = Command.objects.of_club(club).waiting()
    sessions = Session.objects.of_club(club).filter(pk__in=waiting.values("session"))
    in_order = sessions.select_related("club").order_by("-date", "table", "pk")
    tables = [_table(table_session) for table_session in in_order]
    return render(request, "sessions_app/late.html", {"club": club, "tables": tables})


def _table(table_session):
    sheet = session_sheet(table_session)
    fields = command_fields(sheet, current_chairs(table_session))
    return {"table_session": table_session, **waiting_context(table_session, sheet, is_secretary=True), **fields}
