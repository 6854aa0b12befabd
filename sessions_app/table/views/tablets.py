"""Tablets at a table: the code that lets one in without signing in, whose it is, and the hand it has half entered."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Club, Device, Session
from sessions_app.people.permissions import SCOREKEEPER, SCORING, TABLE, may_read_by_key, may_write
from sessions_app.table.board import seats_of
from sessions_app.table.devices import (
    drafts_of_others,
    keep_draft,
    note_device,
    others_at,
    others_words,
    replace_scoring_key,
    saved_since,
)
from sessions_app.table.hand_form import clean_body, read_json
from sessions_app.web.access import (
    TableRequest,
    Verdict,
    actor,
    at_table,
    device_token,
    remember,
    store_key,
    store_seat,
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
@at_table(*SCORING)
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


def record_device(request: TableRequest, table_session: Session) -> Device | None:
    """Record that this tablet scores the table, unless its service worker fetches the page for later.

    A database that cannot be written to now is no reason to fail.
    """
    is_prefetch = request.headers.get("Purpose") == "prefetch"
    if is_prefetch or not may_write(request.membership, table_session):
        return None
    try:
        return note_device(table_session, device_token(request), actor(request))
    except (DatabaseError, OSError):
        return None


@require_safe
@never_cache
@at_table(*SCORING)
def others(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Answer with the sentence of the table page that says who else scores here."""
    record_device(request, table_session)
    words = others_words(others_at(table_session, device_token(request)))
    return remember(request, JsonResponse({"words": words}))


@require_POST
@at_table(*SCORING)
def hand_draft(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Keep a half-entered hand; say whether it is recorded, what was saved since, and who else is entering it."""
    body, key = read_json(request.POST.get("body")), parse_uuid(request.POST.get("key"))
    if key is None or body is None:
        return JsonResponse({"kept": False, "message": "This hand cannot be read."}, status=422)
    after, drawn = parse_uuid(request.POST.get("after")), bool(request.POST.get("drawn"))
    device = record_device(request, table_session)
    is_kept = device is not None and keep_draft(device, key=key, after=after, body=clean_body(body), drawn=drawn)
    answer = {
        "kept": is_kept,
        "recorded": not is_kept and table_session.commands.filter(key=key).exists(),
        "also": [begun.whose for begun in drafts_of_others(table_session, device_token(request), after)],
        "newer": saved_since(table_session, after),
    }
    return remember(request, JsonResponse(answer))


def begun_json(table_session: Session, token: str, last: UUID | str | None) -> list[dict[str, Any]]:
    """Return what other tablets have begun, as the hand-entry script reads it."""
    return [
        {
            "whose": begun.whose,
            "ago": begun.ago,
            "key": str(begun.draft.key),
            "after": str(begun.draft.after or ""),
            "body": begun.draft.body,
            "drawn": begun.draft.drawn,
        }
        for begun in drafts_of_others(table_session, token, last)
    ]


def tablets_json(request: TableRequest, table_session: Session, last: UUID | str | None) -> dict[str, Any]:
    """Return who else scores here, and whose tablet has begun the coming hand, for state.json."""
    if request.membership.role not in SCORING:
        return {"devices": [], "begun": []}
    token = device_token(request)
    return {
        "devices": [str(other) for other in others_at(table_session, token)],
        "begun": [begun.whose for begun in drafts_of_others(table_session, token, last)],
    }
