"""A member's own page in a club: what they are called in public, and how the club reaches them."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from sessions_app.forms.me import MeForm
from sessions_app.models import Contact, Membership, Player
from sessions_app.services.players import change_player_facts, set_contact
from sessions_app.services.transactions import write_transaction
from sessions_app.views.club_day import today_in
from sessions_app.views.decorators import MEMBER, club_member
from sessions_app.views.door import actor
from sessions_app.views.forms import posted
from sessions_app.views.people import name_of


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def me(request, club):
    """One's own choices; who is no player yet is told whom to ask."""
    player = _own_player(request.membership)
    form = player and MeForm(player, Contact.objects.filter(player=player).first(), posted(request))
    if request.method == "POST" and form and form.is_valid():
        by = actor(request)
        with write_transaction():
            change_player_facts(player, by=by, in_public=form.cleaned_data["in_public"])
            set_contact(player, by=by, **form.contact(today_in(club)))
        messages.success(request, "Your choices are saved.")
        return redirect("me", club.slug)
    context = {"club": club, "player": player, "form": form, "secretaries": [] if player else _secretaries(club)}
    is_refused = request.method == "POST"
    return render(request, "sessions_app/me.html", context, status=422 if is_refused else 200)


def _own_player(membership):
    own = Player.objects.filter(pk=membership.player_id, merged_into=None, erased_as="")
    return own.select_related("club").first() if membership.player_id else None


def _secretaries(club):
    found = Membership.objects.of_club(club).filter(role="secretary").select_related("user").order_by("pk")
    return [name_of(one) for one in found]
