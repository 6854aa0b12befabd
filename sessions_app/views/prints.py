"""Everything a club prints: blank sheets to write on, the noticeboard, lists, and the sheet for the annual meeting."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubscore.scoring import RULE_SETS
from sessions_app.models import Player, Season
from sessions_app.queries.club_rules import rules_in_force
from sessions_app.queries.meetings import meeting_page, upcoming
from sessions_app.queries.noticeboard import annual_meeting as whole_season
from sessions_app.queries.noticeboard import noticeboard as board_of
from sessions_app.queries.rule_facts import paying_sentences
from sessions_app.views.club_day import season_of, today_in
from sessions_app.views.decorators import MEMBER, SCOREKEEPER, club_member
from sessions_app.views.meetings import of_meeting
from sessions_app.views.standings import chosen_season

PLAYERS = (3, 4, 5)
ROWS = 16
MOST_GUESTS, FEWEST_GUESTS = 6, 2
A_PAGE = 28  # names on a sheet of A4 that leave room for the fewest guests


@require_safe
@club_member(*MEMBER)
def prints(request, club):
    today = today_in(club)
    context = {
        "club": club,
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "players": PLAYERS,
        "season": season_of(club, today),
        "seasons": Season.objects.of_club(club),
        "next_meetings": upcoming(club, today),
    }
    return render(request, "sessions_app/prints.html", context)


@require_safe
@club_member(*MEMBER)
def score_sheet(request, club):
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
    return render(request, "sessions_app/score_sheet.html", context)


def is_public(request, club):
    """Whether paper for the wall has public names: wherever the club shows any, but where full ones are asked for."""
    return club.public_names != club.PublicNames.NOBODY and request.GET.get("names") != "full"


@require_safe
@club_member(*MEMBER)
def noticeboard(request, club):
    season = chosen_season(request, club)
    context = {
        "club": club,
        "season": season,
        "board": board_of(season, today_in(club), is_public(request, club)) if season else None,
        "is_large": "large" in request.GET,
        "is_public": is_public(request, club),
    }
    return render(request, "sessions_app/noticeboard.html", context)


@require_safe
@club_member(*SCOREKEEPER)
def attendance_list(request, club, meeting_id):
    """Everybody's name with boxes to tick, and lines for guests; those known to come late are marked."""
    meeting = of_meeting(request, club, meeting_id)
    page = meeting_page(meeting)
    players = Player.objects.of_club(club).present().filter(to_confirm=False).order_by("guest", "full_name", "pk")
    context = {
        "club": club,
        "meeting": meeting,
        "players": players,
        "late": {one.player_id for one in page.late},
        "guests": range(guest_lines(len(players))),
        "fee": club.table_fee + club.refreshments,
    }
    return render(request, "sessions_app/attendance_list.html", context)


def guest_lines(names):
    """Return how many lines for guests follow so many names: what is left of the sheet: none is begun for them."""
    return min(MOST_GUESTS, max(FEWEST_GUESTS, -names % A_PAGE))


@require_safe
@club_member(*MEMBER)
def who_sits_where(request, club, meeting_id):
    """The tables as they are drawn and in play, in large type, to hang up before the meeting sits down."""
    meeting = of_meeting(request, club, meeting_id)
    page = meeting_page(meeting)
    tables = [table for table in page.tables if table.state in ("waiting", "playing")]
    context = {"club": club, "meeting": meeting, "tables": tables, "unseated": page.unseated}
    return render(request, "sessions_app/who_sits_where.html", context)


@require_safe
@club_member(*MEMBER)
def annual_meeting(request, club):
    season = chosen_season(request, club)
    shown = is_public(request, club)
    year = whole_season(season, shown) if season else None
    context = {"club": club, "season": season, "year": year, "is_public": shown}
    return render(request, "sessions_app/annual_meeting.html", context)
