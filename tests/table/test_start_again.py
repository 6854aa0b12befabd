"""The same players as last time: one tap, and still to be changed."""

import datetime

import pytest
from django.urls import reverse

from sessions_app.models import Session
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, record, table_in_play
from tests.logins import logins, signed_in

pytestmark = pytest.mark.usefixtures("that_afternoon")

WEEK = datetime.timedelta(days=7)


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


def finished(club, players, number=1, day=DAY, rules="bmja", **more):
    made = start_session(club, day, number, players, rules, {}, by=BY, **more)
    record(made, {}, kind="finish")
    return made


def start_page(client, club, **query):
    return client.get(reverse("session-start", args=[club.slug]), query)


def filled(answer):
    form = answer.context["form"]
    return [form[f"player_{place}"].value() for place in range(1, 6)]


def test_everybody_sits_as_when_that_session_began(client, club, cast):
    order = [cast.dave, cast.bob, cast.fay, cast.alice]
    earlier = table_in_play(club, order, number=3)
    record(earlier, {"player": cast.carol.pk}, kind="arrive")
    answer = start_page(client, club, again=earlier.pk)
    assert filled(answer) == [cast.dave.pk, cast.bob.pk, cast.fay.pk, cast.alice.pk, None]
    assert (answer.context["form"]["table"].value(), answer.context["form"]["rules"].value()) == (3, "bmja")


def test_nobody_of_last_time_is_left_out_silently(client, club, cast):
    earlier = table_in_play(club, cast.all[:4], number=3)
    record(earlier, {"player": cast.fay.pk}, kind="arrive")
    cast.dave.left_on = DAY
    cast.dave.save()
    answer = start_page(client, club, again=earlier.pk)
    assert answer.context["missing"] == [
        "Dave is no longer on the list of players.",
        "Fay came later that day. Choose a seat here, or press “Add a player” at the table.",
    ]
    assert "Dave is no longer on the list of players." in answer.content.decode()
    assert start_page(client, club).context["missing"] == []


def test_the_rules_and_sticks_are_those_of_that_table(client, club, cast):
    earlier = finished(club, cast.all[:4], rules="u3a", sticks="guide")
    form = start_page(client, club, again=earlier.pk).context["form"]
    assert (form["rules"].value(), form["sticks"].value()) == ("u3a", "guide")


def test_one_tap_on_the_clubs_page_where_one_table_played(client, club, cast):
    finished(club, cast.all[1:5], day=DAY - WEEK)
    last = finished(club, cast.all[:4])
    text = client.get(reverse("club", args=[club.slug])).content.decode()
    assert f'sessions/start/?again={last.pk}">The same players as last time</a>' in text


def test_each_table_of_the_last_afternoon_is_offered_once(client, club, cast):
    finished(club, cast.all[:4], day=DAY - WEEK, number=9)
    finished(club, cast.all[:4], number=1)
    second = finished(club, cast.all[1:5], number=1)
    third = finished(club, cast.all[:3], number=2)
    assert [card.session.pk for card in start_page(client, club).context["last_time"]] == [second.pk, third.pk]
    assert "/sessions/start/#again" in client.get(reverse("club", args=[club.slug])).content.decode()


def test_what_was_filled_in_may_be_changed(client, club, cast):
    earlier = finished(club, cast.all[:4])
    players = [cast.fay, *cast.all[1:4]]
    fields = {"date": "2026-11-19", "table": "1", "rules": "bmja"}
    fields |= {f"player_{place}": player.pk for place, player in enumerate(players, 1)}
    client.post(reverse("session-start", args=[club.slug]) + f"?again={earlier.pk}", fields)
    started = Session.objects.latest("pk")
    assert [seat.player for seat in started.seats.order_by("seat_no")] == players


def test_a_member_is_offered_nothing_to_start(club, cast):
    finished(club, cast.all[:4])
    text = signed_in(logins(club)["member"]).get(reverse("club", args=[club.slug])).content.decode()
    assert "The same players" not in text


@pytest.mark.parametrize("again", ["x", "-1", "999999", ""])
def test_no_such_session_leaves_the_places_empty(client, club, cast, again):
    answer = start_page(client, club, again=again)
    assert (answer.status_code, filled(answer)) == (200, [None] * 5)
