"""Watching without touching: a table or a hall of tables by its key, and the QR codes that lead there.

With ?rev= the watching pages answer their script: 204 while nothing is new, else the changed part of the page.
"""

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from sessions_app.models import Club, Meeting, Membership, Session
from sessions_app.people.codes import HALL_KEY, WATCHING_KEY
from sessions_app.people.dates import day_words
from sessions_app.people.permissions import MEMBER, SCOREKEEPER
from sessions_app.people.players import MEMBERS, shown_names
from sessions_app.table.devices import replace_watching_key
from sessions_app.table.meeting_result import meeting_results
from sessions_app.table.watching import hall_versions, meeting_versions, rev_of, watched_session, watched_tables
from sessions_app.web.access import MemberRequest, TableRequest, actor, at_table, club_member, with_code
from sessions_app.web.requests import today_in, whole_address

WATCHING_NEW_KEY = "There is a new address for watching. The old one no longer works."


@require_safe
@at_table(*SCOREKEEPER)
def watching(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    here = (club.slug, table_session.pk)
    return _qr_code_page(
        request,
        club,
        f"Table {table_session.table}, {day_words(table_session.date)}",
        watch_path=reverse("watch", args=[table_session.watching_key]),
        new_key=reverse("watching-new-key", args=here),
        back=(reverse("table", args=here), "To the table"),
    )


@require_POST
@at_table(*SCOREKEEPER)
def watching_new_key(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    replace_watching_key(table_session, by=actor(request))
    messages.success(request, WATCHING_NEW_KEY)
    return redirect("watching", club.slug, table_session.pk)


@require_safe
@club_member(*SCOREKEEPER)
def hall_watching(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_object_or_404(Meeting.objects.of_club(club), pk=meeting_id)
    day = day_words(meeting.date)
    return _qr_code_page(
        request,
        club,
        f"All tables, {meeting.name}, {day}" if meeting.name else f"All tables, {day}",
        watch_path=reverse("watch-hall", args=[meeting.watching_key]),
        new_key=reverse("hall-new-key", args=[club.slug, meeting.pk]),
        back=(reverse("hall", args=[club.slug]), "All tables"),
    )


@require_POST
@club_member(*SCOREKEEPER)
def hall_new_key(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=meeting_id)
    replace_watching_key(meeting, by=actor(request))
    messages.success(request, WATCHING_NEW_KEY)
    return redirect("hall-watching", club.slug, meeting.pk)


def _qr_code_page(
    request: HttpRequest, club: Club, what: str, watch_path: str, new_key: str, back: tuple[str, str]
) -> HttpResponse:
    context = {
        "club": club,
        "what": what,
        "address": whole_address(request, watch_path),
        "new_key": new_key,
        "back": back,
        "is_public": club.public_names != NOBODY,
        "names": club.get_public_names_display().lower(),
    }
    return render(request, "table/watching.html", context)


# The pages that watch.

NOTHING_NEW = 204
NOBODY = Club.PublicNames.NOBODY
# For how many seconds a board made for one watcher is good for the others.
SHARED_FOR = 20


@with_code(WATCHING_KEY)
@never_cache
def watch(request: HttpRequest, key: str) -> HttpResponse:
    sessions = Session.objects.select_related("club", "meeting", "goes_on_at")
    table_session = get_object_or_404(sessions, watching_key=key)
    club = table_session.club
    rev = rev_of(club.public_names, table_session.version, table_session.is_time_over)
    if _is_current(request, rev) and club.public_names != NOBODY:
        return HttpResponse(status=NOTHING_NEW)
    return _answer_watcher(
        request,
        club,
        rev,
        "watch",
        lambda style: {"table_session": table_session, **watched_session(table_session, style)},
    )


@with_code(HALL_KEY)
@never_cache
def watch_hall(request: HttpRequest, key: str) -> HttpResponse:
    versions = meeting_versions(key)
    if versions is None:
        raise Http404("No such key")
    public_names, session_versions = versions
    rev = rev_of(public_names, session_versions)
    if _is_current(request, rev) and public_names != NOBODY:
        return HttpResponse(status=NOTHING_NEW)
    meeting = get_object_or_404(Meeting.objects.select_related("club"), watching_key=key)
    return _answer_watcher(
        request,
        meeting.club,
        rev,
        "hall",
        lambda style: _hall_context(meeting.club, meeting.date, session_versions, style),
    )


@require_safe
@never_cache
@club_member(*MEMBER)
def hall(request: MemberRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    versions = hall_versions(club, today)
    rev = rev_of(str(today), *versions)
    if _is_current(request, rev):
        return HttpResponse(status=NOTHING_NEW)
    context = _hall_context(club, today, versions, MEMBERS)
    is_scorekeeper = request.membership.role in SCOREKEEPER
    return _render_board(request, club, rev, "hall", is_member=True, is_scorekeeper=is_scorekeeper, **context)


def _is_current(request, rev):
    return request.GET.get("rev") == rev


def _answer_watcher(request, club, rev, page, context_for):
    """Answer anyone with a key: members see the table's names, others what the club shows in public.

    Where that is nothing, visitors are asked to sign in, and a user of another club gets what a wrong key gets.
    `context_for` takes the style of names.
    """
    is_member = request.user.is_authenticated and Membership.objects.filter(user=request.user, club=club).exists()
    if not is_member and club.public_names == NOBODY:
        if request.user.is_authenticated:
            raise Http404("No such key")
        return redirect_to_login(request.path)
    if _is_current(request, rev):
        return HttpResponse(status=NOTHING_NEW)
    style = MEMBERS if is_member else club.public_names
    if is_member or "rev" not in request.GET:
        return _render_board(request, club, rev, page, is_member=is_member, **context_for(style))
    # A change sends everyone here within seconds, for the same answer.
    cache_key = f"board:{request.path}:{rev}:{style}"
    board = cache.get(cache_key)
    if board is None:
        board = _render_board(request, club, rev, page, is_member=False, **context_for(style)).content
        cache.set(cache_key, board, SHARED_FOR)
    return _no_index(HttpResponse(board))


def _hall_context(club: Club, day: date, versions: list[Any], style: str) -> dict[str, Any]:
    sessions = Session.objects.filter(pk__in=[pk for pk, _, _ in versions]).with_rounds()
    sessions = sessions.select_related("club", "meeting", "goes_on_at").order_by("meeting__name", "table", "pk")
    tables = sorted(watched_tables(sessions, style), key=lambda table: not table.session.is_open)
    meetings = list({table.session.played_at.pk: table.session.played_at for table in tables}.values())
    results = meeting_results(club, meetings, lambda players: shown_names(players, style))
    return {
        "tables": tables,
        "results": list(results.values()),
        "in_play": [table for table in tables if table.session.is_open],
        "day": tables[0].session.played_at.date if tables else day,
        "meetings": meetings,
    }


def _render_board(request, club, rev, page, **context):
    # The name `club` would give the page's head the members' links.
    context = {"rev": rev, "watched_club": club, "club": club if context["is_member"] else None, **context}
    template = f"_{page}.html" if "rev" in request.GET else f"{page}.html"
    return _no_index(render(request, f"table/{template}", context))


def _no_index(response):
    response["X-Robots-Tag"] = "noindex"
    return response
