"""The table page and its state for the tablet's scripts, and a club's hands to check. Nothing here writes an entry."""

import json
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.scoring.rotation import SeatingState
from clubscore.table.outcomes import WAITING, Outcome, Reason
from sessions_app.models import Club, Command, Entry, Membership, Session
from sessions_app.people.known_device import set_for_a_year
from sessions_app.people.permissions import READING, SCOREKEEPER, SECRETARY, TABLE, may_press_undo, may_write
from sessions_app.table.board import SessionBoard, seat_at_bottom, seats_of, session_board, session_boards, table_look
from sessions_app.table.command_results import SENTENCES, TableSnapshot
from sessions_app.table.devices import others_at, others_words
from sessions_app.table.hand_queries import answers_at
from sessions_app.table.sessions import current_seating
from sessions_app.table.state import (
    RECENT,
    all_entries,
    board_version,
    command_to_redo,
    commands_to_undo,
    ledger_state,
    recent_commands,
    table_state,
)
from sessions_app.table.views.pending_commands import waiting_cards, waiting_context
from sessions_app.table.views.tablets import record_device, tablets_json
from sessions_app.web.access import (
    Granted,
    MemberRequest,
    TableRequest,
    Verdict,
    access_to,
    at_table,
    club_member,
    device_token,
    remember,
)
from sessions_app.web.requests import new_key, today_in, whole_address

# Letters of a name that fit in one line with "is East".
MAX_IN_LINE = 8
NOTHING_NEW = 204
TURNS = {"0", "1", "2", "3"}


@require_safe
@at_table(*READING)
def table(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    if request.GET.get("turn") in TURNS:
        response = redirect("table", club.slug, table_session.pk)
        set_for_a_year(response, turn_cookie(table_session), request.GET["turn"])
        return response
    if request.htmx and request.GET.get("version") == board_version(table_session):
        return HttpResponse(status=NOTHING_NEW)
    context = board_context(request, club, table_session)
    if request.htmx:
        return render(request, "table/_board.html", context)
    record_device(request, table_session)
    if context["can_write"]:
        context["others"] = others_words(others_at(table_session, device_token(request)))
    if request.membership.role == TABLE and table_session.is_open:
        context["answers"] = answers_at(table_session)
    return remember(request, render(request, "table/table.html", context))


def board_context(request: TableRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Make the context of the table page and of its fragment; `page` is what clubscore.table.fragments draws."""
    role, turn = request.membership.role, turn_of(request, table_session)
    can_write = may_write(request.membership, table_session)
    look = table_look(table_session, can_write, turn)
    if role in SECRETARY and not table_session.practice:
        look["mail_page"] = reverse("meeting-mail", args=[club.slug, table_session.meeting_id])
    board = session_board(table_session, look)
    latest = recent_commands(table_session, "answer__entry")
    context = {
        "club": club,
        "table_session": table_session,
        "board_version": board_version(table_session),
        "can_write": can_write,
        "is_scorekeeper": role in SCOREKEEPER,
        "is_secretary": role in SECRETARY,
        "may_press_undo": may_press_undo(request.membership, table_session),
        "seating": board.done.seating,
        "has_long_names": any(len(name) > MAX_IN_LINE for name in board.names.values()),
        "turn": turn,
        "board": board,
        "page": board.page() | _undo_buttons(board, latest),
        "recent_commands": [command[:3] for command in latest],
        "everybody": board.seats,
        "next_number": len(board.results) + 1,
        **waiting_context(board, request.membership),
        **command_fields(table_session, _last_key(board)),
    }
    if table_session.is_open and role in SCOREKEEPER:
        context |= _codes_for_tablets(request, table_session)
    return context


def _last_key(board):
    active = board.ledger.active
    return active[-1].key if active else ""


def _codes_for_tablets(request: TableRequest, table_session: Session) -> dict[str, Any]:
    """Return the codes with which another tablet opens this table."""
    meeting = table_session.played_at
    return {
        "scoring_address": whole_address(request, reverse("by-key", args=[table_session.scoring_key])),
        "join_code": meeting.joining_code if meeting.date == today_in(table_session.club) else None,
    }


def _undo_buttons(board: SessionBoard, latest: list[Any]) -> dict[str, str]:
    """Return in words what Undo and Redo would do after the latest commands, each with its entry."""
    recent, entries = [command[:3] for command in latest], {key: entry for key, _, _, entry in latest}
    undo, redo = next(commands_to_undo(recent), None), command_to_redo(recent)
    return {
        "undo_words": board.step_words(undo[1], entries.get(undo[0])) if undo else "",
        "redo_words": board.step_words(redo[1], entries.get(redo[0]), is_redo=True) if redo else "",
    }


def command_fields(table_session: Session, last_key: UUID | str | None = None) -> dict[str, Any]:
    """Return the hidden fields of every form at a table: a fresh key, the last entry known, who sits where.

    The key of the last active entry ("" for none) is queried unless given.
    """
    if last_key is None:
        last_key = Entry.objects.filter(session=table_session).active().values_list("key", flat=True).last() or ""
    seated = current_seating(table_session).seated
    return {
        "command_key": new_key(),
        "command_after": last_key,
        "command_seats": json.dumps({wind: str(seat) for wind, seat in seated.items()}),
    }


def turn_cookie(table_session: Session) -> str:
    return f"turn-{table_session.pk}"


def turn_of(request: HttpRequest, table_session: Session) -> int:
    """Return by how many quarters the picture of the table is turned on this tablet."""
    turn = request.COOKIES.get(turn_cookie(table_session), "0")
    return int(turn) if turn in TURNS else 0


def bottom_of(request: HttpRequest, table_session: Session, seating: SeatingState) -> str:
    """Return the seat at the bottom of this tablet's picture of the table, as a page and its script carry it."""
    return str(seat_at_bottom(table_session, seating, turn_of(request, table_session)))


# The state of a table, for the tablet's scripts.


@require_safe
@never_cache
def state(request: TableRequest, slug: str, session_id: int) -> HttpResponse:
    # The outbox asks here for a fresh CSRF token, whether or not it is signed in.
    get_token(request)
    access = access_to(request, slug, session_id, READING)
    if not isinstance(access, Granted):
        return refuse_in_json(access.verdict)
    if access.session.imported:
        return refuse_in_json(Verdict.NONE)
    if request.GET.get("board_version") == board_version(access.session):
        return HttpResponse(status=NOTHING_NEW)
    request.membership, now = access.membership, full_state(access.session)
    return JsonResponse(now | tablets_json(request, access.session, now["last"]))


def refuse_in_json(verdict: Verdict) -> JsonResponse:
    if verdict is Verdict.SIGN_IN:
        return json_outcome(401, Outcome.SIGN_IN, Reason.SIGNED_OUT)
    if verdict is Verdict.NONE:
        return json_outcome(404, Outcome.NOT_FOUND, Reason.OTHER_ACCOUNT)
    return json_outcome(403, Outcome.NOT_ALLOWED, Reason.NOT_SCORING)


def json_outcome(status: int, outcome: Outcome, reason: Reason) -> JsonResponse:
    return JsonResponse({"status": status, "outcome": outcome, "message": SENTENCES[reason]}, status=status)


def full_state(table_session: Session, snapshot: TableSnapshot | None = None) -> dict[str, Any]:
    """Return the state of a table with its ledger and its hands to check; `snapshot` is how a command left it."""
    if snapshot:
        table_session = snapshot.session
    recent = recent_commands(table_session)
    entries = snapshot.entries if snapshot else all_entries(table_session)
    seats = snapshot.seats if snapshot else seats_of(table_session)
    now = table_state(
        table_session,
        current_seating(table_session),
        seats=seats,
        last=next((entry.key_text for entry in reversed(entries) if not entry.removed), ""),
        number=snapshot.number if snapshot else None,
        recent=recent,
    )
    # An older command may wait, where there are more than RECENT.
    is_waiting = any(outcome in WAITING for _, _, outcome in recent) or (
        len(recent) == RECENT and table_session.commands.waiting().exists()
    )
    return now | {
        "ledger": ledger_state(table_session, seats, entries, recent),
        "waiting": _waiting_words(table_session) if is_waiting else [],
    }


def _waiting_words(table_session: Session) -> list[Any]:
    return [
        {"key": str(card.command.key), "late": card.is_late, "words": card.words, "details": list(card.details)}
        for card in waiting_cards(session_board(table_session))
    ]


@require_safe
@club_member(*SECRETARY)
def late(request: MemberRequest, club: Club) -> HttpResponse:
    waiting = Command.objects.of_club(club).waiting()
    sessions = Session.objects.of_club(club).filter(pk__in=waiting.values("session"))
    in_order = sessions.select_related("club").order_by("-date", "table", "pk")
    tables = [_table_to_check(board, request.membership) for board in session_boards(list(in_order))]
    return render(request, "table/late.html", {"club": club, "tables": tables})


def _table_to_check(board: SessionBoard, membership: Membership) -> dict[str, Any]:
    fields = command_fields(board.session, _last_key(board))
    return {"table_session": board.session, **waiting_context(board, membership), **fields}
