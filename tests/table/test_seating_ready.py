"""Seatings to choose by one tap: the deal the other way, someone else sitting out."""

import html
import re
from types import SimpleNamespace

import pytest
from django.urls import reverse

from sessions_app.table.sessions import current_seating
from tests.factories import record, table_in_play, totals
from tests.logins import logins, signed_in


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


@pytest.fixture
def five(club, cast):
    return table_in_play(club, cast.all)


@pytest.fixture
def four(club, cast):
    return table_in_play(club, cast.all[:4])


READY = re.compile(r'<section class="ready".*?</section>', re.S)
OFFER = re.compile(
    r"<h3>(?P<why>.*?)</h3>|<form[^>]*>(?P<fields>.*?)<button[^>]*><span>(?P<name>.*?) "
    r'<span class="ready-all">(?P<seated>.*?)</span>',
    re.S,
)
WIND = re.compile(r'name="winds-(.)" value="(\d*)"')


def offers(client, table_session):
    return offered_on(client.get(reverse("seating", args=[table_session.club.slug, table_session.pk])))


def offered_on(answer):
    """Return the seatings to tap on a page, by name: why each is offered, who sits where, and its fields."""
    found, why = {}, ""
    for offer in OFFER.finditer(READY.search(answer.content.decode())[0]):
        why = offer["why"] or why
        if offer["name"]:
            words = {name: html.unescape(offer[name]) for name in ("name", "seated")}
            found[words["name"]] = SimpleNamespace(why=why, winds=dict(WIND.findall(offer["fields"])), **words)
    return found


def tap(client, table_session, name):
    """Press the button of a seating as the page has it."""
    page = reverse("seating", args=[table_session.club.slug, table_session.pk])
    answer = client.get(page)
    one = offered_on(answer)[name]
    fields = {f"winds-{wind}": seat for wind, seat in one.winds.items()}
    fields |= {"key": answer.context["command_key"], "after": answer.context["command_after"],
               "seats": answer.context["command_seats"]}  # fmt: skip
    assert client.post(page, fields).status_code == 302
    table_session.refresh_from_db()
    return current_seating(table_session)


def won(table_session, winner):
    record(table_session, totals(table_session, winner, **{f"seat{winner}": 20}))


def test_the_deal_stayed_when_it_should_have_passed(client, five):
    won(five, 1)
    first = next(iter(offers(client, five).values()))
    assert (first.why, first.name) == ("The deal passed after all", "Bob is East, Alice sits out")
    assert first.seated == "Bob East, Carol South, Dave West, Fay North"
    chairs = tap(client, five, "Bob is East, Alice sits out")
    assert (chairs.winds, chairs.out, chairs.kept, chairs.wind_of_round) == ((2, 3, 4, 5), (1,), 0, "E")


def test_the_deal_passed_when_it_should_have_stayed(client, five):
    won(five, 2)
    first = next(iter(offers(client, five).values()))
    assert (first.why, first.name) == ("The deal stayed after all", "Alice is East, Fay sits out")
    chairs = tap(client, five, "Alice is East, Fay sits out")
    assert (chairs.winds, chairs.out, chairs.first_east) == ((1, 2, 3, 4), (5,), 1)


def test_a_round_that_began_too_early_is_taken_back(client, four):
    for winner in (2, 3, 4, 1):
        won(four, winner)
    four.refresh_from_db()
    assert current_seating(four).wind_of_round == "S"
    chairs = tap(client, four, "Dave is East")
    assert (chairs.winds, chairs.wind_of_round) == ((4, 1, 2, 3), "E")


def test_the_deal_passes_into_the_next_round(client, four):
    for winner in (2, 3, 4, 4):
        won(four, winner)
    assert next(iter(offers(client, four).values())).why == "The deal passed after all"
    chairs = tap(client, four, "Alice is East")
    assert (chairs.winds, chairs.wind_of_round) == ((1, 2, 3, 4), "S")


def test_somebody_else_sits_out(client, five):
    assert list(offers(client, five)) == [
        "Fay is East, Alice sits out",
        "Alice is East, Bob sits out",
        "Alice is East, Carol sits out",
        "Alice is East, Dave sits out",
    ]
    chairs = tap(client, five, "Alice is East, Carol sits out")
    assert (chairs.winds, chairs.out) == ((1, 2, 5, 4), (3,))


def test_four_who_drew_another_east(client, four):
    assert {name: one.seated for name, one in offers(client, four).items()} == {
        "Bob is East": "Bob East, Carol South, Dave West, Alice North",
        "Carol is East": "Carol East, Dave South, Alice West, Bob North",
        "Dave is East": "Dave East, Alice South, Bob West, Carol North",
    }


def test_three_with_an_empty_chair(client, club, cast):
    three = table_in_play(club, cast.all[:3])
    won(three, 1)
    chairs = tap(client, three, "Bob is East")
    assert (chairs.seated["E"], sorted(chairs.at_table)) == (2, [1, 2, 3])


def test_nothing_is_offered_twice_nor_as_it_is(client, five):
    won(five, 1)
    found = [tuple(one.winds.items()) for one in offers(client, five).values()]
    assert len(found) == len(set(found)) == 5
    assert (("E", "1"), ("S", "2"), ("W", "3"), ("N", "4")) not in found


def test_after_somebody_left_the_earlier_seats_are_no_offer(client, five):
    won(five, 2)
    record(five, {"seat": "1"}, kind="leave")
    offered = offers(client, five).values()
    assert offered
    assert all("Alice" not in one.seated for one in offered)


def test_a_change_of_seats_between_rounds_is_no_trap(client, club, cast):
    four = table_in_play(club, cast.all[:4])
    official = type(four).objects.filter(pk=four.pk)
    official.update(rules="chinese_official", recording="straight")
    assert "Bob is East" in offers(client, official.get())
