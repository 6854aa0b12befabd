"""The secretary's desk: every page by which a club is run, in one list."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.models import Doubt
from sessions_app.views.decorators import SECRETARY, club_member

# The name of the address, what the page is called, and what is done there; in the order they are wanted.
DESK = (
    (
        "People and seasons",
        (
            ("people", "People and roles", "Who may do what, and invitations for those who join."),
            ("players", "Players", "Who plays: add, rename, guests and members."),
            ("meetings", "Meetings", "Afternoons: who comes, the draw of the tables, the clock."),
            ("seasons", "Seasons", "First and last days, and how they are ranked."),
            ("prints", "Paper", "Blank score sheets, the noticeboard, lists, certificates, the annual meeting."),
        ),
    ),
    (
        "What the club plays",
        (
            ("house-rules", "House rules", "The club’s rule set, and everything you play differently."),
            (
                "club-hands",
                "Own special hands",
                "Hands of the club’s own: their tiles, their worth, from when to when.",
            ),
            ("rules-compare", "Compare rules", "Two rule sets, or two of your own editions, side by side."),
        ),
    ),
    (
        "The club",
        (
            ("desk-settings", "Settings", "What the tables ask, and how the club is shown."),
            ("public-settings", "What everybody may see", "Public pages, names in public, the club’s website."),
            (
                "money-settings",
                "Fees and money",
                "What a meeting costs, who has paid, and whether points are worth money.",
            ),
            ("log", "The log", "Who changed what, when and why."),
            ("data", "What is kept about people", "Take it out for somebody who asks, or erase their names."),
            ("doubts", "Doubted hands", "What members ask about a hand, and your answers."),
            ("late", "What waits to be decided", "Hands that came late, or two for one place."),
            ("rescore", "Score anew", "Sessions scored under an older edition of the rules."),
            ("imports", "Take in", "Players, earlier totals, whole afternoons: looked at first, then saved."),
            ("exports", "Take out", "Every list as a file for any spreadsheet, or the whole club at once."),
        ),
    ),
)


@require_safe
@club_member(*SECRETARY)
def desk(request, club):
    context = {"club": club, "desk": DESK, "doubted": Doubt.objects.of_club(club).open().count()}
    return render(request, "sessions_app/desk.html", context)
