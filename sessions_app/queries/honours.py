"""The honours: who held which special hand and when, and which have not been seen yet."""

from dataclasses import dataclass

from clubscore.scoring import RULE_SETS
from sessions_app.models import ClubHand
from sessions_app.queries.drawn_hands import Group, tile_groups
from sessions_app.queries.own_hands import SpecialHandPlayed, special_hands_of


@dataclass(frozen=True)
class Honour:
    """One special hand that went Mah-jong, with its tiles where they were entered."""

    played: SpecialHandPlayed
    groups: tuple[Group, ...]


def honours(club, season=None):
    """Return the special hands that went Mah-jong in a season, or of all time, the latest first; one query."""
    return [Honour(one, _tiles(one)) for one in special_hands_of(club, season) if one.result.won]


def _tiles(one):
    form = one.result.hand.entry.body["hands"].get(str(one.result.seat.chair)) or {}
    return tile_groups(form) if form.get("sets") or form.get("tiles") else ()


def not_yet_seen(club, found, today):
    """Return the names of the special hands of the club's rule set, its own included, that are not among those found.

    One query.
    """
    rule_set = RULE_SETS[club.rules]
    names = {row.key: row.name for row in rule_set.special_hands}
    if rule_set.takes_club_hands:
        names |= {hand.key: hand.name for hand in ClubHand.objects.of_club(club).in_force(today)}
    return [name for key, name in names.items() if key not in {one.played.result.special for one in found}]
