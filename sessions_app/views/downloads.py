"""Everything that comes as a file for a spreadsheet."""

from django.http import Http404
from django.views.decorators.http import require_safe

from sessions_app.exports.session_hands import session_hands_csv, session_hands_file_name
from sessions_app.exports.session_totals import session_totals_csv, session_totals_file_name
from sessions_app.exports.standings import standings_csv as standings_text
from sessions_app.exports.standings import standings_file_name
from sessions_app.views.decorators import MEMBER, club_member, of_session
from sessions_app.views.files import csv_file
from sessions_app.views.standings import asked_league, asked_sum, chosen_season, what_if


@require_safe
@of_session(*MEMBER)
def totals_csv(request, club, table_session):
    if table_session.practice:
        raise Http404("A practice table has no totals that count")
    text, name = session_totals_csv(table_session), session_totals_file_name(table_session)
    return csv_file(request, club, text, name, "the totals", table_session)


@require_safe
@of_session(*MEMBER)
def hands_csv(request, club, table_session):
    text, name = session_hands_csv(table_session), session_hands_file_name(table_session)
    return csv_file(request, club, text, name, "the hands", table_session)


@require_safe
@club_member(*MEMBER)
def standings_csv(request, club):
    season = chosen_season(request, club)
    if season is None:
        raise Http404("No season yet")
    form = what_if(request, season)
    table = asked_league(season, form).table
    name = standings_file_name(club.slug, form.until or season.ends_on, table.settings.method)
    return csv_file(request, club, standings_text(table.rows), name, "the league table")


@require_safe
@club_member(*MEMBER)
def standings_added_csv(request, club):
    _, found = asked_sum(request, club)
    if found is None:
        raise Http404("No seasons that can be added up")
    table = found.table
    name = standings_file_name(club.slug, table.counting.ends_on, f"added up {table.settings.method}")
    return csv_file(request, club, standings_text(table.rows), name, "the seasons added up")
