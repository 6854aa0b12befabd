"""Pages with the rules of a rule set, a club or a session, and the secretary’s house rules and club hands."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.play.drawn_hands import ROWS_WITHOUT_BONUS, tile_names
from clubscore.play.offered import describe_differences
from clubscore.scoring import RULE_SETS, ScoringError, house_rules
from clubscore.scoring.rules import RuleSet
from clubscore.scoring.switches import HAND
from sessions_app.models import Club, ClubHand, ClubRules, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.permissions import MEMBER, SECRETARY
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules import club_rules as service
from sessions_app.rules.club_rules import club_hand_rows, planned_versions, rules_in_force, versions, versions_in_force
from sessions_app.rules.comparison import (
    comparison_choices,
    find_side,
    row_differences,
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
from sessions_app.rules.switches import describe_changes, shown_switches
from sessions_app.web.access import MemberRequest, actor, club_member, of_session
from sessions_app.web.requests import errors_in, posted, today_in, way_back


@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/rule_sets.html", {"rule_sets": RULE_SETS.values()})


@require_safe
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "rules/rules.html", _rules_context(request, find_rule_set(key)))


@require_safe
@club_member(*MEMBER)
def rules(request: HttpRequest, club: Club, rules: str = "") -> HttpResponse:
    """Show the club's usual rules in full, or another rule set as it plays it; ?sheet=1 for a two-page print."""
    wanted = find_rule_set(rules or request.GET.get("rules") or club.rules)
    context = club_rules_context(request, club, wanted)
    page = "rules_sheet" if "sheet" in request.GET else "rules"
    return render(request, f"rules/{page}.html", context)


def club_rules_context(request: HttpRequest, club: Club, wanted: RuleSet, on: date | None = None) -> dict[str, Any]:
    """Return the context of rules.html for what a club plays today, or played on a day."""
    played = rules_in_force(club, wanted.key, on, as_started_now=True)
    hands = [hand.frozen() for hand in played.hands]
    context = _rules_context(request, wanted, played.overrides, club.suit_names, hands)
    return context | {"club": club, "version": played.number, "is_own": wanted.key == club.rules}


@require_safe
@of_session(*MEMBER)
def session_rules(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    wanted = find_rule_set(table_session.rules)
    overrides, hands = table_session.house_rules, table_session.club_hands
    context = _rules_context(request, wanted, overrides, club.suit_names, hands)
    context |= {"club": club, "table_session": table_session, "version": table_session.house_version}
    return render(request, "rules/rules.html", context)


def find_rule_set(key: str) -> RuleSet:
    if key not in RULE_SETS:
        raise Http404("No such rules")
    return RULE_SETS[key]


def _rules_context(
    request: HttpRequest,
    shown: RuleSet,
    overrides: dict[str, int] | None = None,
    suit_names: dict[str, Any] | None = None,
    hands: Iterable[Any] = (),
) -> dict[str, Any]:
    """Return the context of rules.html for a rule set with these overrides and club hands."""
    sections = rule_sections(shown.key, overrides, suit_names)
    house = shown.house(overrides)
    every_switch = [switch for _, group in shown_switches(shown.key, house) for switch in group]
    return {
        "rule_set": shown,
        "rule_sets": RULE_SETS.values(),
        "sections": [section for section in sections if section.key != NOT_IN_FORCE],
        "not_in_force": next((section for section in sections if section.key == NOT_IN_FORCE), None),
        # The sections already show a special hand that is played as in its rules.
        "switches": [switch for switch in every_switch if switch.difference or not switch.key.startswith(HAND)],
        "differing": [switch for switch in every_switch if switch.difference],
        "club_hands": shown_club_hands(house, hands),
        "claims": claim_sentences(shown.key),
        "paying": paying_sentences(shown.key, overrides),
        "penalties": shown_penalties(shown.key, overrides),
        "tile_names": tile_names(shown.vocabulary(suit_names)),
        "back": way_back(request),
    }


@require_safe
@club_member(*MEMBER)
def compare_rules(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the differences of two sides; by default the standard rules and the club's version, or another rule set."""
    number = rules_in_force(club).number
    likely = f"{club.rules}-{number}" if number else next(key for key in RULE_SETS if key != club.rules)
    one = find_side(club, request.GET.get("a", club.rules))
    other = find_side(club, request.GET.get("b", likely))
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
        "choices": comparison_choices(club),
        "has_club_hands": bool(one.hands or other.hands),
        "tables": [(key, title, rows) for key, title, rows in tables if rows],
    }
    return render(request, "rules/rules_compare.html", context)


# The secretary's pages of house rules and club hands.


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def edit_house_rules(request: MemberRequest, club: Club) -> HttpResponse:
    rules = find_rule_set(request.POST.get("rules") or request.GET.get("rules") or club.rules).key
    in_force, saved = rules_in_force(club, rules), versions(club, rules)
    wanted = request.GET.get("edition", "")
    earlier = next((version for version in saved if str(version.number) == wanted), None)
    house = house_rules(rules, earlier.house_rules if earlier else in_force.overrides)
    values = {key: house.of(key) for key in RULE_SETS[rules].standard}
    newest = saved[0].number if saved else 0
    planned = planned_versions(saved, club.today)
    days = [version.since for version in planned]
    form = HouseRulesForm(rules, values, newest, posted(request), since=club.today, planned=days)
    base, rows = request.POST.get("base", newest), _version_rows(saved, rules)
    if request.method == "POST" and form.is_valid():
        try:
            _save_version(request, club, rules, form)
        except (ScoringError, ServiceError) as error:
            form.add_error(None, str(error))
            base = newest
        else:
            return _redirect_with_warning(request, club, rules)
    context = {
        "club": club,
        "form": form,
        "base": base,
        "in_force": in_force,
        "rule_set": RULE_SETS[rules],
        "is_clubs": rules == club.rules,
        "sets": _set_links(club, rules),
        "groups": form.groups(house),
        "differences": describe_differences(rules, in_force.overrides),
        "versions": rows,
        "earlier": earlier,
        "next_number": newest + 1,
        "planned": [row for row in rows[::-1] if row["version"] in planned],
    }
    return render(request, "rules/house_rules.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def choose_club_rules(request: MemberRequest, club: Club) -> HttpResponse:
    rules = request.POST.get("rules", "")
    try:
        changed = service.choose_rules(club, rules, by=actor(request))
    except ServiceError:
        messages.error(request, "Choose the rules from the list.")
        return redirect("house-rules", club.slug)
    name = RULE_SETS[rules].name
    message = f"The club now plays {name}. New tables will use it." if changed else f"The club already plays {name}."
    messages.success(request, message)
    return _redirect_with_warning(request, club, rules)


def _save_version(request: MemberRequest, club: Club, rules: str, form: HouseRulesForm) -> None:
    data, by = form.cleaned_data, actor(request)
    with write_transaction():
        version = service.save_version(
            club, rules, form.house_rules, data["base"] or 0, by=by, note=data["note"], since=data["since"]
        )
        later = service.change_later_versions(version, by=by) if version and data.get("also_later") else []
    if version is None:
        messages.info(request, "Nothing was changed, so there is no new version.")
        return
    who = f"Tables from {day_words(version.since)} on" if version.since > club.today else "New tables"
    saved = f"Version {version.number} saved. {who} will use it."
    for other in later:
        saved += f" From {day_words(other.since)} on, version {other.number} has the same changes."
    messages.success(request, f"{saved} Tables already started keep their rules.")


def _redirect_with_warning(request: HttpRequest | MemberRequest, club: Club, rules: str) -> HttpResponse:
    """Go to the house rules; warn there if sessions under these rules would not count in today's season."""
    day, recording = today_in(club), rules_in_force(club, rules).house.recording
    for season in Season.objects.of_day(club, day):
        if not season.counts(day, rules, recording, season.league):
            messages.warning(
                request, f"Tables under these rules do not count in {season}. To count them, change the season."
            )
    return redirect(f"{reverse('house-rules', args=[club.slug])}?rules={rules}")


def _set_links(club: Club, chosen: str) -> list[dict[str, Any]]:
    newest = versions_in_force(club, club.today)
    links = []
    for key, rule_set in RULE_SETS.items():
        marks = ["the club’s rules"] if key == club.rules else []
        marks += [f"version {newest[key].number}"] if key in newest else []
        links.append({"key": key, "name": rule_set.name, "marks": ", ".join(marks), "is_chosen": key == chosen})
    return links


def _version_rows(saved: list[ClubRules], rules: str) -> list[Any]:
    """Return the versions, the latest to begin first, each with what it changes in the one that counts until then."""
    rows, before = [], None
    for version in sorted(saved, key=lambda version: (version.since, version.number)):
        of_that_day = [other for other in saved if other.since == version.since and other.number > version.number]
        replaced_by = next((other for other in of_that_day if other.made_at.date() < version.since), None)
        changes = describe_changes(rules, before.house_rules if before else {}, version.house_rules)
        row = {"version": version, "changes": changes, "before": before and before.number, "replaced_by": replaced_by}
        rows.append(row)
        if replaced_by is None:
            before = version
    return rows[::-1]


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
def club_hand(request: MemberRequest, club: Club, hand_id: int | None = None) -> HttpResponse:
    """Change a special hand of the club's own, or add one."""
    hand = get_object_or_404(ClubHand.objects.of_club(club), pk=hand_id) if hand_id is not None else None
    initial = {} if hand else {"worth": ClubHand.Worth.LIMIT, "concealed": True, "since": today_in(club)}
    form = ClubHandForm(posted(request), instance=hand, initial=initial)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            if hand is None:
                hand = service.add_club_hand(club, by=actor(request), **form.facts())
                outcome = f"added. It counts from {day_words(hand.since)}"
            else:
                changed = service.change_club_hand(hand, by=actor(request), **form.facts())
                outcome = "changed for new tables" if changed else "was not changed"
            messages.success(request, f"{form.cleaned_data['name']} {outcome}.")
            return redirect("club-hands", club.slug)
    codes = {code for _, row in ROWS_WITHOUT_BONUS for code in row}
    context = {
        "club": club,
        "form": form,
        "hand": hand,
        "tile_rows": ROWS_WITHOUT_BONUS,
        "drawn": [code for code in str(form["tiles"].value() or "").upper().split() if code in codes],
    }
    return render(request, "rules/club_hand.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def retire_club_hand(request: MemberRequest, club: Club, hand_id: int) -> HttpResponse:
    hand = get_object_or_404(ClubHand.objects.of_club(club), pk=hand_id)
    service.change_club_hand(hand, by=actor(request), action="retire", until=max(today_in(club), hand.since))
    messages.success(request, f"{hand.name} counts for the last time today. To restore it, change its last day.")
    return redirect("club-hands", club.slug)
