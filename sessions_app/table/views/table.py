"""The table page and its state for the tablet's scripts, and a club's hands to check. Nothing here writes an entry."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.scoring.rotation import OFFICIAL, SeatingState, hands_to_fair_end, hands_until_east, next_out
from clubscore.table.command_kinds import HAND
from clubscore.table.outcomes import WAITING, Outcome, Reason
from clubscore.table.table_words import final_order, undo_words
from sessions_app.models import Club, Command, Session
from sessions_app.people.known_device import set_for_a_year
from sessions_app.people.permissions import READING, SCOREKEEPER, SECRETARY, TABLE, may_press_undo, may_write
from sessions_app.table.command_results import SENTENCES, TableSnapshot
from sessions_app.table.devices import others_at, others_words
from sessions_app.table.hand_queries import answers_at
from sessions_app.table.sessions import current_seating
from sessions_app.table.sheet import (
    Sheet,
    best_hands,
    chair_at_bottom,
    deal_words_of,
    east_words_of,
    seats_of,
    session_sheet,
    settled_page,
    table_sides,
)
from sessions_app.table.state import (
    RECENT,
    WINDS_SPRITE,
    all_entries,
    command_to_redo,
    commands_to_undo,
    ledger_state,
    recent_commands,
    table_state,
)
from sessions_app.table.sticks import sticks_handed_over
from sessions_app.table.views.pending_commands import waiting_cards, waiting_context
from sessions_app.table.views.tablets import record_device, tablets_json
from sessions_app.web.access import Verdict, access_to, at_table, club_member, device_token, remember
from sessions_app.web.requests import new_key, today_in, whole_address

# Letters of a name that fit in one line with "is East".
MAX_IN_LINE = 8
NOTHING_NEW = 204
TURNS = {"0", "1", "2", "3"}


@require_safe
@at_table(*READING)
def table(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
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


def board_context(request: HttpRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Make the context of the table page and of its fragment; `page` is what clubscore.table.fragments draws."""
    sheet, role = session_sheet(table_session), request.membership.role
    context = {
        "club": club,
        "table_session": table_session,
        "board_version": board_version(table_session),
        "can_write": may_write(request.membership, table_session),
        "is_scorekeeper": role in SCOREKEEPER,
        "is_secretary": role in SECRETARY,
        "may_press_undo": may_press_undo(request.membership, table_session),
        "seating": current_seating(table_session),
        "has_long_names": any(len(seat.player.name) > MAX_IN_LINE for seat in sheet.seats),
        "turn": turn_of(request, table_session),
        "history": [row for row in reversed(sheet.rows) if not row.entry.taken_out],
        "taken_out": [row for row in reversed(sheet.rows) if row.entry.taken_out],
        "questions": sheet.questions,
        "everybody": sheet.seats,
        "next_number": len(sheet.hands) + 1,
        "page": _fragments_page(request, club, sheet),
        **waiting_context(table_session, sheet, request.membership),
        **_undo_buttons(table_session, sheet),
        **command_fields(sheet),
    }
    if table_session.is_open:
        context |= _fair_end(sheet)
        if role in SCOREKEEPER:
            context |= _codes_for_tablets(request, table_session)
    return context


def _fragments_page(request, club, sheet):
    session, seating = sheet.session, current_seating(sheet.session)
    last = sheet.hands[-1] if sheet.hands else None
    house, by_chair = session.house, {seat.chair: seat for seat in sheet.seats}
    may_mail = request.membership.role in SECRETARY and not session.practice
    return {
        "number": len(sheet.hands) + 1,
        "east": by_chair[seating.east].player.name,
        "east_words": east_words_of(sheet, seating),
        "deal_words": deal_words_of(last, house),
        "is_new_game": seating.is_new_game,
        "seats_change": house.rotation == OFFICIAL and bool(sheet.hands) and not seating.hands_in_round,
        "goulash": seating.goulash,
        "wind_of_round": seating.wind_of_round if session.rule_set.has_round_wind else "",
        "winds_sprite": static(WINDS_SPRITE),
        "sides": [
            (one.side, one.wind, one.seat and one.seat.chair, one.seat.player.name if one.seat else "", one.balance)
            for one in table_sides(sheet, seating, turn_of(request, session))
        ],
        "sitting_out": [(by_chair[chair].player.name, by_chair[chair].tally.balance) for chair in seating.out],
        "last": _last_hand(club, last) if last else None,
        "provisional": "",
        "final_order": final_order([(seat.chair, seat.player.name, seat.tally.net) for seat in sheet.seats]),
        "best_hands": [
            (cell.seat.player.name, cell.total, row.hand.number, _hand_page(club, row))
            for row, cell in best_hands(sheet)
        ],
        "next_out": [by_chair[chair].player.name for chair in next_out(seating, house)] if session.is_open else [],
        "last_sticks": sticks_handed_over(session, last.entry) if last else [],
        **settled_page(sheet),
        "sheet_page": reverse("session-sheet", args=[club.slug, session.pk]),
        "mail_page": reverse("meeting-mail", args=[club.slug, session.meeting_id]) if may_mail else "",
    }


def _last_hand(club, last):
    return {
        "number": last.number,
        "words": last.words,
        "winners": [(cell.seat.player.name, cell.total) for cell in last.winners],
        "special": last.special,
        "address": _hand_page(club, last),
    }


def _hand_page(club, row):
    return reverse("hand", args=[club.slug, row.entry.session_id, row.entry.key])


def _fair_end(sheet):
    """Return after how many hands it is fair to stop."""
    seating, house = current_seating(sheet.session), sheet.session.house
    names = {seat.chair: seat.player.name for seat in sheet.seats}
    return {
        "hands_to_fair_end": hands_to_fair_end(seating, house),
        "turns_as_east": [(names[chair], hands) for chair, hands in hands_until_east(seating, house).items()],
        "east_may_stay": house.east_stays_on_win or house.east_stays_on_draw,
    }


def _codes_for_tablets(request, table_session):
    """Return the codes with which another tablet opens this table."""
    meeting = table_session.played_at
    return {
        "scoring_address": whole_address(request, reverse("by-key", args=[table_session.scoring_key])),
        "join_code": meeting.joining_code if meeting.date == today_in(table_session.club) else None,
    }


def _undo_buttons(table_session, sheet):
    """Return the latest commands, as the table's state has them, and in words what Undo and Redo would do."""
    latest = recent_commands(table_session, "answer__entry")
    recent = [command[:3] for command in latest]
    entries = {key: entry for key, _, _, entry in latest}
    return {
        "recent_commands": recent,
        "undo_words": _step_words(next(commands_to_undo(recent), None), entries, sheet),
        "redo_words": _step_words(command_to_redo(recent), entries, sheet, is_redo=True),
    }


def _step_words(command, entries, sheet, is_redo=False):
    if not command:
        return ""
    key, kind = command
    index = next((i for i, row in enumerate(sheet.rows) if row.entry.key_text == entries.get(key)), None)
    if index is None:
        return undo_words(kind, HAND.key, None)
    row, number = sheet.rows[index], None
    if row.hand:
        number = row.hand.number
    elif is_redo and row.entry.kind == HAND.key:
        # A removed hand has the number that it will have again.
        number = sum(1 for earlier in sheet.rows[:index] if earlier.hand) + 1
    return undo_words(kind, row.entry.kind, number)


def board_version(table_session: Session) -> str:
    """Return what changes with each change at the table, and when its time is up."""
    return f"{table_session.version}{'-over' if table_session.is_time_over else ''}"


def command_fields(sheet: Sheet) -> dict[str, Any]:
    """Return the hidden fields of every form at a table: a fresh key, the last entry known, who sits where."""
    active = sheet.active
    return {
        "command_key": new_key(),
        "command_after": active[-1].key if active else "",
        "command_seats": json.dumps({wind: str(seat) for wind, seat in current_seating(sheet.session).seated.items()}),
    }


def turn_cookie(table_session: Session) -> str:
    return f"turn-{table_session.pk}"


def turn_of(request: HttpRequest, table_session: Session) -> int:
    """Return by how many quarters the picture of the table is turned on this tablet."""
    turn = request.COOKIES.get(turn_cookie(table_session), "0")
    return int(turn) if turn in TURNS else 0


def bottom_of(request: HttpRequest, table_session: Session, seating: SeatingState) -> str:
    """Return the chair at the bottom of this tablet's picture of the table, as a page and its script carry it."""
    return str(chair_at_bottom(table_session, seating, turn_of(request, table_session)))


# The state of a table, for the tablet's scripts.


@require_safe
@never_cache
def state(request: HttpRequest, slug: str, session_id: int) -> HttpResponse:
    # The outbox asks here for a fresh CSRF token, whether or not it is signed in.
    get_token(request)
    access = access_to(request, slug, session_id, READING)
    if access.verdict is not Verdict.YES or access.table_session.imported:
        return refuse_in_json(access.verdict)
    request.membership, now = access.membership, full_state(access.table_session)
    return JsonResponse(now | tablets_json(request, access.table_session, now["last"]))


def refuse_in_json(verdict: Verdict) -> JsonResponse:
    if verdict is Verdict.SIGN_IN:
        return json_outcome(401, Outcome.SIGN_IN, Reason.SIGNED_OUT)
    if verdict in (Verdict.YES, Verdict.NONE):
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
        last=next((entry.key_text for entry in reversed(entries) if not entry.taken_out), ""),
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


def _waiting_words(table_session):
    return [
        {"key": str(card.command.key), "late": card.is_late, "words": card.words, "details": list(card.details)}
        for card in waiting_cards(table_session, session_sheet(table_session))
    ]


@require_safe
@club_member(*SECRETARY)
def late(request: HttpRequest, club: Club) -> HttpResponse:
    waiting = Command.objects.of_club(club).waiting()
    sessions = Session.objects.of_club(club).filter(pk__in=waiting.values("session"))
    in_order = sessions.select_related("club").order_by("-date", "table", "pk")
    tables = [_table_to_check(session_sheet(table_session), request.membership) for table_session in in_order]
    return render(request, "table/late.html", {"club": club, "tables": tables})


def _table_to_check(sheet, membership):
    context = waiting_context(sheet.session, sheet, membership)
    return {"table_session": sheet.session, **context, **command_fields(sheet)}
