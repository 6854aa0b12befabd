"""What is this hand worth, under every rule set and the club’s house rules? And practice. Nothing is stored."""

from dataclasses import asdict, replace
from itertools import product
from random import SystemRandom
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.play.drawn_hands import (
    TILE_ROWS,
    tile_names,
)
from clubscore.play.hand_worth import SOURCES, TYPED_SET_WORDS, WAYS, AskedHand, AskedRules
from clubscore.play.practice import BY_KEY, MAX_SEED, STAGES
from clubscore.play.practice_page import practice_page, read_exercise
from clubscore.play.worth_page import worth_answers
from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import Club, Membership
from sessions_app.people.clubs import club_at
from sessions_app.people.known_device import set_for_a_year
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.forms import read_asked
from sessions_app.rules.tags import COOKIE, TILES, engine_files, page_of, stage_of
from sessions_app.web.requests import Request, way_back, whole_address

MAX_CLUBS = 3


@require_safe
def worth(request: Request) -> HttpResponse:
    asked = read_asked(request.GET)
    clubs = clubs_to_ask(request, asked.club)
    is_fragment = request.htmx and not request.htmx.history_restore_request
    played = [played_by(club, club in clubs.own) for club in clubs.asked]
    look = worth_look(request, asked, clubs)
    drawn, error = worth_answers(asked, played, look)
    if is_fragment:
        response = HttpResponse(drawn.text)
    else:
        # Paths without the host: the tablet knows by which host it came.
        here = look | {"worth": request.path}
        tablet = {"files": engine_files(), "clubs": [asdict(one) for one in played], "look": here}
        page = {"asked": asked, "answers": mark_safe(drawn.text), "error": error, "tablet": tablet}
        response = render(request, "rules/worth.html", page | form_page(request, asked))
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


class Clubs(NamedTuple):
    """The clubs whose rules to score by, all of the user's own, and those of them not chosen."""

    asked: list[Club]
    own: list[Club]
    others: list[Club]


def clubs_to_ask(request: HttpRequest, slug: str) -> Clubs:
    """Return the Clubs to score by: the one in the address if the user may see it, else the user's first ones."""
    own = []
    if request.user.is_authenticated:
        memberships = Membership.objects.filter(user=request.user).select_related("club").order_by("club__name")
        own = [membership.club for membership in memberships]
    chosen = own[:MAX_CLUBS]
    # PostgreSQL refuses text with a null character.
    if slug and "\0" not in slug:
        named = [club for club in own if club.slug == slug]
        club = None if named else club_at(slug)
        is_allowed = club and (club in own or club.public_names != Club.PublicNames.NOBODY)
        chosen = named or ([club] if club and is_allowed else [])
    return Clubs(chosen, own, [club for club in own if club not in chosen])


def played_by(club: Club, is_own: bool) -> AskedRules:
    """Return the rules a club plays, for the first answers; only members get a link to its rules page."""
    in_force = rules_in_force(club)
    return AskedRules(
        in_force.rules,
        in_force.overrides,
        f"{club.name}: {RULE_SETS[in_force.rules].name}",
        is_clubs=True,
        rules_of=club.slug if is_own else "",
        club_hands=tuple(hand.frozen() for hand in in_force.hands),
    )


def worth_look(request: HttpRequest, asked: AskedHand, clubs: Clubs) -> dict[str, Any]:
    """Return the addresses and settings that worth_page.worth_answers needs.

    A link to share names one club: the one in the address, else the first that has public pages. Only members see
    the cards of the others.
    """
    public = [club for club in clubs.asked if club.public_names != Club.PublicNames.NOBODY]
    named = [club for club in clubs.asked if club.slug == asked.club] or public[:1]
    stage = stage_of(request)
    return {
        "page": page_of(request),
        "worth": whole_address(request, request.path),
        "rules": reverse("rule-set", args=["KEY"]),
        "club_rules": reverse("rules", args=["KEY"]),
        "sprite": static(TILES),
        "units": stage.units,
        "rest": stage.rest,
        "shared_club": named[0].slug if named else "",
        "hidden_clubs": [club.name for club in clubs.asked if club not in public],
        "other_clubs": [(club.name, club.slug) for club in clubs.others],
    }


def form_page(request: HttpRequest, asked: AskedHand) -> dict[str, Any]:
    """Return the context of the form: its choices, and the hand for the script."""
    form = asked.form
    hand = {key: form[key] for key in ("sets", "tiles", "bonus") if form[key]}
    names = tile_names(())
    return {
        "table_session": None,  # no table, so tiles have their standard names
        "winds": [(wind, WIND_NAMES[wind]) for wind in WINDS],
        "sources": SOURCES,
        "ways": WAYS,
        "tile_rows": TILE_ROWS,
        "entry": {
            "alone": True,
            "mode": "worth",
            "key": "worth",
            "storage": "worth",
            "tiles": names,
            "typed_set_words": TYPED_SET_WORDS,
            "seats": [{"number": "1", "name": "This hand", "wind": asked.own}],
            "sits_out": [],
            "goulash": "goulash" in asked.ways,
            "special_hands": [],
            "known_keys": [],
            "words": [],
            "offers": {"losers_score": True, "winner_needs_tiles": True},
            "body": {"hands": {"1": hand} if hand and is_understood(asked) else {}},
            "error": None,
        },
        "back": way_back(request),
    }


def is_understood(asked: AskedHand) -> bool:
    """Return whether all typed sets and tiles are valid, so that the script can draw them."""
    known = {*tiles.TILES, *tiles.BONUS_TILES}
    words = [text.split() for text in asked.sets]
    kinds = {("pair",), *product(("exposed", "concealed"), ("pung", "kong", "chow"))}
    sets_known = all(tuple(word.lower() for word in parts[:-1]) in kinds and _is_set(parts) for parts in words)
    return sets_known and {*asked.tiles.split(), *asked.bonus.split()} <= known


def _is_set(parts):
    tile = parts[-1].upper()
    return tile in tiles.TILES and (parts[-2].lower() != "chow" or (len(tile) == 2 and tile[0] <= "7"))


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Show the hand whose number is in the address; if there is none, redirect to a random one.

    Without a query string, answer with a page that tablets keep for use without Wi-Fi.
    """
    typed, usual = request.GET.dict(), stage_of(request).key
    exercise, another = read_exercise(typed, usual), 1 + SystemRandom().randrange(MAX_SEED)
    if typed and not exercise.number:
        return redirect(f"{request.path}?{exercise.query(another)}")
    look = {
        "practice": whole_address(request, request.path),
        "page": page_of(request),
        "rules": reverse("rule-set", args=["KEY"]),
        "sprite": static(TILES),
    }
    exercise = exercise if typed else replace(exercise, number=another)
    drawn, is_wrong = practice_page(exercise, typed, 1 + SystemRandom().randrange(MAX_SEED), look)
    # Paths without the host: the tablet knows by which host it came.
    here = look | {"practice": request.path}
    tablet = {"files": engine_files(), "look": here, "usual": usual, "most": MAX_SEED}
    page = {"drawn": mark_safe(drawn.text), "is_wrong": is_wrong, "tablet": None if typed else tablet}
    return render(request, "rules/practice.html", page)


# The learner's stage on this tablet, signed in or not.


@require_http_methods(["GET", "HEAD", "POST"])
def learning(request: HttpRequest) -> HttpResponse:
    back = way_back(request) or {"address": resolve_url("front"), "words": "Continue"}
    if request.method == "POST":
        response = redirect(back["address"])
        stage = BY_KEY.get(request.POST.get("stage", ""))
        if stage:
            set_for_a_year(response, COOKIE, stage.key)
        return response
    context = {"stages": STAGES, "chosen": stage_of(request), "back": back}
    return render(request, "rules/learning.html", context)
