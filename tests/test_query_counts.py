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

QUERIES = {
    "account": 5,
    "account-confirm": 2,
    "account-password": 2,
    "annual-meeting": 29,
    "arrive": 17,
    "attendance-list": 16,
    "certificate": 4,
    "certificates": 4,
    "club": 10,
    "coming": 6,
    "club-hand": 3,
    "club-hand-new": 2,
    "club-hands": 5,
    "data": 4,
    "desk": 12,
    "desk-settings": 2,
    "score-query": 7,
    "score-queries": 5,
    "enter-totals": 6,
    "export-csv": 7,
    "export-night": 15,
    "exports": 5,
    "first-hand": 2,
    "trial-kit": 2,
    "words": 2,
    "forgotten": 2,
    "front": 0,
    "hall": 13,
    "hall-watching": 3,
    "hand": 15,
    "hand-change": 12,
    "hand-query": 4,
    "hand-earlier": 14,
    "hand-insert": 12,
    "hand-new": 15,
    "hand-over": 4,
    "hand-seating": 12,
    "hands-csv": 9,
    "honours": 21,
    "house-rules": 6,
    "import-night": 2,
    "import-players": 2,
    "import-totals": 2,
    "imports": 2,
    "invite": 5,
    "invite-link": 3,
    "join": 2,
    "joining": 3,
    "late": 3,
    "learning": 2,
    "last-changes": 8,
    "leave": 14,
    "log": 6,
    "log-csv": 9,
    "looks": 2,
    "meeting": 22,
    "meeting-change": 3,
    "meeting-fees": 8,
    "fees": 6,
    "subscriptions": 4,
    "meeting-labels": 6,
    "meeting-mail": 12,
    "meeting-places": 18,
    "meeting-result-csv": 10,
    "meeting-sheets": 13,
    "me": 6,
    "meetings": 14,
    "money-settings": 2,
    "noticeboard": 10,
    "others": 5,
    "outbox": 2,
    "paper": 7,
    "penalty": 10,
    "people": 6,
    "phone-code": 4,
    "person-player": 5,
    "player": 14,
    "player-change": 5,
    "player-erase": 6,
    "player-merge": 4,
    "players": 3,
    "practice": 2,
    "prints": 5,
    "public": 3,
    "public-frame": 14,
    "public-honours": 4,
    "public-honours-json": 4,
    "public-meetings": 3,
    "public-meetings-json": 3,
    "public-result": 7,
    "public-results": 8,
    "public-settings": 2,
    "public-standings": 6,
    "public-standings-json": 6,
    "rescore": 8,
    "rule-set": 2,
    "rule-sets": 2,
    "reply-links": 3,
    "rules": 4,
    "rules-compare": 8,
    "score-sheet": 4,
    "scoring": 3,
    "season": 5,
    "seasons": 4,
    "seating": 11,
    "cup-certificate": 3,
    "cups": 5,
    "season-pictures": 5,
    "session-history": 7,
    "session-move": 5,
    "session-rules": 3,
    "session-sheet": 10,
    "session-start": 9,
    "draw-here": 8,
    "new-table": 11,
    "new-table-hand": 15,
    "new-table-penalty": 8,
    "new-table-seating": 9,
    "new-table-arrive": 9,
    "new-table-leave": 8,
    "new-table-take-in": 4,
    "new-table-sheet": 10,
    "session-void": 3,
    "sign-in": 2,
    "sign-up": 2,
    "standings": 4,
    "standings-added": 6,
    "standings-added-csv": 7,
    "standings-csv": 7,
    "table": 11,
    "table-state": 10,
    "tablet": 7,
    "take-in": 3,
    "totals-csv": 8,
    "trophies": 10,
    "watch": 13,
    "watch-hall": 15,
    "watching": 3,
    "who-sits-where": 15,
    "wifi": 2,
    "wishes": 4,
    "worth": 5,
}
# What is read in parts: the log's 1,200 lines more are two of them.
# Of the sessions to be scored again the newest ten are looked at, five queries each, and the others counted.
# The small club has no second open table whose players could be asked about.
GROWS = {"arrive": 17, "log-csv": 11, "rescore": 45}
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
