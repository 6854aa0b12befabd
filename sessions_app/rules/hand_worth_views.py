"""What is this hand worth? One hand, kept in the address alone, under every rule set and the club's house rules."""

from dataclasses import replace
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import Club, Membership
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.drawn_hands import TILE_ROWS, TYPED_SET_WORDS, tile_names
from sessions_app.rules.forms import SOURCES, WAYS, WINDS, Asked, read_asked
from sessions_app.rules.hand_worth import (
    WAITING,
    WHOLE,
    Played,
    answers,
    every_rule_set,
    last_tile,
    possible_last,
    ways_of,
)
from sessions_app.rules.learning import stage_of, staged
from sessions_app.web.requests import way_back

MAX_CLUBS = 3


@require_safe
def worth(request: HttpRequest) -> HttpResponse:
    asked = read_asked(request.GET)
    clubs = clubs_to_ask(request, asked.club)
    is_fragment = request.htmx and not request.htmx.history_restore_request
    context = {**answers_page(request, asked, clubs), **({} if is_fragment else form_page(request, asked))}
    template = "_worth_answers.html" if is_fragment else "worth.html"
    response = render(request, f"rules/{template}", context)
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
        chosen = named or list(Club.objects.filter(slug=slug).exclude(public_names=Club.PublicNames.NOBODY))
    return Clubs(chosen, own, [club for club in own if club not in chosen])


def played_by(club: Club, is_own: bool) -> Played:
    """Return the rules a club plays, to be asked before all the others; its own page of rules is for its members."""
    in_force = rules_in_force(club)
    return Played(
        in_force.rules,
        in_force.overrides,
        f"{club.name}: {RULE_SETS[in_force.rules].name}",
        is_clubs=True,
        rules_of=club.slug if is_own else "",
        club_hands=tuple(hand.frozen() for hand in in_force.hands),
    )


def shared(asked: Asked, clubs: Clubs) -> tuple[Any, ...]:
    """Return the hand as a link may show it, and the names of the clubs whose card it shows to members alone.

    A link names one club: the one asked for, else the first that shows itself.
    """
    public = [club for club in clubs.asked if club.public_names != Club.PublicNames.NOBODY]
    named = [club for club in clubs.asked if club.slug == asked.club] or public[:1]
    hidden = [club.name for club in clubs.asked if club not in public]
    return replace(asked, club=named[0].slug if named else ""), hidden


def answers_page(request: HttpRequest, asked: Asked, clubs: Clubs) -> dict[str, Any]:
    """Return the context of _worth_answers.html."""
    found = []
    if not asked.is_empty:
        by_clubs = [played_by(club, club in clubs.own) for club in clubs.asked]
        found = answers(asked, [*by_clubs, *every_rule_set()])
    sentences = list(dict.fromkeys(one.refused for one in found))
    everywhere = sentences[0] if len(sentences) == 1 and all(one.error for one in found) else ""
    stage = stage_of(request)
    drawn, claimed = ways_of(asked)
    link, hidden = shared(asked, clubs)
    return {
        "drawn_words": "Loose tile" if drawn == "kong box" else "Drawn",
        "claimed_words": "Robbed" if claimed == "robbed" else "Claimed",
        "asked": asked,
        "size": asked.size,
        "is_whole": asked.size == WHOLE,
        "is_waiting": asked.size == WAITING,
        "answers": [(one, staged(one.lines, stage)) for one in found] if not everywhere else [],
        "error": everywhere,
        "last": last_tile(asked) if asked.size == WHOLE else "",
        "last_choices": possible_last(asked) if asked.size == WHOLE else [],
        "is_assumed": asked.tile not in possible_last(asked),
        "share": request.build_absolute_uri(f"{request.path}?{link.query()}"),
        "hidden_clubs": hidden,
        "other_clubs": [(club.name, replace(asked, club=club.slug).query()) for club in clubs.others],
        "tile_names": tile_names(()),
        "stage": stage,
    }


def form_page(request: HttpRequest, asked: Asked) -> dict[str, Any]:
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


def is_understood(asked: Asked) -> bool:
    """Return whether every set and tile typed is one, so that it can be drawn and tapped."""
    known = {*tiles.TILES, *tiles.BONUS_TILES}
    words = [text.split() for text in asked.sets]
    kinds = {
        ("exposed", "pung"),
        ("exposed", "kong"),
        ("exposed", "chow"),
        ("concealed", "pung"),
        ("concealed", "kong"),
        ("concealed", "chow"),
        ("pair",),
    }
    sets_known = all(tuple(word.lower() for word in parts[:-1]) in kinds and _is_set(parts) for parts in words)
    return sets_known and {*asked.tiles.split(), *asked.bonus.split()} <= known


def _is_set(parts):
    tile = parts[-1].upper()
    return tile in tiles.TILES and (parts[-2].lower() != "chow" or (len(tile) == 2 and tile[0] <= "7"))
