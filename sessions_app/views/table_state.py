"""How a table stands, as data: what its pages carry for the tablet, and what the outbox is told with every answer."""

from django.urls import reverse

from clubscore.scoring import house_rules
from sessions_app.models import Command, Entry, Hand
from sessions_app.queries.seats_ahead import deal_rules, seats_ahead
from sessions_app.queries.sheet import WIND_NAMES, seats_of, session_sheet
from sessions_app.services.sessions import current_chairs
from sessions_app.views.waiting import WAITING, waiting_cards

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


def table_state(table_session):
    """Return the state of a table as state.json has it; the session's row is taken as it was loaded."""
    chairs = current_chairs(table_session)
    house = house_rules(table_session.rules, table_session.house_rules)
    seats = seats_of(table_session)
    last = Entry.objects.filter(session=table_session).standing().order_by("position").last()
    here = (table_session.club.slug, table_session.pk)
    return {
        "session": table_session.pk,
        "version": table_session.version,
        "open": table_session.is_open,
        "club": table_session.club.name,
        "table": table_session.table,
        "date": f"{table_session.date:%-d %B %Y}",
        "last": str(last.key) if last else None,
        "number": Hand.objects.filter(session=table_session, number__gt=0).count() + 1,
        "names": {str(seat.chair): seat.player.name for seat in seats},
        "balances": {str(seat.chair): seat.tally.balance for seat in seats},
        "ahead": seats_ahead(chairs, house),
        "kept": chairs.kept,
        "goulash": chairs.goulash,
        "deal": deal_rules(table_session.rule_set, house),
        "winds": WIND_NAMES if table_session.rule_set.has_round_wind else {},
        "waiting": waiting_words(table_session),
        "urls": {word: reverse(name, args=here) for word, name in PAGES.items()},
    }


def waiting_words(table_session):
    """Return the commands that wait for somebody's choice, in words; the sheet is read only where there are any."""
    if not Command.objects.filter(session=table_session, outcome__in=WAITING).exists():
        return []
    return [
        {"key": str(card.command.key), "late": card.is_late, "words": card.words, "details": list(card.details)}
        for card in waiting_cards(table_session, session_sheet(table_session))
    ]
