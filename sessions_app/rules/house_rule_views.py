"""The secretary's pages of house rules and of the club's own special hands."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.scoring import RULE_SETS, ScoringError, house_rules
from clubscore.scoring.switches import SWITCHES
from sessions_app.models import Club, ClubHand, ClubRules, Season
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.rules import services
from sessions_app.rules.club_rules import club_hand_rows, editions, newest_versions, rules_in_force
from sessions_app.rules.drawn_hands import TILE_ROWS
from sessions_app.rules.forms import ClubHandForm, HouseRulesForm
from sessions_app.rules.switches import changes_told, differences_told, shown_switches
from sessions_app.web.access import actor, club_member
from sessions_app.web.requests import posted, today_in


@dataclass(frozen=True)
class VersionRow:
    """One edition in the list: what it changed of the one before it."""

    edition: ClubRules
    changes: list[str]
    before: int


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def edit_house_rules(request: HttpRequest, club: Club) -> HttpResponse:
    in_force = rules_in_force(club, _rules(request, club))
    rules, made = in_force.rules, editions(club, in_force.rules)
    start = _start_from(request, made)
    overrides = start.house_rules if start else in_force.overrides
    form = HouseRulesForm(rules, vars_of(rules, overrides), in_force.number, posted(request))
    base = request.POST.get("base", in_force.number)
    if request.method == "POST" and form.is_valid():
        try:
            edition = _save(request, club, rules, form)
        except (ScoringError, ServiceError) as error:
            form.add_error(None, str(error))
            base = in_force.number
        else:
            _tell(request, edition)
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
        "editions": _version_rows(made, rules),
        "taken_up": start,
        "next_number": in_force.number + 1,
    }
    return render(request, "rules/house_rules.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def choose_club_rules(request: HttpRequest, club: Club) -> HttpResponse:
    rules = request.POST.get("rules", "")
    try:
        changed = services.choose_rules(club, rules, by=actor(request))
    except ServiceError:
        messages.error(request, "Choose the rules from the list.")
        return redirect("house-rules", club.slug)
    name = RULE_SETS[rules].name
    told = f"The club now plays {name}. New sessions will use it." if changed else f"The club already plays {name}."
    messages.success(request, told)
    _warn_of_season(request, club, rules)
    return redirect(_address(club, rules))


def vars_of(rules: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """Return the value of every switch of a rule set with these changed."""
    house = house_rules(rules, overrides)
    return {key: getattr(house, key) for key in RULE_SETS[rules].house_rules}


def _rules(request, club):
    rules = request.POST.get("rules") or request.GET.get("rules") or club.rules
    if rules not in RULE_SETS:
        raise Http404("No such rules")
    return rules


def _start_from(request, made):
    """Return the earlier edition that is to be taken up again, None for the newest."""
    wanted = request.GET.get("edition", "")
    return next((edition for edition in made if str(edition.number) == wanted), None)


def _save(request, club, rules, form):
    data = form.cleaned_data
    return services.save_version(club, rules, form.house_rules, data["base"] or 0, by=actor(request), note=data["note"])


def _tell(request, edition):
    if edition is None:
        messages.info(request, "Nothing was changed, so there is no new version.")
        return
    told = f"Version {edition.number} saved. New sessions will use it."
    messages.success(request, f"{told} Tables already started keep their rules.")


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
    return {"switch": switch, "field": field, "none": none, "is_figure": SWITCHES[switch.key].is_figure}


def _version_rows(made, rules):
    switches = {edition.number: edition.house_rules for edition in made} | {0: {}}
    return [
        VersionRow(edition, changes_told(rules, switches[edition.number - 1], edition.house_rules), edition.number - 1)
        for edition in made
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
        try:
            hand = services.add_club_hand(club, by=actor(request), **form.facts())
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, f"{hand.name} added. It counts from {hand.since:%-d %B %Y}.")
            return redirect("club-hands", club.slug)
    return _form_page(request, club, form)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def change_club_hand(request: HttpRequest, club: Club, hand_id: int) -> HttpResponse:
    hand = get_object_or_404(ClubHand.objects.of_club(club), pk=hand_id)
    form = ClubHandForm(posted(request), instance=hand)
    if request.method == "POST" and form.is_valid():
        try:
            changed = services.change_club_hand(hand, by=actor(request), **form.facts())
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            name = form.cleaned_data["name"]
            told = f"{name} changed for new sessions." if changed else f"{name} was not changed."
            messages.success(request, told)
            return redirect("club-hands", club.slug)
    return _form_page(request, club, form, hand)


@require_POST
@club_member(*SECRETARY)
def retire_club_hand(request: HttpRequest, club: Club, hand_id: int) -> HttpResponse:
    hand = get_object_or_404(ClubHand.objects.of_club(club), pk=hand_id)
    services.retire_club_hand(hand, today_in(club), by=actor(request))
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
