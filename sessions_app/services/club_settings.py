"""The settings of a club that are plain switches: how its tables work, not by which rules they play."""

from decimal import Decimal

from sessions_app.models import Club

from .log import log_change
from .transactions import write_transaction

SETTINGS = (
    "asks_agreement",
    "public_names",
    "shows_standings",
    "shows_honours",
    "shows_meetings",
    "keeps_fees",
    "currency",
    "table_fee",
    "refreshments",
    "points_rate",
)


def change_club_settings(club, *, by, why="", **settings):
    """Change some of SETTINGS; what differs is logged, and nothing is where nothing does. Returns whether it did."""
    with write_transaction():
        now = Club.objects.select_for_update().get(pk=club.pk)
        wanted = {name: value for name, value in settings.items() if name in SETTINGS}
        before = {name: getattr(now, name) for name in wanted if getattr(now, name) != wanted[name]}
        after = {name: wanted[name] for name in before}
        if before:
            Club.objects.filter(pk=club.pk).update(**after)
            log_change(club, by, "settings", club, _plain(before), _plain(after), why)
    for name, value in after.items():
        setattr(club, name, value)
    return bool(before)


def _plain(facts):
    """The log keeps money as text."""
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in facts.items()}
