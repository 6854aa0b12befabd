"""Games brought with the join code of a meeting: they wait, unread, until the club imports or discards them."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from sessions_app.exchange.forms import WaitingGameForm
from sessions_app.meetings.joining_views import joined_meeting
from sessions_app.models import Club, Meeting, WaitingGame
from sessions_app.people.codes import JOIN_CODE
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.people.throttling import count_try
from sessions_app.people.transactions import write_transaction
from sessions_app.web.access import MemberRequest, club_member, with_code
from sessions_app.web.requests import posted

TOO_MANY = "Many games wait for the club already. Ask the scorekeeper to import them first."


@with_code(JOIN_CODE)
@never_cache
def bring_game(request: HttpRequest) -> HttpResponse:
    """Keep a game for the club of the meeting whose join code was entered; nothing of it is read or shown here."""
    meeting = joined_meeting(request)
    if meeting is None:
        return redirect("game-into-club")
    form = WaitingGameForm(posted(request))
    if request.method == "POST" and form.is_valid() and _keep(meeting, form):
        return redirect(f"{reverse('game-into-joined-club')}?brought")
    context = {"meeting": meeting, "form": form, "is_brought": "brought" in request.GET}
    return render(request, "exchange/bring_game.html", context, status=422 if form.errors else 200)


def _keep(meeting: Meeting, form: Form) -> bool:
    """Keep the game, once however often it is sent; add an error where as many came today as may wait."""
    text = form.cleaned_data["text"]
    with write_transaction():
        if meeting.waiting_games.filter(text=text).exists():
            return True
        if count_try(JOIN_CODE.sent, str(meeting.pk)):
            form.add_error(None, TOO_MANY)
            return False
        WaitingGame.objects.create(club=meeting.club, meeting=meeting, text=text)
    return True


@require_safe
@club_member(*SCOREKEEPER)
def waiting_games(request: MemberRequest, club: Club) -> HttpResponse:
    games = WaitingGame.objects.of_club(club).select_related("meeting").defer("text").order_by("brought_at", "pk")
    return render(request, "exchange/waiting_games.html", {"club": club, "games": games})


@require_POST
@club_member(*SCOREKEEPER)
def discard_waiting_game(request: MemberRequest, club: Club, game_id: int) -> HttpResponse:
    get_object_or_404(WaitingGame.objects.of_club(club), pk=game_id).delete()
    messages.success(request, "Discarded. It is still on the tablet that brought it.")
    return redirect("waiting-games", club.slug)
