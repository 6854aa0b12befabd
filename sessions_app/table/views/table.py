"""The table page and its state for the tablet's scripts, and a club's hands to check. Nothing here writes an entry."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.play.outcomes import Outcome, Reason
from sessions_app.models import Club, Command, Membership, Session
from sessions_app.people.known_device import set_for_a_year
from sessions_app.people.permissions import MEMBER, SECRETARY, TABLE
from sessions_app.table.board import SessionBoard, seats_of, session_board, session_boards
from sessions_app.table.command_results import SENTENCES, TableSnapshot
from sessions_app.table.devices import others_words
from sessions_app.table.hand_queries import unread_answers
from sessions_app.table.sessions import current_seating
from sessions_app.table.state import (
    all_entries,
    board_version,
    has_waiting,
    ledger_state,
    recent_commands,
    table_state,
)
from sessions_app.table.views.board_page import TURNS, board_context, command_fields, last_key, turn_cookie
from sessions_app.table.views.pending_commands import waiting_cards, waiting_context
from sessions_app.table.views.tablets import record_device
from sessions_app.table.views.views_of_table import beside
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

NOTHING_NEW = 204


@require_safe
@at_table(*MEMBER)
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
        context["others"] = others_words(table_session, device_token(request))
    if request.membership.role == TABLE and table_session.is_open:
        context["answers"] = unread_answers(None, session=table_session)
    context |= beside(request, table_session, context)
    return remember(request, render(request, "table/table.html", context))


# The state of a table, for the tablet's scripts.


@require_safe
@never_cache
def state(request: TableRequest, slug: str, session_id: int) -> HttpResponse:
    # The outbox asks here for a fresh CSRF token, whether or not it is signed in.
    get_token(request)
    access = access_to(request, slug, session_id, MEMBER)
    if not isinstance(access, Granted):
        return refuse_in_json(access.verdict)
    if access.session.imported:
        return refuse_in_json(Verdict.NONE)
    if request.GET.get("board_version") == board_version(access.session):
        return HttpResponse(status=NOTHING_NEW)
    return JsonResponse(full_state(access.session))


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
    return now | {
        "ledger": ledger_state(table_session, seats, entries, recent),
        "waiting": _waiting_words(table_session) if has_waiting(table_session, recent) else [],
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
    fields = command_fields(board.session, last_key(board))
    return {"table_session": board.session, **waiting_context(board, membership), **fields}
