"""Everything a club prints: blank sheets to write on, the noticeboard, lists, and the sheet for the annual meeting."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubscore.scoring import RULE_SETS
from sessions_app.league.noticeboard import annual_meeting as whole_season
from sessions_app.league.noticeboard import noticeboard as board_of
from sessions_app.league.standings_views import chosen_season
from sessions_app.models import Club, Meeting, Season
from sessions_app.people.permissions import MEMBER, SCOREKEEPER
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.rule_pages import paying_sentences
from sessions_app.web.access import club_member
from sessions_app.web.requests import season_of, today_in

PLAYERS = (3, 4, 5)


ROWS = 16


@require_safe
@club_member(*MEMBER)
def prints(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    context = {
        "club": club,
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "players": PLAYERS,
        "season": season_of(club, today),
        "seasons": Season.objects.of_club(club),
        "next_meetings": Meeting.objects.upcoming(club, today),
    }
    return render(request, "league/prints.html", context)


@require_safe
@club_member(*MEMBER)
def score_sheet(request: HttpRequest, club: Club) -> HttpResponse:
    """A blank sheet for a table: hands down the page, players across it."""
    wanted = request.GET.get("players", "")
    players = int(wanted) if wanted in {str(number) for number in PLAYERS} else 4
    played = rules_in_force(club)
    context = {
        "club": club,
        "players": range(1, players + 1),
        "number": players,
        "choices": PLAYERS,
        "hands": range(1, ROWS + 1),
        "rule_set": RULE_SETS[club.rules],
        "adds_up": played.house.recording == "straight",
        "paying": paying_sentences(club.rules, played.overrides),
        "limit": played.house.limit,
    }
    return render(request, "league/score_sheet.html", context)


def is_public(request: HttpRequest, club: Club) -> bool:
    """Whether paper for the wall has public names: wherever the club shows any, but where full ones are asked for."""
    return club.public_names != club.PublicNames.NOBODY and request.GET.get("names") != "full"


@require_safe
@club_member(*MEMBER)
def noticeboard(request: HttpRequest, club: Club) -> HttpResponse:
    season = chosen_season(request, club)
    context = {
        "club": club,
        "season": season,
        "board": board_of(season, today_in(club), is_public(request, club)) if season else None,
        "is_large": "large" in request.GET,
        "is_public": is_public(request, club),
    }
    return render(request, "league/noticeboard.html", context)


@require_safe
@club_member(*MEMBER)
def annual_meeting(request: HttpRequest, club: Club) -> HttpResponse:
    season = chosen_season(request, club)
    shown = is_public(request, club)
    year = whole_season(season, shown) if season else None
    context = {"club": club, "season": season, "year": year, "is_public": shown}
    return render(request, "league/annual_meeting.html", context)
