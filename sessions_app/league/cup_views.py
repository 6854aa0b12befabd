"""The club's cups with their winners by year, and a certificate for each winner."""

from itertools import groupby

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sessions_app.league.forms import CupWinnerForm
from sessions_app.league.standings import season_standings
from sessions_app.models import Club, CupWinner
from sessions_app.people.log import log_change
from sessions_app.people.permissions import MEMBER, SECRETARY
from sessions_app.people.transactions import write_transaction
from sessions_app.web.access import actor, club_member
from sessions_app.web.requests import parse_id, posted, season_of, today_in


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def cups(request: HttpRequest, club: Club) -> HttpResponse:
    """Every cup with its winners, the latest first; the secretary adds and removes them."""
    is_secretary = request.membership.role in SECRETARY
    if request.method == "POST" and not is_secretary:
        raise PermissionDenied
    if request.POST.get("remove"):
        _remove(request, club)
        return redirect("cups", club.slug)
    form = CupWinnerForm(posted(request), initial=_newest_champion(club)) if is_secretary else None
    if request.method == "POST" and form.is_valid():
        _add(request, club, form.cleaned_data)
        return redirect("cups", club.slug)
    winners = CupWinner.objects.of_club(club)
    listed = [(cup, list(some)) for cup, some in groupby(winners, key=lambda one: one.cup)]
    context = {"club": club, "cups": listed, "form": form}
    return render(request, "league/cups.html", context, status=422 if form and form.errors else 200)


def _newest_champion(club):
    """Return what the form begins with: the season of today and the only player who is first in its table."""
    season = season_of(club, today_in(club))
    if not season:
        return {}
    first = [row.name for row in season_standings(season).rows if row.position == 1]
    return {"year": season.name[:20], "winner": first[0] if len(first) == 1 else ""}


def _add(request, club, facts):
    with write_transaction():
        winner, is_new = CupWinner.objects.get_or_create(club=club, **facts)
        if is_new:
            log_change(club, actor(request), "add", winner, {}, {"cup": winner.cup, "year": winner.year})
    messages.success(request, f"{winner.winner} is in the list of {winner.cup}, {winner.year}.")


def _remove(request, club):
    with write_transaction():
        winner = _winner(club, request.POST["remove"])
        log_change(club, actor(request), "remove", winner, {"cup": winner.cup, "year": winner.year}, {})
        winner.delete()
    messages.success(request, f"{winner.winner} is no longer in the list of {winner.cup}, {winner.year}.")


def _winner(club, wanted):
    return get_object_or_404(CupWinner.objects.of_club(club), pk=parse_id(wanted))


@require_safe
@club_member(*MEMBER)
def cup_certificate(request: HttpRequest, club: Club) -> HttpResponse:
    """The certificate of the winner ?winner=; of the latest of all without it."""
    wanted = request.GET.get("winner")
    one = _winner(club, wanted) if wanted else CupWinner.objects.of_club(club).order_by("-pk").first()
    return render(request, "league/cup_certificate.html", {"club": club, "one": one})
