"""Addresses of the pages."""

from django.urls import include, path

from sessions_app.views import (
    club,
    downloads,
    first_hand,
    front,
    hand_change,
    hand_entry,
    hand_seating,
    hands,
    health,
    ledger,
    looks,
    paper,
    players,
    seasons,
    seating,
    sessions,
    standings,
    table,
    watch,
    watching,
)

hand_urls = [
    path("new/", hand_entry.new_hand, name="hand-new"),
    path("score/", hand_entry.score_hand, name="hand-score"),
    path("record/", hand_entry.record_hand, name="hand-record"),
    path("<uuid:key>/", hands.hand, name="hand"),
    path("<uuid:key>/change/", hand_change.change_hand, name="hand-change"),
    path("<uuid:key>/insert/", hand_change.insert_hand, name="hand-insert"),
    path("<uuid:key>/preview/", hand_change.preview_hand, name="hand-preview"),
    path("<uuid:key>/correct/", hand_change.correct_hand, name="hand-correct"),
    path("<uuid:key>/seating/", hand_seating.hand_seating, name="hand-seating"),
    path("<uuid:key>/take-out/", hand_change.take_out_hand, name="hand-take-out"),
    path("<uuid:key>/put-back/", hand_change.put_back_hand, name="hand-put-back"),
]

session_urls = [
    path("", sessions.session_sheet, name="session-sheet"),
    path("table/", table.table, name="table"),
    path("hands/", include(hand_urls)),
    path("paper/", paper.paper, name="paper"),
    path("paper/check/", paper.paper_check, name="paper-check"),
    path("nobody/", ledger.nobody, name="nobody"),
    path("penalty/", ledger.penalty, name="penalty"),
    path("undo/", ledger.undo, name="undo"),
    path("redo/", ledger.redo, name="redo"),
    path("finish/", ledger.finish, name="finish"),
    path("reopen/", ledger.reopen, name="reopen"),
    path("choose/", ledger.choose, name="choose"),
    path("seating/", seating.seating, name="seating"),
    path("exchange/", seating.exchange, name="exchange"),
    path("change-player/", seating.change_player, name="change-player"),
    path("arrive/", seating.arrive, name="arrive"),
    path("leave/", seating.leave, name="leave"),
    path("totals.csv", downloads.totals_csv, name="totals-csv"),
    path("hands.csv", downloads.hands_csv, name="hands-csv"),
    path("watching/", watching.watching, name="watching"),
    path("watching/new-key/", watching.watching_new_key, name="watching-new-key"),
]

club_urls = [
    path("", club.club, name="club"),
    path("sessions/start/", sessions.start_session, name="session-start"),
    path("sessions/<int:session_id>/", include(session_urls)),
    path("hall/", watch.hall, name="hall"),
    path("meetings/<int:meeting_id>/watching/", watching.hall_watching, name="hall-watching"),
    path("meetings/<int:meeting_id>/watching/new-key/", watching.hall_new_key, name="hall-new-key"),
    path("standings/", standings.standings, name="standings"),
    path("standings.csv", downloads.standings_csv, name="standings-csv"),
    path("players/", players.players, name="players"),
    path("seasons/", seasons.seasons, name="seasons"),
]

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("", front.front, name="front"),
    path("sign-in/", front.sign_in, name="sign-in"),
    path("sign-out/", front.sign_out, name="sign-out"),
    path("first-hand/", first_hand.first_hand, name="first-hand"),
    path("looks/", looks.looks, name="looks"),
    path("w/<str:key>/", watch.watch, name="watch"),
    path("w/hall/<str:key>/", watch.watch_hall, name="watch-hall"),
    path("c/<slug:slug>/", include(club_urls)),
]
