"""Addresses of imports, exports, results by email, the operator's page and what monitors ask."""

from django.urls import include, path

from sessions_app.exchange import export_views, import_views, operator_views, waiting_game_views

meeting_urls = [
    path("totals/", import_views.meeting_totals, name="meeting-totals"),
    path("mail/", export_views.meeting_mail, name="meeting-mail"),
    path("result.csv", export_views.meeting_result, name="meeting-result-csv"),
]

session_urls = [
    path("totals.csv", export_views.totals_csv, name="totals-csv"),
    path("hands.csv", export_views.hands_csv, name="hands-csv"),
    path("take-in/", import_views.take_in, name="take-in"),
]

club_urls = [
    path("standings.csv", export_views.standings_csv, name="standings-csv"),
    path("data/", export_views.data, name="data"),
    path("data/mine.zip", export_views.my_data, name="my-data"),
    path("players/<int:player_id>/kept.zip", export_views.player_data, name="player-data"),
    path("players/<int:player_id>/erase/", export_views.player_erase, name="player-erase"),
    path("desk/import/", import_views.imports, name="imports"),
    path("desk/import/players/", import_views.import_players, name="import-players"),
    path("desk/import/totals/", import_views.import_totals, name="import-totals"),
    path("desk/import/afternoon/", import_views.import_night, name="import-night"),
    path("game/", import_views.import_game, name="import-game"),
    path("desk/history/imports/<int:import_id>/", import_views.import_back, name="import-back"),
    path("games/", waiting_game_views.waiting_games, name="waiting-games"),
    path("games/<int:game_id>/discard/", waiting_game_views.discard_waiting_game, name="waiting-game-discard"),
    path("desk/totals/", import_views.enter_totals, name="enter-totals"),
    path("desk/export/", export_views.exports, name="exports"),
    path("desk/export/file.csv", export_views.export_csv, name="export-csv"),
    path("desk/export/afternoon.json", export_views.export_night, name="export-night"),
    path("desk/export/backup.zip", export_views.backup_zip, name="backup-zip"),
    path("desk/export/club.zip", export_views.export_zip, name="export-zip"),
    path("desk/log.csv", export_views.log_csv, name="log-csv"),
]

urlpatterns = [
    path("c/<slug:slug>/meetings/<int:meeting_id>/", include(meeting_urls)),
    path("game/take-in/", import_views.take_in_game, name="game-take-in"),
    path("game/league-table/", export_views.tablet_league, name="tablet-league"),
    path("game/into-joined-club/", waiting_game_views.bring_game, name="game-into-joined-club"),
    path("c/<slug:slug>/sessions/0/take-in/", import_views.take_in_new_table, name="new-table-take-in"),
    path("c/<slug:slug>/sessions/<int:session_id>/", include(session_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("operator/", operator_views.operator, name="operator"),
    path("healthz", operator_views.healthz, name="healthz"),
    path("readyz", operator_views.readyz, name="readyz"),
]
