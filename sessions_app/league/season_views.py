"""The club's seasons: the list, and the secretary adding one, changing it and locking it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from sessions_app.league.forms import SeasonForm, SeasonSettingsForm
from sessions_app.league.methods import METHODS
from sessions_app.league.seasons import add_season, change_season, like_the_last, usual_method
from sessions_app.models import Club, Season, Session
from sessions_app.people.permissions import MEMBER, SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.web.access import actor, club_member
from sessions_app.web.requests import posted


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def seasons(request: HttpRequest, club: Club) -> HttpResponse:
    may_add = request.membership.role in SECRETARY
    last = like_the_last(club) if may_add else {}
    first = {} if last or not may_add else {"method": usual_method(club)}
    form = SeasonForm(club, posted(request), initial={"rules": [club.rules], **first, **last}) if may_add else None
    if request.method == "POST":
        if not may_add:
            raise PermissionDenied
        if form.is_valid():
            try:
                season = add_season(club, by=actor(request), **{**last, **form.cleaned_data})
            except ServiceError as error:
                form.add_error(error.field, str(error))
            else:
                messages.success(request, f"Season added: {season.name}.")
                return redirect("seasons", club.slug)
    rows = [(row, METHODS[row.method].name if row.method in METHODS else "") for row in Season.objects.of_club(club)]
    context = {"club": club, "form": form, "seasons": rows}
    return render(request, "league/seasons.html", context, status=422 if form and form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def season(request: HttpRequest, club: Club, season_id: int) -> HttpResponse:
    """The settings of one season; a locked one is only shown."""
    chosen = get_object_or_404(Season.objects.of_club(club), pk=season_id)
    form = SeasonSettingsForm(club, posted(request), season=chosen, initial=_settings(chosen))
    if request.method == "POST" and form.is_valid():
        try:
            change_season(chosen, by=actor(request), **form.cleaned_data)
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, f"Season saved: {form.cleaned_data['name']}. The league table is up to date.")
            return redirect("seasons", club.slug)
        chosen.refresh_from_db()
    context = {
        "club": club,
        "form": form,
        "season": chosen,
        "sessions": chosen.sessions.count(),
        "still_open": _still_open(chosen),
    }
    return render(request, "league/season.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def lock_season(request: HttpRequest, club: Club, season_id: int) -> HttpResponse:
    """Lock a season, or unlock it; pressed again it goes back."""
    chosen = get_object_or_404(Season.objects.of_club(club), pk=season_id)
    locked = not chosen.locked
    try:
        change_season(chosen, by=actor(request), locked=locked)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("season", club.slug, chosen.pk)
    told = (
        "is locked. Its hands, dates and settings cannot be changed"
        if locked
        else "is unlocked. You can change it again"
    )
    messages.success(request, f"The season {chosen.name} {told}.")
    if locked and (waiting := _still_open(chosen)):
        messages.warning(request, f"Still open, but no hand can be entered: {waiting}.")
    return redirect("season", club.slug, chosen.pk)


def _still_open(chosen):
    """Name the tables of a season that are still open; empty where none is."""
    still_open = chosen.sessions.filter(state=Session.State.OPEN).order_by("date", "table", "pk")
    return ", ".join(f"table {one.table} on {one.date:%-d %B %Y}" for one in still_open)


def _settings(chosen):
    return {name: getattr(chosen, name) for name in SeasonSettingsForm.base_fields if name != "why"}


# The links above a page that counts for a season or for all time: the latest seasons, the earlier ones folded away.


SEASONS_SHOWN = 2


@dataclass(frozen=True)
class ScopeLink:
    name: str
    query: str
    is_current: bool


def season_links(seasons: Iterable[Any], current: Season) -> list[ScopeLink]:
    """Return a link to each of these seasons, the latest first; `current` is the one that is shown, or None."""
    return [ScopeLink(season.name, f"season={season.pk}", season == current) for season in seasons]


def scope_page(seasons: list[ScopeLink], others: list[ScopeLink]) -> dict[str, list[ScopeLink]]:
    """Make the context of _scopes.html from the links to seasons and those to all time."""
    return {"links": [*seasons[:SEASONS_SHOWN], *others], "more_links": seasons[SEASONS_SHOWN:]}
