"""The club's seasons: the list, and the secretary adding one."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from sessions_app.forms.seasons import SeasonForm
from sessions_app.models import Season
from sessions_app.services.seasons import add_season
from sessions_app.views.decorators import MEMBER, SECRETARY, club_member
from sessions_app.views.door import actor
from sessions_app.views.forms import posted


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def seasons(request, club):
    may_add = request.membership.role in SECRETARY
    form = SeasonForm(club, posted(request), initial={"rules": [club.rules]}) if may_add else None
    if request.method == "POST":
        if not may_add:
            raise PermissionDenied
        if form.is_valid():
            season = add_season(club, by=actor(request), **form.cleaned_data)
            messages.success(request, f"The season {season.name} is open.")
            return redirect("seasons", club.slug)
    context = {"club": club, "form": form, "seasons": Season.objects.of_club(club)}
    return render(request, "sessions_app/seasons.html", context, status=422 if form and form.errors else 200)
