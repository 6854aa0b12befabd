"""The honours of a club: its special hands of a season or of all time, its records, and certificates to print."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.league.honours import certificates as made_out
from sessions_app.league.honours import honours as special_hands
from sessions_app.league.honours import honours_of_hand, not_yet_seen
from sessions_app.league.records import records
from sessions_app.league.season_views import ScopeLink, scope_page, season_links
from sessions_app.league.standings_views import chosen_season
from sessions_app.models import Club, Season, Session
from sessions_app.people.permissions import MEMBER
from sessions_app.web.access import club_member, of_session
from sessions_app.web.requests import today_in


@require_safe
@club_member(*MEMBER)
def honours(request: HttpRequest, club: Club) -> HttpResponse:
    of_all_time = "all" in request.GET
    season = None if of_all_time else chosen_season(request, club)
    is_asked = season or of_all_time
    found = special_hands(club, season) if is_asked else []
    today = today_in(club)
    day = min(today, season.ends_on) if season else today
    seasons = Season.objects.of_club(club).order_by("-starts_on")
    context = {
        "club": club,
        "season": season,
        "is_over": day < today,
        **scope_page(season_links(seasons, season), [ScopeLink("All time", "all=1", of_all_time)]),
        "of_all_time": of_all_time,
        "honours": found,
        "records": records(club, season) if is_asked else [],
        "not_seen": not_yet_seen(club, found, day),
    }
    return render(request, "league/honours.html", context)


@require_safe
@club_member(*MEMBER)
def certificates(request: HttpRequest, club: Club) -> HttpResponse:
    """A certificate for every special hand of a season, each on a page of its own."""
    season = chosen_season(request, club)
    found = special_hands(club, season) if season else []
    context = {"club": club, "season": season, "certificates": made_out(found)}
    return render(request, "league/certificates.html", context)


@require_safe
@of_session(*MEMBER)
def certificate(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """The certificate of one hand: two, where two won it with special hands."""
    found = honours_of_hand(table_session, key)
    if not found:
        raise Http404("No special hand won here")
    return render(request, "league/certificates.html", {"club": club, "certificates": made_out(found)})
