"""Names are in one order everywhere: pick lists, fees, attendance, the annual meeting, people and roles, CSV files."""

import re

import pytest
from django.urls import reverse

from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import Club, Player
from sessions_app.people.players import name_order
from tests.factories import BY
from tests.logins import logins, signed_in
from tests.page_csv import rows_of

# By hand: letters alone count, not capitals, accents, hyphens, a title in front, or who was entered first.
IN_ORDER = [
    "Amy-Louise Ames",
    "Amy Mabel",
    "Amy mcAlister",
    "Amy McBride",
    "Amy O’Hara",
    "Amy Ohlsson",
    "Ann Zeal",
    "Anne Abbott",
    "Mrs Barbara Baker",
    "Derek DAWSON",
    "Élodie Lane",
    "elsie ellis",
    "GWEN GREEN",
    "Llinos Ames",
    "Łucja Nowak",
    "Dr Xanthe Xavier",
]


@pytest.fixture
def players(club):
    """They are entered backwards."""
    Club.objects.filter(pk=club.pk).update(keeps_fees=True, table_fee=1, subscription=12)
    players = [Player(club=club, full_name=name, short_name=name) for name in reversed(IN_ORDER)]
    Player.objects.bulk_create(players)
    return players


@pytest.fixture
def client(club):
    return signed_in(logins(club)["secretary"])


def in_page(text):
    """Return the names in the order in which they first stand in a page."""
    text = text.partition("<main")[2]
    found = {name: text.find(name) for name in IN_ORDER}
    return sorted((name for name in IN_ORDER if found[name] >= 0), key=lambda name: found[name])


def test_the_order_is_that_of_letters():
    assert sorted(reversed(IN_ORDER), key=name_order) == IN_ORDER


def test_pages_and_pick_lists(club, players, client):
    today = plan_meeting(club, club.today, by=BY)
    attend(today, {player.pk: "here" for player in players}, by=BY)
    of_club = ("players", "session-start", "people", "data", "fees", "subscriptions", "draw-here", "enter-totals")
    pages = [reverse(name, args=[club.slug]) for name in of_club]
    of_meeting = ("meeting-fees", "attendance-list", "meeting")
    pages += [reverse(name, args=[club.slug, today.pk]) for name in of_meeting]
    assert {page: in_page(client.get(page).text) for page in pages} == dict.fromkeys(pages, IN_ORDER)


def test_every_choice_of_a_list_of_totals_is_in_order(club, players, client):
    page = client.get(reverse("enter-totals", args=[club.slug])).text
    for options in re.findall(r"<select name=\"player_\d\".*?</select>", page, re.DOTALL):
        assert re.findall(r"<option value=\"\d+\">([^<]+)</option>", options) == IN_ORDER


def test_files(club, players, client):
    meeting = plan_meeting(club, club.today, by=BY)
    attend(meeting, {player.pk: "here" for player in players}, by=BY)
    address = reverse("export-csv", args=[club.slug])
    for what in ("attendance", "fees", "subscriptions"):
        assert [row["player"] for row in rows_of(client.get(address, {"what": what}))] == IN_ORDER, what
