"""Taking out, from one page of the desk: CSV club-wide or of a season, afternoons, the whole club as a zip."""

from dataclasses import dataclass

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from sessions_app.exports.attendance import attendance_csv
from sessions_app.exports.club_night import club_night_file_name, club_night_json, meetings_with_hands
from sessions_app.exports.csv_writer import file_name
from sessions_app.exports.honours import honours_csv
from sessions_app.exports.log import log_csv
from sessions_app.exports.payments import payments_csv
from sessions_app.exports.players import players_csv
from sessions_app.exports.session_hands import club_hands_csv
from sessions_app.exports.session_totals import club_totals_csv
from sessions_app.exports.standings import standings_csv
from sessions_app.exports.whole_club import whole_club_file_name, whole_club_zip
from sessions_app.models import Meeting, Season
from sessions_app.queries.log import Wanted
from sessions_app.queries.standings import season_standings
from sessions_app.services.exports import note_export
from sessions_app.views.club_day import season_of, today_in
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.door import actor
from sessions_app.views.files import csv_file, file_answer

LATEST = 12
BIG_ID = 19


def _totals(club, season):
    return club_totals_csv(club, season.starts_on, season.ends_on) if season else club_totals_csv(club)


def _standings(club, season):
    season = season or season_of(club, today_in(club))
    return standings_csv(season_standings(season).rows) if season else standings_csv([])


def _log(club, season):
    return log_csv(club, Wanted(starts_on=season.starts_on, ends_on=season.ends_on) if season else None)


@dataclass(frozen=True)
class Export:
    """One file: what it is called, what stands in it, and whether it can be had of one season."""

    key: str
    name: str
    sentence: str
    make: object
    by_season: bool = True


EXPORTS = (
    Export("standings", "Standings", "The league table, as the season ranks.", _standings),
    Export("totals", "Totals", "A line for each player and session. It can be taken in again.", _totals),
    Export("hands", "Hands", "A line for each player and hand: what it counted, and the balance then.", club_hands_csv),
    Export("payments", "Payments", "Who paid whom, how much and why.", payments_csv),
    Export("attendance", "Attendance", "Who came to which meeting, and at which tables they sat.", attendance_csv),
    Export("honours", "Honours", "The special hands that went Mah-jong.", honours_csv),
    Export("players", "Players", "Everybody on the list, with how to reach them where they have agreed. It can be "
           "taken in again.", lambda club, season: players_csv(club, contacts=True), by_season=False),
    Export("log", "The log", "Who changed what, when and why.", _log),
)  # fmt: skip
BY_KEY = {export.key: export for export in EXPORTS}


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
        "exports": [export for export in EXPORTS if export.by_season or season is None],
        "meetings": meetings if wants_all else meetings[:LATEST],
        "has_more": len(meetings) > LATEST and not wants_all,
    }
    return render(request, "sessions_app/exports.html", context)


@require_safe
@club_member(*SECRETARY)
def export_csv(request, club):
    export = BY_KEY.get(request.GET.get("what", "players"))
    if export is None:
        raise Http404("No such file")
    season = _season(request, club) if export.by_season else None
    of = f"{export.key} {season.name}" if season else export.key
    told = f"the {export.name.lower().removeprefix('the ')}"
    name = file_name(club.slug, today_in(club), of)
    return csv_file(request, club, export.make(club, season), name, f"{told}, season {season}" if season else told)


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
