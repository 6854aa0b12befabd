"""What is printed for a meeting: the attendance list and who sits where."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.meetings.queries import meeting_page
from sessions_app.meetings.views import of_meeting
from sessions_app.models import Club, Player
from sessions_app.people.permissions import MEMBER, SCOREKEEPER
from sessions_app.web.access import club_member

MOST_GUESTS, FEWEST_GUESTS = 6, 2


A_PAGE = 28  # names on a sheet of A4 that leave room for the fewest guests


@require_safe
@club_member(*SCOREKEEPER)
def attendance_list(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Every name with boxes to tick, and lines for guests; players expected late are marked."""
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
    return render(request, "meetings/attendance_list.html", context)


def guest_lines(names: int) -> int:
    """Return how many lines for guests follow so many names: what is left of the last sheet."""
    return min(MOST_GUESTS, max(FEWEST_GUESTS, -names % A_PAGE))


@require_safe
@club_member(*MEMBER)
def who_sits_where(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """The tables as they are drawn and in play, in large type, to hang up before the meeting sits down."""
    meeting = of_meeting(request, club, meeting_id)
    page = meeting_page(meeting)
    tables = [table for table in page.tables if table.state in ("waiting", "playing")]
    context = {"club": club, "meeting": meeting, "tables": tables, "unseated": page.unseated}
    return render(request, "meetings/who_sits_where.html", context)
