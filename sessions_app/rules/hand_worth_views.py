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

from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.table.drawn_hands import (
    TILE_ROWS,
    tile_names,
)
from clubscore.table.hand_worth import SOURCES, TYPED_SET_WORDS, WAYS, AskedHand, AskedRules
from clubscore.table.practice import BY_KEY, MAX_SEED, STAGES
from clubscore.table.practice_page import practice_page, read_exercise
from clubscore.table.worth_page import worth_answers
from sessions_app.models import Club, Membership
from sessions_app.people.clubs import club_at
from sessions_app.people.known_device import set_for_a_year
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.forms import read_asked
from sessions_app.rules.tags import COOKIE, TILES, engine_files, page_of, stage_of
from sessions_app.web.requests import way_back, whole_address

MAX_CLUBS = 3


@require_safe
def worth(request: HttpRequest) -> HttpResponse:
    asked = read_asked(request.GET)
    clubs = clubs_to_ask(request, asked.club)
    is_fragment = request.htmx and not request.htmx.history_restore_request
    played = [played_by(club, club in clubs.own) for club in clubs.asked]
    look = worth_look(request, asked, clubs)
    drawn, error = worth_answers(asked, played, look)
    if is_fragment:
        response = HttpResponse(drawn.text)
    else:
        # The tablet knows by which name of the site it came.
        here = look | {"worth": request.path}
        tablet = {"files": engine_files(), "clubs": [asdict(one) for one in played], "look": here}
        page = {"asked": asked, "answers": mark_safe(drawn.text), "error": error, "tablet": tablet}
        response = render(request, "rules/worth.html", page | form_page(request, asked))
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


class Clubs(NamedTuple):
    """The clubs whose house rules are asked, which of them are one's own, and one's own that may be chosen instead."""

    asked: list[Club]
    own: list[Club]
    others: list[Club]


def clubs_to_ask(request: HttpRequest, slug: str) -> Clubs:
    """Return the Clubs to ask: the one of the address if it may be seen, else the first of one's own."""
    own = []
    if request.user.is_authenticated:
        memberships = Membership.objects.filter(user=request.user).select_related("club").order_by("club__name")
        own = [membership.club for membership in memberships]
    chosen = own[:MAX_CLUBS]
    # PostgreSQL does not even look for text with a zero in it.
    if slug and "\0" not in slug:
        named = [club for club in own if club.slug == slug]
        at = None if named else club_at(slug)
        may = at and (at in own or at.public_names != Club.PublicNames.NOBODY)
        chosen = named or ([at] if at and may else [])
    return Clubs(chosen, own, [club for club in own if club not in chosen])


def played_by(club: Club, is_own: bool) -> AskedRules:
    """Return the rules a club plays, to be asked before all the others; its own page of rules is for its members."""
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
    """Return what worth_page.worth_answers wants to know of the page.

    A link that others get names one club: the one asked for, else the first that shows itself; the cards of the
    others are for members alone.
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
    """Return what the page needs besides its answers: the choices, and the hand for the script that takes the taps."""
    form = asked.form
    hand = {key: form[key] for key in ("sets", "tiles", "bonus") if form[key]}
    names = tile_names(())
    return {
        "table_session": None,  # the tiles are named in our own words: they are of no table
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
    """Return whether every set and tile typed is one, so that it can be drawn and tapped."""
    known = {*tiles.TILES, *tiles.BONUS_TILES}
    words = [text.split() for text in asked.sets]
    kinds = {("pair",), *product(("exposed", "concealed"), ("pung", "kong", "chow"))}
    sets_known = all(tuple(word.lower() for word in parts[:-1]) in kinds and _is_set(parts) for parts in words)
    return sets_known and {*asked.tiles.split(), *asked.bonus.split()} <= known


def _is_set(parts):
    tile = parts[-1].upper()
    return tile in tiles.TILES and (parts[-2].lower() != "chow" or (len(tile) == 2 and tile[0] <= "7"))


# Practice: a hand drawn in tiles, the learner's score and what is wrong with it. Nothing is stored.


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Show the hand of the address; without a number, go to one drawn by lot, so that each has its own address.

    Of the address with nothing asked of it, tablets keep the page for a hall without Wi-Fi: it has what they need.
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
    # The tablet knows by which name of the site it came.
    here = look | {"practice": request.path}
    tablet = {"files": engine_files(), "look": here, "usual": usual, "most": MAX_SEED}
    page = {"drawn": mark_safe(drawn.text), "is_wrong": is_wrong, "tablet": None if typed else tablet}
    return render(request, "rules/practice.html", page)


# The learner's stage on this tablet, signed in or not.


@require_http_methods(["GET", "HEAD", "POST"])
def learning(request: HttpRequest) -> HttpResponse:
    back = way_back(request) or {"address": resolve_url("front"), "words": "Continue"}
    if request.method == "POST":
        return _choose(request, back)
    context = {"stages": STAGES, "chosen": stage_of(request), "back": back}
    return render(request, "rules/learning.html", context)


def _choose(request, back):
    """Keep the stage and go back to where it was wanted; a stage nobody knows changes nothing."""
    response = redirect(back["address"])
    stage = BY_KEY.get(request.POST.get("stage", ""))
    if stage:
        set_for_a_year(response, COOKIE, stage.key)
    return response
