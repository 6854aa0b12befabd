"""From a posted form to a command at the door, and from its answer back to a page."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from sessions_app.models import Club, Session
from sessions_app.table.command_results import CommandResult
from sessions_app.table.commands import apply_command
from sessions_app.table.views.table import board_page
from sessions_app.web.access import actor
from sessions_app.web.requests import as_uuid, new_key


def command(request: HttpRequest, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """Make a command of what the page posted; a page posts the same key when its button is pressed twice."""
    return {
        "key": as_uuid(request.POST.get("key")) or new_key(),
        "kind": kind,
        "body": body,
        "device": request.POST.get("device", "")[:80],
        "after": as_uuid(request.POST.get("after")),
        "seats": _seats(request.POST.get("seats")),
        "why": request.POST.get("why", "")[:500],
    }


def send(request: HttpRequest, table_session: Session, kind: str, body: dict[str, Any]) -> CommandResult:
    sent = command(request, kind, body)
    return apply_command(table_session.pk, sent, by=actor(request), role=request.membership.role)


def back_to_table(request: HttpRequest, club: Club, table_session: Session, answer: CommandResult) -> HttpResponse:
    """Tell the answer on the table's page: its fragment for htmx, else a redirect."""
    tell(request, answer)
    if not request.htmx:
        return redirect("table", club.slug, table_session.pk)
    table_session.refresh_from_db()
    return render(request, "table/_board.html", board_page(request, club, table_session))


def tell(request: HttpRequest, answer: CommandResult) -> None:
    level = messages.SUCCESS if answer.status < 300 else messages.ERROR
    if answer.message:
        messages.add_message(request, level, answer.message)
    if answer.changes:
        messages.info(request, " ".join(answer.changes))


def _seats(text):
    try:
        seats = json.loads(text or "null")
    except (ValueError, RecursionError):
        return None
    return seats if isinstance(seats, dict) else None
