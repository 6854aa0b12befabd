"""Scoring anew what an older edition of the rules had scored: the secretary looks first, says why, and presses once."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from sessions_app.models import Season, Session
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.table.rescore import preview_rescore, rescore_season, rescore_session, sessions_of_older_editions
from sessions_app.web.access import actor, club_member
from sessions_app.web.requests import id_in

# Each is reckoned twice for the page; of a club's whole past it would be thousands.
SHOWN = 10


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def rescore(request, club):
    error = ""
    if request.method == "POST":
        try:
            told = _carry_out(request, club)
        except ServiceError as problem:
            error = str(problem)
        else:
            messages.success(request, told)
            return redirect("rescore", club.slug)
    sessions = sessions_of_older_editions(club)
    seasons = Season.objects.of_club(club).filter(locked=False, sessions__in=sessions.order_by()).distinct()
    previews = [preview_rescore(session.pk) for session in sessions[:SHOWN]]
    context = {
        "club": club,
        "error": error,
        "why": request.POST.get("why", ""),
        "previews": previews,
        "more": sessions.count() - len(previews) if len(previews) == SHOWN else 0,
        "seasons": seasons.order_by("starts_on"),
    }
    return render(request, "table/rescore.html", context, status=422 if error else 200)


def _carry_out(request, club):
    why = request.POST.get("why", "")[:500]
    season_id, session_id = (id_in(request.POST.get(name, "")) for name in ("season", "session"))
    if season_id is not None:
        season = get_object_or_404(Season.objects.of_club(club), pk=season_id)
        number = rescore_season(season, by=actor(request), why=why)
        return f"{number} session{'' if number == 1 else 's'} of {season.name} rescored."
    if session_id is not None:
        session = get_object_or_404(Session.objects.of_club(club), pk=session_id, imported=False)
        rescore_session(session, by=actor(request), why=why)
        return f"Table {session.table} of {session.date:%-d %B %Y} is rescored."
    raise ServiceError("Choose a session or a season to rescore.")
