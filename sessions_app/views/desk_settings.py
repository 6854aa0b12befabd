"""The club's settings, for the secretary: how tables work, what the public sees, and money."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sessions_app.forms.desk_settings import DeskSettingsForm
from sessions_app.forms.money import MoneyForm
from sessions_app.forms.public import PublicForm
from sessions_app.services.club_settings import change_club_settings
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.door import actor
from sessions_app.views.forms import posted
from sessions_app.views.watching import is_this_machine_only, whole_address

PUBLIC_ADDRESSES = (
    (
        "Standings",
        "shows_standings",
        (
            ("The page", "public-standings"),
            ("For a website (JSON)", "public-standings-json"),
        ),
    ),
    ("Honours", "shows_honours", (("The page", "public-honours"), ("For a website (JSON)", "public-honours-json"))),
    (
        "Meetings",
        "shows_meetings",
        (
            ("The page", "public-meetings"),
            ("For a website (JSON)", "public-meetings-json"),
            ("For calendars (iCalendar)", "public-meetings-calendar"),
        ),
    ),
)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def desk_settings(request, club):
    return _settings(request, club, DeskSettingsForm, "desk-settings", "desk_settings.html")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def public_settings(request, club):
    """Which pages everybody may read, and under which addresses they stand."""
    shown = [
        (page, [(words, whole_address(request, reverse(name, args=[club.slug]))) for words, name in links])
        for page, row, links in PUBLIC_ADDRESSES
        if getattr(club, row)
    ]
    local = is_this_machine_only(request)
    more = {"shown": shown, "is_this_machine_only": local}
    return _settings(request, club, PublicForm, "public-settings", "public_settings.html", **more)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def money_settings(request, club):
    return _settings(request, club, MoneyForm, "money-settings", "money_settings.html")


def _settings(request, club, make_form, address, template, **more):
    form = make_form(posted(request), initial={name: getattr(club, name) for name in make_form.base_fields})
    if request.method == "POST" and form.is_valid():
        changed = change_club_settings(club, by=actor(request), **form.cleaned_data)
        messages.success(request, "The settings are saved." if changed else "Nothing was changed.")
        return redirect(address, club.slug)
    context = {"club": club, "form": form, **more}
    return render(request, f"sessions_app/{template}", context, status=422 if form.errors else 200)
