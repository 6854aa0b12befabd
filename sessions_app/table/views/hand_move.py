"""A hand that was entered at the wrong table, moved to the right one: recorded there and removed here, or neither."""

import uuid
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubscore.play.command_kinds import HAND, REMOVE
from clubscore.play.outcomes import WAITING
from clubscore.play.preview import preview_data
from clubscore.play.scoring_by_seat import with_other_seats
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import Club, Entry, Hand, Session
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.table.apply_command import apply_together
from sessions_app.table.board import seats_of
from sessions_app.table.carry_out import preview_command
from sessions_app.table.sessions import current_seating, tables_beside
from sessions_app.table.views.board_page import command_fields
from sessions_app.table.views.command_requests import build_command
from sessions_app.table.views.hand_change import entry_and_version, played_hand_or_404, played_winds
from sessions_app.web.access import TableRequest, actor, at_table

NUMBERS = {2: "two", 3: "three", 4: "four"}
ENTER_THERE = "Enter the hand at table {table}, then remove it here."
OTHER_NUMBER = f"This hand has {{here}} players, and table {{table}} has {{there}}. {ENTER_THERE}"
REFUSED = f"Table {{table}} cannot have this hand. {{sentence}} {ENTER_THERE}"
MOVED = "Hand {number} is now hand {moved} of table {table}."
CHANGED = "Something has changed at table {table}, so the hand was not moved. Check the names, then move it."


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def move_hand(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Show which tables there are, then what moving the hand to one does; a POST moves it."""
    entry = played_hand_or_404(club, table_session, key)
    beside = tables_beside(table_session) if table_session.is_open else Session.objects.none()
    tables = list(beside.select_related("club").prefetch_related("seats__player"))
    asked = request.POST.get("to") or request.GET.get("to")
    to = next((other for other in tables if str(other.pk) == asked), None)
    if to and request.method == "POST":
        return _move(request, club, table_session, entry, to)
    context = {"club": club, "table_session": table_session, "entry": entry, "tables": tables, "to": to}
    if to:
        context |= _shown(request, table_session, entry, to)
    return render(request, "table/hand_move.html", context, status=422 if request.method == "POST" else 200)


def _shown(request: TableRequest, table_session: Session, entry: Entry, to: Session) -> dict[str, Any]:
    """Return who takes whose place, and what changes at both tables; or why the hand cannot be moved."""
    here, there = played_winds(entry), current_seating(to).seated
    if here.keys() != there.keys():
        numbers = {"here": NUMBERS[len(here)], "there": NUMBERS[len(there)]}
        return {"refused": OTHER_NUMBER.format(table=to.table, **numbers)}
    fields = command_fields(to)
    recorded, removed = _commands(request, table_session, entry, to, fields["command_key"]).items()
    preview, without = preview_command(*recorded), preview_command(*removed)
    if preview.message:
        return {"refused": REFUSED.format(table=to.table, sentence=preview.message)}
    names = {seat.seat_no: seat.player.name for seat in seats_of(table_session)}
    winds = [wind for wind in WINDS if wind in here]
    return {
        **fields,
        "winds": [(wind, WIND_NAMES[wind], names[here[wind]], preview.names[there[wind]]) for wind in winds],
        "number": preview.after[-1].number,
        "preview": preview_data(preview),
        "without": preview_data(without),
    }


def _commands(request: TableRequest, table_session: Session, entry: Entry, to: Session, key: str) -> dict[int, Any]:
    """Return the command for each of the two tables; sent twice, each has the same key again."""
    here, there = played_winds(entry), current_seating(to).seated
    seats = {str(seat): str(there[wind]) for wind, seat in here.items() if wind in there}
    record = build_command(request, HAND.key, with_other_seats(entry.body, seats))
    remove = {"kind": REMOVE.key, "body": entry_and_version(request, entry)}
    why = f"Moved from table {table_session.table} to table {to.table}"
    return {
        to.pk: {**record, "key": key, "why": why},
        table_session.pk: {**remove, "key": str(uuid.uuid5(entry.key, key)), "why": why},
    }


def _move(request: TableRequest, club: Club, table_session: Session, entry: Entry, to: Session) -> HttpResponse:
    """Move the hand and show the table it was at; if the other table has changed since, show again what moving does."""
    key = build_command(request, HAND.key, {})["key"]
    results = apply_together(_commands(request, table_session, entry, to, key), actor(request), request.membership)
    refused = next((result for result in results.values() if not result.is_done), None)
    if refused:
        is_kept = refused.outcome in WAITING
        messages.error(request, CHANGED.format(table=to.table) if is_kept else refused.message)
        again = reverse("hand-move", args=[club.slug, table_session.pk, entry.key])
        return redirect(f"{again}?to={to.pk}")
    moved = Hand.objects.get(session=to, entry__key=key)
    messages.success(request, MOVED.format(number=entry.hand.number, moved=moved.number, table=to.table))
    return redirect("table", club.slug, table_session.pk)
