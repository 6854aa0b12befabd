"""What the pages of a table show: its board, and what every form at a table carries."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from clubscore.play.command_kinds import KINDS
from clubscore.play.outcomes import Outcome
from clubscore.scoring.rotation import SeatingState
from sessions_app.models import Club, Entry, Seat, Session
from sessions_app.people.permissions import SCOREKEEPER, SECRETARY, may_undo, may_write
from sessions_app.table.board import SessionBoard, seat_at_bottom, session_boards, sheet_look, table_look
from sessions_app.table.hand_queries import asked_about
from sessions_app.table.sessions import current_seating
from sessions_app.table.state import board_version, has_waiting, recent_commands
from sessions_app.table.views.pending_commands import waiting_context
from sessions_app.web.access import TableRequest
from sessions_app.web.requests import new_key, whole_address

# Letters of a name that fit in one line with "is East".
MAX_IN_LINE = 9
TURNS = {"0", "1", "2", "3"}


def board_look(request: TableRequest, club: Club, table_session: Session, seats: Iterable[Seat] = ()) -> dict[str, Any]:
    """Return what this tablet's table page shows besides the ledger, and the sheet where it is one of its views."""
    can_write, role = may_write(request.membership, table_session), request.membership.role
    look = table_look(table_session, can_write, turn_of(request, table_session))
    if can_write:
        asked = asked_about([table_session]) if table_session.pk else ()
        look = sheet_look(table_session, seats, role, asked) | look
    if role in SECRETARY and table_session.meeting_id and not table_session.practice:
        look["mail_page"] = reverse("meeting-mail", args=[club.slug, table_session.meeting_id])
    return look


def board_context(request: TableRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Make the context of the table page and of its fragment; `page` is what clubscore.play.fragments draws."""
    role, turn = request.membership.role, turn_of(request, table_session)
    can_write = may_write(request.membership, table_session)
    [board] = session_boards(
        [table_session], lambda ledger: board_look(request, club, table_session, ledger.seat_rows.values())
    )
    latest = recent_commands(table_session, "answer__entry")
    changes = [((kind, entry), KINDS[kind]) for _, kind, outcome, entry in latest if outcome == Outcome.APPLIED]
    context = {
        "club": club,
        "table_session": table_session,
        "board_version": board_version(table_session),
        "can_write": can_write,
        "is_scorekeeper": role in SCOREKEEPER,
        "is_secretary": role in SECRETARY,
        "may_undo": may_undo(request.membership, table_session),
        "seating": board.done.seating,
        "has_long_names": any(len(name) > MAX_IN_LINE for name in board.names.values()),
        "turn": turn,
        "board": board,
        # Drawn on the table page alone; the sheet and a hand ask only for the state beside them.
        "page": SimpleLazyObject(lambda: board.page(changes)),
        "recent_commands": [command[:3] for command in latest],
        "everybody": board.seats,
        "next_number": len(board.results) + 1,
        **(waiting_context(board, request.membership) if has_waiting(table_session, latest) else {"waiting": []}),
        **command_fields(table_session, last_key(board)),
    }
    if table_session.is_open and role in SCOREKEEPER:
        context |= _codes_for_tablets(request, table_session)
    return context


def last_key(board: SessionBoard) -> UUID | str:
    """Return the key of the last active entry; "" for none."""
    active = board.ledger.active
    return active[-1].key if active else ""


def _codes_for_tablets(request: TableRequest, table_session: Session) -> dict[str, Any]:
    """Return the codes with which another tablet opens this table."""
    meeting = table_session.played_at
    return {
        "scoring_address": whole_address(request, reverse("by-key", args=[table_session.scoring_key])),
        "join_code": meeting.code_today,
    }


def command_fields(table_session: Session, after: UUID | str | None = None) -> dict[str, Any]:
    """Return the hidden fields of every form at a table: a fresh key, the last entry known, who sits where.

    The key of the last active entry ("" for none) is queried unless given.
    """
    if after is None:
        after = Entry.objects.filter(session=table_session).active().values_list("key", flat=True).last() or ""
    seated = current_seating(table_session).seated
    return {
        "command_key": new_key(),
        "command_after": after,
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
