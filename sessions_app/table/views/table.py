"""What the table page shows: the seats as they sit, who is East, the balances, the history."""

import json
import uuid
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubscore.scoring import house_rules
from clubscore.scoring.rotation import OFFICIAL, Chairs
from sessions_app.models import Club, Command, Seat, Session
from sessions_app.people.permissions import READING, SCOREKEEPER, SECRETARY, TABLE, may_undo, may_write
from sessions_app.table.command_results import TableSnapshot
from sessions_app.table.devices import others_at, others_words
from sessions_app.table.hand_queries import answers_at
from sessions_app.table.sessions import current_chairs
from sessions_app.table.sheet import (
    WIND_NAMES,
    Sheet,
    chair_at_bottom,
    deal_words,
    east_words,
    final_payments,
    last_hand,
    session_sheet,
    table_sides,
)
from sessions_app.table.state import LINES_READ, latest_commands, table_state
from sessions_app.table.sticks import stick_accounts, sticks_handed_over
from sessions_app.table.views.keys import note
from sessions_app.table.views.pending_commands import waiting_cards, waiting_context
from sessions_app.web.access import at_table, club_member, device_token, remember


def board_page(request: HttpRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Make the context of the table page and of its fragment."""
    sheet = session_sheet(table_session)
    chairs = current_chairs(table_session)
    house = house_rules(table_session.rules, table_session.house_rules)
    by_chair = {seat.chair: seat for seat in sheet.seats}
    last = last_hand(sheet)
    rate = None if table_session.practice else club.points_rate
    return {
        "club": club,
        "table_session": table_session,
        "board_version": board_version(table_session),
        "can_write": may_write(request.membership, table_session),
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "is_secretary": request.membership.role in SECRETARY,
        "may_undo": may_undo(request.membership, table_session),
        "chairs": chairs,
        "sides": table_sides(sheet, chairs, turn_of(request, table_session)),
        "turn": turn_of(request, table_session),
        "sitting_out": [by_chair[chair] for chair in chairs.out],
        "east": by_chair[chairs.east],
        "wind_of_round": WIND_NAMES[chairs.wind_of_round],
        "history": [row for row in reversed(sheet.rows) if not row.entry.taken_out],
        "taken_out": [row for row in reversed(sheet.rows) if row.entry.taken_out],
        "questions": sheet.questions,
        "everybody": sheet.seats,
        "last": last,
        "last_sticks": sticks_handed_over(table_session, last.row.entry) if last else [],
        "stick_accounts": stick_accounts(table_session, sheet.seats),
        "east_words": east_words(sheet, chairs),
        "deal_words": deal_words(last, house),
        "next_number": len(sheet.hands) + 1,
        **waiting_context(table_session, sheet, request.membership),
        "has_goulash": bool(house.goulash),
        "seats_change": house.rotation == OFFICIAL and bool(sheet.hands) and not chairs.hands_in_round,
        "final_order": final_order(sheet),
        "points_rate": rate,
        "final_payments": final_payments(sheet, rate),
        **command_fields(sheet, chairs),
    }


def final_order(sheet: Sheet) -> list[tuple[int, Seat]]:
    """Return (position, seat) from the best total down; equal totals share a position."""
    seats = sorted(sheet.seats, key=lambda seat: (-seat.tally.net, seat.chair))
    return [(1 + sum(other.tally.net > seat.tally.net for other in seats), seat) for seat in seats]


def board_version(table_session: Session) -> str:
    """Return the word by which the page knows whether there is news: a change at the table, or its time being over."""
    return f"{table_session.version}{'-over' if table_session.is_time_over else ''}"


def command_fields(sheet: Sheet, chairs: Chairs) -> dict[str, Any]:
    """The hidden fields every form at a table carries: a fresh key, the last line known, who sits where.

    The last lines are for the state of the table, which goes with them.
    """
    lines = sheet.active[-LINES_READ:]
    return {
        "last_lines": lines,
        "command_key": uuid.uuid4(),
        "command_after": lines[-1].key if lines else "",
        "command_seats": json.dumps({wind: str(seat) for wind, seat in chairs.seated.items()}),
    }


def turn_cookie(table_session: Session) -> str:
    return f"turn-{table_session.pk}"


def turn_of(request: HttpRequest, table_session: Session) -> int:
    """How far the picture is turned for the one who holds this tablet; a quarter each."""
    turn = request.COOKIES.get(turn_cookie(table_session), "0")
    return int(turn) if turn in {"0", "1", "2", "3"} else 0


def bottom_of(request: HttpRequest, table_session: Session, chairs: Chairs) -> str:
    """Return the chair at the bottom of this tablet's picture of the table, as a page and its script carry it."""
    return str(chair_at_bottom(table_session, chairs, turn_of(request, table_session)))


# The table: the seats as they sit and everything the scorekeeper can do there.

A_YEAR = 365 * 24 * 60 * 60
NOTHING_NEW = 204


@require_safe
@at_table(*READING)
def table(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if request.GET.get("turn") in {"0", "1", "2", "3"}:
        response = redirect("table", club.slug, table_session.pk)
        response.set_cookie(
            turn_cookie(table_session),
            request.GET["turn"],
            max_age=A_YEAR,
            samesite="Lax",
            httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )
        return response
    if request.htmx and request.GET.get("version") == board_version(table_session):
        return HttpResponse(status=NOTHING_NEW)
    page = board_page(request, club, table_session)
    if request.htmx:
        return render(request, "table/_board.html", page)
    note(request, table_session)
    if page["can_write"]:
        page["others"] = others_words(others_at(table_session, device_token(request)))
    if request.membership.role == TABLE and table_session.is_open:
        page["answers"] = answers_at(table_session)
    return remember(request, render(request, "table/table.html", page))


# What state.json says: how the table stands, and what waits for someone's choice.


def told_state(table_session: Session, stands: TableSnapshot | None = None) -> dict[str, Any]:
    """Return the state of a table with what waits there; how it `stands` is asked for unless the door has told."""
    recent, has_waiting = latest_commands(table_session)
    more: dict[str, Any] = {"recent": recent}
    if stands:
        table_session = stands.session
        more |= {"seats": stands.seats, "lines": stands.lines[-LINES_READ:], "number": stands.number}
    told = table_state(table_session, current_chairs(table_session), **more)
    return told | {"waiting": waiting_words(table_session) if has_waiting else []}


def waiting_words(table_session: Session) -> list[dict[str, Any]]:
    """Return the commands that wait for someone's choice, in words."""
    return [
        {"key": str(card.command.key), "late": card.is_late, "words": card.words, "details": list(card.details)}
        for card in waiting_cards(table_session, session_sheet(table_session))
    ]


# What waits at a club's tables for someone to decide, on one page for the secretary.


@require_safe
@club_member(*SECRETARY)
def late(request: HttpRequest, club: Club) -> HttpResponse:
    waiting = Command.objects.of_club(club).waiting()
    sessions = Session.objects.of_club(club).filter(pk__in=waiting.values("session"))
    in_order = sessions.select_related("club").order_by("-date", "table", "pk")
    tables = [_table(table_session, request.membership) for table_session in in_order]
    return render(request, "table/late.html", {"club": club, "tables": tables})


def _table(table_session, membership):
    sheet = session_sheet(table_session)
    fields = command_fields(sheet, current_chairs(table_session))
    return {"table_session": table_session, **waiting_context(table_session, sheet, membership), **fields}
