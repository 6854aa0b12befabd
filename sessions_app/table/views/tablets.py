"""Tablets at a table: the code that lets one in without signing in, whose it is, and what others do there."""

from contextlib import suppress

from django.contrib import messages
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Club, Session
from sessions_app.people.codes import TABLE_KEY
from sessions_app.people.permissions import SCOREKEEPER, TABLE, may_read_by_key, may_write
from sessions_app.people.throttling import count_try
from sessions_app.table.board import seats_of
from sessions_app.table.devices import note_device, others_words, replace_scoring_key, saved_since
from sessions_app.web.access import (
    TableRequest,
    Verdict,
    actor,
    at_table,
    device_token,
    remember,
    store_key,
    store_seat,
    stored_key,
)
from sessions_app.web.requests import parse_uuid, whole_address

SCORING_NEW_KEY = "There is a new code for scoring. Tablets that used the old one can no longer score at this table."


@require_safe
@never_cache
def by_key(request: HttpRequest, key: str) -> HttpResponse:
    """Let in a tablet that has a table's key, and take it to the table."""
    table_session = Session.objects.select_related("club").filter(scoring_key=key, imported=False).first()
    if table_session is None:
        return render(request, "table/not_by_key.html", {"verdict": Verdict.UNKNOWN}, status=404)
    if not may_read_by_key(table_session):
        context = {"verdict": Verdict.FINISHED, "table_session": table_session}
        return render(request, "table/not_by_key.html", context, status=403)
    is_new = stored_key(request, table_session.pk) != key and not request.user.is_authenticated
    if is_new and count_try(TABLE_KEY.opened, str(table_session.pk), key):
        return render(request, "table/not_by_key.html", {"verdict": Verdict.FULL}, status=429)
    store_key(request, table_session)
    return redirect("table", table_session.club.slug, table_session.pk)


@require_safe
@at_table(*SCOREKEEPER)
def scoring(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    context = {
        "club": club,
        "table_session": table_session,
        "address": whole_address(request, reverse("by-key", args=[table_session.scoring_key])),
    }
    return render(request, "table/scoring.html", context)


@require_POST
@at_table(*SCOREKEEPER)
def scoring_new_key(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    replace_scoring_key(table_session, by=actor(request))
    messages.success(request, SCORING_NEW_KEY)
    return redirect("scoring", club.slug, table_session.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def tablet(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Ask which player holds this tablet, for the log; an account has a name already."""
    seats = seats_of(table_session)
    is_by_key = request.membership.role == TABLE
    if request.method == "POST":
        seat_no = request.POST.get("seat", "")
        if is_by_key and (not seat_no or seat_no in {str(seat.seat_no) for seat in seats}):
            store_seat(request, table_session, seat_no)
        return redirect("table", club.slug, table_session.pk)
    chosen = getattr(request.membership, "seat_no", "")
    context = {"club": club, "table_session": table_session, "seats": seats, "is_by_key": is_by_key, "chosen": chosen}
    return render(request, "table/tablet.html", context)


def record_device(request: TableRequest, table_session: Session) -> None:
    """Record that this tablet scores the table, unless its service worker fetches the page for later.

    A database that cannot be written to now is no reason to fail.
    """
    is_prefetch = request.headers.get("Purpose") == "prefetch"
    if is_prefetch or not may_write(request.membership, table_session):
        return
    with suppress(DatabaseError, OSError):
        note_device(table_session, device_token(request))


@require_safe
@never_cache
@at_table(*SCOREKEEPER)
def others(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Say whether another tablet scores here, and to hand entry what was saved after the entry `after`."""
    record_device(request, table_session)
    after = parse_uuid(request.GET.get("after"))
    newer = saved_since(table_session, after) if "after" in request.GET else ""
    words = others_words(table_session, device_token(request))
    return remember(request, JsonResponse({"words": words, "newer": newer}))
