"""The club's own page."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.models import Command
from sessions_app.queries.club_page import in_play, latest_finished, tables_of_last_day
from sessions_app.queries.doubts import answers_for
from sessions_app.queries.meetings import upcoming
from sessions_app.queries.ranking import small_print
from sessions_app.queries.standings import season_standings
from sessions_app.views.club_day import season_of, today_in
from sessions_app.views.decorators import MEMBER, SCOREKEEPER, SECRETARY, club_member
from sessions_app.views.unchanged import WITH_MARKS, kept

TOP = 5
LATEST = 6
A_PAGE = 50
LONGEST_PAGE = 6


@require_safe
@club_member(*MEMBER, memberships=WITH_MARKS)
def club(request, club):
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
        "next_meeting": next(iter(upcoming(club, today, 1)), None),
        "in_play": in_play(club),
        "latest": latest[:number],
        "again": tables_of_last_day(latest),
        "has_more": len(latest) > number,
        "wants_all": wants_all,
        "page": page,
        "season": season,
        **(kept(request, club, lambda: top_of(season), part=f"top of season {season.pk}") if season else {}),
    }
    return render(request, "sessions_app/club.html", context)


def top_of(season):
    """Return the first of a season's table, what it is ranked by, and the small print."""
    ranking = season_standings(season)
    return {
        "top": [row for row in ranking.rows if row.place][:TOP],
        "method_name": ranking.settings.row.name,
        "top_words": " ".join(small_print(ranking.settings)[:2]),
    }


def page_number(request):
    wanted = request.GET.get("page", "")
    return max(1, int(wanted)) if wanted.isdecimal() and len(wanted) < LONGEST_PAGE else 1
