"""How a table stands, as data for the tablet: who sits where now and in the hands to come, and where it sends to."""

from itertools import islice

from django.db.models.expressions import RawSQL
from django.urls import reverse

from clubscore.scoring import house_rules
from sessions_app.models import Hand, commands_to_undo
from sessions_app.queries.seats_ahead import deal_rules, seats_ahead
from sessions_app.queries.sheet import WIND_NAMES, seats_of
from sessions_app.queries.steps_back import STEPS, last_lines, steps_back

RECENT = 20
WHAT = ("key", "kind", "outcome")
# In the very words of its index, as Command.objects.waiting().
HAS_WAITING = """EXISTS (
    SELECT 1 FROM sessions_app_command w WHERE w.session_id = %s AND w.outcome IN ('contested', 'late')
)"""
# A tablet has but one answer outstanding; other tablets may have sent something since.
RECENT_TOLD = 8
PAGES = {
    "commands": "commands",
    "state": "table-state",
    "table": "table",
    "entry": "hand-new",
    "penalty": "penalty",
    "seating": "seating",
    "arrive": "arrive",
    "leave": "leave",
}


def table_state(table_session, chairs, seats=None, lines=None, number=None, recent=None):
    """Return the state of a table, with the chairs of its next hand; the session's row is taken as it was loaded.

    Seats (with tallies), the last lines, the next hand's number and the latest commands are asked for where the caller
    has none.
    """
    house = house_rules(table_session.rules, table_session.house_rules)
    seats = seats_of(table_session) if seats is None else seats
    lines = last_lines(table_session) if lines is None else lines
    number = next_number(table_session) if number is None else number
    recent = recent_commands(table_session) if recent is None else recent
    start = [seat.chair for seat in seats if seat.at_start]
    here = (table_session.club.slug, table_session.pk)
    return {
        "session": table_session.pk,
        "version": table_session.version,
        "open": table_session.is_open,
        "club": table_session.club.name,
        "table": table_session.table,
        "date": f"{table_session.date:%-d %B %Y}",
        "recent": [key for key, _, _ in recent[:RECENT_TOLD]],
        "last": lines[-1].key_text if lines else None,
        "number": number,
        "names": {str(seat.chair): seat.player.name for seat in seats},
        "balances": {str(seat.chair): seat.tally.balance for seat in seats},
        "ahead": seats_ahead(chairs, house),
        "undo": keys_to_undo(recent),
        "back": steps_back(table_session, lines, recent, (chairs, number), start, house),
        "kept": chairs.kept,
        "goulash": chairs.goulash,
        "deal": deal_rules(table_session.rule_set, house),
        "winds": WIND_NAMES if table_session.rule_set.has_round_wind else {},
        "urls": {word: reverse(name, args=here) for word, name in PAGES.items()},
    }


def keys_to_undo(recent):
    """Return the keys of the commands that the next undos take back; None behind them where there is nothing more."""
    keys = [key for key, _ in islice(commands_to_undo(recent), STEPS + 1)]
    return keys if len(keys) > STEPS or len(recent) == RECENT else [*keys, None]


def recent_commands(table_session):
    """Return key, kind and outcome of the latest commands that reached the server, the newest first.

    Some tablet may still wait to hear of them.
    """
    latest = table_session.commands.order_by("-pk").values_list(*WHAT)[:RECENT]
    return [(str(key), kind, outcome) for key, kind, outcome in latest]


def latest_commands(table_session):
    """Return recent_commands, and whether any command of the session waits for a choice, in one query."""
    latest = table_session.commands.order_by("-pk")[:RECENT]
    found = list(latest.values_list(*WHAT, RawSQL(HAS_WAITING, (table_session.pk,))))
    return [(str(key), kind, outcome) for key, kind, outcome, _ in found], any(one[-1] for one in found)


def next_number(table_session):
    """Return the number that the next hand will have."""
    return Hand.objects.filter(session=table_session, number__gt=0).count() + 1
