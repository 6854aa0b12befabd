"""Pages for everyone, each where the club has switched it on: league table, roll of honour, the next meetings.

The same as JSON and as a calendar for the club's own website; what is off is a 404, like a club that does not exist.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import conditional_page, require_safe

from sessions_app.league.league_table import League, league
from sessions_app.league.ranking import Standing
from sessions_app.league.records import Honour, honours
from sessions_app.models import Club, Meeting, Player, Season
from sessions_app.people.players import public_names
from sessions_app.web.requests import season_of, today_in

MEETINGS = 100
PAGES = ("standings", "honours", "meetings")


def shown(club: Club, page: str) -> bool:
    """Return whether a page is public. The league table and roll of honour need public names."""
    is_on = getattr(club, f"shows_{page}")
    return is_on and (page == "meetings" or club.public_names != Club.PublicNames.NOBODY)


def pages_shown(club: Club) -> list[str]:
    return [page for page in PAGES if shown(club, page)]


@dataclass(frozen=True)
class PublicRow:
    """A row of the league table under its public name; positions and figures are those of the whole table."""

    name: str
    standing: Standing


@dataclass(frozen=True)
class PublicHonour:
    name: str
    honour: Honour


def public_standings(season: Season) -> tuple[League, list[PublicRow]]:
    """Return a season's League, and its rows under public names: who is left off a public list has none."""
    found = league(season)
    names = _names(season.club, [row.standing.player for row in found.rows])
    rows = [PublicRow(names[row.standing.player], row.standing) for row in found.rows if names[row.standing.player]]
    return found, rows


def public_honours(club: Club, season: Season) -> list[Any]:
    """Return the special hands of a season, the latest first, of those who stand on public lists."""
    found = honours(club, season)
    names = public_names(club, {one.played.player.pk: one.played.player for one in found}.values())
    return [PublicHonour(names[one.played.player.pk], one) for one in found if names[one.played.player.pk]]


def public_meetings(club: Club, today: date) -> list[Any]:
    return Meeting.objects.upcoming(club, today, MEETINGS)


def _names(club, ids: list[Hashable]):
    players = Player.objects.of_club(club).filter(pk__in=ids)
    return dict.fromkeys(ids) | public_names(club, players)


# The calendar of a club's meetings (iCalendar, RFC 5545), for anybody's own calendar.

OCTETS = 75
PRODUCT = "-//Clubscore//Meetings//EN"

# Clubs say when they begin; a calendar wants to know an end.
LASTS = timedelta(hours=2)


def meetings_ics(club: Club, meetings: list[Any], host: str, today: date, page: str) -> str:
    """Return the meetings as a calendar.

    `host` makes each event's name unique, `today` is when it was written, `page` the address that tells of them.
    """
    zone = ZoneInfo(club.time_zone)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escaped(club.name)}",
    ]
    for meeting in meetings:
        lines += [
            "BEGIN:VEVENT",
            f"UID:meeting-{meeting.pk}.{club.slug}@{host}",
            f"DTSTAMP:{today:%Y%m%d}T000000Z",
            *_span(meeting, zone),
            f"SUMMARY:{escaped(f'{club.name}: {meeting.name}' if meeting.name else club.name)}",
        ]
        if meeting.place:
            lines.append(f"LOCATION:{escaped(meeting.place)}")
        lines += [f"URL:{page}", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return "".join(f"{folded(line)}\r\n" for line in lines)


def _span(meeting, zone):
    """A meeting without a time is one of the whole day, which needs no end."""
    if meeting.starts_at is None:
        return [f"DTSTART;VALUE=DATE:{meeting.date:%Y%m%d}"]
    begins = datetime.combine(meeting.date, meeting.starts_at, zone).astimezone(UTC)
    return [f"DTSTART:{begins:%Y%m%dT%H%M%SZ}", f"DTEND:{begins + LASTS:%Y%m%dT%H%M%SZ}"]


def escaped(text: str) -> str:
    """Write a text value: backslash, comma, semicolon and line ends escaped, other control characters left out."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join("".join(sign for sign in line if sign >= " " and sign != "\x7f") for line in lines)


def folded(line: str) -> str:
    """Fold a line after 75 octets, never within a character; what follows begins with a blank."""
    parts, size = [""], 0
    for sign in line:
        octets = len(sign.encode())
        if size + octets > OCTETS:
            parts.append(" ")
            size = 1
        parts[-1] += sign
        size += octets
    return "\r\n".join(parts)


FIVE_MINUTES = 300


def public_page(page: str | None = None, for_websites: bool = False) -> Callable[..., Any]:
    """Call the view with the club of the address where the page is switched on, else 404.

    Whoever keeps copies may keep these for five minutes; `for_websites`: a script of any site may read the answer.
    """

    def decorate(view):
        @require_safe
        @conditional_page
        @wraps(view)
        def of_club(request, slug):
            club = get_object_or_404(Club, slug=slug)
            if not (shown(club, page) if page else pages_shown(club)):
                raise Http404("Not public")
            response = view(request, club)
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


def _page(club):
    return {"public_club": club, "pages": pages_shown(club)}


@public_page("standings")
def public_standings_page(request: HttpRequest, club: Club) -> HttpResponse:
    season = season_of(club, today_in(club))
    found, rows = public_standings(season) if season else (None, [])
    context = {**_page(club), "season": season, "league": found, "rows": rows}
    return render(request, "league/public_standings.html", context)


@public_page("standings", for_websites=True)
def public_standings_json(request: HttpRequest, club: Club) -> HttpResponse:
    season = season_of(club, today_in(club))
    if season is None:
        return JsonResponse({"club": club.name, "season": None, "rows": []})
    found, rows = public_standings(season)
    return JsonResponse(
        {
            "club": club.name,
            "season": season.name,
            "starts_on": season.starts_on,
            "ends_on": season.ends_on,
            "last_played_on": found.last_day,
            "method": found.table.settings.row.name,
            "rows": [_standing(row) for row in rows],
            "small_print": found.table.small_print,
        }
    )


def _standing(row):
    one = row.standing
    return {
        "place": one.position,
        "shared": one.shared,
        "name": row.name,
        "value": one.shown,
        "sessions": one.sessions,
        "hands": one.hands,
        "won": one.won,
        "net": one.net,
        "not_ranked_because": one.reason,
    }


@public_page("honours")
def public_honours_page(request: HttpRequest, club: Club) -> HttpResponse:
    season = season_of(club, today_in(club))
    context = {**_page(club), "season": season, "honours": public_honours(club, season) if season else []}
    return render(request, "league/public_honours.html", context)


@public_page("honours", for_websites=True)
def public_honours_json(request: HttpRequest, club: Club) -> HttpResponse:
    season = season_of(club, today_in(club))
    found = public_honours(club, season) if season else []
    rows = [
        {
            "date": one.honour.played.session.date,
            "name": one.name,
            "hand": one.honour.played.name,
            "total": one.honour.played.result.total,
            "tiles": [list(group.tiles) for group in one.honour.groups],
        }
        for one in found
    ]
    return JsonResponse({"club": club.name, "season": season and season.name, "rows": rows})


@public_page("meetings")
def public_meetings_page(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    context = {**_page(club), "today": today, "meetings": public_meetings(club, today)}
    return render(request, "league/public_meetings.html", context)


@public_page("meetings", for_websites=True)
def public_meetings_json(request: HttpRequest, club: Club) -> HttpResponse:
    rows = [
        {
            "date": meeting.date,
            "starts_at": meeting.starts_at and f"{meeting.starts_at:%H:%M}",
            "name": meeting.name,
            "place": meeting.place,
        }
        for meeting in public_meetings(club, today_in(club))
    ]
    return JsonResponse({"club": club.name, "time_zone": club.time_zone, "rows": rows})


@public_page("meetings", for_websites=True)
def public_meetings_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    host = settings.SITE.hostname if settings.SITE else request.get_host().partition(":")[0]
    page = request.build_absolute_uri(reverse("public-meetings", args=[club.slug]))
    text = meetings_ics(club, public_meetings(club, today), host, today, page)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}-meetings.ics"'
    return response
