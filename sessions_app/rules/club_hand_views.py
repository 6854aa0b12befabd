"""The secretary's pages of the club's own special hands: the list, adding one, changing and retiring it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.scoring import RULE_SETS
from sessions_app.models import Club, ClubHand
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.rules.club_rules import club_hand_rows, rules_in_force
from sessions_app.rules.drawn_hands import TILE_ROWS
from sessions_app.rules.forms import ClubHandForm
from sessions_app.rules.services import add_own_hand, change_own_hand, retire_own_hand
from sessions_app.web.access import actor, club_member
from sessions_app.web.requests import posted, today_in


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
            hand = add_own_hand(club, by=actor(request), **form.facts())
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
            changed = change_own_hand(hand, by=actor(request), **form.facts())
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
    retire_own_hand(hand, today_in(club), by=actor(request))
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
