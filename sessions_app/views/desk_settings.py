"""The club's settings, for the secretary."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from sessions_app.forms.desk_settings import DeskSettingsForm
from sessions_app.services.club_settings import change_club_settings
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.door import actor
from sessions_app.views.forms import posted


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def desk_settings(request, club):
    form = DeskSettingsForm(posted(request), initial={"asks_agreement": club.asks_agreement})
    if request.method == "POST" and form.is_valid():
        changed = change_club_settings(club, by=actor(request), **form.cleaned_data)
        messages.success(request, "The settings are saved." if changed else "Nothing was changed.")
        return redirect("desk-settings", club.slug)
    context = {"club": club, "form": form}
    return render(request, "sessions_app/desk_settings.html", context, status=422 if form.errors else 200)
