"""Two rule sets, or two editions of the club's own, side by side with only the differences."""

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubscore.scoring import RULE_SETS
from sessions_app.queries.club_rules import rules_in_force
from sessions_app.queries.compare_rules import (
    choices_of,
    row_differences,
    side_of,
    special_differences,
    switch_differences,
    table_differences,
)
from sessions_app.views.decorators import MEMBER, club_member


@require_safe
@club_member(*MEMBER)
def compare_rules(request, club):
    one, other = (side_of(club, key) for key in _keys(request, club))
    if one is None or other is None:
        raise Http404("There is nothing like that to compare")
    tables = [
        ("House rules", switch_differences(one, other)),
        ("What sets, doubles and bonuses count", row_differences(one, other)),
        ("Special hands", special_differences(one, other)),
        ("At the table", table_differences(one, other)),
    ]
    context = {
        "club": club,
        "one": one,
        "other": other,
        "choices": choices_of(club),
        "has_own_hands": bool(one.hands or other.hands),
        "tables": [(title, rows) for title, rows in tables if rows],
    }
    return render(request, "sessions_app/rules_compare.html", context)


def _keys(request, club):
    """Read which two are wanted; at first the club's rule set against the club's newest edition, or against another."""
    number = rules_in_force(club).number
    likely = f"{club.rules}-{number}" if number else next(key for key in RULE_SETS if key != club.rules)
    return request.GET.get("a", club.rules), request.GET.get("b", likely)
