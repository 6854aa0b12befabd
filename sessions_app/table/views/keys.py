"""QR codes for watching and for scoring, and the tablets that see each other at a table."""

import uuid
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Club, Device, Meeting, Session
from sessions_app.people.permissions import SCOREKEEPER, SCORING, TABLE, may_read_by_key, may_write
from sessions_app.table.devices import (
    begun_at,
    keep_draft,
    note_device,
    others_at,
    others_words,
    replace_scoring_key,
    replace_watching_key,
    saved_meanwhile,
)
from sessions_app.table.hand_form import clean_body, read_json
from sessions_app.table.sheet import session_sheet
from sessions_app.web.access import Verdict, actor, at_table, club_member, device_token, keep_chair, keep_key, remember
from sessions_app.web.requests import is_this_machine_only, whole_address

WATCHING_NEW_KEY = "There is a new address for watching. The old one no longer works."


@require_safe
@at_table(*SCOREKEEPER)
def watching(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    what = f"Table {table_session.table}, {table_session.date:%-d %B %Y}"
    return _code_page(
        request,
        club,
        what,
        address=reverse("watch", args=[table_session.watching_key]),
        new_key=reverse("watching-new-key", args=[club.slug, table_session.pk]),
        back=(reverse("table", args=[club.slug, table_session.pk]), "To the table"),
    )


@require_POST
@at_table(*SCOREKEEPER)
def watching_new_key(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    replace_watching_key(table_session, by=actor(request), session=table_session)
    messages.success(request, WATCHING_NEW_KEY)
    return redirect("watching", club.slug, table_session.pk)


@require_safe
@club_member(*SCOREKEEPER)
def hall_watching(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_object_or_404(Meeting.objects.of_club(club), pk=meeting_id)
    day = f"{meeting.date:%-d %B %Y}"
    return _code_page(
        request,
        club,
        f"All tables, {meeting.name}, {day}" if meeting.name else f"All tables, {day}",
        address=reverse("watch-hall", args=[meeting.watching_key]),
        new_key=reverse("hall-new-key", args=[club.slug, meeting.pk]),
        back=(reverse("hall", args=[club.slug]), "All tables"),
    )


@require_POST
@club_member(*SCOREKEEPER)
def hall_new_key(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=meeting_id)
    replace_watching_key(meeting, by=actor(request))
    messages.success(request, WATCHING_NEW_KEY)
    return redirect("hall-watching", club.slug, meeting.pk)


def _code_page(request, club, what, address, new_key, back):
    whole = whole_address(request, address)
    context = {
        "club": club,
        "what": what,
        "address": whole,
        "new_key": new_key,
        "back": back,
        "is_public": club.public_names != Club.PublicNames.NOBODY,
        "names": club.get_public_names_display().lower(),
        "is_this_machine_only": is_this_machine_only(request),
    }
    return render(request, "table/watching.html", context)


# Scoring a table on a tablet without a login: its key as a QR code, a new key, and whose tablet it is.

SCORING_NEW_KEY = "There is a new code for scoring. Tablets that used the old one can no longer score at this table."


@require_safe
@never_cache
def by_key(request: HttpRequest, key: str) -> HttpResponse:
    """Let a tablet in that shows a table's key, and take it to the table; one that has finished is told so."""
    table_session = Session.objects.select_related("club").filter(scoring_key=key, imported=False).first()
    if table_session is None:
        return render(request, "table/not_by_key.html", {"verdict": Verdict.UNKNOWN}, status=404)
    if not may_read_by_key(table_session):
        context = {"verdict": Verdict.FINISHED, "table_session": table_session}
        return render(request, "table/not_by_key.html", context, status=403)
    keep_key(request, table_session)
    return redirect("table", table_session.club.slug, table_session.pk)


@require_safe
@at_table(*SCOREKEEPER)
def scoring(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    address = whole_address(request, reverse("by-key", args=[table_session.scoring_key]))
    context = {
        "club": club,
        "table_session": table_session,
        "address": address,
        "is_this_machine_only": is_this_machine_only(request),
    }
    return render(request, "table/scoring.html", context)


@require_POST
@at_table(*SCOREKEEPER)
def scoring_new_key(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    replace_scoring_key(table_session, by=actor(request))
    messages.success(request, SCORING_NEW_KEY)
    return redirect("scoring", club.slug, table_session.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def tablet(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Say whose tablet this is, chosen from the players, for the log; a login says so by itself."""
    seats = session_sheet(table_session).seats
    is_by_key = request.membership.role == TABLE
    if request.method == "POST":
        chair = request.POST.get("chair", "")
        if is_by_key and (not chair or chair in {str(seat.chair) for seat in seats}):
            keep_chair(request, table_session, chair)
        return redirect("table", club.slug, table_session.pk)
    chosen = request.membership.chair if is_by_key else ""
    context = {"club": club, "table_session": table_session, "seats": seats, "is_by_key": is_by_key, "chosen": chosen}
    return render(request, "table/tablet.html", context)


def note(request: HttpRequest, table_session: Session) -> Device | None:
    """Note that this tablet scores the table; a database that cannot be written to now is no reason to fail."""
    if not may_write(request.membership, table_session):
        return None
    try:
        return note_device(table_session, device_token(request), actor(request))
    except (DatabaseError, OSError):
        return None


@require_safe
@never_cache
@at_table(*SCORING)
def others(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Answer with the line of the table page that says who else scores here."""
    note(request, table_session)
    words = others_words(others_at(table_session, device_token(request)))
    return remember(request, JsonResponse({"words": words}))


@require_POST
@at_table(*SCORING)
def hand_draft(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Keep a hand half entered; tell whether it is recorded, what was saved meanwhile, and who else has begun it."""
    body, key = clean_body(read_json(request.POST.get("body", ""))), _uuid(request.POST.get("key"))
    if key is None or read_json(request.POST.get("body", "")) is None:
        return JsonResponse({"kept": False, "message": "This hand cannot be read."}, status=422)
    after, drawn = _uuid(request.POST.get("after")), bool(request.POST.get("drawn"))
    device = note(request, table_session)
    is_kept = device is not None and keep_draft(device, key=key, after=after, body=body, drawn=drawn)
    is_recorded = not is_kept and table_session.commands.filter(key=key).exists()
    also = [one.whose for one in begun_at(table_session, device_token(request), after)]
    told = {"kept": is_kept, "recorded": is_recorded, "also": also, "meanwhile": saved_meanwhile(table_session, after)}
    return remember(request, JsonResponse(told))


def begun_json(table_session: Session, token: str, last: UUID | str | None) -> list[dict[str, Any]]:
    """Return what other tablets have begun, as the entry page's script takes it over."""
    return [
        {
            "whose": one.whose,
            "ago": one.ago,
            "key": str(one.draft.key),
            "after": str(one.draft.after or ""),
            "body": one.draft.body,
            "drawn": one.draft.drawn,
        }
        for one in begun_at(table_session, token, last)
    ]


def at_table_json(request: HttpRequest, table_session: Session, last: UUID | str | None) -> dict[str, Any]:
    """Return who else scores here, and whose tablet has begun the coming hand, as state.json tells it."""
    if request.membership.role not in SCORING:
        return {"devices": [], "begun": []}
    token = device_token(request)
    return {
        "devices": [str(one) for one in others_at(table_session, token)],
        "begun": [one.whose for one in begun_at(table_session, token, last)],
    }


def _uuid(text):
    try:
        return uuid.UUID(text or "")
    except ValueError:
        return None
