"""Addresses of tables: entering hands, the sheet, corrections, watching."""

from django.urls import include, path

from sessions_app.table.forms import COMMAND_FORMS
from sessions_app.table.views import (
    command_requests,
    entries,
    games,
    hand_change,
    hand_entry,
    hand_move,
    hand_page,
    new_table,
    paper,
    session_sheet,
    sessions,
    table,
    tablets,
    views_of_table,
    watching,
)

hand_urls = [
    path("new/", hand_entry.new_hand, name="hand-new"),
    path("score/", hand_entry.score_hand, name="hand-score"),
    path("record/", hand_entry.record_hand, name="hand-record"),
    path("<uuid:key>/", hand_page.hand, name="hand"),
    path("<uuid:key>/change/", hand_change.change_hand, name="hand-change"),
    path("<uuid:key>/insert/", hand_change.insert_hand, name="hand-insert"),
    path("<uuid:key>/preview/", hand_change.preview_hand, name="hand-preview"),
    path("<uuid:key>/correct/", hand_change.correct_hand, name="hand-correct"),
    path("<uuid:key>/agree/", hand_change.agree_hand, name="hand-agree"),
    path("<uuid:key>/note/", hand_change.hand_note, name="hand-note"),
    path("<uuid:key>/query/", hand_page.hand_query, name="hand-query"),
    path("<uuid:key>/query/read/", hand_page.answer_read, name="answer-read"),
    path("<uuid:key>/seating/", hand_change.hand_seating, name="hand-seating"),
    path("<uuid:key>/move/", hand_move.move_hand, name="hand-move"),
    path("<uuid:key>/take-out/", hand_change.remove_or_restore, {"kind": "take_out"}, name="hand-take-out"),
    path("<uuid:key>/earlier/<int:change_id>/", hand_change.hand_earlier, name="hand-earlier"),
    path("<uuid:key>/put-back/", hand_change.remove_or_restore, {"kind": "put_back"}, name="hand-put-back"),
]

meeting_urls = [
    path("watching/", watching.hall_watching, name="hall-watching"),
    path("watching/new-key/", watching.hall_new_key, name="hall-new-key"),
]

session_urls = [
    path("", session_sheet.session_sheet, name="session-sheet"),
    path("table/", table.table, name="table"),
    path("commands/", command_requests.commands, name="commands"),
    path("state.json", table.state, name="table-state"),
    path("views/", views_of_table.views, name="table-views"),
    path("paper/", paper.paper, name="paper"),
    path("paper/check/", paper.paper_check, name="paper-check"),
    path("nobody/", entries.nobody, name="nobody"),
    path("penalty/", entries.penalty, name="penalty"),
    path("undo/", entries.button, {"kind": "undo"}, name="undo"),
    path("redo/", entries.button, {"kind": "redo"}, name="redo"),
    path("finish/", entries.button, {"kind": "finish"}, name="finish"),
    path("last-hands/", entries.button, {"kind": "note"}, name="last-hands"),
    path("reopen/", entries.reopen, name="reopen"),
    path("choose/", entries.button, {"kind": "choose"}, name="choose"),
    path("seating/", entries.seating, name="seating"),
    path("exchange/", entries.exchange, name="exchange"),
    path("change-player/", entries.change_player, name="change-player"),
    path("arrive/", entries.arrive, name="arrive"),
    *(path(f"{kind}/", entries.command_form, {"kind": kind}, kind) for kind in COMMAND_FORMS),
    path("watching/", watching.watching, name="watching"),
    path("watching/new-key/", watching.watching_new_key, name="watching-new-key"),
    path("scoring/", tablets.scoring, name="scoring"),
    path("scoring/new-key/", tablets.scoring_new_key, name="scoring-new-key"),
    path("tablet/", tablets.tablet, name="tablet"),
    path("others/", tablets.others, name="others"),
    path("changes/", session_sheet.last_changes, name="last-changes"),
    path("history/", session_sheet.session_history, name="session-history"),
    path("restore/", sessions.session_restore, name="session-restore"),
    path("move/", sessions.session_move, name="session-move"),
    path("void/", sessions.session_void, name="session-void"),
    path("count/", sessions.session_count, name="session-count"),
]

# No session has this number: a tablet keeps one page for all tables that it plays at without the network.
new_table_urls = [
    path("table/", new_table.any_table, {"view": "table"}, name="new-table"),
    *(
        path(address, new_table.any_table, {"view": view}, f"new-{view}")
        for address, view in new_table.OTHER_VIEWS.items()
    ),
    path("kept.json", new_table.kept_of_club, name="kept-of-club"),
    path("needs.json", new_table.needs_of_club, name="needs-of-club"),
    path("start/", new_table.start_new_table, name="new-table-start"),
]

club_urls = [
    path("sessions/start/", sessions.start_session, name="session-start"),
    path("hall/", watching.hall, name="hall"),
    path("late/", table.late, name="late"),
    path("desk/queries/", hand_page.score_queries, name="score-queries"),
    path("desk/queries/<int:query_id>/", hand_page.score_query, name="score-query"),
]

# Games that no club has.
game_urls = [
    path("", games.games, name="games"),
    path("kept.json", games.kept_of_games, name="kept-of-games"),
    path("house-rules/<slug:key>/", games.game_house_rules, name="game-house-rules"),
    path("copies/", games.game_copies, name="game-copies"),
    path("into-a-club/", games.game_into_club, name="game-into-club"),
    *(path(f"{word}/", games.game, {"view": word}, f"game-{word}") for word in new_table.VIEWS),
]

urlpatterns = [
    path("game/", include(game_urls)),
    path("c/<slug:slug>/sessions/0/", include(new_table_urls)),
    path("c/<slug:slug>/sessions/<int:session_id>/hands/", include(hand_urls)),
    path("c/<slug:slug>/meetings/<int:meeting_id>/", include(meeting_urls)),
    path("c/<slug:slug>/sessions/<int:session_id>/", include(session_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("t/<key:key>/", tablets.by_key, name="by-key"),
    path("w/<key:key>/", watching.watch, name="watch"),
    path("w/hall/<key:key>/", watching.watch_hall, name="watch-hall"),
]
