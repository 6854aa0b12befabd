"""What is kept about people: said plainly, handed over as a zip, and erased on request."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sessions_app.exports.person import login_zip, person_file_name, player_zip
from sessions_app.forms.erase import EraseForm
from sessions_app.models import Membership, Player
from sessions_app.services.erasure import erase_player, is_in_other_clubs, logins_of, notes_about
from sessions_app.services.errors import ServiceError
from sessions_app.services.exports import note_export
from sessions_app.views.club_day import today_in
from sessions_app.views.decorators import MEMBER, SECRETARY, club_member
from sessions_app.views.door import actor
from sessions_app.views.files import file_answer
from sessions_app.views.forms import posted

ZIP = "application/zip"


@require_safe
@club_member(*MEMBER)
def data(request, club):
    """Say plainly what the club keeps about its players and its logins."""
    secretaries = Membership.objects.of_club(club).filter(role="secretary").select_related("user").order_by("pk")
    names = [one.user.get_full_name() or one.user.get_username() for one in secretaries]
    is_secretary = request.membership.role in SECRETARY
    context = {
        "club": club,
        "secretaries": names,
        "is_secretary": is_secretary,
        "players": Player.objects.of_club(club).filter(merged_into=None, erased_as="").order_by("full_name")
        if is_secretary
        else [],
    }
    return render(request, "sessions_app/data.html", context)


@require_safe
@club_member(*MEMBER)
def my_data(request, club):
    content = login_zip(request.user, club)
    return _zip(request, club, content, "me", "everything kept about their own login")


@require_safe
@club_member(*SECRETARY)
def player_data(request, club, player_id):
    player = get_object_or_404(Player.objects.of_club(club).select_related("club"), pk=player_id)
    return _zip(request, club, player_zip(player), str(player), "everything kept about one player")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def player_erase(request, club, player_id):
    player = get_object_or_404(Player.objects.of_club(club).filter(merged_into=None, erased_as=""), pk=player_id)
    logins = logins_of(player)
    own = [user for user in logins if not is_in_other_clubs(user, club)]
    form = EraseForm(player, bool(own), posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            with_login = form.cleaned_data.get("login", False)
            now = erase_player(player, by=actor(request), with_login=with_login)
        except ServiceError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"The names are erased. In every table {now} stands instead.")
            return redirect("data", club.slug)
    context = {
        "club": club,
        "player": player,
        "form": form,
        "own_logins": own,
        "shared_logins": [user for user in logins if user not in own],
        "notes": notes_about(player),
        "sessions": player.seats.count(),
    }
    return render(request, "sessions_app/player_erase.html", context, status=422 if form.errors else 200)


def _zip(request, club, content, whose, what):
    if request.method == "GET":
        note_export(club, what, by=actor(request))
    return file_answer(content, person_file_name(club, whose, today_in(club)), ZIP)
