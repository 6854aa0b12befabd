"""What is this hand worth, under every rule set and the club’s house rules? And practice. Nothing is stored."""

from dataclasses import asdict, replace
from random import SystemRandom
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.play.drawn_hands import TILE_ROWS, tile_names
from clubscore.play.hand_worth import SOURCES, TYPED_SET_WORDS, WAYS, AskedHand, AskedRules
from clubscore.play.practice import BY_KEY, MAX_SEED, STAGES
from clubscore.play.practice_page import practice_page, read_exercise
from clubscore.play.worth_page import worth_answers
from clubscore.scoring import RULE_SETS
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
    own, clubs = clubs_to_ask(request, asked.club)
    is_fragment = request.htmx and not request.htmx.history_restore_request
    played = [played_by(club, club in own) for club in clubs]
    look = worth_look(request, asked, clubs)
    drawn, error = worth_answers(asked, played, look)
    if is_fragment:
        response = HttpResponse(drawn.text)
    else:
        # Paths without the host: the tablet knows by which host it came.
        here = look | {"worth": request.path}
        tablet = {"files": engine_files(), "clubs": [asdict(rules) for rules in played], "look": here}
        page = {"asked": asked, "answers": mark_safe(drawn.text), "error": error, "tablet": tablet}
        response = render(request, "rules/worth.html", page | form_page(request, asked))
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def clubs_to_ask(request: HttpRequest, slug: str) -> tuple[list[Club], list[Club]]:
    """Return the user's own clubs, and those to score by: the one in the address if the user may see it, else these."""
    own = []
    if request.user.is_authenticated:
        memberships = Membership.objects.filter(user=request.user).select_related("club").order_by("club__name")
        own = [membership.club for membership in memberships]
    # PostgreSQL refuses text with a null character.
    named = club_at(slug) if slug and "\0" not in slug else None
    is_shown = named and (named in own or named.public_names != Club.PublicNames.NOBODY)
    return own, [named] if named and is_shown else own[:MAX_CLUBS] if not slug else []


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


def worth_look(request: HttpRequest, asked: AskedHand, clubs: list[Club]) -> dict[str, Any]:
    """Return the addresses and settings that worth_page.worth_answers needs.

    A link to share names one club: the one in the address, else the first that has public pages.
    """
    public = [club.slug for club in clubs if club.slug == asked.club or club.public_names != Club.PublicNames.NOBODY]
    stage = stage_of(request)
    return {
        "page": page_of(request),
        "worth": whole_address(request, request.path),
        "rules": reverse("rule-set", args=["KEY"]),
        "club_rules": reverse("rules", args=["KEY"]),
        "sprite": static(TILES),
        "units": stage.units,
        "rest": stage.rest,
        "shared_club": public[0] if public else "",
    }


def form_page(request: HttpRequest, asked: AskedHand) -> dict[str, Any]:
    """Return the context of the form: its choices, and what the script of hand entry needs; it reads the form."""
    return {
        "table_session": None,  # no table, so tiles have their standard names
        "winds": [(wind, WIND_NAMES[wind]) for wind in WINDS],
        "sources": SOURCES,
        "ways": WAYS,
        "tile_rows": TILE_ROWS,
        "entry": {
            "alone": True,
            "key": "worth",
            "storage": "worth",
            "tiles": tile_names(()),
            "typed_set_words": TYPED_SET_WORDS,
            "seats": [{"number": "1", "name": "This hand", "wind": asked.own}],
            "goulash": "goulash" in asked.ways,
            "special_hands": [],
            "offers": {"losers_score": True, "winner_needs_tiles": True},
        },
        "back": way_back(request),
    }


def _any_hand() -> int:
    """Return the number of a hand by chance; on a site of files the tablet deals."""
    return 1 if settings.GAME_SITE else 1 + SystemRandom().randrange(MAX_SEED)


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Show the hand whose number is in the address; if there is none, redirect to a random one.

    Without a query string, answer with a page that tablets keep for use without Wi-Fi.
    """
    typed, usual = request.GET.dict(), stage_of(request).key
    exercise, another = read_exercise(typed, usual), _any_hand()
    if typed and not exercise.number:
        return redirect(f"{request.path}?{exercise.query(another)}")
    look = {
        "practice": whole_address(request, request.path),
        "page": page_of(request),
        "rules": reverse("rule-set", args=["KEY"]),
        "sprite": static(TILES),
    }
    exercise = exercise if typed else replace(exercise, number=another)
    drawn, is_wrong = practice_page(exercise, typed, _any_hand(), look)
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
