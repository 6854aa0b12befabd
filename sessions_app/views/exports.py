"""Taking out, from one page of the desk: CSV club-wide or of a season, afternoons, the whole club as a zip."""

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from sessions_app.exports.club_night import club_night_file_name, club_night_json, meetings_with_hands
from sessions_app.exports.csv_writer import file_name
from sessions_app.exports.files import BY_KEY, FILES, STANDINGS
from sessions_app.exports.whole_club import whole_club_file_name, whole_club_zip
from sessions_app.models import Meeting, Season
from sessions_app.services.exports import note_export
from sessions_app.views.club_day import season_of, today_in
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.door import actor
from sessions_app.views.files import csv_file, file_answer

LATEST = 12
BIG_ID = 19


@require_safe
@club_member(*SECRETARY)
def exports(request, club):
    season = _season(request, club)
    meetings = meetings_with_hands(club)
    wants_all = "all" in request.GET
    context = {
        "club": club,
        "season": season,
        "seasons": Season.objects.of_club(club),
        "exports": [file for file in (STANDINGS, *FILES) if (file.by_season or season is None) and file.is_kept(club)],
        "meetings": meetings if wants_all else meetings[:LATEST],
        "has_more": len(meetings) > LATEST and not wants_all,
    }
    return render(request, "sessions_app/exports.html", context)


@require_safe
@club_member(*SECRETARY)
def export_csv(request, club):
    export = BY_KEY.get(request.GET.get("what", "players"))
    if export is None or not export.is_kept(club):
        raise Http404("No such file")
    season = _season(request, club) if export.by_season else None
    made_of = season or season_of(club, today_in(club)) if export is STANDINGS else season
    of = f"{export.key} {season.name}" if season else export.key
    told = f"the {export.name.lower().removeprefix('the ')}"
    name = file_name(club.slug, today_in(club), of)
    return csv_file(request, club, export.make(club, made_of), name, f"{told}, season {season}" if season else told)


@require_safe
@club_member(*SECRETARY)
def export_night(request, club):
    """The afternoon of a meeting in the form of a club night; without a meeting the latest."""
    wanted = request.GET.get("meeting", "")
    if wanted.isdecimal() and len(wanted) < BIG_ID:
        meeting = get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=int(wanted))
    else:
        meeting = next(iter(meetings_with_hands(club)), None)
    if meeting is None:
        raise Http404("No afternoon yet")
    text, name = club_night_json(meeting), club_night_file_name(meeting)
    if request.method == "GET":
        note_export(club, f"the afternoon of {meeting.date:%-d %B %Y}", by=actor(request))
    return file_answer(text, name, "application/json")


@require_safe
@club_member(*SECRETARY)
def export_zip(request, club):
    today = today_in(club)
    content = whole_club_zip(club, today)
    if request.method == "GET":
        note_export(club, "the whole club", by=actor(request))
    return file_answer(content, whole_club_file_name(club, today), "application/zip")


def _season(request, club):
    """Return the season of ?season=, another club's is a 404; None for the whole club."""
    wanted = request.GET.get("season", "")
    if wanted.isdecimal() and len(wanted) < BIG_ID:
        return get_object_or_404(Season.objects.of_club(club), pk=int(wanted))
    return None
