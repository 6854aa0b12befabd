"""Saying who is coming: on a meeting's page, and by a player's own link, which needs no account."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from sessions_app.meetings.queries import UpcomingMeeting, upcoming_meetings
from sessions_app.meetings.services import save_reply
from sessions_app.meetings.views import get_meeting
from sessions_app.models import Club, Meeting, Player
from sessions_app.people.codes import REPLY_KEY
from sessions_app.people.log import Actor
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.people.players import name_order, reply_key_of
from sessions_app.people.throttling import count_try
from sessions_app.people.transactions import write_transaction
from sessions_app.web.access import MemberRequest, actor, club_member, with_code
from sessions_app.web.calendar import Event, calendar_answer
from sessions_app.web.requests import parse_id, today_in, whole_address

MAX_MEETINGS = 12
BY_LINK = Actor(name="A player’s own link")
NO_PLAYER = "Ask the secretary to link your account to your name. Then you can say whether you are coming."
TOO_MANY = "You have changed this many times today. Try again tomorrow, or tell the secretary."
PAST_MEETING = "This meeting has finished. Nothing was changed."


@require_POST
@club_member(*MEMBER)
def meeting_reply(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Save a member's own reply, or the reply of a player that a scorekeeper enters."""
    meeting = get_meeting(club, meeting_id)
    players = Player.objects.of_club(club).present()
    if "player" not in request.POST or request.membership.role not in SCOREKEEPER:
        player = players.filter(pk=request.membership.player_id or 0).first()
    else:
        player = get_object_or_404(players, pk=parse_id(request.POST["player"]))
    if player is None:
        messages.error(request, NO_PLAYER)
    elif meeting.date < today_in(club):
        messages.error(request, PAST_MEETING)
    else:
        save_reply(meeting, player, request.POST.get("coming") != "no", by=actor(request))
    return redirect("meeting", club.slug, meeting.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def reply_links(request: HttpRequest, club: Club) -> HttpResponse:
    """Show each player's own link; a POST creates the missing ones."""
    players = Player.objects.of_club(club).present().filter(to_confirm=False)
    if request.method == "POST":
        with write_transaction():
            for player in players.filter(reply_key=None):
                reply_key_of(player)
        return redirect("reply-links", club.slug)
    rows = [
        (player, player.reply_key and whole_address(request, reverse("coming", args=[player.reply_key])))
        for player in sorted(players.select_related("contact"), key=name_order)
    ]
    context = {"club": club, "rows": rows, "missing": sum(not link for _, link in rows)}
    return render(request, "meetings/reply_links.html", context)


def _get_player(key: str) -> Player:
    """Return the player of a link, or the one they were merged into; 404 for those who have left."""
    player = get_object_or_404(Player.objects.select_related("merged_into"), reply_key=key)
    return get_object_or_404(Player.objects.present().select_related("club"), pk=(player.merged_into or player).pk)


def _upcoming(player: Player) -> list[UpcomingMeeting]:
    return upcoming_meetings(player.club, today_in(player.club), MAX_MEETINGS, player.pk)


@with_code(REPLY_KEY)
@never_cache
def coming(request: HttpRequest, key: str) -> HttpResponse:
    """Show one player the next meetings, to say whether they are coming. Shows no other names."""
    player = _get_player(key)
    if request.method == "POST":
        meetings = Meeting.objects.of_club(player.club).filter(date__gte=today_in(player.club)).select_related("club")
        meeting = get_object_or_404(meetings, pk=parse_id(request.POST.get("meeting", "")))
        if count_try(REPLY_KEY.sent, str(player.pk)):
            messages.error(request, TOO_MANY)
        else:
            save_reply(meeting, player, request.POST.get("coming") != "no", by=BY_LINK)
        return redirect("coming", key)
    calendar = whole_address(request, reverse("coming-calendar", args=[key]))
    context = {"player": player, "own_club": player.club, "meetings": _upcoming(player), "calendar": calendar}
    return render(request, "meetings/coming.html", context)


@with_code(REPLY_KEY)
@never_cache
def coming_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Return the next meetings as a calendar file, each with the player's reply."""
    player = _get_player(key)
    page = whole_address(request, reverse("coming", args=[key]))
    words = {True: "you are coming", False: "you are not coming"}
    events = [Event(row.meeting, words[row.own.is_coming] if row.own else "") for row in _upcoming(player)]
    return calendar_answer(request, player.club, events, today_in(player.club), page)
