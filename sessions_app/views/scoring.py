"""Scoring a table on a tablet without a login: its key as a QR code, a new key, and whose tablet it is."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Session
from sessions_app.queries.sheet import session_sheet
from sessions_app.services.table_keys import replace_scoring_key
from sessions_app.views.decorators import SCOREKEEPER, SCORING, at_table
from sessions_app.views.door import actor
from sessions_app.views.table_key import TABLE, keep_chair, keep_key, may_read
from sessions_app.views.watching import is_this_machine_only, whole_address

NEW_KEY = "There is a new code for scoring. A tablet that came by the old one can record nothing more at this table."


@require_safe
@never_cache
def by_key(request, key):
    """Let a tablet in that shows a table's key, and take it to the table; one that has finished is told so."""
    table_session = Session.objects.select_related("club").filter(scoring_key=key, imported=False).first()
    if table_session is None:
        return render(request, "sessions_app/not_by_key.html", {"verdict": "unknown"}, status=404)
    if not may_read(table_session):
        context = {"verdict": "finished", "table_session": table_session}
        return render(request, "sessions_app/not_by_key.html", context, status=403)
    keep_key(request, table_session)
    return redirect("table", table_session.club.slug, table_session.pk)


@require_safe
@at_table(*SCOREKEEPER)
def scoring(request, club, table_session):
    address = whole_address(request, reverse("by-key", args=[table_session.scoring_key]))
    context = {
        "club": club,
        "table_session": table_session,
        "address": address,
        "is_this_machine_only": is_this_machine_only(request),
    }
    return render(request, "sessions_app/scoring.html", context)


@require_POST
@at_table(*SCOREKEEPER)
def scoring_new_key(request, club, table_session):
    replace_scoring_key(table_session, by=actor(request))
    messages.success(request, NEW_KEY)
    return redirect("scoring", club.slug, table_session.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def tablet(request, club, table_session):
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
    return render(request, "sessions_app/tablet.html", context)
