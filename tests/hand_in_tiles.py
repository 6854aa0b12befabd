"""A hand recorded in tiles at the table of factories: what every line of its score must be is known."""

from django.urls import reverse

from tests.factories import record
from tests.logins import signed_in


def hand_with_tiles(at_home):
    """Record a hand in tiles: Alice as East goes Mah-jong."""
    body = {
        "hands": {
            "1": {"sets": ["exposed pung E", "concealed kong 5B", "exposed chow 1C", "pair 4C"], "tiles": "9D 9D 9D"},
            "2": {"sets": ["exposed pung R"]}, "3": {}, "4": {"total": 12},
        },
        "mahjong": {"by": "1", "tile": "4C", "from": "wall"},
    }  # fmt: skip
    return record(at_home.table_session, body).entry


def hand_page(at_home, key, client=None):
    client = client or signed_in(at_home.member)
    return client.get(reverse("hand", args=[at_home.club.slug, at_home.table_session.pk, key]))
