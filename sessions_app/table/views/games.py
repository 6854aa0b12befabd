"""Games that no club has and a browser alone keeps: the page of all, that of each, and what they are played with."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import brotli
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from clubscore import scoring
from clubscore.play.meeting_lines import MOST_ENTRIES, MOST_GAMES
from clubscore.play.start import PLACES
from clubscore.scoring import RULE_SETS
from clubscore.scoring.sticks import STICK_SETS
from clubscore.site.static_storage import LEAGUE
from sessions_app.models import Club, Membership
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.people.sign_ins import SessionStore
from sessions_app.rules.forms import HouseRulesForm
from sessions_app.rules.rule_views import find_rule_set
from sessions_app.rules.tags import engine_files
from sessions_app.table.tags import PREVIEW_SHEET
from sessions_app.table.views.new_table import VIEWS, start_by
from sessions_app.web.access import TableRequest

# What the pages of the league and of copies load besides the files that every game needs.
LATER_FILES = (LEAGUE, "league/league.css", "league/tablet.js", "web/print.js", "table/game_copies.js")


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
def game_house_rules(request: HttpRequest, key: str) -> HttpResponse:
    """Show the house rules to choose from for a game; the browser reads what is chosen, and goes on to the games."""
    rule_set = find_rule_set(key)
    form = HouseRulesForm(key, dict(rule_set.standard), 0, None, since=nobodys_club().today)
    context = {"form": form, "rule_set": rule_set, "groups": form.groups(scoring.house_rules(key, {}))}
    context["facts"] = {"files": engine_files(), "rules": key, "games": reverse("games")}
    return render(request, "table/game_house_rules.html", context)


@require_safe
def game(request: HttpRequest, view: str) -> HttpResponse:
    """Show the page of any game, which the browser fills in."""
    context = {"club": nobodys_club(), "kept": reverse("kept-of-games"), "start": reverse("games"), "is_game": True}
    return render(request, "table/any_table.html", context)


@require_safe
def game_copies(request: HttpRequest) -> HttpResponse:
    """Let a copy of all games be kept, or read back, all on the tablet."""
    return render(request, "table/game_copies.html")


@require_safe
@never_cache
def game_into_club(request: HttpRequest) -> HttpResponse:
    """Offer the clubs that can import a game: those where the user keeps the score, and that of a join code."""
    memberships = Membership.objects.filter(user=request.user.pk, role__in=SCOREKEEPER).select_related("club")
    clubs = [membership.club for membership in memberships.order_by("club__name")]
    context = {"clubs": clubs, "most_games": MOST_GAMES, "most_entries": MOST_ENTRIES}
    return render(request, "table/game_into_club.html", context)


@require_safe
@never_cache
def kept_of_games(request: HttpRequest) -> HttpResponse:
    """Answer with what a browser keeps for its games: how one starts by each set of rules."""
    plain, compressed = kept_by_all_rules(settings.GAME_SITE)
    is_brotli = bool(re.search(r"\bbr\b", request.headers.get("Accept-Encoding", "")))
    answer = HttpResponse(compressed if is_brotli else plain, content_type="application/json")
    if is_brotli:
        answer.headers["Content-Encoding"] = "br"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


@cache
def kept_by_all_rules(site: Any) -> tuple[bytes, bytes]:
    """Return it as JSON and compressed: the same for everybody, as nothing in it is anybody's but the site's.

    The views by one set of rules are much like those by another, but lie too far apart for gzip.
    """
    plain = json.dumps(_kept()).encode()
    return plain, brotli.compress(plain, quality=9)


def _kept() -> dict[str, Any]:
    request, club = TableRequest(), nobodys_club()
    request.user, request.session, request.htmx = AnonymousUser(), SessionStore(), HtmxDetails(request)
    request.membership = AtHome()  # type: ignore[assignment]
    urls = {word: reverse(f"game-{word}") for word in VIEWS}
    urls |= {"commands": "", "state": "", "take_in": reverse("game-take-in")}
    start = {rules: start_by(request, club, rules, urls) for rules in RULE_SETS}
    files = {"files": engine_files(), "preview_sheet": static(PREVIEW_SHEET)}
    # Fetched once there is a game.
    later = {
        "pages": [reverse("tablet-league"), reverse("game-copies")],
        "files": [static(name) for name in LATER_FILES],
    }
    return {"usual": club.rules, "names": {}, "start": start, "later": later, **files}
