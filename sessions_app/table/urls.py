"""Addresses of tables: entering hands, the sheet, corrections, watching."""

from django.urls import include, path

from sessions_app.table.views import (
    commands,
    entries,
    hand_change,
    hand_entry,
    hand_page,
    keys,
    paper,
    session_history,
    sessions,
    table,
    watch,
)

hand_urls = [
    path("new/", hand_entry.new_hand, name="hand-new"),
    path("score/", hand_entry.score_hand, name="hand-score"),
    path("record/", hand_entry.record_hand, name="hand-record"),
    path("draft/", keys.hand_draft, name="hand-draft"),
    path("<uuid:key>/", hand_page.hand, name="hand"),
    path("<uuid:key>/change/", hand_change.change_hand, name="hand-change"),
    path("<uuid:key>/insert/", hand_change.insert_hand, name="hand-insert"),
    path("<uuid:key>/preview/", hand_change.preview_hand, name="hand-preview"),
    path("<uuid:key>/correct/", hand_change.correct_hand, name="hand-correct"),
    path("<uuid:key>/agree/", hand_entry.agree_hand, name="hand-agree"),
    path("<uuid:key>/doubt/", hand_page.hand_query, name="hand-doubt"),
    path("<uuid:key>/doubt/read/", hand_page.answer_read, name="answer-read"),
    path("<uuid:key>/seating/", hand_change.hand_seating, name="hand-seating"),
    path("<uuid:key>/take-out/", hand_change.take_out_hand, name="hand-take-out"),
    path("<uuid:key>/earlier/<int:change_id>/", hand_change.hand_earlier, name="hand-earlier"),
    path("<uuid:key>/put-back/", hand_change.put_back_hand, name="hand-put-back"),
]

meeting_urls = [
    path("watching/", keys.hall_watching, name="hall-watching"),
    path("watching/new-key/", keys.hall_new_key, name="hall-new-key"),
]

session_urls = [
    path("", sessions.session_sheet, name="session-sheet"),
    path("table/", table.table, name="table"),
    path("commands/", commands.commands, name="commands"),
    path("state.json", commands.state, name="table-state"),
    path("paper/", paper.paper, name="paper"),
    path("paper/check/", paper.paper_check, name="paper-check"),
    path("nobody/", entries.nobody, name="nobody"),
    path("penalty/", entries.penalty, name="penalty"),
    path("undo/", entries.undo, name="undo"),
    path("redo/", entries.redo, name="redo"),
    path("finish/", entries.finish, name="finish"),
    path("reopen/", entries.reopen, name="reopen"),
    path("choose/", entries.choose, name="choose"),
    path("seating/", entries.seating, name="seating"),
    path("exchange/", entries.exchange, name="exchange"),
    path("change-player/", entries.change_player, name="change-player"),
    path("arrive/", entries.arrive, name="arrive"),
    path("leave/", entries.leave, name="leave"),
    path("watching/", keys.watching, name="watching"),
    path("watching/new-key/", keys.watching_new_key, name="watching-new-key"),
    path("scoring/", keys.scoring, name="scoring"),
    path("scoring/new-key/", keys.scoring_new_key, name="scoring-new-key"),
    path("tablet/", keys.tablet, name="tablet"),
    path("others/", keys.others, name="others"),
    path("history/", session_history.session_history, name="session-history"),
    path("restore/", session_history.session_restore, name="session-restore"),
    path("move/", session_history.session_move, name="session-move"),
    path("void/", session_history.session_void, name="session-void"),
    path("count/", session_history.session_count, name="session-count"),
]

club_urls = [
    path("sessions/start/", sessions.start_session, name="session-start"),
    path("hall/", watch.hall, name="hall"),
    path("late/", table.late, name="late"),
    path("desk/rescore/", session_history.rescore, name="rescore"),
    path("desk/doubts/", hand_page.score_queries, name="doubts"),
    path("desk/doubts/<int:doubt_id>/", hand_page.score_query, name="doubt"),
]

urlpatterns = [
    path("c/<slug:slug>/sessions/<int:session_id>/hands/", include(hand_urls)),
    path("c/<slug:slug>/meetings/<int:meeting_id>/", include(meeting_urls)),
    path("c/<slug:slug>/sessions/<int:session_id>/", include(session_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("t/<str:key>/", keys.by_key, name="by-key"),
    path("w/<str:key>/", watch.watch, name="watch"),
    path("w/hall/<str:key>/", watch.watch_hall, name="watch-hall"),
]
