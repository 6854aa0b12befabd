"""Watching without touching: one table by its key, the tables of a hall by a meeting's key or for the club's members.

With ?rev= these addresses answer for the script: 204 while nothing is new, else the changed part of the page.
"""

from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sessions_app.models import Club, Meeting, Membership, Session
from sessions_app.people.permissions import MEMBER, SCOREKEEPER
from sessions_app.people.players import MEMBERS
from sessions_app.table.watching import hall_versions, meeting_versions, rev_of, watched_session, watched_tables
from sessions_app.web.access import club_member
from sessions_app.web.requests import today_in

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
    return _for_watcher(request, meeting.club, rev, "hall", lambda style: _hall(meeting.date, sessions, style))


@require_safe
@never_cache
@club_member(*MEMBER)
def hall(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    versions = hall_versions(club, today)
    rev = rev_of(str(today), *versions)
    if _knows(request, rev):
        return HttpResponse(status=NOTHING_NEW)
    more = _hall(today, [pk for pk, _, _ in versions], MEMBERS, is_scorekeeper=request.membership.role in SCOREKEEPER)
    return _answer(request, club, rev, "hall", is_member=True, **more)


def _knows(request, rev):
    return request.GET.get("rev") == rev


def _for_watcher(request, club, rev, page, context_by):
    """Answer whoever has a key: members see the table's names, others what the club shows in public.

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
    # A change sends everyone here within seconds, to be told the same.
    shared = f"board:{request.path}:{rev}:{style}"
    board = cache.get(shared)
    if board is None:
        board = _answer(request, club, rev, page, is_member=False, **context_by(style)).content
        cache.set(shared, board, SHARED_FOR)
    return _unsearched(HttpResponse(board))


def _one_table(table_session, style):
    return {"table_session": table_session, **watched_session(table_session, style)}


def _hall(day, sessions, style, is_scorekeeper=False):
    in_hall = Session.objects.filter(pk__in=sessions).select_related("meeting", "goes_on_at")
    tables = watched_tables(in_hall.order_by("meeting__name", "table", "pk"), style)
    meetings = {table.session.played_at.pk: table.session.played_at for table in tables}
    return {
        "tables": tables,
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
