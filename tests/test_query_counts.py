"""What a page asks of the database does not grow with the club: the same number of queries for 3 and for 300 players.

Every address that answers a GET with a page, a CSV or JSON stands in QUERIES with its number.
"""

import logging

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from .sessions_app.test_walk import addresses, all_arguments, kind
from .two_sizes import club_of

QUERIES = {
    "account": 3,
    "account-password": 2,
    "annual-meeting": 31,
    "arrive": 16,
    "attendance-list": 17,
    "certificate": 5,
    "certificates": 5,
    "club": 12,
    "club-hand": 4,
    "club-hand-new": 3,
    "club-hands": 6,
    "data": 5,
    "desk": 4,
    "desk-settings": 3,
    "doubt": 8,
    "doubts": 6,
    "export-csv": 8,
    "export-night": 16,
    "exports": 5,
    "first-hand": 2,
    "forgotten": 2,
    "front": 0,
    "hall": 10,
    "hall-watching": 4,
    "hand": 15,
    "hand-change": 13,
    "hand-doubt": 5,
    "hand-earlier": 15,
    "hand-insert": 13,
    "hand-new": 16,
    "hand-over": 4,
    "hand-seating": 13,
    "hands-csv": 10,
    "honours": 22,
    "house-rules": 7,
    "import-night": 3,
    "import-players": 3,
    "import-totals": 3,
    "imports": 3,
    "invite": 5,
    "invite-link": 4,
    "join": 2,
    "joining": 4,
    "late": 4,
    "learning": 2,
    "leave": 15,
    "log": 7,
    "log-csv": 10,
    "looks": 2,
    "meeting": 18,
    "meeting-change": 4,
    "meeting-fees": 8,
    "meeting-labels": 7,
    "meeting-mail": 6,
    "meeting-places": 19,
    "meeting-sheets": 10,
    "me": 4,
    "meetings": 6,
    "money-settings": 3,
    "noticeboard": 11,
    "others": 6,
    "outbox": 2,
    "paper": 8,
    "penalty": 11,
    "people": 6,
    "person-player": 5,
    "player": 15,
    "player-change": 6,
    "player-erase": 10,
    "player-merge": 5,
    "players": 4,
    "practice": 2,
    "prints": 6,
    "public": 4,
    "public-honours": 5,
    "public-honours-json": 5,
    "public-meetings": 4,
    "public-meetings-json": 4,
    "public-settings": 3,
    "public-standings": 7,
    "public-standings-json": 7,
    "rescore": 9,
    "rule-set": 2,
    "rule-sets": 2,
    "rules": 5,
    "rules-compare": 9,
    "score-sheet": 5,
    "scoring": 4,
    "season": 6,
    "seasons": 5,
    "seating": 12,
    "session-history": 8,
    "session-move": 6,
    "session-rules": 4,
    "session-sheet": 10,
    "session-start": 10,
    "session-void": 4,
    "sign-in": 2,
    "sign-up": 2,
    "standings": 4,
    "standings-added": 7,
    "standings-added-csv": 8,
    "standings-csv": 8,
    "table": 12,
    "table-state": 10,
    "tablet": 8,
    "take-in": 4,
    "totals-csv": 9,
    "trophies": 11,
    "watch": 13,
    "watch-hall": 11,
    "watching": 4,
    "who-sits-where": 16,
    "wifi": 2,
    "wishes": 5,
    "worth": 3,
}
# What is read in parts: the log's 1,200 lines more are two of them.
# Of the sessions to be scored anew the newest ten are looked at, five queries each, and the others counted.
GROWS = {"log-csv": 12, "rescore": 46}
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
    """Return the number of queries of an address; None where its answer is no page, CSV or JSON."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address(name, house))
    return len(queries) if answer.status_code == 200 and kind(answer) in ("page", "csv", "json") else None


def settled(client, name, house, expected):
    """Count once more where the number is another: the first visit of a day or of a device may write something down."""
    number = asked(client, name, house)
    return number if number in (expected, None) else asked(client, name, house)


def for_both(name, small, large):
    """Count as the clubs' secretaries, or as nobody where a secretary is sent elsewhere."""
    expected = QUERIES.get(name)
    few = settled(small.secretary, name, small, expected)
    if few is not None:
        return few, settled(large.secretary, name, large, GROWS.get(name, few))
    few = settled(Client(), name, small, expected)
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
        if few != QUERIES.get(name) or many != GROWS.get(name, few)
    ]
    assert not wrong, HOW_TO.format(numbers="\n".join(wrong))
