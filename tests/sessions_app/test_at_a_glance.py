"""What a late-comer reads off the table page at a glance."""

import pytest
from django.urls import reverse

from sessions_app.queries.at_a_glance import ordinal

from .page_cast import logins, record, signed_in, table_in_play, totals


@pytest.fixture
def five(club, cast):
    return table_in_play(club, cast.all)


@pytest.fixture
def page(club, five):
    client = signed_in(logins(club)["member"])
    return lambda: client.get(reverse("table", args=[club.slug, five.pk]))


def won(five, winner, **points):
    record(five, totals(five, winner, **points))


def false_mahjong(five, by):
    body = totals(five, None)
    record(five, {**body, "penalties": [{"kind": "false mahjong", "by": str(by)}]})


def test_before_the_first_hand(page):
    context = page().context
    assert (context["east"].player.name, context["east_words"], context["last"]) == ("Alice", "", None)
    assert "Fay sits out" in page().content.decode()


def test_everything_a_late_comer_asks(page, five):
    won(five, 1, seat1=100)
    won(five, 1, seat1=32, seat2=4)
    text = " ".join(page().content.decode().split())
    for words in ("Alice is East", "for the third hand running", "East is the wind of the round", "Fay sits out"):
        assert words in text
    assert "Hand 2: <a" in text
    assert "Alice goes Mah-jong with 32</a>" in text


def test_a_new_east_begins_anew(page, five):
    won(five, 1, seat1=100)
    won(five, 2, seat2=20)
    context = page().context
    assert (context["east"].player.name, context["east_words"]) == ("Bob", "")
    assert "Alice sits out" in page().content.decode()


def test_a_draw_keeps_east_and_counts_a_void_hand_does_not(page, five):
    won(five, None)
    assert page().context["east_words"] == "for the second hand running"
    false_mahjong(five, 2)
    assert page().context["east_words"] == "for the second hand running"


def test_the_last_hand_is_the_last_that_stands(page, five):
    won(five, 1, seat1=100)
    won(five, 3, seat3=20)
    record(five, {"entry": str(five.entries.order_by("position").last().key)}, kind="take_out")
    context = page().context
    assert (context["last"].number, context["last"].winners[0].total) == (1, 100)


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "first"), (3, "third"), (10, "tenth"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (22, "22nd"),
     (23, "23rd"), (24, "24th"), (111, "111th")],
)  # fmt: skip
def test_places_in_words(number, words):
    assert ordinal(number) == words
