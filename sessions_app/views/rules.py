"""The rules, row by row: of a rule set for everybody, of a club, and as one session plays them."""

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubscore.scoring import RULE_SETS
from sessions_app.queries.club_rules import rules_in_force
from sessions_app.queries.rule_facts import claim_sentences, paying_sentences, shown_own_hands, shown_penalties
from sessions_app.queries.rule_rows import NOT_IN_FORCE, rule_sections
from sessions_app.queries.switches import shown_switches
from sessions_app.queries.table_words import tile_names
from sessions_app.views.decorators import MEMBER, READING, club_member, of_session
from sessions_app.views.way_back import way_back


@require_safe
def rule_sets(request):
    return render(request, "sessions_app/rule_sets.html", {"rule_sets": RULE_SETS.values(), "back": way_back(request)})


@require_safe
def rule_set(request, key):
    return render(request, "sessions_app/rules.html", rules_page(request, known(key)))


@require_safe
@club_member(*MEMBER)
def rules(request, club):
    wanted = known(request.GET.get("rules") or club.rules)
    played = rules_in_force(club, wanted.key)
    hands = [hand.frozen() for hand in played.hands]
    context = rules_page(request, wanted, played.overrides, club.suit_names, hands)
    context |= {"club": club, "edition": played.number, "is_own": wanted.key == club.rules}
    return render(request, "sessions_app/rules.html", context)


@require_safe
@of_session(*READING)
def session_rules(request, club, table_session):
    wanted = known(table_session.rules)
    overrides, hands = table_session.house_rules, table_session.club_hands
    context = rules_page(request, wanted, overrides, club.suit_names, hands)
    context |= {"club": club, "table_session": table_session, "edition": table_session.house_edition}
    return render(request, "sessions_app/rules.html", context)


def known(key):
    if key not in RULE_SETS:
        raise Http404("No such rule set")
    return RULE_SETS[key]


def rules_page(request, shown, overrides=None, suit_names=None, hands=()):
    """Make the context of rules.html for a rule set with these switches changed and these special hands beside it."""
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
        "own_hands": shown_own_hands(house, hands),
        "claims": claim_sentences(shown.key),
        "paying": paying_sentences(shown.key, overrides),
        "penalties": shown_penalties(shown.key, overrides),
        "tile_names": tile_names(shown.vocabulary(suit_names)),
        "back": way_back(request),
    }
