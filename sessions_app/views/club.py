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

TOP = 5
LATEST = 6


@require_safe
@club_member(*MEMBER)
def club(request, club):
    is_secretary = request.membership.role in SECRETARY
    today = today_in(club)
    season = season_of(club, today)
    ranking = season_standings(season) if season else None
    wants_all = "all" in request.GET
    latest = latest_finished(club, None if wants_all else LATEST + 1)
    context = {
        "club": club,
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "is_secretary": is_secretary,
        "waiting": Command.objects.of_club(club).waiting().count() if is_secretary else 0,
        "answers": answers_for(request.user, club),
        "today": today,
        "next_meeting": next(iter(upcoming(club, today, 1)), None),
        "in_play": in_play(club),
        "latest": latest if wants_all else latest[:LATEST],
        "again": tables_of_last_day(latest),
        "has_more": not wants_all and len(latest) > LATEST,
        "wants_all": wants_all,
        "season": season,
        "top": [row for row in ranking.rows if row.place][:TOP] if ranking else [],
        "method_name": ranking.settings.row.name if ranking else "",
        "top_words": " ".join(small_print(ranking.settings)[:2]) if ranking else "",
    }
    return render(request, "sessions_app/club.html", context)
