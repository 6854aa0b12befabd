"""A table's keys: the codes for scoring and watching, the tablets that use them, and the pages that watch."""

import uuid
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Club, Device, Meeting, Membership, Session
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SCORING, TABLE, may_read_by_key, may_write
from sessions_app.people.players import MEMBERS, shown_names
from sessions_app.table.devices import (
    drafts_of_others,
    keep_draft,
    note_device,
    others_at,
    others_words,
    replace_scoring_key,
    replace_watching_key,
    saved_since,
)
from sessions_app.table.hand_form import clean_body, read_json
from sessions_app.table.meeting_result import meeting_results
from sessions_app.table.sheet import session_sheet
from sessions_app.table.watching import hall_versions, meeting_versions, rev_of, watched_session, watched_tables
from sessions_app.web.access import (
    Verdict,
    actor,
    at_table,
    club_member,
    device_token,
    remember,
    store_chair,
    store_key,
)
from sessions_app.web.requests import is_this_machine_only, today_in, whole_address

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
    """Let a tablet with a table's key in, and take it to the table; a finished one answers with a page that says so."""
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
            store_chair(request, table_session, chair)
        return redirect("table", club.slug, table_session.pk)
    chosen = request.membership.chair if is_by_key else ""
    context = {"club": club, "table_session": table_session, "seats": seats, "is_by_key": is_by_key, "chosen": chosen}
    return render(request, "table/tablet.html", context)


def note(request: HttpRequest, table_session: Session) -> Device | None:
    """Note that this tablet scores the table, unless its worker fetches the page for later.

    A database that cannot be written to now is no reason to fail.
    """
    is_fetched_ahead = request.headers.get("Purpose") == "prefetch"
    if is_fetched_ahead or not may_write(request.membership, table_session):
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
    """Keep a hand half entered; tell whether it is recorded, what has been saved since, and who else has begun it."""
    body, key = clean_body(read_json(request.POST.get("body", ""))), _uuid(request.POST.get("key"))
    if key is None or read_json(request.POST.get("body", "")) is None:
        return JsonResponse({"kept": False, "message": "This hand cannot be read."}, status=422)
    after, drawn = _uuid(request.POST.get("after")), bool(request.POST.get("drawn"))
    device = note(request, table_session)
    is_kept = device is not None and keep_draft(device, key=key, after=after, body=body, drawn=drawn)
    is_recorded = not is_kept and table_session.commands.filter(key=key).exists()
    also = [one.whose for one in drafts_of_others(table_session, device_token(request), after)]
    newer = saved_since(table_session, after)
    answer = {"kept": is_kept, "recorded": is_recorded, "also": also, "newer": newer}
    return remember(request, JsonResponse(answer))


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
        for one in drafts_of_others(table_session, token, last)
    ]


def at_table_json(request: HttpRequest, table_session: Session, last: UUID | str | None) -> dict[str, Any]:
    """Return who else scores here, and whose tablet has begun the coming hand, as state.json tells it."""
    if request.membership.role not in SCORING:
        return {"devices": [], "begun": []}
    token = device_token(request)
    return {
        "devices": [str(one) for one in others_at(table_session, token)],
        "begun": [one.whose for one in drafts_of_others(table_session, token, last)],
    }


def _uuid(text):
    try:
        return uuid.UUID(text or "")
    except ValueError:
        return None


# Watching without touching: one table by its key, the tables of a hall by a meeting's key or for the club's members.
# With ?rev= these addresses answer for the script: 204 while nothing is new, else the changed part of the page.


NOTHING_NEW = 204

# For how many seconds a board made for one watcher is good for the others.
SHARED_FOR = 20
NOBODY = Club.PublicNames.NOBODY


@require_safe
@never_cache
def watch(request: HttpRequest, key: str) -> HttpResponse:
    sessions = Session.objects.select_related("club", "meeting", "goes_on_at")
    table_session = get_object_or_404(sessions, watching_key=key)
    club = table_session.club
    rev = rev_of(club.public_names, table_session.version, table_session.is_time_over)
    if _knows(request, rev) and club.public_names != NOBODY:
        return HttpResponse(status=NOTHING_NEW)
    return _for_watcher(request, club, rev, "watch", lambda style: _one_table(table_session, style))


@require_safe
@never_cache
def watch_hall(request: HttpRequest, key: str) -> HttpResponse:
    versions = meeting_versions(key)
    if versions is None:
        raise Http404("No such key")
    rev = rev_of(*versions)
    if _knows(request, rev) and versions[0] != NOBODY:
        return HttpResponse(status=NOTHING_NEW)
    meeting = get_object_or_404(Meeting.objects.select_related("club"), watching_key=key)
    sessions = [pk for pk, _, _ in versions[1]]
    return _for_watcher(
        request, meeting.club, rev, "hall", lambda style: _hall(meeting.club, meeting.date, sessions, style)
    )


@require_safe
@never_cache
@club_member(*MEMBER)
def hall(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    versions = hall_versions(club, today)
    rev = rev_of(str(today), *versions)
    if _knows(request, rev):
        return HttpResponse(status=NOTHING_NEW)
    more = _hall(
        club, today, [pk for pk, _, _ in versions], MEMBERS, is_scorekeeper=request.membership.role in SCOREKEEPER
    )
    return _answer(request, club, rev, "hall", is_member=True, **more)


def _knows(request, rev):
    return request.GET.get("rev") == rev


def _for_watcher(request, club, rev, page, context_by):
    """Answer anyone with a key: members see the table's names, others what the club shows in public.

    Where that is nothing, nobody signed in is asked to sign in, and a stranger gets what a wrong key gets.
    """
    is_member = request.user.is_authenticated and Membership.objects.filter(user=request.user, club=club).exists()
    if not is_member and club.public_names == NOBODY:
        if request.user.is_authenticated:
            raise Http404("No such key")
        return redirect_to_login(request.path)
    if _knows(request, rev):
        return HttpResponse(status=NOTHING_NEW)
    style = MEMBERS if is_member else club.public_names
    if is_member or "rev" not in request.GET:
        return _answer(request, club, rev, page, is_member=is_member, **context_by(style))
    # A change sends everyone here within seconds, for the same answer.
    shared = f"board:{request.path}:{rev}:{style}"
    board = cache.get(shared)
    if board is None:
        board = _answer(request, club, rev, page, is_member=False, **context_by(style)).content
        cache.set(shared, board, SHARED_FOR)
    return _unsearched(HttpResponse(board))


def _one_table(table_session, style):
    return {"table_session": table_session, **watched_session(table_session, style)}


def _hall(club, day, sessions, style, is_scorekeeper=False):
    in_hall = Session.objects.filter(pk__in=sessions).with_rounds().select_related("meeting", "goes_on_at")
    tables = watched_tables(in_hall.order_by("meeting__name", "table", "pk"), style)
    tables.sort(key=lambda table: not table.session.is_open)
    meetings = {table.session.played_at.pk: table.session.played_at for table in tables}
    results = meeting_results(club, list(meetings.values()), lambda players: shown_names(players, style))
    return {
        "tables": tables,
        "results": list(results.values()),
        "in_play": [table for table in tables if table.session.is_open],
        "day": tables[0].session.played_at.date if tables else day,
        "meetings": list(meetings.values()),
        "is_scorekeeper": is_scorekeeper,
    }


def _answer(request, club, rev, page, **context):
    # The name `club` would give the page's head the members' links.
    context = {"rev": rev, "watched_club": club, "club": club if context["is_member"] else None, **context}
    template = f"_{page}.html" if "rev" in request.GET else f"{page}.html"
    return _unsearched(render(request, f"table/{template}", context))


def _unsearched(response):
    response["X-Robots-Tag"] = "noindex"
    return response
