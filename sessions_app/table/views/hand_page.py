"""One hand, explained: what every player held, each line of the score, who paid whom; and score queries."""

from functools import reduce
from itertools import takewhile
from operator import or_
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.play.board import Row
from clubscore.play.command_kinds import HAND
from clubscore.play.drawn_hands import say_at
from clubscore.play.one_hand import page_of
from sessions_app.models import Club, Entry, HandQuery, Player, Season, Session
from sessions_app.people.permissions import (
    MEMBER,
    SCOREKEEPER,
    SECRETARY,
    TABLE,
    may_ask,
    may_reopen,
    may_write,
    players_offered,
)
from sessions_app.table.board import SessionBoard, seats_of, session_board
from sessions_app.table.forms import AnswerForm, AskForm
from sessions_app.table.hand_queries import (
    answer_query,
    ask_query,
    has_changed,
    queries_of_club,
    queries_of_hand,
    read_answers,
)
from sessions_app.table.season_assignment import is_locked
from sessions_app.table.sessions import tables_beside
from sessions_app.table.views.board_page import board_context, command_fields, last_key, turn_of
from sessions_app.table.views.hand_entry_page import asks_agreement, who_agrees
from sessions_app.table.views.pending_commands import history_of
from sessions_app.table.views.views_of_table import beside
from sessions_app.web.access import MemberRequest, TableRequest, actor, at_table, club_member
from sessions_app.web.requests import errors_in, posted

# The page of a hand.


@require_safe
@at_table(*MEMBER)
def hand(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    locked = locked_season(request, table_session)
    can_write = may_write(request.membership, table_session) and not locked
    known = board_context(request, club, table_session) if can_write else {}
    board: SessionBoard = (
        known["board"] if known else session_board(table_session, {"turn": turn_of(request, table_session)})
    )
    rows = board.rows()
    row = next((row for row in rows if row.entry.key == str(key) and row.entry.kind == HAND.key), None)
    if row is None:
        raise Http404
    entry = board.entry_row(row.entry)
    context = {
        "club": club,
        "table_session": table_session,
        "entry": entry,
        "row": row,
        "hand": row.hand,
        "everybody": board.seats,
        "versions": history_of(entry, board.seats, say_at(table_session.rules)),
        "queries": queries_of_hand(entry, board.seats),
        "is_secretary": request.membership.role in SECRETARY,
        "can_write": can_write,
        "locked_season": locked,
        "corrects_closed": corrects_closed(request, table_session),
        "may_reopen": may_reopen(request.membership, table_session),
        **command_fields(table_session, last_key(board)),
    }
    if row.hand:
        context |= _played_hand_context(request, board, entry, rows, row)
        context["namesakes"] = _namesakes(request, board, row) if can_write else []
        is_scorekeeper = request.membership.role in SCOREKEEPER
        context["may_move"] = can_write and is_scorekeeper and tables_beside(table_session).exists()
    if request.htmx and row.hand:
        return render(request, "table/_hand_of_server.html", context)
    if row.hand and can_write:
        context |= beside(request, table_session, known)
    return render(request, "table/hand.html", context)


def _played_hand_context(
    request: TableRequest, board: SessionBoard, entry: Entry, rows: list[Row], row: Row
) -> dict[str, Any]:
    """Return what is shown of a hand that counts: its score, who pays whom, and the hands before and after it."""
    assert row.hand
    page = page_of(board, row.entry.key)
    assert page
    played = [{"number": str(cell.seat), "name": cell.name} for cell in row.cells if cell.wind]
    hands = [row for row in rows if row.hand]
    index = hands.index(row)
    return {
        "players_hands": page["players"],
        "paid": page["paid"],
        "lead": page["lead"],
        "notes": _notes_after(rows, row),
        "agreed_name": next((one["name"] for one in played if one["number"] == entry.body.get("agreed")), ""),
        "is_unagreed": asks_agreement(board.session) and row.is_unagreed,
        "agree_seats": who_agrees(request, board.session, played),
        "may_ask": may_ask(request.membership, board.session),
        "before": hands[index - 1] if index else None,
        "following": hands[index + 1] if index + 1 < len(hands) else None,
    }


def _namesakes(request: TableRequest, board: SessionBoard, row: Row) -> list[Any]:
    """Return who played a hand with each other player of that first name who has no seat in the session."""
    offered, seats = players_offered(request.membership, board.session), board.stored_ledger.seat_rows
    if offered is None:
        offered = Player.objects.of_club(board.session.club).present().filter(to_confirm=False)
    played = [(_first_name(seats[cell.seat].player), seats[cell.seat]) for cell in row.cells if cell.wind]
    same_name = reduce(or_, [Q(full_name__istartswith=name) for name, _ in played if name], Q(pk=None))
    others = offered.filter(same_name).exclude(pk__in=[seat.player_id for seat in board.seats])
    return [(seat, other) for other in others for name, seat in played if name == _first_name(other)]


def _first_name(player):
    return player.full_name.partition(" ")[0].casefold()


def _notes_after(rows: list[Row], row: Row) -> list[Any]:
    """Return the notes between a hand and the next one."""
    later = takewhile(lambda other: not other.hand, rows[rows.index(row) + 1 :])
    return [note.words for note in later if note.entry.kind == Entry.Kind.NOTE and not note.entry.removed]


def locked_season(request: TableRequest, table_session: Session) -> Season | None:
    """Return the session's locked season if the secretary asks, who corrects a hand of it; else None."""
    is_secretary = request.membership.role in SECRETARY
    return table_session.season if is_secretary and is_locked(table_session) else None


def corrects_closed(request: TableRequest, table_session: Session) -> bool:
    """Return whether the secretary asks, and the session is finished or locked: a correction leaves it so."""
    is_closed = not table_session.is_open or is_locked(table_session)
    return request.membership.role in SECRETARY and is_closed and not table_session.void


def entry_or_404(club: Club, table_session: Session, key: UUID, **wanted: Any) -> Entry:
    """Return an entry of the session's ledger: a hand, but seats, penalties and arrivals as well."""
    entries = Entry.objects.of_club(club).filter(session=table_session, **wanted).select_related("hand")
    return get_object_or_404(entries, key=key)


def hand_or_404(club: Club, table_session: Session, key: UUID) -> Entry:
    return entry_or_404(club, table_session, key, kind=Entry.Kind.HAND)


# Score queries.

SENT = "The secretary has your question. The answer will appear with this hand, and we will let you know."


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*MEMBER)
def hand_query(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = hand_or_404(club, table_session, key)
    form = AskForm(posted(request))
    if form.is_valid():
        with errors_in(form):
            ask_query(entry, form.cleaned_data["text"], by=actor(request))
            messages.success(request, SENT)
            return redirect("hand", club.slug, table_session.pk, entry.key)
    context = {"club": club, "table_session": table_session, "entry": entry, "form": form}
    return render(request, "table/hand_query.html", context, status=422 if form.errors else 200)


@require_POST
@at_table(*MEMBER)
def answer_read(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """“I have read it”: from the club's page, or from a tablet at the table."""
    read_answers(hand_or_404(club, table_session, key), by=actor(request))
    if request.membership.role == TABLE:
        return redirect("table", club.slug, table_session.pk)
    return redirect("club", club.slug)


@require_safe
@club_member(*SECRETARY)
def score_queries(request: HttpRequest, club: Club) -> HttpResponse:
    waiting, answered = queries_of_club(club)
    return render(request, "table/score_queries.html", {"club": club, "waiting": waiting, "answered": answered})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def score_query(request: MemberRequest, club: Club, query_id: int) -> HttpResponse:
    queries = HandQuery.objects.of_club(club).select_related("session", "entry__hand")
    query = get_object_or_404(queries, pk=query_id)
    form = AnswerForm(posted(request))
    if form.is_valid():
        with errors_in(form):
            answer_query(query, form.cleaned_data["outcome"], form.cleaned_data["text"], by=actor(request))
            messages.success(request, "Your answer now appears with the hand.")
            return redirect("hand", club.slug, query.session_id, query.entry.key)
    of_hand = queries_of_hand(query.entry, seats_of(query.session))
    context = {
        "club": club,
        "named": next(named for named in of_hand if named.query.pk == query.pk),
        "form": form,
        "table_session": query.session,
        "has_changed": has_changed(query),
    }
    return render(request, "table/score_query.html", context, status=422 if form.errors else 200)
