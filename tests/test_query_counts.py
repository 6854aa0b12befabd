"""What a page asks of the database does not grow with the club: the same number of queries for 3 and for 300 players.

Every address that answers a GET with a page, a CSV or JSON stands in QUERIES with the most it may ask.
"""

import logging

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.web.test_walk import addresses, all_arguments, kind

from .two_sizes import club_of

pytestmark = pytest.mark.slow

QUERIES = {
    "account": 5,
    "account-confirm": 2,
    "account-password": 2,
    "annual-meeting": 30,
    "arrive": 14,
    "attendance-list": 16,
    "certificate": 5,
    "certificates": 5,
    "club": 13,
    "coming": 6,
    "club-hand": 4,
    "club-hand-new": 3,
    "club-hands": 6,
    "data": 5,
    "desk": 15,
    "desk-settings": 3,
    "score-query": 8,
    "score-queries": 6,
    "enter-totals": 7,
    "export-csv": 8,
    "export-night": 15,
    "exports": 6,
    "first-hand": 2,
    "trial-kit": 2,
    "words": 2,
    "forgotten": 2,
    "front": 0,
    "hall": 14,
    "hall-watching": 4,
    "hand": 18,
    "hand-change": 13,
    "hand-query": 5,
    "hand-earlier": 15,
    "hand-insert": 12,
    "hand-move": 10,
    "hand-new": 13,
    "hand-over": 5,
    "hand-seating": 12,
    "hands-csv": 10,
    "honours": 22,
    "house-rules": 7,
    "import-night": 3,
    "import-game": 3,
    "import-players": 3,
    "import-totals": 3,
    "imports": 3,
    "invite": 5,
    "invite-link": 4,
    "join": 2,
    "joining": 4,
    "late": 4,
    "learning": 2,
    "last-changes": 14,
    "leave": 12,
    "log": 7,
    "log-csv": 10,
    "looks": 2,
    "meeting": 22,
    "meeting-change": 4,
    "meeting-fees": 9,
    "fees": 13,
    "subscriptions": 5,
    "meeting-labels": 7,
    "meeting-mail": 13,
    "meeting-totals": 8,
    "meeting-places": 18,
    "meeting-result-csv": 11,
    "meeting-sheets": 13,
    "me": 7,
    "meetings": 15,
    "money-settings": 3,
    "noticeboard": 11,
    "others": 6,
    "outbox": 2,
    "paper": 8,
    "penalty": 12,
    "people": 7,
    "phone-code": 4,
    "person-player": 6,
    "player": 15,
    "player-change": 6,
    "player-erase": 7,
    "player-merge": 5,
    "players": 4,
    "practice": 2,
    "prints": 6,
    "public": 3,
    "public-frame": 14,
    "public-honours": 4,
    "public-meetings": 3,
    "public-result": 7,
    "public-results": 8,
    "public-settings": 3,
    "public-standings": 6,
    "rule-set": 2,
    "rule-sets": 2,
    "games": 2,
    "game-into-club": 3,
    "kept-of-games": 99,
    "game-house-rules": 2,
    "game-take-in": 2,
    "game-table": 2,
    "game-entry": 2,
    "game-penalty": 2,
    "game-seating": 2,
    "game-arrive": 2,
    "game-leave": 2,
    "game-sheet": 2,
    "reply-links": 4,
    "rules": 5,
    "rules-compare": 9,
    "score-sheet": 5,
    "scoring": 4,
    "season": 6,
    "seasons": 5,
    "seating": 12,
    "cup-certificate": 4,
    "cups": 6,
    "season-pictures": 6,
    "session-history": 8,
    "session-move": 6,
    "session-rules": 4,
    "meeting-rules": 6,
    "session-sheet": 13,
    "session-start": 12,
    "draw-here": 8,
    "new-table": 4,
    "new-hand-new": 4,
    "new-penalty": 4,
    "new-seating": 4,
    "new-arrive": 4,
    "new-leave": 4,
    "new-session-sheet": 4,
    "kept-of-club": 98,
    "new-table-take-in": 4,
    "session-void": 4,
    "sign-in": 2,
    "sign-up": 2,
    "standings": 6,
    "standings-csv": 8,
    "table": 13,
    "table-state": 11,
    "table-views": 16,
    "tablet": 7,
    "take-in": 4,
    "totals-csv": 9,
    "trophies": 11,
    "watch": 13,
    "watch-hall": 15,
    "watching": 4,
    "who-sits-where": 15,
    "laptop": 2,
    "wifi": 2,
    "wishes": 5,
    "worth": 5,
}
# What is read in parts: the log's 1,200 lines more are two of them.
# The small club has no second open table whose players could be asked about.
# A tablet keeps the views of as many tables as play in one hall.
TWO_TABLES = {"arrive": 15, "hand-move": 12, "table-views": 17}
GROWS = {**TWO_TABLES, "kept-of-club": 308, "log-csv": 12}
# What else an address is asked with, to be a page.
ASKED = {"practice": "?rules=bmja&stage=doubles&hand=4"}
HOW_TO = """
{numbers}
Left is QUERIES of tests/test_query_counts.py, then what was asked for 3 and for 300 players. A new page: add its name
with its number. What its address is made of: `facts` in tests/two_sizes.py. A number that grows: the page asks once for
each row of a list."""


def address(name, house):
    facts = {**house.facts, "token": house.tokens.get(name)}
    if name in house.keys:
        facts["key"] = house.keys[name]
    missing = all_arguments(name) - facts.keys()
    assert not missing, f"{name}: name {missing} in `facts` of tests/two_sizes.py."
    return reverse(name, kwargs={word: facts[word] for word in all_arguments(name)}) + ASKED.get(name, "")


def asked(client, name, house):
    """Return the number of queries of an address; None where its answer is no page, CSV or JSON, nor in QUERIES."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address(name, house))
    is_counted = name in QUERIES or kind(answer) in ("page", "csv", "json")
    return len(queries) if answer.status_code == 200 and is_counted else None


def settled(client, name, house, most):
    """Count once more where there are too many: the first visit of a day or of a device may write something down."""
    number = asked(client, name, house)
    return number if number is None or number <= most else asked(client, name, house)


def for_both(name, small, large):
    """Count as the clubs' secretaries, or as nobody where a secretary is sent elsewhere."""
    most = QUERIES.get(name, 0)
    few = settled(small.secretary, name, small, most)
    if few is not None:
        return few, settled(large.secretary, name, large, GROWS.get(name, few))
    few = settled(Client(), name, small, most)
    return few, few if few is None else settled(Client(), name, large, few)


@pytest.fixture
def quiet():
    """Refused and missing are part of the walk: let them not fill the report of a failure."""
    logger = logging.getLogger("django.request")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)


@pytest.mark.django_db
def test_every_page_costs_the_same_for_three_and_for_three_hundred(quiet):
    small, large = club_of(3, "small"), club_of(300, "large")
    counted = {name: for_both(name, small, large) for name in sorted({pattern.name for pattern in addresses()})}
    wrong = [
        f"    {name!r}: {QUERIES.get(name)}, asked {few} and {many}"
        for name, (few, many) in counted.items()
        if few is not None and (few > QUERIES.get(name, 0) or many > GROWS.get(name, few))
    ] + [f"    {name!r}: no page any more" for name in QUERIES if counted.get(name, (None,))[0] is None]
    assert not wrong, HOW_TO.format(numbers="\n".join(wrong))
