"""What the table page shows: the seats as they sit, who is East, the balances, the history."""

import json
import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubscore.scoring import HouseRules, house_rules
from clubscore.scoring.rotation import OFFICIAL, SeatingState, hands_to_fair_end, hands_until_east, next_out
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.table.command_kinds import HAND
from clubscore.table.outcomes import WAITING
from clubscore.table.table_words import final_order, undo_words
from sessions_app.models import Club, Command, Seat, Session
from sessions_app.people.known_device import set_for_a_year
from sessions_app.people.permissions import READING, SCOREKEEPER, SECRETARY, TABLE, may_undo, may_write
from sessions_app.table.command_results import TableSnapshot
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
from sessions_app.table.views.keys import note
from sessions_app.table.views.pending_commands import waiting_cards, waiting_context
from sessions_app.web.access import at_table, club_member, device_token, remember
from sessions_app.web.requests import today_in, whole_address

# Letters of a name that fit in one line with "is East".
MAX_IN_LINE = 8


def board_page(request: HttpRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Make the context of the table page and of its fragment."""
    sheet = session_sheet(table_session)
    seating = current_seating(table_session)
    house = house_rules(table_session.rules, table_session.house_rules)
    by_chair = {seat.chair: seat for seat in sheet.seats}
    last = sheet.hands[-1] if sheet.hands else None
    east_said, deal_said = east_words_of(sheet, seating), deal_words_of(last, house)
    turn = turn_of(request, table_session)
    sides = table_sides(sheet, seating, turn)
    seats_change = house.rotation == OFFICIAL and bool(sheet.hands) and not seating.hands_in_round
    return {
        "club": club,
        "table_session": table_session,
        "board_version": board_version(table_session),
        "can_write": may_write(request.membership, table_session),
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "is_secretary": request.membership.role in SECRETARY,
        "may_undo": may_undo(request.membership, table_session),
        "chairs": seating,
        "sides": sides,
        "has_long_names": any(len(seat.player.name) > MAX_IN_LINE for seat in sheet.seats),
        "wind_of_round": WIND_NAMES[seating.wind_of_round],
        "turn": turn,
        "sitting_out": [by_chair[chair] for chair in seating.out],
        "east": by_chair[seating.east],
        "history": [row for row in reversed(sheet.rows) if not row.entry.taken_out],
        "taken_out": [row for row in reversed(sheet.rows) if row.entry.taken_out],
        "questions": sheet.questions,
        "everybody": sheet.seats,
        "last": last,
        "east_words": east_said,
        "deal_words": deal_said,
        "next_number": len(sheet.hands) + 1,
        **waiting_context(table_session, sheet, request.membership),
        "has_goulash": bool(house.goulash),
        "page": {
            "number": len(sheet.hands) + 1,
            "east": by_chair[seating.east].player.name,
            "east_words": east_said,
            "deal_words": deal_said,
            "is_new_game": seating.is_new_game,
            "seats_change": seats_change,
            "goulash": seating.goulash,
            "wind_of_round": seating.wind_of_round if table_session.rule_set.has_round_wind else "",
            "winds_sprite": static(WINDS_SPRITE),
            "sides": [_side(one) for one in sides],
            "sitting_out": [(by_chair[chair].player.name, by_chair[chair].tally.balance) for chair in seating.out],
            "last": _last(last, club, table_session) if last else None,
            "provisional": "",
            "final_order": final_order([(seat.chair, seat.player.name, seat.tally.net) for seat in sheet.seats]),
            "best_hands": [_best(*one, club, table_session) for one in best_hands(sheet)],
            "next_out": [by_chair[chair].player.name for chair in next_out(seating, house)]
            if table_session.is_open
            else [],
            "last_sticks": sticks_handed_over(table_session, last.entry) if last else [],
            **settled_page(sheet),
            "sheet_page": reverse("session-sheet", args=[club.slug, table_session.pk]),
            "mail_page": reverse("meeting-mail", args=[club.slug, table_session.meeting_id])
            if request.membership.role in SECRETARY and not table_session.practice
            else "",
        },
        **(how_long(seating, house, by_chair) if table_session.is_open else {}),
        **undo_buttons(table_session, sheet),
        **other_tablets(request, table_session),
        **command_fields(sheet, seating),
    }


def other_tablets(request: HttpRequest, table_session: Session) -> dict[str, str | None]:
    """Return the codes by which another tablet opens this table, for those who may give them out."""
    if request.membership.role not in SCOREKEEPER or not table_session.is_open:
        return {}
    meeting = table_session.played_at
    return {
        "scoring_address": whole_address(request, reverse("by-key", args=[table_session.scoring_key])),
        "join_code": meeting.joining_code if meeting.date == today_in(table_session.club) else None,
    }


def how_long(seating: SeatingState, house: HouseRules, by_chair: dict[int, Seat]) -> dict[str, Any]:
    """Return how many hands it takes to end fairly."""
    until_east = hands_until_east(seating, house)
    return {
        "hands_to_fair_end": hands_to_fair_end(seating, house),
        "turns_as_east": [(by_chair[chair].player.name, hands) for chair, hands in until_east.items()],
        "east_may_stay": house.east_stays_on_win or house.east_stays_on_draw,
    }


def undo_buttons(table_session: Session, sheet: Sheet) -> dict[str, Any]:
    """Return the latest commands, as the state of the table has them, and what Undo and Redo are about in words."""
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
    at = next((at for at, row in enumerate(sheet.rows) if row.entry.key_text == entries.get(key)), None)
    if at is None:
        return undo_words(kind, HAND.key, None)
    entry, hand = sheet.rows[at].entry, sheet.rows[at].hand
    # A hand that is not there has the number that it will have again.
    comes_back = is_redo and not hand and entry.kind == HAND.key
    number = hand.number if hand else sum(1 for row in sheet.rows[:at] if row.hand) + 1 if comes_back else None
    return undo_words(kind, entry.kind, number)


def _side(one):
    name = one.seat.player.name if one.seat else ""
    return one.side, one.wind, one.seat and one.seat.chair, name, one.balance


def _last(last, club, table_session):
    return {
        "number": last.number,
        "words": last.words,
        "winners": [(cell.seat.player.name, cell.total) for cell in last.winners],
        "special": last.special,
        "address": reverse("hand", args=[club.slug, table_session.pk, last.entry.key]),
    }


def _best(row, cell, club, table_session):
    address = reverse("hand", args=[club.slug, table_session.pk, row.entry.key])
    return cell.seat.player.name, cell.total, row.hand.number, address


def board_version(table_session: Session) -> str:
    """Return the word by which the page knows whether there is news: a change at the table, or its time being over."""
    return f"{table_session.version}{'-over' if table_session.is_time_over else ''}"


def command_fields(sheet: Sheet, seating: SeatingState) -> dict[str, Any]:
    """The hidden fields every form at a table carries: a fresh key, the last line known, who sits where.

    The state of the table, which goes with them, takes the last line from here.
    """
    lines = sheet.active
    return {
        "command_key": uuid.uuid4(),
        "command_after": lines[-1].key if lines else "",
        "command_seats": json.dumps({wind: str(seat) for wind, seat in seating.seated.items()}),
    }


def turn_cookie(table_session: Session) -> str:
    return f"turn-{table_session.pk}"


def turn_of(request: HttpRequest, table_session: Session) -> int:
    """How far the picture is turned for the one who holds this tablet; a quarter each."""
    turn = request.COOKIES.get(turn_cookie(table_session), "0")
    return int(turn) if turn in {"0", "1", "2", "3"} else 0


def bottom_of(request: HttpRequest, table_session: Session, seating: SeatingState) -> str:
    """Return the chair at the bottom of this tablet's picture of the table, as a page and its script carry it."""
    return str(chair_at_bottom(table_session, seating, turn_of(request, table_session)))


# The table: the seats as they sit and everything the scorekeeper can do there.

NOTHING_NEW = 204


@require_safe
@at_table(*READING)
def table(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if request.GET.get("turn") in {"0", "1", "2", "3"}:
        response = redirect("table", club.slug, table_session.pk)
        set_for_a_year(response, turn_cookie(table_session), request.GET["turn"])
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
    """Return the state of a table with what waits there; `stands` is how it stands, where a command just gave it."""
    recent = recent_commands(table_session)
    entries = stands.entries if stands else all_entries(table_session)
    seats = stands.seats if stands else seats_of(table_session)
    more: dict[str, Any] = {"recent": recent, "seats": seats}
    if stands:
        table_session = stands.session
        more["number"] = stands.number
    more["last"] = next((entry.key_text for entry in reversed(entries) if not entry.taken_out), "")
    state = table_state(table_session, current_seating(table_session), **more)
    ledger = ledger_state(table_session, seats, entries, recent)
    is_waiting = any(outcome in WAITING for _, _, outcome in recent) or (
        len(recent) == RECENT and table_session.commands.waiting().exists()
    )
    return state | {"ledger": ledger, "waiting": waiting_words(table_session) if is_waiting else []}


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
    fields = command_fields(sheet, current_seating(table_session))
    return {"table_session": table_session, **waiting_context(table_session, sheet, membership), **fields}
