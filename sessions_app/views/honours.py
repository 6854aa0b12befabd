"""The honours of a club: its special hands of a season or of all time."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.queries.honours import honours as special_hands
from sessions_app.queries.honours import not_yet_seen
from sessions_app.views.club_day import today_in
from sessions_app.views.decorators import MEMBER, club_member
from sessions_app.views.standings import chosen_season


@require_safe
@club_member(*MEMBER)
def honours(request, club):
    of_all_time = "all" in request.GET
    season = None if of_all_time else chosen_season(request, club)
    found = special_hands(club, season) if season or of_all_time else []
    context = {
        "club": club,
        "season": season,
        "of_all_time": of_all_time,
        "honours": found,
        "not_seen": not_yet_seen(club, found, today_in(club)),
    }
    return render(request, "sessions_app/honours.html", context)
