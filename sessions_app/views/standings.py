"""The league table of a season."""

from dataclasses import dataclass

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from sessions_app.models import Season
from sessions_app.queries.methods import METHODS
from sessions_app.queries.standings import season_standings
from sessions_app.views.club_day import season_of, today_in
from sessions_app.views.decorators import MEMBER, club_member

ALWAYS_SHOWN = ("average", "total")


@dataclass(frozen=True)
class MethodLink:
    key: str
    name: str
    is_current: bool


@require_safe
@club_member(*MEMBER)
def standings(request, club):
    season = chosen_season(request, club)
    context = {"club": club, "season": season, "is_secretary": request.membership.role == "secretary"}
    if season:
        method = chosen_method(request, season)
        table = season_standings(season, method=method)
        links = [MethodLink(key, row.name, key == method) for key, row in METHODS.items()]
        shown = {*ALWAYS_SHOWN, season.method, method}
        context |= {
            "table": table,
            "method": METHODS[method],
            "is_own_method": method == season.method,
            "season_method": METHODS[season.method].name.lower(),
            "methods": [link for link in links if link.key in shown],
            "other_methods": [link for link in links if link.key not in shown],
            "ranked": [row for row in table.rows if row.place],
            "below": [row for row in table.rows if not row.place],
        }
    return render(request, "sessions_app/standings.html", context)


def chosen_season(request, club):
    """Return the season of ?season=, another club's is a 404; without it the season of today."""
    wanted = request.GET.get("season", "")
    if wanted.isdecimal():
        return get_object_or_404(Season.objects.of_club(club), pk=int(wanted))
    return season_of(club, today_in(club))


def chosen_method(request, season):
    wanted = request.GET.get("method", "")
    return wanted if wanted in METHODS else season.method
