"""The rules, row by row, of a rule set, a club or a session; the secretary’s house rules and special hands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.scoring import RULE_SETS, ScoringError, house_rules
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.switches import HAND
from clubscore.table.drawn_hands import TILE_ROWS, tile_names
from sessions_app.models import Club, ClubHand, ClubRules, Season, Session
from sessions_app.people.permissions import MEMBER, READING, SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.rules import club_rules as service
from sessions_app.rules.club_rules import club_hand_rows, newest_versions, rules_in_force, versions
from sessions_app.rules.comparison import (
    choices_of,
    row_differences,
    side_of,
    special_differences,
    switch_differences,
    table_differences,
)
from sessions_app.rules.forms import ClubHandForm, HouseRulesForm
from sessions_app.rules.rule_pages import (
    NOT_IN_FORCE,
    claim_sentences,
    paying_sentences,
    rule_sections,
    shown_club_hands,
    shown_penalties,
)
from sessions_app.rules.switches import changes_told, differences_told, shown_switches
from sessions_app.web.access import actor, club_member, of_session
from sessions_app.web.requests import errors_in, posted, today_in, way_back


@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/rule_sets.html", {"rule_sets": RULE_SETS.values(), "back": way_back(request)})


@require_safe
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "rules/rules.html", rules_page(request, known(key)))


@require_safe
@club_member(*MEMBER)
def rules(request: HttpRequest, club: Club, rules: str = "") -> HttpResponse:
    """The club's usual rules in full, or others that it has; with ?sheet=1 on two pages of paper."""
    wanted = known(rules or request.GET.get("rules") or club.rules)
    played = rules_in_force(club, wanted.key)
    hands = [hand.frozen() for hand in played.hands]
    context = rules_page(request, wanted, played.overrides, club.suit_names, hands)
    context |= {"club": club, "version": played.number, "is_own": wanted.key == club.rules}
    page = "rules_sheet" if "sheet" in request.GET else "rules"
    return render(request, f"rules/{page}.html", context)


@require_safe
@of_session(*READING)
def session_rules(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    wanted = known(table_session.rules)
    overrides, hands = table_session.house_rules, table_session.club_hands
    context = rules_page(request, wanted, overrides, club.suit_names, hands)
    context |= {"club": club, "table_session": table_session, "version": table_session.house_edition}
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
    """Return the context of rules.html for a rule set with these switches changed and these special hands."""
    sections = rule_sections(shown.key, overrides, suit_names)
    house = shown.house(overrides)
    every_switch = [one for _, group in shown_switches(shown.key, house) for one in group]
    return {
        "rule_set": shown,
        "rule_sets": RULE_SETS.values(),
        "sections": [section for section in sections if section.key != NOT_IN_FORCE],
        "not_in_force": next((section for section in sections if section.key == NOT_IN_FORCE), None),
        # A special hand played as in its rules has been shown as such already.
        "switches": [one for one in every_switch if one.difference or not one.key.startswith(HAND)],
        "differing": [one for one in every_switch if one.difference],
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
    """Read which two are wanted; at first the club's rule set against the club's newest version, or against another."""
    number = rules_in_force(club).number
    likely = f"{club.rules}-{number}" if number else next(key for key in RULE_SETS if key != club.rules)
    return request.GET.get("a", club.rules), request.GET.get("b", likely)


# The secretary's pages of house rules and of the club's own special hands.


@dataclass(frozen=True)
class VersionRow:
    """One version in the list: what it changed of the one before it."""

    version: ClubRules
    changes: list[str]
    before: int


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def edit_house_rules(request: HttpRequest, club: Club) -> HttpResponse:
    in_force = rules_in_force(club, _rules(request, club))
    rules, made = in_force.rules, versions(club, in_force.rules)
    start = _start_from(request, made)
    overrides = start.house_rules if start else in_force.overrides
    form = HouseRulesForm(rules, vars_of(rules, overrides), in_force.number, posted(request))
    base = request.POST.get("base", in_force.number)
    if request.method == "POST" and form.is_valid():
        try:
            version = _save(request, club, rules, form)
        except (ScoringError, ServiceError) as error:
            form.add_error(None, str(error))
            base = in_force.number
        else:
            _tell(request, version)
            _warn_of_season(request, club, rules)
            return redirect(_address(club, rules))
    context = {
        "club": club,
        "form": form,
        "base": base,
        "in_force": in_force,
        "rule_set": RULE_SETS[rules],
        "is_clubs": rules == club.rules,
        "sets": _set_links(club, rules),
        "groups": [(title, [_row(form, one) for one in shown]) for title, shown in _shown(rules, overrides)],
        "differences": differences_told(rules, in_force.overrides),
        "versions": _version_rows(made, rules),
        "taken_up": start,
        "next_number": in_force.number + 1,
    }
    return render(request, "rules/house_rules.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def choose_club_rules(request: HttpRequest, club: Club) -> HttpResponse:
    rules = request.POST.get("rules", "")
    try:
        changed = service.choose_rules(club, rules, by=actor(request))
    except ServiceError:
        messages.error(request, "Choose the rules from the list.")
        return redirect("house-rules", club.slug)
    name = RULE_SETS[rules].name
    message = f"The club now plays {name}. New sessions will use it." if changed else f"The club already plays {name}."
    messages.success(request, message)
    _warn_of_season(request, club, rules)
    return redirect(_address(club, rules))


def vars_of(rules: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """Return the value of every switch of a rule set with these changed."""
    house = house_rules(rules, overrides)
    return {key: house.of(key) for key in RULE_SETS[rules].standard}


def _rules(request, club):
    rules = request.POST.get("rules") or request.GET.get("rules") or club.rules
    if rules not in RULE_SETS:
        raise Http404("No such rules")
    return rules


def _start_from(request, made):
    """Return the earlier version that is to be taken up again, None for the newest."""
    wanted = request.GET.get("edition", "")
    return next((version for version in made if str(version.number) == wanted), None)


def _save(request, club, rules, form):
    data = form.cleaned_data
    return service.save_version(club, rules, form.house_rules, data["base"] or 0, by=actor(request), note=data["note"])


def _tell(request, version):
    if version is None:
        messages.info(request, "Nothing was changed, so there is no new version.")
        return
    saved = f"Version {version.number} saved. New sessions will use it."
    messages.success(request, f"{saved} Tables already started keep their rules.")


def _warn_of_season(request, club, rules):
    """Warn if sessions under these rules would not count in today's season."""
    day, recording = today_in(club), rules_in_force(club, rules).house.recording
    season = Season.objects.of_club(club).filter(starts_on__lte=day, ends_on__gte=day).first()
    if season is not None and not season.takes(day, rules, recording):
        messages.warning(
            request, f"Sessions under these rules do not count in {season.name}. To count them, change the season."
        )


def _address(club, rules):
    return f"{reverse('house-rules', args=[club.slug])}?rules={rules}"


def _set_links(club, chosen):
    newest = newest_versions(club)
    links = []
    for key, rule_set in RULE_SETS.items():
        marks = ["the club’s rules"] if key == club.rules else []
        marks += [f"version {newest[key].number}"] if key in newest else []
        links.append({"key": key, "name": rule_set.name, "marks": ", ".join(marks), "is_chosen": key == chosen})
    return links


def _shown(rules, overrides):
    return shown_switches(rules, house_rules(rules, overrides))


def _row(form, switch):
    field, none = form.fields_of(switch.key)
    return {"switch": switch, "field": field, "none": none, "is_figure": switch.words.is_figure}


def _version_rows(made, rules):
    switches = {version.number: version.house_rules for version in made} | {0: {}}
    return [
        VersionRow(version, changes_told(rules, switches[version.number - 1], version.house_rules), version.number - 1)
        for version in made
    ]


@require_safe
@club_member(*SECRETARY)
def club_hands(request: HttpRequest, club: Club) -> HttpResponse:
    house = rules_in_force(club).house
    context = {
        "club": club,
        "groups": club_hand_rows(club, house, today_in(club)),
        "rule_set": RULE_SETS[club.rules],
        "takers": [rule_set.name for rule_set in RULE_SETS.values() if rule_set.takes_club_hands],
    }
    return render(request, "rules/club_hands.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def add_club_hand(request: HttpRequest, club: Club) -> HttpResponse:
    initial = {"worth": ClubHand.Worth.LIMIT, "concealed": True, "since": today_in(club)}
    form = ClubHandForm(posted(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            hand = service.add_club_hand(club, by=actor(request), **form.facts())
            messages.success(request, f"{hand.name} added. It counts from {hand.since:%-d %B %Y}.")
            return redirect("club-hands", club.slug)
    return _form_page(request, club, form)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def change_club_hand(request: HttpRequest, club: Club, hand_id: int) -> HttpResponse:
    hand = get_object_or_404(ClubHand.objects.of_club(club), pk=hand_id)
    form = ClubHandForm(posted(request), instance=hand)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            changed = service.change_club_hand(hand, by=actor(request), **form.facts())
            name = form.cleaned_data["name"]
            outcome = "changed for new sessions" if changed else "was not changed"
            messages.success(request, f"{name} {outcome}.")
            return redirect("club-hands", club.slug)
    return _form_page(request, club, form, hand)


@require_POST
@club_member(*SECRETARY)
def retire_club_hand(request: HttpRequest, club: Club, hand_id: int) -> HttpResponse:
    hand = get_object_or_404(ClubHand.objects.of_club(club), pk=hand_id)
    service.retire_club_hand(hand, today_in(club), by=actor(request))
    messages.success(request, f"{hand.name} counts for the last time today. To restore it, change its last day.")
    return redirect("club-hands", club.slug)


def _form_page(request, club, form, hand=None):
    context = {
        "club": club,
        "form": form,
        "hand": hand,
        "tile_rows": TILE_ROWS[:4],
        "drawn": [code for code in str(form["tiles"].value() or "").upper().split() if code in _CODES],
    }
    return render(request, "rules/club_hand.html", context, status=422 if form.errors else 200)


_CODES = {code for _, codes in TILE_ROWS[:4] for code in codes}
