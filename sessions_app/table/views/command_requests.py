"""From a posted form to a command at the door, and from its answer back to a page."""

import json

from django.contrib import messages
from django.shortcuts import redirect, render

from sessions_app.table.commands import apply_command
from sessions_app.table.pausing import people_at
from sessions_app.table.views.pending_commands import decides_about_late
from sessions_app.table.views.table import board_page, may_undo
from sessions_app.web.access import SCORING, SECRETARY, TableVisitor, actor
from sessions_app.web.requests import as_uuid, new_key

# The commands that bring somebody to a table, by the number the club has for them.
NAMES_A_PLAYER = ("arrive", "change_player")


def may_send(membership, table_session, kind, body):
    """Say whether somebody may send a command of this kind: what came late is the secretary's to decide."""
    if kind in ("undo", "redo"):
        return may_undo(membership, table_session)
    if kind == "choose" and membership.role not in SECRETARY and decides_about_late(table_session, body):
        return False
    if kind in NAMES_A_PLAYER:
        seen, player = may_be_seen(membership, table_session), body.get("player")
        if seen is not None and not (type(player) is int and seen.filter(pk=player).exists()):
            return False
    return membership.role in (SECRETARY if kind == "reopen" else SCORING)


def may_be_seen(membership, table_session):
    """Return the players whom a tablet without a login may choose from, who are at the meeting; None for all."""
    return people_at(table_session) if isinstance(membership, TableVisitor) else None


def command(request, kind, body):
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


def send(request, table_session, kind, body):
    sent = command(request, kind, body)
    return apply_command(table_session.pk, sent, by=actor(request), role=request.membership.role)


def back_to_table(request, club, table_session, answer):
    """Tell the answer on the table's page: its fragment for htmx, else a redirect."""
    tell(request, answer)
    if not request.htmx:
        return redirect("table", club.slug, table_session.pk)
    table_session.refresh_from_db()
    return render(request, "table/_board.html", board_page(request, club, table_session))


def tell(request, answer):
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
