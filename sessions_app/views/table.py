"""The table: the seats as they sit and everything the scorekeeper can do there."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from sessions_app.queries.at_table import others_at, others_words
from sessions_app.queries.doubts import answers_at
from sessions_app.views.board import board_page, board_version, turn_cookie
from sessions_app.views.decorators import READING, TABLE, at_table
from sessions_app.views.device_cookie import device_token, remember
from sessions_app.views.devices import note

A_YEAR = 365 * 24 * 60 * 60
NOTHING_NEW = 204


@require_safe
@at_table(*READING)
def table(request, club, table_session):
    if request.GET.get("turn") in {"0", "1", "2", "3"}:
        response = redirect("table", club.slug, table_session.pk)
        response.set_cookie(
            turn_cookie(table_session),
            request.GET["turn"],
            max_age=A_YEAR,
            samesite="Lax",
            httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )
        return response
    if request.htmx and request.GET.get("version") == board_version(table_session):
        return HttpResponse(status=NOTHING_NEW)
    page = board_page(request, club, table_session)
    if request.htmx:
        return render(request, "sessions_app/_board.html", page)
    note(request, table_session)
    if page["can_write"]:
        page["others"] = others_words(others_at(table_session, device_token(request)))
    if request.membership.role == TABLE and table_session.is_open:
        page["answers"] = answers_at(table_session)
    return remember(request, render(request, "sessions_app/table.html", page))
