"""What a page asks of the database does not grow with the club: the same number of queries for 3 and for 60 players.

Every address that answers a GET with a page, a CSV or JSON is asked. For one with other words in its address, say in
`facts` of tests/two_sizes.py what they are.
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

# No page needs more; a page that needs more asks once for each row of a list, or does too much.
MOST = 35
# A tablet keeps the views of as many tables as play in one hall.
HALL = {"kept-of-club": 320, "kept-of-games": 120}
# These ask more of a larger club: the log is read in parts, the small club has no second open table whose players could
# be asked about, and a tablet keeps more tables.
GROWS = {"arrive", "hand-move", "table-views", "kept-of-club", "log-csv"}
# What else an address is asked with, to be a page.
ASKED = {"practice": "?rules=bmja&stage=doubles&hand=4"}


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


def for_both(name, small, large):
    """Count as the clubs' secretaries, or as nobody where a secretary is sent elsewhere."""
    for clients in ((small.secretary, large.secretary), (Client(), Client())):
        counts = [asked(client, name, house) for client, house in zip(clients, (small, large), strict=True)]
        if counts[0] is not None and counts[0] != counts[1] and name not in GROWS:
            # The first visit of a day or of a device may write something down.
            counts = [asked(client, name, house) for client, house in zip(clients, (small, large), strict=True)]
        if counts[0] is not None:
            break
    return counts


@pytest.fixture
def quiet():
    """Refused and missing are part of the walk: let them not fill the report of a failure."""
    logger = logging.getLogger("django.request")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)


@pytest.mark.django_db
def test_every_page_costs_the_same_for_three_and_for_sixty(quiet):
    small, large = club_of(3, "small"), club_of(60, "large")
    counted = {name: for_both(name, small, large) for name in sorted({pattern.name for pattern in addresses()})}
    pages = {name: (few, many) for name, (few, many) in counted.items() if few is not None}
    assert len(pages) > 120
    assert {name: asked for name, asked in pages.items() if asked[0] != asked[1] and name not in GROWS} == {}
    assert {name: asked for name, asked in pages.items() if asked[1] > HALL.get(name, MOST)} == {}
