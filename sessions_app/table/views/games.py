"""Games that no club has and a browser alone keeps: the page of all, that of each, and what they are played with."""

import json
from dataclasses import dataclass
from functools import cache

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from clubscore import scoring
from clubscore.scoring import RULE_SETS
from clubscore.scoring.sticks import STICK_SETS
from sessions_app.models import Club, Membership
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.sign_ins import SessionStore
from sessions_app.rules.tags import engine_files
from sessions_app.table.start_form import PLACES
from sessions_app.table.tags import PREVIEW_SHEET
from sessions_app.table.views.new_table import VIEWS, start_by
from sessions_app.web.access import TableRequest


@dataclass(frozen=True)
class AtHome:
    """Takes the place of a Membership: whoever has the tablet keeps the score."""

    role = "scorekeeper"
    user_id = None


def nobodys_club() -> Club:
    """Return the club of all games, which has no row, no players and no rules of its own."""
    return Club(pk=0, slug="game")


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Show the games that this browser keeps, and start another; the server knows of none of them."""
    club = nobodys_club()
    houses = {rules: scoring.house_rules(rules, {}) for rules in RULE_SETS}
    context = {
        "rule_sets": [(rules, RULE_SETS[rules], house) for rules, house in houses.items()],
        "usual": club.rules,
        "places": PLACES,
        "sticks": {name: sticks.name for name, sticks in STICK_SETS.items()},
    }
    return render(request, "table/games.html", context)


@require_safe
def game(request: HttpRequest, view: str) -> HttpResponse:
    """Show the page of any game, which the browser fills in."""
    context = {"club": nobodys_club(), "kept": reverse("kept-of-games"), "start": reverse("games"), "is_game": True}
    return render(request, "table/any_table.html", context)


@require_safe
@login_required
def game_into_club(request: HttpRequest) -> HttpResponse:
    """Offer the clubs that can import a game: those of a secretary."""
    memberships = Membership.objects.filter(user=request.user.pk, role__in=SECRETARY).select_related("club")
    clubs = [membership.club for membership in memberships.order_by("club__name")]
    return render(request, "table/game_into_club.html", {"clubs": clubs})


@require_safe
@never_cache
def kept_of_games(request: HttpRequest) -> HttpResponse:
    """Answer with what a browser keeps for its games: how one starts by each set of rules, with its views."""
    return HttpResponse(_kept_of_games(), content_type="application/json")


@cache
def _kept_of_games() -> bytes:
    """Return the same for everybody, as nothing in it is anybody's."""
    request, club = TableRequest(), nobodys_club()
    request.user, request.session, request.htmx = AnonymousUser(), SessionStore(), HtmxDetails(request)
    request.membership = AtHome()  # type: ignore[assignment]
    urls = {word: reverse(f"game-{word}") for word in VIEWS}
    urls |= dict.fromkeys(("commands", "state", "take_in"), "")
    start = {rules: start_by(request, club, rules, urls) for rules in RULE_SETS}
    files = {"files": engine_files(), "preview_sheet": static(PREVIEW_SHEET)}
    return json.dumps({"usual": club.rules, "names": {}, "start": start, **files}).encode()
