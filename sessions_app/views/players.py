"""The club's players: the list, and adding one."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from sessions_app.forms.players import PlayerForm
from sessions_app.models import Player
from sessions_app.services.players import add_player
from sessions_app.views.decorators import MEMBER, SCOREKEEPER, club_member
from sessions_app.views.door import actor
from sessions_app.views.forms import posted


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def players(request, club):
    may_add = request.membership.role in SCOREKEEPER
    form = PlayerForm(club, posted(request)) if may_add else None
    if request.method == "POST":
        if not may_add:
            raise PermissionDenied
        if form.is_valid():
            player = add_player(club, by=actor(request), **form.cleaned_data)
            messages.success(request, f"{player.full_name} is on the club’s list.")
            return redirect("players", club.slug)
    listed = (
        Player.objects.of_club(club).filter(merged_into=None).exclude(full_name="").order_by("left_on", "full_name")
    )
    context = {"club": club, "form": form, "players": listed}
    return render(request, "sessions_app/players.html", context, status=422 if form and form.errors else 200)
