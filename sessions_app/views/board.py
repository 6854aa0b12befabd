"""What the table page shows: the seats as they sit, who is East, the balances, the history."""

import datetime
import json
import uuid

from django.utils import timezone

from clubscore.scoring import house_rules
from clubscore.scoring.rotation import OFFICIAL
from sessions_app.queries.at_a_glance import deal_words, east_words, last_hand
from sessions_app.queries.sheet import WIND_NAMES, chair_at_bottom, session_sheet, table_sides
from sessions_app.queries.steps_back import LINES_READ
from sessions_app.services.sessions import current_chairs
from sessions_app.services.sticks import stick_accounts, sticks_handed_over
from sessions_app.views.decorators import SCOREKEEPER, SCORING, SECRETARY
from sessions_app.views.waiting import waiting_context

A_DAY = datetime.timedelta(days=1)


def board_page(request, club, table_session):
    """Make the context of the table page and of its fragment."""
    sheet = session_sheet(table_session)
    chairs = current_chairs(table_session)
    house = house_rules(table_session.rules, table_session.house_rules)
    by_chair = {seat.chair: seat for seat in sheet.seats}
    last = last_hand(sheet)
    return {
        "club": club,
        "table_session": table_session,
        "board_version": board_version(table_session),
        "can_write": request.membership.role in SCORING and table_session.is_open,
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
        **waiting_context(table_session, sheet, is_secretary=request.membership.role in SECRETARY),
        "has_goulash": bool(house.goulash),
        "seats_change": house.rotation == OFFICIAL and bool(sheet.hands) and not chairs.hands_in_round,
        "final_order": final_order(sheet),
        **command_fields(sheet, chairs),
    }


def final_order(sheet):
    """Return (position, seat) from the best total down; equal totals share a position."""
    seats = sorted(sheet.seats, key=lambda seat: (-seat.tally.net, seat.chair))
    return [(1 + sum(other.tally.net > seat.tally.net for other in seats), seat) for seat in seats]


def board_version(table_session):
    """Return the word by which the page knows whether there is news: a change at the table, or its time being over."""
    return f"{table_session.version}{'-over' if table_session.is_time_over else ''}"


def may_undo(membership, table_session):
    """Say whether this member may undo here: at a finished table the scorekeeper for a day, the secretary always."""
    if table_session.is_open:
        return membership.role in SCORING
    if membership.role in SECRETARY:
        return True
    if membership.role not in SCOREKEEPER:
        return False
    return table_session.finished_at is not None and timezone.now() - table_session.finished_at < A_DAY


def command_fields(sheet, chairs):
    """The hidden fields every form at a table carries: a fresh key, the last line known, who sits where.

    The last lines are for the state of the table, which goes with them.
    """
    lines = sheet.standing[-LINES_READ:]
    return {
        "last_lines": lines,
        "command_key": uuid.uuid4(),
        "command_after": lines[-1].key if lines else "",
        "command_seats": json.dumps({wind: str(seat) for wind, seat in chairs.seated.items()}),
    }


def turn_cookie(table_session):
    return f"turn-{table_session.pk}"


def turn_of(request, table_session):
    """How far the picture is turned for the one who holds this tablet; a quarter each."""
    turn = request.COOKIES.get(turn_cookie(table_session), "0")
    return int(turn) if turn in {"0", "1", "2", "3"} else 0


def bottom_of(request, table_session, chairs):
    """Return the chair at the bottom of this tablet's picture of the table, as a page and its script carry it."""
    return str(chair_at_bottom(table_session, chairs, turn_of(request, table_session)))
