"""How a table stands, as data for the tablet: who sits where now and in the hands to come, and where it sends to."""

from django.db.models.expressions import RawSQL
from django.urls import reverse

from clubscore.scoring import house_rules
from sessions_app.models import Entry, Hand
from sessions_app.queries.seats_ahead import deal_rules, seats_ahead
from sessions_app.queries.sheet import WIND_NAMES, seats_of

RECENT_KEYS = 20
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


def table_state(table_session, chairs, seats=None, last=None, number=None, recent=None):
    """Return the state of a table, with the chairs of its next hand; the session's row is taken as it was loaded.

    Seats (with tallies), the last line's key, the next hand's number and the latest keys are asked for where the
    caller has none.
    """
    house = house_rules(table_session.rules, table_session.house_rules)
    seats = seats_of(table_session) if seats is None else seats
    here = (table_session.club.slug, table_session.pk)
    return {
        "session": table_session.pk,
        "version": table_session.version,
        "open": table_session.is_open,
        "club": table_session.club.name,
        "table": table_session.table,
        "date": f"{table_session.date:%-d %B %Y}",
        "recent": (recent_keys(table_session) if recent is None else recent)[:RECENT_TOLD],
        "last": last_key(table_session) if last is None else str(last) or None,
        "number": next_number(table_session) if number is None else number,
        "names": {str(seat.chair): seat.player.name for seat in seats},
        "balances": {str(seat.chair): seat.tally.balance for seat in seats},
        "ahead": seats_ahead(chairs, house),
        "kept": chairs.kept,
        "goulash": chairs.goulash,
        "deal": deal_rules(table_session.rule_set, house),
        "winds": WIND_NAMES if table_session.rule_set.has_round_wind else {},
        "urls": {word: reverse(name, args=here) for word, name in PAGES.items()},
    }


def recent_keys(table_session):
    """The keys of the latest commands that reached the server: some tablet may still wait to hear of them."""
    keys = table_session.commands.order_by("-pk").values_list("key", flat=True)[:RECENT_KEYS]
    return [str(key) for key in keys]


def latest_commands(table_session):
    """Return recent_keys, and whether any command of the session waits for somebody's choice, in one query."""
    latest = table_session.commands.order_by("-pk")[:RECENT_KEYS]
    found = list(latest.values_list("key", RawSQL(HAS_WAITING, (table_session.pk,))))
    return [str(key) for key, _ in found], any(has_waiting for _, has_waiting in found)


def last_key(table_session):
    """Return the key of the ledger's last standing line, which a tablet's command follows; None at the start."""
    last = Entry.objects.filter(session=table_session).standing().order_by("position").last()
    return str(last.key) if last else None


def next_number(table_session):
    """Return the number that the next hand will have."""
    return Hand.objects.filter(session=table_session, number__gt=0).count() + 1
