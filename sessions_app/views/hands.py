"""A hand explained."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from sessions_app.models import Entry
from sessions_app.queries.doubts import doubts_of_hand
from sessions_app.queries.sheet import WIND_NAMES, session_sheet, table_sides
from sessions_app.queries.table_words import say_at, tile_names
from sessions_app.services.sessions import current_chairs
from sessions_app.services.sticks import sticks_handed_over
from sessions_app.views.board import command_fields, turn_of
from sessions_app.views.decorators import MEMBER, READING, SCORING, SECRETARY, at_table
from sessions_app.views.hand_page import explained_hands, how_words, payments_of, penalty_words
from sessions_app.views.hand_versions import versions_of
from sessions_app.views.preview_page import locked_season
from sessions_app.views.who_agrees import agreed_name, is_unagreed, who_agrees


@require_safe
@at_table(*READING)
def hand(request, club, table_session, key):
    entry = hand_entry_or_404(club, table_session, key)
    sheet, chairs = session_sheet(table_session), current_chairs(table_session)
    row = next(row for row in sheet.rows if row.entry.pk == entry.pk)
    context = {
        "club": club,
        "table_session": table_session,
        "entry": entry,
        "row": row,
        "hand": row.hand,
        "everybody": sheet.seats,
        "versions": versions_of(entry, sheet.seats, say_at(table_session)),
        "doubts": doubts_of_hand(entry, sheet.seats),
        "is_secretary": request.membership.role in SECRETARY,
        "can_write": request.membership.role in SCORING and table_session.is_open,
        "locked_season": locked_season(request, table_session),
        "may_reopen": request.membership.role in SECRETARY and not table_session.is_open,
        **command_fields(sheet, chairs),
    }
    if row.hand:
        context |= _counted(request, table_session, sheet, chairs, row)
    return render(request, "sessions_app/hand.html", context)


def _counted(request, table_session, sheet, chairs, row):
    """Return what is shown of a hand that counts: its score, who pays whom, and the hands before and after it."""
    entry, words, rows = row.entry, table_session.vocabulary(), sheet.hands
    names = {str(seat.chair): seat.player.name for seat in sheet.seats}
    place = next((place for place, other in enumerate(rows) if other.entry.pk == entry.pk), None)
    payments = payments_of(table_session, row.hand)
    bottom = table_sides(sheet, chairs, turn_of(request, table_session))[0].seat
    return {
        "players_hands": explained_hands(table_session, row.hand),
        "payments": payments,
        "at_table": {cell.wind: (cell.seat.pk, cell.seat.player.name) for cell in row.cells if cell.wind},
        "bottom": bottom and bottom.pk,
        "flows": [paid.flow for paid in payments],
        "sticks": sticks_handed_over(table_session, entry),
        "how": how_words(entry.body, names, words),
        "penalties": list(penalty_words(entry.body, names, words)),
        "tile_names": tile_names(words),
        "wind_of_round": WIND_NAMES[row.hand.wind_of_round],
        "sitting_out": [cell.seat for cell in row.cells if cell.is_at_table and not cell.wind],
        **_agreement(request, table_session, row, names),
        "may_ask": request.membership.role in MEMBER or table_session.is_open,
        "before": rows[place - 1] if place else None,
        "following": rows[place + 1] if place + 1 < len(rows) else None,
    }


def _agreement(request, table_session, row, names):
    played = [{"number": str(cell.seat.chair), "name": cell.seat.player.name} for cell in row.cells if cell.wind]
    return {
        "agreed_name": agreed_name(row.entry, names),
        "is_unagreed": is_unagreed(table_session, row.entry),
        "agree_seats": who_agrees(request, table_session, played),
    }


def line_or_404(club, table_session, key):
    """Return any line of the session's ledger: hands, but seats, fines and who came and went as well."""
    lines = Entry.objects.of_club(club).filter(session=table_session).select_related("hand")
    return get_object_or_404(lines, key=key)


def hand_entry_or_404(club, table_session, key):
    entries = Entry.objects.of_club(club).filter(session=table_session, kind=Entry.Kind.HAND).select_related("hand")
    return get_object_or_404(entries, key=key)
