"""The club's own page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.league.ranking import small_print
from sessions_app.league.standings import season_standings
from sessions_app.models import Club, Command, Meeting, Season
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.table.hand_queries import answers_for
from sessions_app.table.in_play import in_play, latest_finished, tables_of_last_day
from sessions_app.web.access import club_member
from sessions_app.web.http_cache import WITH_MARKS, kept
from sessions_app.web.requests import season_of, today_in

TOP = 5


LATEST = 6


A_PAGE = 50


LONGEST_PAGE = 6


@require_safe
@club_member(*MEMBER, memberships=WITH_MARKS)
def club(request: HttpRequest, club: Club) -> HttpResponse:
    is_secretary = request.membership.role in SECRETARY
    today = today_in(club)
    season = season_of(club, today)
    wants_all, page = "all" in request.GET, page_number(request)
    number = A_PAGE if wants_all else LATEST
    latest = latest_finished(club, number + 1, (page - 1) * number if wants_all else 0)
    context = {
        "club": club,
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "is_secretary": is_secretary,
        "waiting": Command.objects.of_club(club).waiting().count() if is_secretary else 0,
        "answers": answers_for(request.user, club),
        "today": today,
        "next_meeting": next(iter(Meeting.objects.upcoming(club, today, 1)), None),
        "in_play": in_play(club),
        "latest": latest[:number],
        "again": tables_of_last_day(latest),
        "has_more": len(latest) > number,
        "wants_all": wants_all,
        "page": page,
        "season": season,
        **(kept(request, club, lambda: top_of(season), part=f"top of season {season.pk}") if season else {}),
    }
    return render(request, "league/club.html", context)


def top_of(season: Season) -> dict[str, str | list[Any]]:
    """Return the first of a season's table, what it is ranked by, and the small print."""
    ranking = season_standings(season)
    return {
        "top": [row for row in ranking.rows if row.place][:TOP],
        "method_name": ranking.settings.row.name,
        "top_words": " ".join(small_print(ranking.settings)[:2]),
    }


def page_number(request: HttpRequest) -> int:
    wanted = request.GET.get("page", "")
    return max(1, int(wanted)) if wanted.isdecimal() and len(wanted) < LONGEST_PAGE else 1
