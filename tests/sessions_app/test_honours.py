"""The honours: special hands that went Mah-jong, the club's own among them; practice tables and losers never."""
import datetime

import pytest
from django.urls import reverse

from sessions_app.models import ClubHand
from sessions_app.services.actor import Actor
from sessions_app.services.sessions import start_session

from .afternoon import send
from .page_cast import logins, season, signed_in

BY = Actor(name="The test")
DAY = datetime.date(2026, 11, 12)
PURITY = {"sets": ["concealed pung 2B", "concealed pung 3B", "concealed pung 6B", "concealed pung 8B", "pair 9B"]}


@pytest.fixture
def client(club):
    return signed_in(logins(club)["member"])


def play(club, cast, form, **more):
    session = start_session(club, DAY, 1, cast.all[:4], "bmja", None, by=BY, **more)
    hands = {"1": form, "2": {}, "3": {}, "4": {}}
    win = {"by": "1"} | ({"tile": "9B", "from": "wall"} if "sets" in form else {})
    answer = send(session, "hand", {"hands": hands, "mahjong": win})
    assert answer.status == 201, answer
    return session


def names(page):
    return [(one.played.name, one.played.player.full_name, len(one.groups)) for one in page.context["honours"]]


def test_a_special_hand_stands_in_the_honours_with_its_player(client, club, cast):
    season(club)
    play(club, cast, {"special": "gates_of_heaven"})
    page = client.get(reverse("honours", args=[club.slug]))
    assert names(page) == [("Gates of Heaven", "Alice", 0)]
    assert "Gates of Heaven" not in page.context["not_seen"]
    assert "Buried Treasure" in page.context["not_seen"]


def test_the_tiles_are_drawn_where_they_were_entered(client, club, cast):
    season(club)
    play(club, cast, PURITY)
    page = client.get(reverse("honours", args=[club.slug]))
    assert [(name, groups) for name, _, groups in names(page)] == [("Buried Treasure", 5)]


def test_practice_never_counts(client, club, cast):
    season(club)
    play(club, cast, {"special": "gates_of_heaven"}, practice=True)
    assert names(client.get(reverse("honours", args=[club.slug]), {"all": "1"})) == []


def test_the_clubs_own_hand_is_counted(client, club, cast):
    season(club)
    ClubHand.objects.create(
        club=club, key="todanni", name="Todanni", worth="limit", concealed=False, since=datetime.date(2026, 1, 1)
    )
    assert "Todanni" in client.get(reverse("honours", args=[club.slug])).context["not_seen"]
    play(club, cast, {"special": "todanni"})
    page = client.get(reverse("honours", args=[club.slug]))
    assert names(page) == [("Todanni", "Alice", 0)]
    assert page.context["honours"][0].played.is_own
    assert "Todanni" not in page.context["not_seen"]


def test_a_season_without_one_says_so(client, club):
    season(club)
    assert "Nobody has gone Mah-jong with a special hand this season yet." in client.get(
        reverse("honours", args=[club.slug])
    ).content.decode()


@pytest.mark.parametrize("rows", [3, 30])
def test_the_queries_do_not_grow(client, club, cast, rows, django_assert_num_queries):
    season(club)
    for _ in range(rows // 3):
        play(club, cast, {"special": "gates_of_heaven"})
    with django_assert_num_queries(6):
        assert client.get(reverse("honours", args=[club.slug])).status_code == 200
