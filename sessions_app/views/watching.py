"""The addresses for watching as QR codes, and making new ones, for scorekeepers."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from sessions_app.models import Club, Meeting
from sessions_app.services.watching import replace_watching_key
from sessions_app.views.decorators import SCOREKEEPER, at_table, club_member
from sessions_app.views.door import actor

THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
NEW_KEY = "There is a new address for watching. The old one shows nothing any more."


@require_safe
@at_table(*SCOREKEEPER)
def watching(request, club, table_session):
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
def watching_new_key(request, club, table_session):
    replace_watching_key(table_session, by=actor(request), session=table_session)
    messages.success(request, NEW_KEY)
    return redirect("watching", club.slug, table_session.pk)


@require_safe
@club_member(*SCOREKEEPER)
def hall_watching(request, club, meeting_id):
    meeting = get_object_or_404(Meeting.objects.of_club(club), pk=meeting_id)
    day = f"{meeting.date:%-d %B %Y}"
    return _code_page(
        request,
        club,
        f"All tables, {meeting.name}, {day}" if meeting.name else f"All tables, {day}",
        address=reverse("watch-hall", args=[meeting.watching_key]),
        new_key=reverse("hall-new-key", args=[club.slug, meeting.pk]),
        back=(reverse("hall", args=[club.slug]), "To the hall"),
    )


@require_POST
@club_member(*SCOREKEEPER)
def hall_new_key(request, club, meeting_id):
    meeting = get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=meeting_id)
    replace_watching_key(meeting, by=actor(request))
    messages.success(request, NEW_KEY)
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
    return render(request, "sessions_app/watching.html", context)


def whole_address(request, path):
    """Return an address with the site's own name before it, else with the one this page was asked by."""
    site = settings.SITE
    return f"{site.scheme}://{site.netloc}{path}" if site else request.build_absolute_uri(path)


def is_this_machine_only(request):
    """Say whether an address given out from this page names a machine only to itself, so that nobody can follow it."""
    return urlsplit(whole_address(request, "/")).hostname in THIS_MACHINE
