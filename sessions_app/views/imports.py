"""Taking in at the desk: players, earlier totals, whole afternoons. Looked at first, saved only when accepted."""

import re

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sessions_app.forms.imports import ImportForm
from sessions_app.imports.at_desk import look_at_night, look_at_totals, take_in_night, take_in_totals
from sessions_app.imports.players import look_at_players, take_in_players
from sessions_app.imports.refusal import ImportRefused
from sessions_app.imports.sheet_text import text_of
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.door import actor, new_key
from sessions_app.views.forms import posted

KEY = re.compile(r"[0-9a-z-]{1,40}\Z")
ALREADY = "All of it was here already. Nothing was changed."


@require_safe
@club_member(*SECRETARY)
def imports(request, club):
    return render(request, "sessions_app/imports.html", {"club": club})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def import_players(request, club):
    def look(text, form):
        return look_at_players(club, text, request.POST)

    def take_in(text, form):
        added = take_in_players(club, text, request.POST, _key(request), by=actor(request))
        return f"{added} player{'' if added == 1 else 's'} added." if added else ALREADY

    return _import(request, club, "players", look, take_in, "players")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def import_totals(request, club):
    def look(text, form):
        return look_at_totals(club, text, request.POST, form.cleaned_data["replace"])

    def take_in(text, form):
        done = take_in_totals(club, text, request.POST, form.cleaned_data["replace"], by=actor(request))
        return str(done) if done.added or done.replaced or done.guests_changed else ALREADY

    return _import(request, club, "totals", look, take_in, "standings")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def import_night(request, club):
    def look(text, form):
        return look_at_night(club, text, request.POST, by=actor(request))

    def take_in(text, form):
        loaded = take_in_night(club, text, request.POST, by=actor(request))
        return f"{len(loaded.tables)} tables are recorded, hand by hand." if loaded.recorded else ALREADY

    return _import(request, club, "night", look, take_in, "club")


def _import(request, club, kind, look, take_in, then):
    """Show the form, then what the file would do, then do it; what was typed stands in the form all the while."""
    form = ImportForm(posted(request), request.FILES or None)
    context = {"club": club, "kind": kind, "form": form, "key": _key(request)}
    if form.is_bound and form.is_valid():
        try:
            text = context["text"] = _given(form)
            if request.POST.get("do") == "record":
                messages.success(request, take_in(text, form))
                return redirect(then, club.slug)
            context["look"] = look(text, form)
        except ImportRefused as refused:
            for sentence in str(refused).splitlines():
                form.add_error(None, sentence)
            if request.POST.get("do") == "record":
                context["look"] = _again(look, text, form)
    return render(request, "sessions_app/import.html", context, status=422 if form.errors else 200)


def _key(request):
    """Return the page's own key, by which a second press is known; a new one where it has none."""
    key = request.POST.get("key", "")
    return key if KEY.match(key) else new_key()


def _given(form):
    """Return the text of the file where one was chosen, else what was pasted."""
    data = form.cleaned_data
    return text_of(data["file"]) if data["file"] else data["text"]


def _again(look, text, form):
    """Return the look at what could not be taken in, where it can be looked at."""
    try:
        return look(text, form)
    except ImportRefused:
        return None
