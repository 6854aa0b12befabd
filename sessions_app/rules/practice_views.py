"""Practice: a hand drawn in tiles, the learner's score and what is wrong with it. Nothing is stored."""

from random import SystemRandom
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.scoring import RULE_SETS
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import in_words, unit_of, worth
from sessions_app.rules.drawn_hands import sum_words, tile_groups, tile_names, winning_words, with_winning_tile
from sessions_app.rules.forms import read_counted
from sessions_app.rules.learning import BY_KEY, COOKIE, EVERYTHING, STAGES, stage_of, staged
from sessions_app.rules.practice import MAX_SEED, asked_figures, deal, verdict
from sessions_app.web.requests import way_back


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Show the hand of the address; without a number, go to one drawn by lot, so that each has its own address."""
    rules = request.GET.get("rules", "")
    rule_set = RULE_SETS.get(rules) or next(iter(RULE_SETS.values()))
    stage = BY_KEY.get(request.GET.get("stage", "")) or stage_of(request)
    seed = _seed(request.GET.get("hand", ""))
    if seed is None:
        return redirect(_address(rule_set.key, stage.key, _another()))
    return render(request, "rules/practice.html", _page(request, rule_set, stage, seed))


def _page(request, rule_set, stage, seed):
    dealt = deal(rule_set.key, seed, special=stage == EVERYTHING)
    asked = asked_figures(dealt, stage)
    counted = read_counted(request.GET, asked)
    is_answered = counted.is_said and not counted.errors
    words = rule_set.vocabulary()
    return {
        "rule_set": rule_set,
        "rule_sets": RULE_SETS.values(),
        "stage": stage,
        "stages": STAGES,
        "seed": seed,
        "groups": with_winning_tile(tile_groups(dealt.form, words), dealt.form, dealt.win or {}),
        "wins": bool(dealt.win),
        "how": in_words(words, _how(dealt, rule_set)),
        "fields": [_field(counted, name, name == asked[-1]) for name in asked],
        "errors": list(counted.errors.values()),
        "verdict": verdict(dealt, stage, counted.figures) if is_answered else None,
        "shows": is_answered or "show" in request.GET,
        "result": _result(dealt, rule_set, words, stage),
        "another": _address(rule_set.key, stage.key, _another()),
        "tile_names": tile_names(words),
        "share": request.build_absolute_uri(_address(rule_set.key, stage.key, seed)),
        "back": way_back(request),
    }


def _field(counted, name, is_needed):
    error = counted.errors.get(name, "")
    return {"name": name, "typed": counted.typed[name], "error": error, "needed": is_needed}


def _result(dealt, rule_set, words, stage):
    """The right count, line by line."""
    lines = [
        {"rule": line["rule"], "name": in_words(words, line["name"]), "worth": worth(line), "unit": unit_of(line)}
        for line in dealt.scored["lines"]
    ]
    names = {row.key: row.name for row in rule_set.special_hands}
    return {
        "lines": staged(lines, stage),
        "total": dealt.scored["total"],
        "points": dealt.scored["points"],
        "special": names.get(dealt.scored["special"], ""),
        "sum": sum_words(*(dealt.scored[key] for key in ("points", "doubles", "times", "total", "limited"))),
    }


def _how(dealt, rule_set):
    """Return who sits where and how the hand was won: what the learner needs besides the tiles."""
    own = f"You are {WIND_NAMES[dealt.seat]}"
    if rule_set.has_round_wind:
        own += f"; {WIND_NAMES[dealt.played['wind_of_round']]} is the wind of the round"
    if not dealt.win:
        return f"{own}. Someone else went Mah-jong."
    parts = winning_words(dealt.win, WIND_NAMES)
    return f"{own}. You go Mah-jong {', '.join(parts)}."


def _address(rules, stage, seed):
    return f"{reverse('practice')}?{urlencode({'rules': rules, 'stage': stage, 'hand': seed})}"


def _another():
    return 1 + SystemRandom().randrange(MAX_SEED)


def _seed(text):
    text = text.strip()
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_SEED))
    return int(text) if is_number and 1 <= int(text) <= MAX_SEED else None


# The learner's stage on this tablet, signed in or not.

A_YEAR = 365 * 24 * 60 * 60


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
        response.set_cookie(
            COOKIE,
            stage.key,
            max_age=A_YEAR,
            samesite="Lax",
            httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response
