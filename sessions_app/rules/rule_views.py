"""The rules, row by row: a rule set's for everyone, a club's, and a session's."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubscore.scoring import RULE_SETS
from clubscore.scoring.rules import RuleSet
from sessions_app.models import Club, Session
from sessions_app.people.permissions import MEMBER, READING
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.comparison import (
    choices_of,
    row_differences,
    side_of,
    special_differences,
    switch_differences,
    table_differences,
)
from sessions_app.rules.drawn_hands import tile_names
from sessions_app.rules.rule_pages import (
    NOT_IN_FORCE,
    claim_sentences,
    paying_sentences,
    rule_sections,
    shown_club_hands,
    shown_penalties,
)
from sessions_app.rules.switches import shown_switches
from sessions_app.web.access import club_member, of_session
from sessions_app.web.requests import way_back


@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/rule_sets.html", {"rule_sets": RULE_SETS.values(), "back": way_back(request)})


@require_safe
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "rules/rules.html", rules_page(request, known(key)))


@require_safe
@club_member(*MEMBER)
def rules(request: HttpRequest, club: Club) -> HttpResponse:
    wanted = known(request.GET.get("rules") or club.rules)
    played = rules_in_force(club, wanted.key)
    hands = [hand.frozen() for hand in played.hands]
    context = rules_page(request, wanted, played.overrides, club.suit_names, hands)
    context |= {"club": club, "edition": played.number, "is_own": wanted.key == club.rules}
    return render(request, "rules/rules.html", context)


@require_safe
@of_session(*READING)
def session_rules(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    wanted = known(table_session.rules)
    overrides, hands = table_session.house_rules, table_session.club_hands
    context = rules_page(request, wanted, overrides, club.suit_names, hands)
    context |= {"club": club, "table_session": table_session, "edition": table_session.house_edition}
    return render(request, "rules/rules.html", context)


def known(key: str) -> RuleSet:
    if key not in RULE_SETS:
        raise Http404("No such rules")
    return RULE_SETS[key]


def rules_page(
    request: HttpRequest,
    shown: RuleSet,
    overrides: dict[str, int] | None = None,
    suit_names: dict[Any, Any] | None = None,
    hands: Iterable[Any] = (),
) -> dict[str, Any]:
    """Return the context of rules.html for a rule set with these switches changed and these special hands beside it."""
    sections = rule_sections(shown.key, overrides, suit_names)
    house = shown.house(overrides)
    switches = shown_switches(shown.key, house)
    return {
        "rule_set": shown,
        "rule_sets": RULE_SETS.values(),
        "sections": [section for section in sections if section.key != NOT_IN_FORCE],
        "not_in_force": next((section for section in sections if section.key == NOT_IN_FORCE), None),
        "switches": switches,
        "differing": [switch for _, group in switches for switch in group if switch.told],
        "club_hands": shown_club_hands(house, hands),
        "claims": claim_sentences(shown.key),
        "paying": paying_sentences(shown.key, overrides),
        "penalties": shown_penalties(shown.key, overrides),
        "tile_names": tile_names(shown.vocabulary(suit_names)),
        "back": way_back(request),
    }


# Two sets of rules, or two of the club's versions, side by side with only the differences.


@require_safe
@club_member(*MEMBER)
def compare_rules(request: HttpRequest, club: Club) -> HttpResponse:
    one, other = (side_of(club, key) for key in _keys(request, club))
    if one is None or other is None:
        raise Http404("There is nothing like that to compare")
    tables = [
        ("switches", "House rules", switch_differences(one, other)),
        ("rows", "What sets, doubles and bonuses score", row_differences(one, other)),
        ("special", "Special hands", special_differences(one, other)),
        ("table", "At the table", table_differences(one, other)),
    ]
    context = {
        "club": club,
        "one": one,
        "other": other,
        "choices": choices_of(club),
        "has_club_hands": bool(one.hands or other.hands),
        "tables": [(key, title, rows) for key, title, rows in tables if rows],
    }
    return render(request, "rules/rules_compare.html", context)


def _keys(request, club):
    """Read which two are wanted; at first the club's rule set against the club's newest edition, or against another."""
    number = rules_in_force(club).number
    likely = f"{club.rules}-{number}" if number else next(key for key in RULE_SETS if key != club.rules)
    return request.GET.get("a", club.rules), request.GET.get("b", likely)
