"""What state.json says: how the table stands, and what waits for somebody's choice."""

from sessions_app.queries.sheet import session_sheet
from sessions_app.queries.steps_back import LINES_READ
from sessions_app.queries.table_state import latest_commands, table_state
from sessions_app.services.sessions import current_chairs
from sessions_app.views.waiting import waiting_cards


def told_state(table_session, stands=None):
    """Return the state of a table with what waits there; how it `stands` is asked for unless the door has told."""
    recent, has_waiting = latest_commands(table_session)
    more = {"recent": recent}
    if stands:
        table_session = stands.session
        more |= {"seats": stands.seats, "lines": stands.lines[-LINES_READ:], "number": stands.number}
    told = table_state(table_session, current_chairs(table_session), **more)
    return told | {"waiting": waiting_words(table_session) if has_waiting else []}


def waiting_words(table_session):
    """Return the commands that wait for somebody's choice, in words."""
    return [
        {"key": str(card.command.key), "late": card.is_late, "words": card.words, "details": list(card.details)}
        for card in waiting_cards(table_session, session_sheet(table_session))
    ]
