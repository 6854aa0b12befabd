"""Pages for everyone, if the club has switched them on: league table, roll of honour, the next meetings.

The meetings are a calendar too, and the club's own website may show a part in a frame. A page that is
off is a 404, like a club that does not exist.
"""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import conditional_page, require_safe

from clubscore.league.ranking import GROUPS, Standing
from sessions_app.league.noticeboard import board_names, renamed_league
from sessions_app.league.records import Honour, honours_of
from sessions_app.league.standings import League, league
from sessions_app.league.standings_views import group_links
from sessions_app.models import Club, Meeting, Season
from sessions_app.people.players import public_names
from sessions_app.table.meeting_result import MeetingResult, meeting_results
from sessions_app.web.access import MemberRequest
from sessions_app.web.calendar import Event, calendar_answer
from sessions_app.web.middleware import CONTENT_SECURITY_POLICY
from sessions_app.web.requests import chosen_league, default_season, today_in

MEETINGS = 100
LATEST_RESULTS = 20
PAGES = ("standings", "honours", "meetings")

# In a frame on the club's own website: the next meetings, the latest results to choose from, and the best players.
FRAMED_MEETINGS, FRAMED_RESULTS, FRAMED_PLAYERS = 3, 5, 10

# The parts of the frame, by the word in ?show=, with the page that has to be public for each.
FRAMED = {"meetings": "meetings", "result": "standings", "standings": "standings"}


def is_shown(club: Club, page: str) -> bool:
    """Return whether a page is public. The league table and roll of honour need public names."""
    is_on = getattr(club, f"shows_{page}")
    return is_on and (page == "meetings" or club.public_names != Club.PublicNames.NOBODY)


def pages_shown(club: Club) -> list[str]:
    return [page for page in PAGES if is_shown(club, page)]


def public_standings(season: Season, group: str = "") -> tuple[League, list[Standing]]:
    """Return a season's league, of everyone or a group, and its rows with public names.

    Players left off public lists have no row. Positions and figures are those of the whole table.
    """
    found = league(season, group=group)
    names = board_names(season.club, (row.player for row in found.rows), is_public=True)
    return found, renamed_league(found, names).rows


def public_honours(club: Club, season: Season) -> list[tuple[str, Honour]]:
    """Return (public name, special hand) of a season, the latest first, without players left off public lists."""
    found = honours_of(club, season)
    names = public_names(club, {honour.played.player.pk: honour.played.player for honour in found}.values())
    return [(name, honour) for honour in found if (name := names[honour.played.player.pk])]


def public_meetings(club: Club, today: date) -> list[Meeting]:
    return Meeting.objects.upcoming(club, today, MEETINGS)


FIVE_MINUTES = 300


def public_page(page: str | None = None, for_websites: bool = False) -> Callable[..., Any]:
    """Call the view with the club of the address if the page is public, else 404; without `page`, if any page is.

    Proxies and browsers may keep these for five minutes. With `for_websites`, scripts of any site may read the answer.
    """

    def decorate(view):
        @require_safe
        @conditional_page
        @wraps(view)
        def of_club(request, slug, **more):
            club = Club.objects.filter(slug=slug).first() or get_object_or_404(Club, old_addresses__slug=slug)
            if not (is_shown(club, page) if page else pages_shown(club)):
                raise Http404("Not public")
            response = view(request, club, **more)
            patch_cache_control(response, public=True, max_age=FIVE_MINUTES)
            if for_websites:
                response["Access-Control-Allow-Origin"] = "*"
                response["Cross-Origin-Resource-Policy"] = "cross-origin"
            else:
                patch_vary_headers(response, ["Cookie"])
            return response

        return of_club

    return decorate


@public_page()
def public(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    pages = pages_shown(club)
    context = _page(club) | {"next_meetings": public_meetings(club, today)[:3] if "meetings" in pages else []}
    return render(request, "league/public.html", context)


def _page(club: Club) -> dict[str, Any]:
    return {"public_club": club, "pages": pages_shown(club)}


def _season_from_query(request: HttpRequest, club: Club) -> tuple[Season | None, list[Season]]:
    """Return the season of ?season=, by default the latest, and all that have begun; 404 for one that has not."""
    seasons = list(Season.objects.of_club(club).filter(starts_on__lte=today_in(club)))
    pk = request.GET.get("season", "")
    league = chosen_league(request, club)
    season = next((row for row in seasons if (str(row.pk) == pk if pk else row.league == league)), None)
    if pk and season is None:
        raise Http404("No such season")
    return season, seasons


@public_page("standings")
def public_standings_page(request: HttpRequest, club: Club) -> HttpResponse:
    season, seasons = _season_from_query(request, club)
    group = request.GET.get("group", "")
    if group and group not in GROUPS:
        raise Http404("No such group")
    found, rows = public_standings(season, group) if season else (None, [])
    context = {**_page(club), "season": season, "seasons": seasons, "league": found, "rows": rows}
    if found:
        context |= {"group": GROUPS.get(group, ""), "groups": group_links(request, found)}
    return render(request, "league/public_standings.html", context)


def public_results_of(club: Club, meetings: list[Meeting]) -> list[MeetingResult]:
    """Return the results of meetings with public names, without meetings where everyone is left off."""
    found = meeting_results(club, meetings, lambda players: public_names(club, players))
    return [result for result in found.values() if result.lists]


@public_page("standings")
def public_results(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the latest meetings with their winners, or those of the season of ?season=."""
    season, seasons = _season_from_query(request, club)
    season = season if request.GET.get("season") else None
    played = _meetings_to_date(club)
    if season:
        played = played.filter(season.covers("date", ""))
    results = public_results_of(club, list(played[: MEETINGS if season else LATEST_RESULTS]))
    context = {**_page(club), "season": season, "seasons": seasons, "results": results}
    return render(request, "league/public_results.html", context)


def _meetings_to_date(club: Club) -> QuerySet[Meeting]:
    return Meeting.objects.of_club(club).filter(date__lte=today_in(club)).order_by("-date", "-pk")


@public_page("standings")
def public_result(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_object_or_404(Meeting.objects.of_club(club), pk=meeting_id)
    result = next(iter(public_results_of(club, [meeting])), None)
    if result is None:
        raise Http404("No result yet")
    return render(request, "league/public_result.html", {**_page(club), "meeting": meeting, "result": result})


@public_page("honours")
def public_honours_page(request: HttpRequest, club: Club) -> HttpResponse:
    season, seasons = _season_from_query(request, club)
    found = public_honours(club, season) if season else []
    context = {**_page(club), "season": season, "seasons": seasons, "honours": found}
    return render(request, "league/public_honours.html", context)


@public_page("meetings")
def public_meetings_page(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    context = {**_page(club), "today": today, "meetings": public_meetings(club, today)}
    return render(request, "league/public_meetings.html", context)


@public_page("meetings", for_websites=True)
def public_meetings_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    page = request.build_absolute_uri(reverse("public-meetings", args=[club.slug]))
    events = [Event(meeting) for meeting in public_meetings(club, today)]
    return calendar_answer(request, club, events, today, page)


def in_frames(view: Callable[..., Any]) -> Callable[..., Any]:
    """Let the websites in `request.framed_by` show the answer in a frame, also if it is "not modified"."""

    @wraps(view)
    def framed(request, *args, **more):
        response = view(request, *args, **more)
        if sites := getattr(request, "framed_by", ""):
            policy = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {sites}")
            response["Content-Security-Policy"] = policy
            response["Cross-Origin-Resource-Policy"] = "cross-origin"
            response.xframe_options_exempt = True
        return response

    return framed


@in_frames
@public_page()
def public_frame(request: MemberRequest, club: Club) -> HttpResponse:
    """Show what the websites named by the club may put in a frame; ?show= is only one part of it."""
    parts = [part for part, page in FRAMED.items() if is_shown(club, page)]
    if "show" in request.GET:
        parts = [part for part in parts if part == request.GET["show"]]
    if not (club.framed_by and parts):
        raise Http404("Nothing to show in a frame")
    today = today_in(club)
    context: dict[str, Any] = {"public_club": club}
    if "meetings" in parts:
        context["next_meetings"] = public_meetings(club, today)[:FRAMED_MEETINGS]
    if "result" in parts:
        latest = public_results_of(club, list(_meetings_to_date(club)[:FRAMED_RESULTS]))
        context["result"] = next((result for result in latest if not result.still_playing), None)
    season = default_season(club, today, chosen_league(request, club)) if "standings" in parts else None
    if season:
        found, rows = public_standings(season)
        best = [row for row in rows if row.position][:FRAMED_PLAYERS]
        context |= {"season": season, "league": found, "best": best}
    request.framed_by = club.framed_by
    return render(request, "league/public_frame.html", context)
