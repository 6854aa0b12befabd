"""Addresses of the league: club page, league table, seasons, roll of honour, players' pages, prints, public pages."""

from django.urls import include, path

from sessions_app.league import club_views, public_views, standings_views

hand_urls = [
    path("<uuid:key>/certificate/", club_views.certificate, name="certificate"),
]

club_urls = [
    path("", club_views.club, name="club"),
    path("standings/", standings_views.standings, name="standings"),
    path("standings/pictures/", standings_views.season_pictures, name="season-pictures"),
    path("standings/trophies/", standings_views.trophies, name="trophies"),
    path("standings/certificates/", standings_views.season_certificates, name="season-certificates"),
    path("honours/", club_views.honours, name="honours"),
    path("honours/certificates/", club_views.certificates, name="certificates"),
    path("cups/", standings_views.cups, name="cups"),
    path("cups/certificate/", standings_views.cup_certificate, name="cup-certificate"),
    path("prints/", club_views.prints, name="prints"),
    path("prints/score-sheet/", club_views.score_sheet, name="score-sheet"),
    path("prints/noticeboard/", club_views.noticeboard, name="noticeboard"),
    path("prints/annual-meeting/", club_views.annual_meeting, name="annual-meeting"),
    path("players/<int:player_id>/", club_views.player, name="player"),
    path("seasons/", standings_views.seasons, name="seasons"),
    path("seasons/leagues/", standings_views.leagues, name="leagues"),
    path("seasons/<int:season_id>/", standings_views.season, name="season"),
    path("seasons/<int:season_id>/lock/", standings_views.lock_season, name="season-lock"),
]

public_urls = [
    path("", public_views.public, name="public"),
    path("standings/", public_views.public_standings_page, name="public-standings"),
    path("results/", public_views.public_results, name="public-results"),
    path("results/<int:meeting_id>/", public_views.public_result, name="public-result"),
    path("embed/", public_views.public_frame, name="public-frame"),
    path("honours/", public_views.public_honours_page, name="public-honours"),
    path("meetings/", public_views.public_meetings_page, name="public-meetings"),
    path("meetings.ics", public_views.public_meetings_calendar, name="public-meetings-calendar"),
]

urlpatterns = [
    path("c/<slug:slug>/sessions/<int:session_id>/hands/", include(hand_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("p/<slug:slug>/", include(public_urls)),
]
